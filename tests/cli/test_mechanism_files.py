"""Files of mechanisms: what is written comes back, and nothing else is believed."""

from __future__ import annotations

import json
import stat

import numpy as np
import pytest

from noisewright import Categories, Circle, Interval
from noisewright.cli.main import main
from noisewright.cli.mechanism_files import (
    LARGEST,
    check_mechanism_target,
    read_for,
    read_mechanism,
    write_mechanism,
)
from noisewright.design import optimal_law
from noisewright.errors import BadTable, InvalidParameter
from noisewright.io import read_description
from noisewright.io.description import LARGEST as LARGEST_DESCRIPTION
from noisewright.io.description import Description
from noisewright.mechanisms import OGPM, DesignedLaw, TunedWindow
from noisewright.mechanisms.designed import BITS

PULSE = Interval(40, 200)


@pytest.fixture(scope="module")
def law():
    return optimal_law(PULSE, 2.0, inputs=8)


@pytest.fixture
def file(law, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_mechanism("mechanism.json", law)
    (tmp_path / "readings.csv").write_text("heart_rate\n71\n64.5\n102\n")
    return tmp_path / "mechanism.json"


def rewritten(file, change):
    content = json.loads(file.read_text())
    change(content)
    file.write_text(json.dumps(content))


# -- writing and reading ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mechanism",
    [
        OGPM(PULSE, 1.0),
        TunedWindow(Circle(24), 2.0, 0.25),
        optimal_law(Circle(24), 2.0, "squared"),
        optimal_law(Interval(0, 1), 1.0, "squared", unbiased=True, inputs=5),
        optimal_law(Categories(["Zürich", "<b>"]), 1.0, "zero-one"),
    ],
    ids=lambda mechanism: type(mechanism).__name__,
)
def test_what_is_written_comes_back(tmp_path, mechanism):
    path = write_mechanism(tmp_path / "m.json", mechanism)
    assert read_mechanism(path) == mechanism
    assert [each.name for each in tmp_path.iterdir()] == ["m.json"]


def test_a_link_is_written_through_and_permissions_are_those_of_any_new_file(law, tmp_path):
    (tmp_path / "new").touch()
    (tmp_path / "link.json").symlink_to(tmp_path / "target.json")
    write_mechanism(tmp_path / "link.json", law)
    assert (tmp_path / "link.json").is_symlink()
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "target.json")}
    assert len(modes) == 1


def test_targets_are_checked_before_any_work(tmp_path):
    (tmp_path / "there.json").write_text("mine")
    check_mechanism_target(tmp_path / "there.json", replace=True)
    for name, said in (
        ("there.json", "exists already"),
        ("law.parquet", "must end in .json"),
        ("nowhere/law.json", "does not exist"),
    ):
        with pytest.raises(BadTable, match=said):
            check_mechanism_target(tmp_path / name, replace=False)
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(BadTable, match="not a regular file"):
        check_mechanism_target(tmp_path / "folder.json", replace=True)


# -- files that lie or are broken --------------------------------------------------------------------


def _steal(content):
    """Move one unit of probability: the sums still hold, the ratio does not."""
    weights = content["mechanism"]["weights"]
    column = np.argmin([row[0] for row in weights])
    weights[column][1] += weights[column][0] - 1
    weights[column][0] = 1


TAMPERED = [
    (_steal, "spend more than epsilon = 2"),
    (lambda c: c["mechanism"]["weights"][0].__setitem__(0, 0), "whole numbers from 1"),
    (lambda c: c["mechanism"]["weights"][0].__setitem__(0, 1.5), "whole numbers from 1"),
    (lambda c: c["mechanism"]["weights"].clear(), "a table of 1 to"),
    (lambda c: c["mechanism"]["weights"][0].append(1), "whole numbers"),
    (lambda c: c["mechanism"].update(epsilon=0.5), "spend more than epsilon = 0.5"),
    (lambda c: c["mechanism"].update(epsilon="2"), "epsilon must be a number"),
    (lambda c: c["mechanism"].update(mechanism="os.system"), "unknown mechanism 'os.system'"),
    (lambda c: c["mechanism"].update(extra=1), "is broken"),
    (lambda c: c["mechanism"].update(outputs=[5, 1]), "must be distinct, in order"),
    (lambda c: c["mechanism"]["report_lattice"].update(cells=1 << 40), "is refused"),
    (lambda c: c["mechanism"].update(certificate={"loss": 1}), "is refused"),
    (lambda c: c.update(mechanism=None), "described by a mapping"),
    (lambda c: c.update(format=2), "newer Noisewright (format 2, this version reads format 1)"),
    (lambda c: c.update(format="1"), "its fields must be exactly"),
    (lambda c: c.update(note="hello"), "its fields must be exactly"),
    (lambda c: c.update(noisewright="survey"), "is not a mechanism that noisewright design wrote"),
]


@pytest.mark.parametrize(("change", "said"), TAMPERED)
def test_a_tampered_file_is_refused_with_one_sentence(file, capsys, change, said):
    rewritten(file, change)
    assert main(["explain", "@mechanism.json"]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert "mechanism.json" in err
    assert (out, len(err.splitlines())) == ("", 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"hello", "not the strict JSON"),
        (b"\xff\xfe\x00", "its text is not UTF-8"),
        (b'{"noisewright": NaN}', "not the strict JSON"),
        (b'{"format": 1, "format": 1}', "not the strict JSON"),
        (b"[" * 200_000, "not the strict JSON"),
        (b"[1, 2]", "is not a mechanism"),
        (b" " * (LARGEST + 1), "larger than 8 MiB"),
    ],
    ids=["empty", "text", "bytes", "nan", "twice", "deep", "list", "large"],
)
def test_what_is_no_mechanism_is_refused_with_one_sentence(file, capsys, content, said):
    file.write_bytes(content)
    assert main(["explain", "@mechanism.json"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_file_that_is_not_there_or_cannot_be_read_is_refused(file, capsys):
    for name, said in (("nowhere.json", "there is no such file"), (".", "it is a folder")):
        assert main(["explain", f"@{name}"]) == 2
        assert said in capsys.readouterr().err


# -- using a file ------------------------------------------------------------------------------------


def perturb(*arguments):
    return main(["perturb", "readings.csv", "-o", "reports.parquet", "--interval", "heart_rate=40:200",
                 *arguments])  # fmt: skip


@pytest.mark.parametrize("chosen", ["heart_rate=@mechanism.json", "@mechanism.json", "heart_rate=@a=b.json"])
def test_reports_are_drawn_by_the_mechanism_of_the_file(file, law, capsys, chosen):
    (file.parent / "a=b.json").write_bytes(file.read_bytes())
    assert perturb("--epsilon", "2", "--mechanism", chosen) == 0
    assert read_description("reports.parquet").mechanisms == {"heart_rate": law}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--epsilon", "1"],
            "column 'heart_rate': the mechanism in mechanism.json was designed for epsilon = 2",
        ),
        (["--epsilon", "2", "--delta", "0.1"], "--delta is given, but no mechanism here takes one"),
    ],
)
def test_a_file_for_another_task_is_refused(file, capsys, arguments, said):
    assert perturb(*arguments, "--mechanism", "heart_rate=@mechanism.json") == 2
    assert said in capsys.readouterr().err
    assert not (file.parent / "reports.parquet").exists()


def test_domain_and_budget_must_be_those_of_the_file(file, law):
    assert read_for(file, PULSE, 2.0) == law
    with pytest.raises(InvalidParameter, match=r"was designed for Interval\(40.0, 200.0\), not for Interval"):
        read_for(file, Interval(40, 201), 2.0)
    with pytest.raises(InvalidParameter, match=r"epsilon = 2, but 2.5 is to be spent"):
        read_for(file, PULSE, 2.5)


def test_labels_are_not_numbers(file, capsys):
    write_mechanism("labels.json", optimal_law(Categories("abc"), 2.0, "zero-one"))
    assert perturb("--epsilon", "2", "--mechanism", "@labels.json") == 2
    assert "labels.json is for labels, and numbers are needed" in capsys.readouterr().err


def test_explain_takes_what_it_needs_from_the_file_and_refuses_what_disagrees(file, law, capsys):
    assert main(["explain", "@mechanism.json", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["worst_absolute"] == law.worst_error("absolute")
    assert (
        found["law"][0]
        == "The interval from 40 to 200 is cut into 8 equal parts; a true value counts as its part."
    )
    assert main(["explain", "@mechanism.json", "--epsilon", "1"]) == 2
    assert "designed for epsilon = 2" in capsys.readouterr().err
    assert main(["explain", "@mechanism.json", "--circle", "24"]) == 2
    assert "not for --circle 24" in capsys.readouterr().err


def test_the_largest_law_fits_into_the_description_of_a_file():
    rows, columns = 256, 512
    each = (1 << BITS) // columns
    weights = ((each,) * columns,) * rows
    lattice = Interval(-0.5, 1.5, cells=columns)
    largest = DesignedLaw(Interval(0, 1), 1.0, lattice, tuple(range(columns)), weights)
    text = Description({"x": largest}).to_json()
    assert len(text) < LARGEST_DESCRIPTION
    assert Description.from_json(text).mechanisms["x"] == largest
