"""``noisewright tour``: every verb works on bundled data, and one page leads to all others."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from noisewright.cli.main import main
from noisewright.cli.tour import STOPS
from noisewright.cli.tour_data import BANDS, write_data
from noisewright.randomness import SIMULATED
from report.checking import check

DATA = [
    "clients.csv",
    "clinic.csv",
    "forest.joblib",
    "iris.csv",
    "patients.csv",
    "places.csv",
    "trips.geojson",
]
"""The files that the README reads."""


@pytest.mark.slow
def test_the_tour_ends_with_a_report(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "noisewright.cli", "tour"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    last = done.stdout.splitlines()[-1]
    assert last == "Report: tour-report/index.html"
    report = tmp_path / "tour-report" / "index.html"
    parsed = check(report.read_text(encoding="utf-8"))
    assert "NOT PRIVATE" not in parsed.prose
    assert "NOT PRIVATE" not in done.stdout + done.stderr
    assert {*DATA, "reports.parquet", "clusters.json"} <= {path.name for path in report.parent.iterdir()}


def test_every_stop_works_and_has_a_page_that_stands_alone(taken):
    folder = Path(taken["report"]).parent
    parsed = check(Path(taken["report"]).read_text(encoding="utf-8"))
    for stop, found in zip(STOPS, taken["stops"], strict=True):
        audited = stop.command.startswith("audit ogpm")  # refuted by bad luck in one tour of twenty
        assert found["exit"] in ((0, 3) if audited else (0,)), found
        assert stop.heading in parsed.prose
        assert stop.command.split(" -o ")[0] in parsed.prose
        if stop.page:
            check((folder / f"{stop.page}.html").read_text(encoding="utf-8"))
    assert "public or made up" in parsed.prose


def test_what_is_said_to_be_true_is_true_of_the_data(tmp_path):
    write_data(tmp_path)
    with (tmp_path / "clinic.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert np.mean([float(row["blood_pressure"]) for row in rows]) == pytest.approx(94.65, abs=0.005)
    shares = [100 * np.mean([row["band"] == band for row in rows]) for band in BANDS]
    assert shares == pytest.approx([1.1, 64.5, 16.3, 18.1], abs=0.05)
    said = " ".join(stop.why for stop in STOPS)
    assert "94.65 mmHg" in said
    assert "1.1, 64.5, 16.3 and 18.1 %" in said


def test_json_is_all_there_is_on_stdout_and_the_same_seed_gives_the_same_tour(capsys, tmp_path, taken):
    code = main(["tour", "--out", str(tmp_path / "here"), "--seed", "5", "--json"])
    out, err = capsys.readouterr()
    assert code == 0
    found = json.loads(out)
    assert found["private"] is False
    assert "NOT PRIVATE" in err
    assert SIMULATED in check(Path(found["report"]).read_text()).prose
    repeated = [stop.seeded and not stop.command.startswith("audit ogpm") for stop in STOPS]
    for first, second, same in zip(taken["stops"], found["stops"], repeated, strict=True):
        assert first == second or not same  # the noise of an audited mechanism is real, whatever the seed


def test_without_scikit_learn_the_tables_are_made_up(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    write_data(tmp_path)
    assert not (tmp_path / "forest.joblib").exists()
    assert len((tmp_path / "clinic.csv").read_text().splitlines()) == 443


def test_a_folder_that_is_a_file_is_one_sentence(capsys, tmp_path):
    (tmp_path / "taken").write_text("mine")
    code = main(["tour", "--out", str(tmp_path / "taken")])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert "taken: it is a file, not a folder" in err
    assert len(err.splitlines()) == 1
