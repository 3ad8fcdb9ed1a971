"""Opening models by name: code runs only with trust, and every failure is one sentence."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import joblib
import numpy as np
import pytest
import sklearn

from noisewright.errors import BadModel, InvalidParameter
from noisewright.utility.models import BlackBox, open_model
from utility.models.trained import rows, trained


class Touch:
    """Unpickling this runs code: it makes a folder."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self):
        return (Path.mkdir, (self.marker,))


@pytest.mark.parametrize("name", ["model.pkl", "model.pickle", "model.joblib", "MODEL.PKL"])
def test_code_in_a_file_runs_only_with_trust(tmp_path, name):
    marker, path = tmp_path / "ran", tmp_path / name
    path.write_bytes(pickle.dumps(Touch(marker)))
    for trust in (False, 0, 1, "no", None):
        with pytest.raises(InvalidParameter, match=r"runs code when it is opened.*trust=True"):
            open_model(path, trust=trust)
    assert not marker.exists()
    with pytest.raises(InvalidParameter, match="NoneType is not a model"):
        open_model(path, trust=True)
    assert marker.exists()


@pytest.mark.parametrize("name", ["m.pkl", "m.pickle", "m.joblib"])
@pytest.mark.parametrize("write", [joblib.dump, lambda model, path: path.write_bytes(pickle.dumps(model))])
def test_a_trusted_file_answers_as_its_model(tmp_path, name, write):
    model = trained("forest", "texts")
    write(model, tmp_path / name)
    opened = open_model(str(tmp_path / name), trust=True)
    assert opened.labels(rows()).tolist() == model.predict(rows()).tolist()


def test_plain_pickles_open_without_joblib(tmp_path, monkeypatch):
    (tmp_path / "m.pkl").write_bytes(pickle.dumps(trained("linear", "numbers")))
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert open_model(tmp_path / "m.pkl", trust=True).features == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "EOFError"),
        (b"no pickle", "could not be opened as a pickle"),
        (pickle.dumps(trained("linear", "numbers"))[:-40], "could not be opened as a pickle"),
        (b"cnoisewright_absent\nModel\n.", "needs the package noisewright_absent"),
        (b"csys\nexit\n(tR.", "SystemExit"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, content, words):
    (tmp_path / "m.pkl").write_bytes(content)
    with pytest.raises(BadModel, match=words):
        open_model(tmp_path / "m.pkl", trust=True)


def test_another_version_of_scikit_learn_is_told_once(tmp_path):
    here = sklearn.__version__.encode()
    older = b"0" + here[1:]
    path = tmp_path / "m.pkl"
    path.write_bytes(pickle.dumps(trained("forest", "numbers")).replace(here, older))
    with pytest.warns(UserWarning, match=f"written with scikit-learn {older.decode()}") as said:
        opened = open_model(path, trust=True)
    assert len(said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what makes every warning a crash must not make the file unreadable
        with pytest.raises(UserWarning, match="written with scikit-learn"):
            open_model(path, trust=True)
    assert opened.labels(rows()).tolist() == trained("forest", "numbers").predict(rows()).tolist()


class Grumbling:
    """Unpickling this warns of something that is no version."""

    def __reduce__(self):
        return (warnings.warn, ("mind the gap",))


def test_other_warnings_of_a_file_come_through(tmp_path):
    (tmp_path / "m.pkl").write_bytes(pickle.dumps([Grumbling()]))
    with pytest.warns(UserWarning, match="mind the gap"), pytest.raises(InvalidParameter, match="list is no"):
        open_model(tmp_path / "m.pkl", trust=True)


@pytest.mark.parametrize("name", ["m" * 300 + ".onnx", "a\0b.pkl"])
def test_a_name_that_no_file_can_have_is_a_missing_file(name):
    with pytest.raises(BadModel, match="there is no file"):
        open_model(name, trust=True)


def test_a_pipe_is_no_model_file(tmp_path):
    os.mkfifo(tmp_path / "m.onnx")
    with pytest.raises(BadModel, match="not a regular file"):
        open_model(tmp_path / "m.onnx")


@pytest.mark.parametrize("name", ["m.onnx", "m.pkl", "m.joblib"])
def test_a_missing_file_and_a_folder_are_told_apart(tmp_path, name):
    with pytest.raises(BadModel, match=f"no file {name}"):
        open_model(tmp_path / name, trust=True)
    (tmp_path / name).mkdir()
    with pytest.raises(BadModel, match=f"{name} is a folder"):
        open_model(tmp_path / name, trust=True)


@pytest.mark.parametrize(
    "where", ["model", "model.h5", "model.pt", "", ".", "s3://bucket/model.onnx", "a b:c", ":x"]
)
def test_what_is_no_place_of_a_model_is_refused(where):
    with pytest.raises(InvalidParameter, match=r"give a file \.onnx"):
        open_model(where, trust=True)


MODULE = """
import pathlib
pathlib.Path("ran").mkdir()
class Rules:
    @staticmethod
    def over_forty(rows):
        return rows[:, 0] > 40
"""


def test_a_module_runs_only_with_trust(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    Path("noisewright_rules.py").write_text(MODULE)
    with pytest.raises(InvalidParameter, match=r"noisewright_rules:Rules\.over_forty runs code"):
        open_model("noisewright_rules:Rules.over_forty")
    assert not Path("ran").exists()
    before = list(sys.path)
    box = BlackBox(open_model("noisewright_rules:Rules.over_forty", trust=True))
    assert box.ask(np.array([[30.0], [50.0]]), 1).tolist() == [0, 1]
    assert Path("ran").exists()
    assert sys.path == before
    with pytest.raises(BadModel, match="nothing named over_fifty"):
        open_model("noisewright_rules:over_fifty", trust=True)
    sys.modules.pop("noisewright_rules")


@pytest.mark.parametrize(
    "text", ["noisewright_absent:model", "noisewright.absent:model", "noisewright_broken:model"]
)
def test_a_module_that_cannot_be_imported_is_refused(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    Path("noisewright_broken.py").write_text("import sys\nsys.no_such_thing_as_61_25")
    with pytest.raises(BadModel, match="could not be imported") as refusal:
        open_model(text, trust=True)
    assert "61_25" not in str(refusal.value)


def test_importing_the_room_loads_nothing_heavy():
    code = "import sys, noisewright.utility.models\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"sklearn", "onnxruntime", "joblib", "pandas", "scipy", "http.client", "ssl", "numba"}
