"""What ``perturb`` and ``estimate`` do, in one line of Python each."""

import json

import numpy as np

import noisewright
from command_line import run
from noisewright import Integers
from noisewright.mechanisms import SW
from noisewright.randomness import SeededSource


def test_a_file_is_estimated_in_one_line_as_the_verb_does(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ages = np.random.default_rng(1).integers(0, 100, 500)
    (tmp_path / "ages.csv").write_text("\n".join(["age", *map(str, ages), ""]))
    noisewright.perturb_file(
        "ages.csv", "reports.parquet", {"age": SW(Integers(0, 99), 2.0)}, source=SeededSource(1)
    )
    found = noisewright.estimate_file("reports.parquet", columns=["age"], bins=5, level=0.9)
    shown = run(capsys, "estimate", "reports.parquet", "--bins", "5", "--level", "0.9", "--json")[0]
    assert json.loads(json.dumps(found.to_dict()["columns"])) == json.loads(shown)["columns"]
    assert "500 reports" in str(found)
