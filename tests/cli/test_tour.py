"""``noisewright tour`` on the command line, from another directory and with nothing prepared."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from noisewright.cli.main import main
from pages.checking import check


def test_the_tour_ends_with_a_report(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "noisewright.cli", "tour"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    last = done.stdout.splitlines()[-1]
    assert last.startswith("Report: ")
    report = Path(last.removeprefix("Report: "))
    assert report == tmp_path / "tour-report" / "index.html"
    parsed = check(report.read_text(encoding="utf-8"))
    assert "NOT PRIVATE" not in parsed.prose
    assert "NOT PRIVATE" not in done.stdout + done.stderr
    assert '"randomness": "cryptographic"' in parsed.prose
    assert sorted(path.name for path in report.parent.iterdir()) == [
        "clients.csv",
        "clinic.csv",
        "clusters.json",
        "designed.parquet",
        "forest.joblib",
        "index.html",
        "iris.csv",
        "learned.json",
        "patients.csv",
        "places.csv",
        "reports.parquet",
        "trips.geojson",
    ]


def test_json_is_all_there_is_on_stdout_and_the_same_seed_gives_the_same_tour(capsys, tmp_path, taken):
    code = main(["tour", "--out", str(tmp_path / "here"), "--seed", "5", "--json"])
    out, err = capsys.readouterr()
    assert code == 0
    found = json.loads(out)
    assert found["private"] is False
    assert "NOT PRIVATE" in err
    assert found["stops"][0]["heading"] == "The data"
    for first, second in zip(facts(taken.to_dict()), facts(found), strict=True):
        assert first == second
    page = Path(found["report"]).read_text(encoding="utf-8")
    assert page == taken.report.read_text(encoding="utf-8")


def facts(tour):
    """What is said at every stop, as JSON reads it; where its files lie is no part of it."""
    return [
        {k: v for k, v in stop.items() if k != "reports"} for stop in json.loads(json.dumps(tour["stops"]))
    ]


def test_a_folder_that_is_a_file_is_one_sentence(capsys, tmp_path):
    (tmp_path / "taken").write_text("mine")
    code = main(["tour", "--out", str(tmp_path / "taken")])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert "taken: it is a file, not a folder" in err
    assert len(err.splitlines()) == 1
