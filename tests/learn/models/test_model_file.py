"""Classifiers in files: what is read back predicts the same, and nothing broken is believed."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from noisewright import Categories, Circle, Interval
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn import MRMA, LocalClassifier, read_schema
from noisewright.learn.models import learned_model as files
from noisewright.learn.models.learned_model import LearnedModel, load_model, save_model
from noisewright.learn.rules import LinearRule, ModelRule

SCHEMA = read_schema({"age": Interval(0, 100), "sex": Categories(["f", "m"])}, 2)
MODEL = LearnedModel(
    SCHEMA, ("no", "yes"), LinearRule([1.0, 0.25], 0.1), 2.0, label="ill", asked={"learn": 80, "check": 20},
    scorecard={"accuracy": {"value": 0.8}}, simulated=True,
)  # fmt: skip


def fitted(kind: str):
    generator = np.random.default_rng(4)
    X = generator.uniform(0, 10, (1200, 2))
    if kind == "local":
        return LocalClassifier(3.0, domain=[Interval(0, 10), Circle(10)], random_state=1).fit(
            X, X[:, 0] > 5
        ), X
    if kind == "three":
        labels = np.digitize(X[:, 0], [3, 7])
        return MRMA(epsilon=3.0, domain=Interval(0, 10), check=0.1, random_state=1).fit(X, labels), X
    return MRMA(epsilon=3.0, domain=Interval(0, 10), intercept=False, random_state=1).fit(X, X[:, 0] > 5), X


@pytest.mark.parametrize("kind", ["local", "mrma", "three"])
def test_what_is_read_back_predicts_what_was_learned(tmp_path, kind):
    model, X = fitted(kind)
    read = load_model(save_model(model, tmp_path / "model.json"))
    assert read.predict(X).tolist() == model.predict(X).tolist()
    assert np.array_equal(read.decision_function(X), model.decision_function(X))
    assert np.allclose(read.predict_proba(X), model.predict_proba(X), atol=1e-12)
    assert read.classes_.tolist() == model.classes_.tolist()
    learn, choose = (1020, 60) if kind == "local" else (216, 864)
    assert (read.epsilon, read.simulated) == (3.0, True)
    assert read.asked == {"learn": learn, "choose": choose, "check": 120}
    assert read.scorecard["accuracy"]["count"] == 120
    assert read.method == ("local" if kind == "local" else "mrma")


def test_everything_is_in_the_file_and_nothing_else_in_the_folder(tmp_path):
    path = save_model(MODEL, tmp_path / "model.json")
    assert load_model(path).to_dict() == MODEL.to_dict()
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]
    written = json.loads(path.read_text(encoding="utf-8"))
    assert set(written) == set(files.CLASSIFIER.fields)
    assert (written["label"], written["simulated"]) == ("ill", True)


def test_columns_are_found_by_their_names():
    frame = pd.DataFrame({"sex": ["m", "f"], "other": [0, 0], "age": [10.0, 90.0]})
    assert MODEL.predict(frame).tolist() == ["no", "yes"]
    with pytest.raises(BadTable, match="the table has no column 'age'"):
        MODEL.predict(frame[["sex", "other"]])
    with pytest.raises(OutOfDomain, match=r"age\[1\] lies above"):
        MODEL.predict([[10, "m"], [101.5, "m"]])


def changed(**fields):
    content = {"noisewright": "classifier", "format": 1, "package": "1", **MODEL.to_dict(), **fields}
    return json.dumps({name: value for name, value in content.items() if value is not ...})


RULE = MODEL.rule.to_dict()
BROKEN = {
    "empty": ("", "is empty"),
    "no json": ("hello", "not the strict JSON"),
    "bytes": (b"\xff\xfe\x00", "not UTF-8"),
    "nan": (changed().replace("0.25", "NaN"), "not the strict JSON"),
    "a key twice": (changed()[:-1] + ', "epsilon": 1}', "not the strict JSON"),
    "nested without end": ('{"a":' * 5000 + "1" + "}" * 5000, "not the strict JSON"),
    "a list": ("[1]", "is not a classifier that noisewright learn wrote"),
    "a mechanism": (changed(noisewright="mechanism"), "is not a classifier that noisewright learn wrote"),
    "newer": (changed(format=2), "newer Noisewright"),
    "older": (changed(format=0), "is broken"),
    "format true": (changed(format=True), "is broken"),
    "a field missing": (changed(asked=...), "its fields must be exactly"),
    "a field more": (changed(code="import os"), "its fields must be exactly"),
    "unknown rule": (changed(rule={"rule": "pickle", "bytes": "gASV"}), "unknown rule 'pickle'"),
    "rule of another width": (changed(rule={**RULE, "weights": [1.0]}), "rows of 1 unit columns"),
    "rule huge": (changed(rule={**RULE, "weights": [1e31, 1.0]}), "at most 1e+30"),
    "rule of text": (changed(rule={**RULE, "weights": ["1", "2"]}), "must be numbers"),
    "three classes of two": (changed(classes=["a", "b", "c"]), "is not one for 3 classes"),
    "one class": (changed(classes=["a"]), "2 to 10,000 different names"),
    "a class twice": (changed(classes=["a", "a"]), "2 to 10,000 different names"),
    "classes of two kinds": (changed(classes=["a", 1]), "2 to 10,000 different names"),
    "classes of lists": (changed(classes=[[1], [2]]), "2 to 10,000 different names"),
    "classes a text": (changed(classes="ab"), "classes a list"),
    "epsilon zero": (changed(epsilon=0), "epsilon must be a number above 0"),
    "epsilon a word": (changed(epsilon="2"), "epsilon must be a number above 0"),
    "schema empty": (changed(schema={"features": []}), "a schema needs 1 to"),
    "schema a list": (changed(schema=[]), "schema"),
    "domain reversed": (changed(schema={"features": [{"name": "x", "domain": {"kind": "interval", "low": 2, "high": 1}}]}), "is refused"),
    "simulated a number": (changed(simulated=0), "simulated true or false"),
    "scorecard a text": (changed(scorecard="good"), "scorecard must be an object or null"),
    "asked negative": (changed(asked={"learn": -1}), "asked['learn']"),
    "asked a list": (changed(asked=[3]), "asked must be an object"),
    "label a number": (changed(label=3), "label and method must be text"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_refused_with_a_sentence(tmp_path, name):
    content, said = BROKEN[name]
    path = tmp_path / "model.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadTable) as refusal:
        load_model(path)
    assert said in str(refusal.value)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_unchanged_description_is_read():
    assert LearnedModel.from_dict(json.loads(changed())).to_dict() == MODEL.to_dict()


def test_a_file_larger_than_any_classifier_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "CLASSIFIER", replace(files.CLASSIFIER, largest=1 << 10))
    (tmp_path / "model.json").write_text(changed() + " " * 1024)
    with pytest.raises(BadTable, match="larger than 1 KiB and is not read"):
        load_model(tmp_path / "model.json")


def test_what_cannot_be_described_leaves_no_file(tmp_path):
    estimator = SimpleNamespace(
        decision_function=lambda rows: np.asarray(rows)[:, 0], classes_=np.array([0, 1])
    )
    strange = LearnedModel(SCHEMA, ("no", "yes"), ModelRule(estimator, (0, 1)), 1.0)
    with pytest.raises(InvalidParameter):
        save_model(strange, tmp_path / "model.json")
    with pytest.raises(BadTable, match="no such file or folder"):
        save_model(MODEL, tmp_path / "absent" / "model.json")
    with pytest.raises(InvalidParameter, match="not fitted yet"):
        save_model(LocalClassifier(), tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_file_stays_where_writing_fails(tmp_path, monkeypatch):
    path = save_model(MODEL, tmp_path / "model.json")
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("noisewright.io.file_access._settle", full)
    with pytest.raises(BadTable, match="the disk is full"):
        save_model(MODEL, path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]
