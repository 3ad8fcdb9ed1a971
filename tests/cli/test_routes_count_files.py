"""Counts by name of zone, as matrices and as files for other programs."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from noisewright.cli.main import main
from noisewright.trajectory import CellOracle, LonLatBox, Routes
from noisewright.trajectory.counts import _edges
from noisewright.trajectory.files import write_routes
from report.checking import check

SPACE = ["--space", "0,0,4,4"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Six hundred commuters from the west to the east, as cells, and with small budgets as cells and as locations."""
    folder = tmp_path_factory.mktemp("counts")
    generator = np.random.default_rng(1)
    ends = [np.array([(0.5, 1.0), (3.5, 3.0)]) + 0.4 * generator.random((2, 2)) for _ in range(600)]
    write_routes(folder / "trips.csv", Routes.of(ends), coordinates="plane")
    trips = str(folder / "trips.csv")
    cells = ["--for", "counts", "--grid", "4x4", "--seed", "1", "-o", str(folder / "cells.parquet")]
    assert main(["routes", "perturb", trips, "--epsilon", "4", *SPACE, *cells]) == 0
    faint = [*cells[:-1], str(folder / "faint.parquet")]
    assert main(["routes", "perturb", trips, "--epsilon", "1", *SPACE, *faint]) == 0
    silent = ["--seed", "2", "-o", str(folder / "silent.csv")]
    assert main(["routes", "perturb", trips, "--epsilon", "0.1", *SPACE, *silent]) == 0
    return folder


@pytest.fixture(autouse=True)
def here(made, monkeypatch):
    monkeypatch.chdir(made)


def count(*options, of="cells.parquet"):
    return main(["routes", "count", of, *options])


def test_zones_of_a_grid_have_names_and_a_matrix(capsys, tmp_path):
    page = tmp_path / "od.html"
    assert count("--origin-destination", "2x2", "--html", str(page)) == 0
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines()]
    assert ["from", "A2", "A1", "B2", "B1"] in lines
    row = next(line for line in lines if line[:1] == ["A2"] and len(line) == 5)
    assert 500 < float(row[4]) <= 600
    assert check(page.read_text(encoding="utf-8")).count("table") == 2


def test_zones_by_name_and_what_is_left(capsys, tmp_path):
    target = tmp_path / "od.csv"
    zones = ["--zone", "Old Town=0,0,1,2", "--zone", "Port=3,2,4,4"]
    assert count(*zones, "--json", "-o", str(target)) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["origin_destination"]
    assert found["zones"] == ["Old Town", "Port", "elsewhere"]
    assert found["low"][0][1] <= 600 <= found["high"][0][1] + 1e-9
    with target.open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["value", "from", "Old Town", "Port", "elsewhere"]
    assert [row[:2] for row in rows[1:4]] == [
        ["estimate", "Old Town"],
        ["estimate", "Port"],
        ["estimate", "elsewhere"],
    ]
    assert float(rows[1][3]) == found["estimate"][0][1]
    assert len(rows) == 10


def test_counts_as_tables_and_maps(tmp_path):
    table, chart = tmp_path / "cells.csv", tmp_path / "counts.geojson"
    assert count("--grid", "2x2", "-o", str(table)) == 0
    with table.open() as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert set(rows) == {"A1", "A2", "B1", "B2"}
    assert (rows["A2"]["left"], rows["A2"]["top"], rows["A2"]["total"]) == ("0.0", "2.0", "1200")
    assert float(rows["A2"]["low"]) <= 600 <= float(rows["A2"]["high"])
    assert count("--grid", "2x2", "--region", "0,0,2,2", "--origin-destination", "2x1", "-o", str(chart)) == 0
    document = json.loads(chart.read_text())
    kinds = [feature["geometry"]["type"] for feature in document["features"]]
    assert (kinds.count("Polygon"), kinds.count("LineString"), kinds.count("Point")) == (5, 2, 2)
    ring = document["features"][0]["geometry"]["coordinates"][0]
    assert ring[0] == ring[-1] == [0.0, 0.0]
    assert any("only the noise is random" in note for note in document["notes"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--zone", "a=0,0,1,1", "--zone", "b=0.5,0,2,2"], "the zones 'a' and 'b' overlap"),
        (["--zone", "a=0,0,1,1", "--zone", "a=2,2,3,3"], "gives one name twice"),
        (["--zone", "a=0,0,1"], "--zone wants name=left,bottom,right,top"),
        (["--zone", "a=0,0,1,1", "--origin-destination", "2x2"], "not both"),
        (["--grid", "2x2", "--region", "0,0,2,2", "-o", "two.csv"], "the answers to one question"),
        (["--grid", "2x2", "-o", "counts.txt"], ".csv, .geojson, .json"),
        (["--grid", "2x2", "-o", "trips.csv"], "exists already"),
    ],
)
def test_bad_questions_are_refused(options, said, capsys):
    assert count(*options) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert not Path("two.csv").exists()


def test_boxes_that_cut_cells_are_told_which_edges_there_are(capsys):
    assert count("--region", "0.5,0.5,3.5,3.5") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "A region cuts cells of the 4 × 4 that were collected" in out
    assert "left and right from 0, 1, 2, 3, 4, and bottom and top from 0, 1, 2, 3, 4." in out
    assert "--for counts" not in out
    assert count("--region", "0,0,2,4") == 0
    assert "cuts cells" not in capsys.readouterr().out
    assert count("--zone", "port=2.5,0,4,4") == 0
    assert "A zone cuts cells" in " ".join(capsys.readouterr().out.split())


def test_edges_of_many_cells_are_not_all_listed():
    across, up = _edges(CellOracle(LonLatBox(10.0, 50.0, 12.0, 51.0), 1.0, cells=(20, 2)))
    assert (across, up) == ("10, 10.1, 10.2, …, 12", "50, 50.5, 51")


def test_unbiased_estimates_are_always_told_and_impossible_trips_have_no_dust(capsys, tmp_path):
    """Zones that cover the space leave nothing elsewhere: 0 trips, and neither -0 nor 1e-9 of one."""
    target = tmp_path / "od.csv"
    halves = ["--zone", "west=0,0,2,4", "--zone", "east=2,0,4,4"]
    assert count(*halves, "--json", "-o", str(target)) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["origin_destination"]
    assert found["high"][2] == [0.0, 0.0, 0.0]
    assert [row[2] for row in found["high"]] == [0.0, 0.0, 0.0]
    with target.open() as file:
        assert not [cell for row in csv.reader(file) for cell in row if "e-" in cell]
    assert count("--origin-destination", "4x4", "--json", of="faint.parquet") == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    estimates = np.array(found["origin_destination"]["estimate"], dtype=np.float64)
    low, high = (np.array(found["origin_destination"][end]) for end in ("low", "high"))
    assert np.isfinite(estimates).all()
    assert (high - low > np.maximum(estimates, 60)).any()  # what would not be told of locations
    assert not [note for note in found["notes"] if "No estimate is printed" in note]


def test_the_narrower_interval_never_stands_without_what_it_rests_on(capsys, tmp_path):
    """In the terminal, on the page, in JSON and in files: an even spread, and where that is wrong."""
    points = np.random.default_rng(3).random((400, 1, 2)) * 4
    write_routes(tmp_path / "spread.csv", Routes.of(list(points)), coordinates="plane")
    made = ["--epsilon", "8", *SPACE, "--seed", "1", "-o", str(tmp_path / "points.csv")]
    assert main(["routes", "perturb", str(tmp_path / "spread.csv"), *made]) == 0
    page, table, of = tmp_path / "page.html", tmp_path / "counts.csv", str(tmp_path / "points.csv")
    capsys.readouterr()
    assert count("--region", "1,1,3,3", "--html", str(page), "-o", str(table), of=of) == 0
    told = " ".join(capsys.readouterr().out.split())
    wrong = "wrong if people gather at points within a cell"
    for text in (told, check(page.read_text(encoding="utf-8")).prose):
        assert text.count("only if spread evenly") == text.count("CAUTION") == text.count(wrong) == 1
        assert text.index("only if spread evenly") < text.index("CAUTION") < text.index("The intervals are")
    assert count("--region", "1,1,3,3", "--json", of=of) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["caution"].startswith("CAUTION")
    assert document["caution"] not in document["notes"]
    found = document["regions"][0]
    assert found["smooth_low"] is not None
    assert wrong in found["smoothness"]
    (row,) = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    assert wrong in row["smoothness"]


def test_estimates_that_are_selected_say_so(capsys):
    assert count("--grid", "4x4", of="silent.csv") == 0
    assert "Estimates are thus selected by width" in " ".join(capsys.readouterr().out.split())


def test_reports_that_cannot_answer_say_so(capsys):
    assert count("--region", "0,0,2,2", of="silent.csv") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "cannot be estimated" in out
    assert "These reports cannot answer how many locations lie in the region" in out
    assert "--for counts --grid" in out
    assert "0 to 1,200" not in out
    assert count("--region", "0,0,2,2", "--json", of="silent.csv") == 0
    (region,) = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["regions"]
    assert (region["answered"], region["estimate"]) == (False, None)
