"""Reports in a terminal: no line is longer than 100 letters, or than the terminal is wide."""

import shlex

import pytest

from noisewright.cli.terminal import LINE_WIDTH, line_width, print_report
from noisewright.report import Bullets, Caution, Facts, Figure, Listing, Report, Section, Table, number
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


WORDS = "a sentence of many words that goes on and on, " * 4
WIDE = Report(
    "Title", WORDS,
    [
        Section("Part", [WORDS, Caution(WORDS), Bullets([WORDS]), Facts([("a name", WORDS)])]),
        Section("Table", [Table("t", list("abcde"), [[WORDS[:30], *map(number, [1, 2]), WORDS, WORDS]])]),
        Section("Bars", [Figure("f", [], "c", lines=[WORDS, f"low  {'█' * 40}{'░' * 40}", f"high  {'█' * 20}"])]),
        Section("Command", [Listing("noisewright plan " + "--interval name=40:200 " * 6, "command")]),
    ],
    verb="test", data={},
)  # fmt: skip


@pytest.mark.parametrize("width", [100, 80, 60, 40])
def test_no_line_is_wider_than_the_terminal(width):
    lines = render_text(WIDE, width).splitlines()
    assert max(map(len, lines)) <= width
    whole = "".join("".join(lines).split())
    assert whole.count("asentenceofmanywords") >= 4
    bars = [line.strip() for line in lines if "█" in line]
    assert 1.5 < bars[0].count("█") / bars[1].count("█") < 2.5  # still to one scale


def test_a_report_is_as_wide_as_the_terminal_and_files_have_100_letters(capsys, monkeypatch):
    print_report(WIDE)
    assert 80 < max(map(len, capsys.readouterr().out.splitlines())) <= 100
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    print_report(WIDE)
    assert 60 < max(map(len, capsys.readouterr().out.splitlines())) <= 80
    monkeypatch.setenv("COLUMNS", "300")
    assert line_width() == 100
    assert LINE_WIDTH.get() is None
