"""How many files a reader opens to follow one call, and that the numbers of the house are kept."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from benchmarks.house import LIMITS, House

import noisewright
from noisewright import Interval
from noisewright.cli.main import main

SOURCE = str(Path(noisewright.__file__).parent)


def files_run(call) -> set[str]:
    """The files of the package in which a call runs a function; what imports run is not counted."""
    found: set[str] = set()

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCE) and not code.co_name.startswith("<"):
            found.add(code.co_filename)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def followed(call) -> int:
    """The number of files of a call that is made a second time, so that nothing is imported meanwhile."""
    call()
    return len(files_run(call))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with people and a model of them."""
    import joblib
    from sklearn.linear_model import LogisticRegression

    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(1)
    rows = random.uniform(-1, 1, (400, 2)).round(3)
    sick = (rows.sum(axis=1) > 0).astype(int)
    lines = [f"{a},{b},{label}" for (a, b), label in zip(rows.tolist(), sick.tolist(), strict=True)]
    Path("people.csv").write_text("\n".join(["x,y,sick", *lines, ""]))
    joblib.dump(LogisticRegression().fit(rows, sick), "model.joblib")
    assert main(["perturb", "people.csv", "--epsilon", "1", "--interval", "x=-1:1", "-o", "x.parquet"]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("command", "most"),
    [
        ("perturb people.csv --epsilon 1 --interval x=-1:1 -o again.parquet --force", 33),
        ("estimate x.parquet", 44),
        ("audit ogpm --interval 0:1 --claim 1 --samples 4000", 50),
        ("learn people.csv --label sick --epsilon 4 --interval x=-1:1 --interval y=-1:1", 52),
        ("predict model.joblib people.csv --trust --sensitive x=-1:1 --ignore sick --epsilon 1", 52),
    ],
)
def test_a_verb_runs_through_few_files(folder, capsys, command, most):
    assert followed(lambda: main(command.split())) <= most


def test_a_call_from_python_runs_through_few_files():
    from sklearn.cluster import KMeans

    from noisewright.audit import audit
    from noisewright.learn import LocalClassifier
    from noisewright.release import MutualInformation, Release

    random = np.random.default_rng(1)
    rows = random.uniform(-1, 1, (300, 2))
    labels = (rows.sum(axis=1) > 0).astype(int)

    def noisy(value, count):
        return value + random.laplace(size=count)

    # 20 on an idle machine; how outputs are drawn depends on how long a run takes
    assert followed(lambda: audit(noisy, 0, 1, claim=1.0, samples=4000, vectorized=True, seed=1)) <= 22
    model = LocalClassifier(2.0, domain=Interval(-1, 1), classes=[0, 1])
    assert followed(lambda: model.fit(rows, labels)) <= 32
    release = Release(KMeans(2), MutualInformation(0.25), worlds=32)
    assert followed(lambda: release.fit(rows)) <= 26


def test_no_number_of_the_house_has_risen():
    measures = House().measures()
    assert {name: value for name, value in measures.items() if value > LIMITS[name]} == {}
