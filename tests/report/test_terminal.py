"""Reports in a terminal: no line is longer than 100 letters."""

import shlex

from noisewright.report import Listing, Report, Section, Table, number
from noisewright.report.terminal import render_text


def lines_of(block) -> list[str]:
    report = Report("Title", "", [Section("Part", [block])], verb="test", data={})
    return render_text(report).splitlines()


def test_a_table_that_is_too_wide_is_folded_and_loses_nothing():
    files = [f"a-file-with-quite-a-long-name-{place}.reconstructed.geojson" for place in range(3)]
    header = [
        "file",
        "mean distance of all locations",
        "Hausdorff distance",
        "share of range queries answered",
    ]
    rows = [
        [file, number(f"{place:.4f}"), number("12.5"), number("80 %")] for place, file in enumerate(files)
    ]
    lines = lines_of(Table("Errors", header, rows))
    assert max(map(len, lines)) <= 100
    whole = "".join("".join(lines).split())
    assert all(cell in whole for cell in ("12.5", "80%", "2.0000"))
    first = "".join(line[2:40].split("  ")[0].strip() for line in lines)
    assert all(file in first for file in files)


def test_a_table_that_fits_stays_as_it_is():
    assert lines_of(Table("Shares", ["label", "share"], [["no", number("80 %")]]))[1:] == [
        "  label  share",
        "  no      80 %",
    ]


def test_a_long_command_can_be_pasted_into_a_shell():
    command = "noisewright perturb readings.csv " + " ".join(
        f"--interval name{place}=40:200" for place in range(6)
    )
    lines = [line[2:] for line in lines_of(Listing(f"{command}\nplain {'x' * 120}", "commands"))[1:]]
    assert max(map(len, lines[:-1])) <= 98
    assert shlex.split("\n".join(lines[:-1]).replace("\\\n", "")) == shlex.split(command)
    assert lines[-1] == f"plain {'x' * 120}"
