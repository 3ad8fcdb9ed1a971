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


def test_json_is_all_there_is_on_stdout(capsys, tmp_path):
    code = main(["tour", "--out", str(tmp_path / "here"), "--seed", "7", "--json"])
    out, err = capsys.readouterr()
    assert code == 0
    found = json.loads(out)
    assert Path(found["report"]).is_file()
    assert found["private"] is False
    assert "NOT PRIVATE" in err
    assert found["stops"][0]["heading"] == "The data"


def test_a_folder_that_is_a_file_is_one_sentence(capsys, tmp_path):
    (tmp_path / "taken").write_text("mine")
    code = main(["tour", "--out", str(tmp_path / "taken")])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert "taken: it is a file, not a folder" in err
    assert len(err.splitlines()) == 1
