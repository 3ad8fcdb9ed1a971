"""Labels on the command line: what a user meets, and one sentence with exit code 2 for everything else."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Categories
from noisewright.cli.main import main
from noisewright.cli.mechanism_files import write_mechanism
from noisewright.cli.options import LARGEST, read_labels
from noisewright.errors import InvalidParameter
from noisewright.io import read_description
from noisewright.mechanisms import KRR, OGPM, OLH, OUE, RR, LabelExponential
from noisewright.mechanisms.categorical.choice import best_oracle

CODES = ["asthma", "diabetes", "hypertension", "none"]
ROWS = "name,diagnosis,smokes,pulse\nAda,asthma,no,71\nBo,none,yes,64.5\nCy,diabetes,no,102\n"
DIAGNOSIS = ["--categories", "diagnosis=@codes.txt"]
SMOKES = ["--categories", "smokes=no,yes"]
TO = ["-o", "reports.parquet"]
ONE = ["--epsilon", "1"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.csv").write_text(ROWS)
    (tmp_path / "codes.txt").write_text("\n".join(CODES) + "\n")
    return tmp_path


def perturb(*arguments):
    return main(["perturb", "visits.csv", *arguments])


def test_the_example_of_the_documentation(capsys):
    assert perturb(*ONE, *DIAGNOSIS, "--protocol", "auto", *TO) == 0
    told = capsys.readouterr()
    best = best_oracle(Categories(CODES), 1.0)
    title, column, row = (" ".join(part.split()) for part in told.out.split("\n\n"))
    assert told.err == ""
    assert title.startswith("3 rows of reports in reports.parquet")
    assert column.startswith(f"diagnosis: {type(best.mechanism).__name__} on 4 labels epsilon 1. An observer")
    assert column.endswith(f"Auto chose {best.reason}")
    assert row.startswith("One row epsilon 1.")
    assert read_description("reports.parquet").mechanisms == {"diagnosis": best.mechanism}
    assert pq.read_schema("reports.parquet").names == ["diagnosis"]


def test_json_says_what_auto_compared(capsys):
    assert perturb(*ONE, *DIAGNOSIS, *SMOKES, "--protocol", "smokes=rr", *TO, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    best = best_oracle(Categories(CODES), 0.5)
    assert list(said["choices"]) == ["diagnosis"]
    assert said["choices"]["diagnosis"]["reason"] == best.reason
    assert [each["protocol"] for each in said["choices"]["diagnosis"]["candidates"]] == [
        c.name for c in best.candidates
    ]
    assert said["row"]["guarantee"] == {"notion": "pure_ldp", "epsilon": 1.0}


@pytest.mark.parametrize(
    ("chosen", "kinds"),
    [
        (["krr"], [KRR, KRR]),
        (["OLH", "smokes=Rr"], [OLH, RR]),
        (["diagnosis=oue", "smokes=k-rr"], [OUE, KRR]),
    ],
)
def test_protocols_for_all_and_for_one_column(chosen, kinds):
    options = [part for name in chosen for part in ("--protocol", name)]
    assert perturb(*ONE, *DIAGNOSIS, *SMOKES, *options, *TO) == 0
    assert [type(made) for made in read_description("reports.parquet").mechanisms.values()] == kinds


def test_labels_and_numbers_share_the_budget_of_a_row(capsys):
    assert perturb("--epsilon", "2", "--interval", "pulse=40:200", *SMOKES, *TO) == 0
    found = read_description("reports.parquet")
    assert {name: made.epsilon for name, made in found.mechanisms.items()} == {"pulse": 1.0, "smokes": 1.0}
    assert (
        perturb(
            "--epsilon",
            "pulse=1",
            "--epsilon",
            "smokes=0.25",
            "--interval",
            "pulse=40:200",
            *SMOKES,
            *TO,
            "--force",
        )
        == 0
    )
    assert read_description("reports.parquet").guarantee.epsilon == 1.25


def test_numbers_in_a_column_match_labels_of_a_file(folder):
    pq.write_table(pa.table({"code": np.array([250, 401, 250])}), "codes.parquet")
    folder.joinpath("icd.txt").write_text("250\n401\n")
    assert main(["perturb", "codes.parquet", *ONE, "--categories", "code=@icd.txt", *TO]) == 0
    assert read_description("reports.parquet").mechanisms["code"].domain == Categories(["250", "401"])


def test_a_mechanism_from_a_file(capsys):
    made = LabelExponential(Categories(CODES), 1.0)
    write_mechanism("made.json", made)
    assert perturb(*ONE, *DIAGNOSIS, "--protocol", "@made.json", *TO) == 0
    assert read_description("reports.parquet").mechanisms == {"diagnosis": made}


def test_the_page_of_reports(folder, capsys):
    assert (
        perturb(
            *ONE,
            *DIAGNOSIS,
            *SMOKES,
            "--protocol",
            "olh",
            "--protocol",
            "smokes=rr",
            *TO,
            "--html",
            "page.html",
        )
        == 0
    )
    page = folder.joinpath("page.html").read_text(encoding="utf-8")
    assert "A report is a code" in page
    assert "reports of each smokes" in page


REFUSED = {
    "outside the list": ([*ONE, "--categories", "diagnosis=asthma,diabetes"], "diagnosis in data row 2 is not one of the 2 labels"),
    "one label": ([*ONE, "--categories", "smokes=no"], "column 'smokes': --categories need at least two labels"),
    "label twice": ([*ONE, "--categories", "smokes=no,yes,no"], "column 'smokes': label 3 repeats the label of label 1"),
    "no label": ([*ONE, "--categories", "smokes=no,,yes"], "label 2 is blank"),
    "blanks": ([*ONE, "--categories", "smokes=no, yes"], "label 2 has blanks around its label"),
    "no name": ([*ONE, "--categories", "no,yes"], "--categories wants name=@file with one label a line"),
    "no column": ([*ONE, "--categories", "smoker=no,yes"], "visits.csv has no column 'smoker'; did you mean 'smokes'?"),
    "column twice": ([*ONE, *SMOKES, *SMOKES], "column 'smokes' is named twice by --categories"),
    "two domains": ([*ONE, *SMOKES, "--interval=smokes=0:1"], "column 'smokes' is named twice by --interval, --integers, --circle or --categories"),
    "no columns": (ONE, "name at least one column to randomize, with --interval, --integers, --circle or --categories"),
    "file missing": ([*ONE, "--categories", "smokes=@none.txt"], "cannot read none.txt: there is no such file"),
    "file empty": ([*ONE, "--categories", "smokes=@empty.txt"], "empty.txt is empty"),
    "file is a folder": ([*ONE, "--categories", "smokes=@."], "it is a folder, not a file"),
    "blank line": ([*ONE, "--categories", "smokes=@blank.txt"], "line 2 of blank.txt is blank"),
    "line twice": ([*ONE, "--categories", "smokes=@twice.txt"], "line 3 of twice.txt repeats the label of line 1 of twice.txt"),
    "not UTF-8": ([*ONE, "--categories", "smokes=@latin.txt"], "cannot read latin.txt: its text is not UTF-8"),
    "UTF-16": ([*ONE, "--categories", "smokes=@wide.txt"], "line 1 of wide.txt holds a control character"),
    "too large": ([*ONE, "--categories", "smokes=@large.txt"], "large.txt is larger than 4 MiB and is not read"),
    "unknown protocol": ([*ONE, *SMOKES, "--protocol", "best"], "column 'smokes': --protocol 'best' is unknown; known: auto, KRR"),
    "RR for many": ([*ONE, *DIAGNOSIS, "--protocol", "rr"], "column 'diagnosis': RR is for two labels, got 4; take KRR"),
    "protocol of nobody": ([*ONE, *SMOKES, "--protocol", "diagnosis=krr"], "--protocol names column 'diagnosis', which has no --categories"),
    "two protocols": ([*ONE, *SMOKES, "--protocol=krr", "--protocol=olh"], "--protocol names one protocol for all columns"),
    "protocol without labels": ([*ONE, "--interval=pulse=40:200", "--protocol=krr"], "--protocol is for labels, and no column has"),
    "mechanism for labels": ([*ONE, *SMOKES, "--mechanism=pm"], "--mechanism is for numbers; the protocol of labels"),
    "delta": ([*ONE, *SMOKES, "--delta=1e-6"], "--delta is given, but no mechanism here takes one"),
    "clip": ([*ONE, *SMOKES, "--out-of-domain=clip"], "--out-of-domain clip is for numbers"),
    "epsilon": (["--epsilon=0", *SMOKES], "epsilon must be a number above 0"),
    "numbers in a file": ([*ONE, *SMOKES, "--protocol=@numbers.json"], "numbers.json is for numbers, and labels are needed"),
    "another list": ([*ONE, *SMOKES, "--protocol=@made.json"], "made.json is for another list of labels"),
    "another budget": (["--epsilon=2", *DIAGNOSIS, "--protocol=@made.json"], "designed for epsilon = 1, but 2"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_gets_one_sentence_and_leaves_nothing(folder, capsys, arguments, sentence):
    folder.joinpath("empty.txt").touch()
    folder.joinpath("blank.txt").write_text("no\n\nyes\n")
    folder.joinpath("twice.txt").write_text("no\nyes\nno\n")
    folder.joinpath("latin.txt").write_bytes("café\nthé\n".encode("latin-1"))
    folder.joinpath("wide.txt").write_bytes("no\nyes\n".encode("utf-16-le"))
    folder.joinpath("large.txt").write_bytes(b"a" * (LARGEST + 1))
    from noisewright import Interval

    write_mechanism("numbers.json", OGPM(Interval(0, 1), 1.0))
    write_mechanism("made.json", LabelExponential(Categories(CODES), 1.0))
    before = sorted(folder.iterdir())
    assert perturb(*arguments, *TO) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert sentence in told.err
    assert "hypertension" not in told.err
    assert sorted(folder.iterdir()) == before


def test_a_label_with_blanks_in_the_data_is_not_guessed(folder, capsys):
    folder.joinpath("visits.csv").write_text("smokes\nno\nyes \n")
    assert perturb(*ONE, *SMOKES, *TO) == 2
    assert (
        "smokes in data row 2 is a label of the list with blanks around it; remove them"
        in capsys.readouterr().err
    )
    folder.joinpath("visits.csv").write_text('smokes\nno\n""\n')
    assert perturb(*ONE, *SMOKES, *TO) == 2
    assert "smokes in data row 2 is missing" in capsys.readouterr().err


def test_files_of_labels_as_editors_write_them(folder):
    folder.joinpath("windows.txt").write_bytes("\ufeffno\r\nyes, often\r\n".encode())
    assert read_labels("@windows.txt") == Categories(["no", "yes, often"])
    folder.joinpath("bare.txt").write_bytes("naïve\nno".encode())
    assert read_labels("@bare.txt") == Categories(["naïve", "no"])
    folder.joinpath("mac.txt").write_bytes(b"no\ryes\r")
    with pytest.raises(InvalidParameter, match=r"line 1 of mac.txt"):
        read_labels("@mac.txt")
    folder.joinpath("table.txt").write_text("no\t0\nyes\t1\n")
    with pytest.raises(InvalidParameter, match="control character"):
        read_labels("@table.txt")
    with pytest.raises(InvalidParameter, match="an @ wants the name of a file after it"):
        read_labels("@")


def test_seeded_labels_say_so(capsys):
    assert perturb(*ONE, *SMOKES, *TO, "--seed", "1") == 0
    assert "NOT PRIVATE" in capsys.readouterr().err
    assert not read_description("reports.parquet").private
