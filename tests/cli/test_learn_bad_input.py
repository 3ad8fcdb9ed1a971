"""Whatever is wrong with a lesson's input: exit code 2, one sentence, no file, and nobody's values in it."""

from __future__ import annotations

import json
import os
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Categories, Interval
from noisewright.cli.main import main
from noisewright.learn import read_schema
from noisewright.learn.models.learned_model import LearnedModel, save_model
from noisewright.learn.rules import LinearRule

ROWS = [f"{41.25 + row},{'fm'[row % 2]},{'yes' if row % 3 else 'no'}\n" for row in range(12)]
PEOPLE = "age,sex,ill\n" + "".join(ROWS)
SECRETS = ("41.25", "42.25", "666.125", "secret")
FEATURES = ["--interval", "age=0:100", "--categories", "sex=f,m"]
USUAL = ["--label", "ill", "--epsilon", "2", *FEATURES]
MODEL = LearnedModel(
    read_schema({"age": Interval(0, 100), "sex": Categories(["f", "m"])}, 2),
    ("no", "yes"), LinearRule([1.0, 0.5]), 2.0, label="ill",
)  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    save_model(MODEL, tmp_path / "model.json")
    return tmp_path


def refused(capsys, folder, *arguments):
    """Run a verb, which must refuse; its sentence."""
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    code = main(list(map(str, arguments)))
    out, err = capsys.readouterr()
    assert (code, out) == (2, ""), err
    assert len(err.splitlines()) == 1, err
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    for secret in SECRETS:
        assert secret not in err
    return err


def without(*options: str) -> list[str]:
    """The usual options but for some, each with its value."""
    pairs = zip(USUAL[::2], USUAL[1::2], strict=True)
    return [part for name, value in pairs if name not in options for part in (name, value)]


OPTIONS = {
    "no label": (without("--label"), "Missing option '--label'"),
    "no epsilon": (without("--epsilon"), "Missing option '--epsilon'"),
    "no features": (without("--interval", "--categories"), "name at least one feature"),
    "epsilon zero": ([*without("--epsilon"), "--epsilon", "0"], "epsilon must be a number above 0"),
    "epsilon nan": ([*without("--epsilon"), "--epsilon", "nan"], "epsilon must be a number above 0"),
    "epsilon a word": ([*without("--epsilon"), "--epsilon", "small"], "epsilon must be a number above 0"),
    "epsilon twice": ([*USUAL, "--epsilon", "1"], "--epsilon is given twice"),
    "label missing": ([*without("--label"), "--label", "il"], "has no column 'il'; did you mean 'ill'?"),
    "label a feature": ([*without("--label"), "--label", "age"], "both --label and a feature"),
    "feature missing": ([*USUAL, "--interval", "bmi=10:60"], "has no column 'bmi'"),
    "feature twice": ([*USUAL, "--interval", "sex=0:1"], "named twice"),
    "one end": ([*USUAL, "--interval", "bmi=10"], "--interval wants name=low:high"),
    "ends reversed": ([*USUAL, "--interval", "bmi=60:10"], "column 'bmi'"),
    "no period": ([*USUAL, "--circle", "wakes"], "--circle wants name=period"),
    "one label": ([*USUAL, "--categories", "smokes=a"], "column 'smokes'"),
    "blank label": ([*USUAL, "--categories", "smokes=a,,b"], "label 2 is blank"),
    "unlisted label": (["--label", "ill", "--epsilon", "2", "--categories", "sex=m,w"], "sex in data row 1 is not one of the 2 labels"),
    "text for a number": (["--label", "ill", "--epsilon", "2", "--interval", "sex=0:1"], "sex in data row 1 is not a number"),
    "outside": (["--label", "ill", "--epsilon", "2", "--interval", "age=0:50"], "age in data row 10 lies above"),
    "out of domain a word": ([*USUAL, "--out-of-domain", "drop"], "--out-of-domain must be refuse or clip"),
    "method unknown": ([*USUAL, "--method", "forest"], "--method must be local or mrma, not 'forest'"),
    "base unknown": ([*USUAL, "--method", "mrma", "--base", "forest"], "--base must be one of logistic"),
    "base of local": ([*USUAL, "--base", "svm"], "are for --method mrma"),
    "intercept of local": ([*USUAL, "--no-intercept"], "are for --method mrma"),
    "learner unknown": ([*USUAL, "--learners", "forest"], "unknown learner 'forest'"),
    "learner twice": ([*USUAL, "--learners", "additive,additive"], "names 'additive' twice"),
    "learners of mrma": ([*USUAL, "--method", "mrma", "--learners", "additive"], "are for --method local"),
    "default of mrma": ([*USUAL, "--method", "mrma", "--default", "no"], "are for --method local"),
    "default unknown": ([*USUAL, "--default", "maybe"], "--default must be one of the classes"),
    "default unlisted": ([*USUAL, "--classes", "no,yes", "--default", "maybe"], "--default must be one of --classes"),
    "one class named": ([*USUAL, "--classes", "yes"], "--classes names one class only"),
    "class unlisted": ([*USUAL, "--classes", "no,perhaps"], "ill in data row 2 is not one of the classes"),
    "class empty": ([*USUAL, "--classes", "no,,yes"], "--classes wants names"),
    "seed negative": ([*USUAL, "--seed=-1"], "--seed must be a whole number of 0 or more"),
    "model no json": ([*USUAL, "-o", "model.pkl"], "must end in .json"),
    "model exists": ([*USUAL, "-o", "model.json"], "exists already; choose another name, or pass --force"),
    "model in no folder": ([*USUAL, "-o", "nowhere/model.json"], "does not exist"),
    "html no page": ([*USUAL, "--html", "page.pdf"], "must end in"),
    "html in no folder": ([*USUAL, "--html", "nowhere/page.html"], "does not exist"),
    "test the data": ([*USUAL, "--test", "people.csv"], "is the data itself"),
    "test missing": ([*USUAL, "--test", "absent.csv"], "no such file"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONS)
def test_options_without_a_meaning(capsys, folder, name):
    options, said = OPTIONS[name]
    assert said in refused(capsys, folder, "learn", "people.csv", *options)


FILES = {
    "empty": ("", "no bytes"),
    "header only": ("age,sex,ill\n", "no r"),
    "no header": ("".join(ROWS), "is the header line missing?"),
    "semicolons": (PEOPLE.replace(",", ";"), "semicolons"),
    "too few": ("age,sex,ill\n" + "".join(ROWS[:9]), "has 9 rows; learning needs 10 clients or more"),
    "one class": (PEOPLE.replace(",no\n", ",yes\n"), "column 'ill' holds one class only"),
    "label missing": (PEOPLE + "50,f,\n", "ill in data row 13 is missing"),
    "feature empty": (PEOPLE + ",f,no\n", "age in data row 13 is missing"),
    "label of a feature empty": (PEOPLE + "50,,no\n", "sex in data row 13 is missing"),
    "nan": (PEOPLE + "nan,f,no\n", "age in data row 13 is missing"),
    "infinite": (PEOPLE + "inf,f,no\n", "age in data row 13 is infinite"),
    "outside": (PEOPLE + "666.125,f,no\n", "age in data row 13 lies above"),
    "text": (PEOPLE + "secret,f,no\n", "age in data row 13 is not a number"),
    "strange label": (PEOPLE + "50,secret,no\n", "sex in data row 13 is not one of the 2 labels"),
    "short row": (PEOPLE + "50,f\n", "data row 13"),
    "two of a name": (PEOPLE.replace("age,sex,ill", "age,age,ill"), "2 columns named 'age'"),
    "a measurement": (
        "age,sex,ill\n" + "".join(f"50,f,{row}.5\n" for row in range(101)), "more than 100 classes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_tables_that_cannot_teach(capsys, folder, name):
    text, said = FILES[name]
    (folder / "people.csv").write_text(text)
    assert said in refused(
        capsys, folder, "learn", "people.csv", *USUAL, "-o", "new.json", "--html", "new.html"
    )


def test_labels_of_numbers_with_a_point_are_measurements(capsys, folder):
    pq.write_table(pa.table({"age": np.linspace(20, 80, 12), "ill": np.arange(12) / 2}), "p.parquet")
    usual = ["--label", "ill", "--epsilon", "2", "--interval", "age=0:100"]
    assert "ill holds float values where labels are needed" in refused(
        capsys, folder, "learn", "p.parquet", *usual
    )


def test_a_learner_of_two_classes_is_not_asked_for_three(capsys, folder):
    (folder / "people.csv").write_text(PEOPLE + "50,f,maybe\n")
    said = refused(capsys, folder, "learn", "people.csv", *USUAL, "--learners", "directions")
    assert "is for two classes, not 3" in said


def test_a_test_with_other_classes_or_columns_is_refused_before_anything_is_written(capsys, folder):
    for text, said in (
        (PEOPLE + "50,f,secret\n", "ill in data row 13 is not one of the classes"),
        (PEOPLE.replace("sex", "gender"), "has no column 'sex'"),
    ):
        (folder / "other.csv").write_text(text)
        assert said in refused(
            capsys, folder, "learn", "people.csv", *USUAL, "--test", "other.csv", "-o", "new.json"
        )


def test_the_data_are_not_written_over(capsys, folder):
    (folder / "people.json").write_text("{}")
    os.symlink(folder / "people.csv", folder / "link.json")
    said = refused(capsys, folder, "learn", "people.csv", *USUAL, "-o", "link.json", "--force")
    assert "is an input itself" in said


CLASSIFY = {
    "no model": (["people.csv", "-o", "p.csv"], "Missing option '--model'"),
    "no output": (["people.csv", "--model", "model.json"], "Missing option"),
    "model missing": (["people.csv", "--model", "absent.json", "-o", "p.csv"], "no such file"),
    "model a table": (["people.csv", "--model", "people.csv", "-o", "p.csv"], "not the strict JSON"),
    "output of no kind": (["people.csv", "--model", "model.json", "-o", "p.txt"], "the predictions must end in"),
    "output in no folder": (["people.csv", "--model", "model.json", "-o", "no/p.csv"], "does not exist"),
    "output the data": (["people.csv", "--model", "model.json", "-o", "people.csv", "--force"], "is an input itself"),
    "output exists": (["people.csv", "--model", "model.json", "-o", "old.csv"], "exists already"),
    "column missing": (["wrong.csv", "--model", "model.json", "-o", "p.csv"], "has no column 'sex'"),
    "outside": (["far.csv", "--model", "model.json", "-o", "p.csv"], "age in data row 1 lies above"),
    "strange label": (["strange.csv", "--model", "model.json", "-o", "p.csv"], "sex in data row 1 is not one of"),
    "kept missing": (["people.csv", "--model", "model.json", "-o", "p.csv", "--keep", "id"], "has no column 'id'"),
    "kept twice": (["people.csv", "--model", "model.json", "-o", "p.csv", "--keep", "age", "--keep", "age"], "2 columns named 'age'"),
    "out of domain a word": (["people.csv", "--model", "model.json", "-o", "p.csv", "--out-of-domain", "drop"], "refuse or clip"),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSIFY)
def test_what_cannot_be_classified(capsys, folder, name):
    (folder / "old.csv").write_text("mine")
    (folder / "wrong.csv").write_text("age,gender\n50,f\n")
    (folder / "far.csv").write_text("age,sex\n666.125,f\n")
    (folder / "strange.csv").write_text("age,sex\n50,secret\n")
    arguments, said = CLASSIFY[name]
    assert said in refused(capsys, folder, "classify", *arguments)


def test_a_broken_model_is_refused(capsys, folder):
    content = json.loads((folder / "model.json").read_text())
    (folder / "bad.json").write_text(json.dumps({**content, "rule": {"rule": "pickle", "bytes": "x"}}))
    said = refused(capsys, folder, "classify", "people.csv", "--model", "bad.json", "-o", "p.csv")
    assert "the classifier in bad.json is refused: unknown rule 'pickle'" in said


def test_without_scikit_learn_there_is_a_sentence(capsys, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert "[models]'" in refused(capsys, folder, "learn", "people.csv", *USUAL)
