"""``noisewright routes perturb`` as a user meets it: good runs with every option."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from noisewright.cli.main import main
from noisewright.trajectory import (
    Collection,
    Disk,
    LocalMap,
    LonLatBox,
    LonLatPolygon,
    OptimalPoints,
    Rectangle,
    Routes,
    Sphere,
    TraCSC,
    TraCSD,
)
from noisewright.trajectory.files import read_routes, write_routes
from report.checking import check

BOX = "139.47,35.51,139.90,35.86"
PRIVATE = ["-o", "private.geojson"]
LENGTHS = [40, 1, 7]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(1)
    low, size = np.array([139.5, 35.55]), np.array([0.3, 0.25])
    routes = [low + size * generator.random((length, 2)) for length in LENGTHS]
    times = [1.6e9 + np.arange(length) * 60.0 for length in LENGTHS]
    write_routes("trips.geojson", Routes.of(routes, ["ada", "bo", "cy"], times))
    write_routes("plane.csv", Routes.of([generator.random((20, 2))]), coordinates="plane")
    venues = low + size * generator.random((6, 2))
    lines = [f"v{place},{x},{y}" for place, (x, y) in enumerate(venues.tolist())]
    (tmp_path / "venues.csv").write_text("\n".join(["name,lon,lat", *lines, lines[0]]))
    return tmp_path


def perturb(*arguments, trips="trips.geojson", to=PRIVATE, epsilon="4"):
    return main(["routes", "perturb", trips, "--epsilon", epsilon, *arguments, *to])


def written(path="private.geojson"):
    return Collection.of_file(read_routes(path))


def test_a_budget_for_each_location_says_what_a_route_spends(capsys):
    assert perturb("--space", BOX, "--method", "auto") == 0
    out, err = capsys.readouterr()
    assert "the longest route spends ε = 160 in total" in err
    assert len(err.splitlines()) == 1
    assert out.startswith("Private routes in private.geojson\n  3 routes of 48 points, ")
    told = " ".join(out.split())
    for said in ("Expected error of a location", "TraCS-C", " km", "What is promised Each location is"):
        assert said in told
    unprotected = told.partition("NOT protected")[2].partition("How it was made")[0]
    for part in ("when each point was recorded", "names of the routes", "how many points"):
        assert part in unprotected
    found, true = written(), read_routes("trips.geojson").routes
    assert found.private
    assert found.mechanism.epsilon == 4.0
    assert found.mechanism.space == LonLatBox(139.47, 35.51, 139.90, 35.86)
    assert found.routes.names == true.names
    assert found.routes.lengths.tolist() == LENGTHS
    assert found.routes.times.tolist() == true.times.tolist()
    assert found.reported.all()
    assert not np.isclose(found.routes.points, true.points, rtol=0, atol=1e-9).all(axis=1).any()


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (["--space", BOX, "--method", "C", "--split", "even"], TraCSC),
        (["--space", BOX, "--method", "TraCS-C", "--channel", "SW"], TraCSC),
        (["--space", BOX, "--method", "D", "--reference", "previous", "--split", "heuristic"], TraCSD),
        (["--space", BOX, "--method", "D", "--reference", "139.7,35.7", "--split", "0.7"], TraCSD),
        (["--space", BOX, "--method", "D", "--points", "venues.csv"], TraCSD),
        (["--space", BOX, "--method", "optimal", "--points", "venues.csv"], OptimalPoints),
    ],
)
def test_methods(options, kind):
    assert perturb(*options) == 0
    mechanism = written().mechanism
    assert type(mechanism) is kind
    if "--reference" in options:
        assert mechanism.reference in ("previous", (139.7, 35.7))
        assert mechanism.follows == ("previous" in options)
    if "--channel" in options:
        assert mechanism.channel == "SW"
    if kind is OptimalPoints:
        assert len(mechanism.points) == 6  # the one that is there twice counts once


@pytest.mark.parametrize(
    ("options", "trips", "space"),
    [
        (["--space", BOX, "--projection", "local"], "trips.geojson", LocalMap),
        (["--space", "122,24,146,46"], "trips.geojson", LocalMap),
        (["--space", "122,24,146,46", "--projection", "degrees"], "trips.geojson", LonLatBox),
        (["--space", "-180,-85,180,85"], "trips.geojson", LonLatBox),
        (["--globe"], "trips.geojson", Sphere),
        (["--polygon", "139.4,35.5;140,35.5;139.9,36;139.4,36"], "trips.geojson", LonLatPolygon),
        (["--polygon", "@area.geojson"], "trips.geojson", LonLatPolygon),
        (["--space", "0,-1,1,1"], "plane.csv", Rectangle),
        (["--disk", "0.5,0.5,0.75"], "plane.csv", Disk),
    ],
)
def test_spaces(folder, capsys, options, trips, space):
    ring = [[139.4, 35.5], [140, 35.5], [140, 36], [139.4, 36], [139.4, 35.5]]
    area = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    folder.joinpath("area.geojson").write_text(json.dumps(area))
    to = "private.csv" if trips == "plane.csv" else "private.geojson"
    assert perturb(*options, "--method", "C", "--split", "even", trips=trips, to=["-o", to]) == 0
    assert type(written(to).mechanism.space) is space
    assert "  Space  " in capsys.readouterr().out


def test_a_budget_for_the_whole_route_is_thinned_and_says_so(capsys):
    assert perturb("--space", BOX, "--per", "route", "--step", "500") == 0
    out = capsys.readouterr().out
    found = written()
    assert found.budget.unit == "route"
    assert found.budget.reports < 40
    assert found.reported.sum() < 48
    assert found.mechanism.epsilon <= 4 / found.budget.reports
    assert f"At most {found.budget.reports} of the 40 points of the longest route are reported" in out
    assert "reports, the rest filled in)" in out
    assert "Each route as a whole is protected with ε = 4" in out


def test_a_stated_number_of_reports():
    assert perturb("--space", BOX, "--per", "route", "--reports", "5", "--method", "C", epsilon="40") == 0
    found = written()
    assert found.mechanism.epsilon == 8.0
    assert [int(flags.sum()) for flags in np.split(found.reported, [40, 41])] == [5, 1, 5]


@pytest.mark.parametrize("to", ["6x4", "venues.csv"])
def test_rounded_reports_say_that_they_are(capsys, to):
    assert perturb("--space", BOX, "--method", "C", "--round-to", to) == 0
    assert "reports rounded to" in capsys.readouterr().out
    found = written()
    assert "reports rounded to" in found.processed
    many = len(np.unique(found.routes.points.round(9), axis=0))
    assert many <= (24 if to == "6x4" else 6)
    for verb in (["reconstruct"], ["count", "--grid", "2x2"]):
        assert main(["routes", verb[0], "private.geojson", *verb[1:]]) == 2
        err = capsys.readouterr().err
        assert "no longer holds the reports as they were drawn, but reports rounded" in err
        assert len(err.splitlines()) == 1


def test_numbers_instead_of_names(capsys):
    assert perturb("--space", BOX, "--method", "C", "--names", "number") == 0
    assert written().routes.names == ("1", "2", "3")
    assert '"ada"' not in Path("private.geojson").read_text()
    assert "names of the routes" not in capsys.readouterr().out


def test_columns_by_name(folder):
    folder.joinpath("odd.csv").write_text("badge,east,up\nA,0.5,0.5\nB,0.25,0.5\n")
    columns = ["--column", "route=badge", "--column", "x=east", "--column", "y=up"]
    assert perturb("--space", "0,0,1,1", *columns, trips="odd.csv", to=["-o", "out.csv"]) == 0
    assert written("out.csv").routes.names == ("A", "B")


def test_the_same_seed_gives_the_same_file_and_says_not_private(folder, capsys):
    for name in ("one.geojson", "two.geojson"):
        assert perturb("--space", BOX, "--method", "C", "--seed", "7", to=["-o", name]) == 0
        assert "NOT PRIVATE" in capsys.readouterr().err
    assert folder.joinpath("one.geojson").read_bytes() == folder.joinpath("two.geojson").read_bytes()
    assert not written("one.geojson").private


def test_json_and_quiet(capsys):
    assert perturb("--space", BOX, "--method", "C", "--json") == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert (told["routes"], told["points"], told["reports"], told["private"]) == (3, 48, 48, True)
    assert told["mechanism"]["mechanism"] == "TraCSC"
    assert "does not protect the route or the person as a whole" in told["warnings"][0]
    assert perturb("--space", BOX, "--method", "C", "--quiet", "--force", epsilon="0.25") == 0
    assert capsys.readouterr() == ("", "")


def test_the_page_tells_the_promise_and_shows_the_reports():
    assert perturb("--space", BOX, "--method", "C", "--html", "page.html") == 0
    page = check(Path("page.html").read_text(encoding="utf-8"))
    assert "Each location is protected with ε = 4" in page.prose
    assert "NOT protected" in page.prose
    assert page.count("svg") == 2


def test_reports_randomized_again_get_a_notice(capsys):
    assert perturb("--space", BOX, "--method", "C") == 0
    capsys.readouterr()
    assert perturb("--space", BOX, "--method", "C", trips="private.geojson", to=["-o", "again.geojson"]) == 0
    assert "private.geojson already holds reports" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--method", "D"], "--method C is better"),
        (["--method", "C", "--round-to", "10x10"], "neither reconstructed nor counted; leave --round-to out"),
        (
            ["--method", "C", "--projection", "local"],
            "reconstructed but not counted; for counts use --space, with",
        ),
    ],
)
def test_what_cannot_be_done_afterwards_is_said_before(capsys, options, says):
    assert perturb("--space", BOX, *options) == 0
    assert says in " ".join(capsys.readouterr().out.split())


def test_a_defensible_budget_is_not_warned_of_and_a_larger_one_is(capsys):
    assert perturb("--space", BOX, "--per", "route", "--reports", "2", epsilon="10") == 0
    assert capsys.readouterr().err == ""
    assert (
        perturb("--space", BOX, "--per", "route", "--reports", "2", "--quiet", "--force", epsilon="10.5") == 0
    )
    err = capsys.readouterr().err
    assert "warning: the longest route spends ε = 10.5 in total" in err
    assert "do not promise such protection" in err


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ([], TraCSC),
        (["--for", "reconstruction"], TraCSC),
        (["--for", "counts"], TraCSC),
        (["--for", "single"], TraCSD),
    ],
)
def test_the_automatic_choice_goes_by_what_the_reports_are_for(options, kind, capsys):
    assert perturb("--space", "139.5,35.55,139.8,35.8", *options) == 0
    assert type(written().mechanism) is kind
    assert ("With --grid CxR" in capsys.readouterr().out) == ("counts" in options)


def test_cells_are_reported_and_counted_without_further_options(capsys):
    cells = ["--for", "counts", "--grid", "4x3", "--space", BOX]
    assert perturb(*cells, "--html", "cells.html", to=["-o", "cells.parquet"]) == 0
    out = capsys.readouterr().out
    for said in (
        "48 reports of cells, of 3 routes",
        "among 4 × 3",
        "one report estimates a share",
        "not reconstructed",
    ):
        assert said in out
    assert "Each location is protected with ε = 4" in check(Path("cells.html").read_text("utf-8")).prose
    assert main(["routes", "count", "cells.parquet", "--hotspots", "2", "--json"]) == 0
    spots = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["hotspots"]
    assert len(spots) == 2
    assert spots[0]["cell"] < [4, 3]
    for verb in (
        ["routes", "reconstruct"],
        ["estimate"],
        ["routes", "perturb", "--epsilon", "1", "-o", "x.csv"],
    ):
        assert (
            main([*verb[:2], "cells.parquet", *verb[2:], *(["--space", BOX] if len(verb) > 2 else [])]) == 2
        )
        assert "routes count reads" in capsys.readouterr().err
    assert perturb(*cells, "--per", "route", to=["-o", "cells.csv"]) == 0
    assert "One point of each route is reported" in capsys.readouterr().out
    assert main(["routes", "count", "cells.csv", "--grid", "3x3"]) == 2
    assert "a grid of 4 × 3; ask for that one" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "to", "said"),
    [
        (["--grid", "4x4"], "a.parquet", "give --for counts with it"),
        (["--for", "counts", "--grid", "4x4"], "a.geojson", "write them to a .parquet or .csv file"),
        (
            ["--for", "counts", "--grid", "4x4", "--method", "C"],
            "a.csv",
            "--method is for reports that are locations",
        ),
        (["--for", "counts", "--grid", "1x1"], "a.csv", "--grid needs two cells or more"),
        (["--for", "counts", "--method", "D"], "a.csv", "leave --method out, or give C"),
        (["--for", "fun"], "a.csv", "--for must be one of reconstruction, counts, single"),
    ],
)
def test_cells_that_cannot_be_are_refused(options, to, said, capsys):
    assert perturb("--space", BOX, *options, to=["-o", to]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert not Path(to).exists()


def test_a_file_of_devices_says_how_to_assign_them(folder, capsys):
    folder.joinpath("devices.csv").write_text("badge_id,lat,lon\nA,35.6,139.6\nB,35.7,139.7\n")
    assert perturb("--space", BOX, trips="devices.csv", to=["-o", "out.csv"]) == 2
    assert "assign it by --column route=badge_id, or say --one-route" in capsys.readouterr().err
    assert (
        perturb("--space", BOX, "--column", "route=badge_id", trips="devices.csv", to=["-o", "out.csv"]) == 0
    )
    assert perturb("--space", BOX, "--one-route", trips="devices.csv", to=["-o", "one.csv"]) == 0
    assert (len(written("out.csv").routes), len(written("one.csv").routes)) == (2, 1)


@pytest.mark.parametrize("verb", [["routes"], ["routes", "perturb"]])
def test_the_example_of_the_help_protects_the_whole_route(verb, capsys):
    """What users copy must run, and must not be what the command itself warns of."""
    assert main([*verb, "--help"]) == 0
    flat = " ".join(capsys.readouterr().out.split())
    (shown,) = re.findall(r"noisewright (routes perturb trips\.geojson .*?-o private\.geojson)", flat)
    assert main(shown.split()) == 0
    assert "spends" not in capsys.readouterr().err
    assert written().guarantee.startswith("Each route as a whole is protected with ε = 4")
