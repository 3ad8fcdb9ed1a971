"""Whatever is wrong with routes: exit code 2, one sentence, no file, and nobody's coordinates in it."""

import numpy as np
import pytest

from noisewright.cli.main import main
from noisewright.trajectory import Routes
from noisewright.trajectory.files import write_routes

BOX = ["--space", "139.47,35.51,139.90,35.86"]
HOME = (139.612345, 35.654321)
TRIPS = '{"type": "LineString", "coordinates": [[139.612345, 35.654321], [139.7, 35.7]]}'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trips.geojson").write_text(TRIPS)
    return tmp_path


def refused(capsys, folder, *arguments):
    """Run a verb that must refuse; its sentence."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code = main(["routes", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1, err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    for digits in ("612345", "654321", "987654"):
        assert digits not in err
    return err


def perturb(trips="trips.geojson", *options, epsilon="4", space=BOX, to="private.geojson"):
    return ["perturb", trips, "--epsilon", epsilon, *space, "-o", to, *options]


FILES = {
    "outside": ('{"type": "LineString", "coordinates": [[139.7, 35.7], [12.987654, 35.7]]}', "lies outside"),
    "swapped": ('{"type": "LineString", "coordinates": [[35.654321, 139.612345], [35.7, 139.7]]}', "swapped"),
    "nan": ('{"type": "LineString", "coordinates": [[NaN, 35.654321], [139.7, 35.7]]}', "NaN"),
    "null": ('{"type": "LineString", "coordinates": [[null, 35.654321], [139.7, 35.7]]}', "geojson"),
    "empty-route": ('{"type": "LineString", "coordinates": []}', "geojson"),
    "no-routes": ('{"type": "FeatureCollection", "features": []}', "geojson"),
    "cut-short": (TRIPS[:40], "stops being JSON"),
    "no-object": ("[1, 2]", "not a GeoJSON object"),
    "nothing": ("", "no bytes"),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_geojson(capsys, folder, name):
    text, said = FILES[name]
    folder.joinpath("bad.geojson").write_text(text)
    assert said in refused(capsys, folder, *perturb("bad.geojson"))


@pytest.mark.parametrize("text", ["<gpx", "<gpx><trk></gpx>", "<html></html>", '<gpx version="1.1"></gpx>'])
def test_bad_gpx(capsys, folder, text):
    folder.joinpath("bad.gpx").write_text(text)
    assert "bad.gpx" in refused(capsys, folder, *perturb("bad.gpx"))


@pytest.mark.parametrize("value", ["nan", "inf", "", "north"])
def test_bad_numbers_in_a_table(capsys, folder, value):
    folder.joinpath("bad.csv").write_text(f"lon,lat\n139.612345,35.654321\n{value},35.7\n")
    assert "bad.csv" in refused(capsys, folder, *perturb("bad.csv"))


def test_swapped_columns_that_could_be_degrees(capsys, folder):
    """In Europe both numbers may be latitudes; only the space tells."""
    folder.joinpath("bad.csv").write_text("lon,lat\n52.654321,13.612345\n52.5,13.4\n")
    box = ["--space", "13.0,52.3,13.8,52.7"]
    assert "look swapped: longitude comes first" in refused(capsys, folder, *perturb("bad.csv", space=box))


def test_a_route_of_one_point_is_ordinary(folder):
    folder.joinpath("one.geojson").write_text('{"type": "Point", "coordinates": [139.7, 35.7]}')
    assert main(["routes", *perturb("one.geojson", "--method", "C")]) == 0
    assert main(["routes", "reconstruct", "private.geojson"]) == 0
    assert main(["routes", "evaluate", "one.geojson", "private.geojson"]) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--method", "E"], "--method must be auto, C, D or optimal"),
        (["--method", "optimal"], "name them by --points"),
        (["--method", "C", "--reference", "centre"], "--reference is for TraCS-D"),
        (["--method", "D", "--reference", "7"], "--reference wants"),
        (["--method", "D", "--reference", "1,2"], "--reference must be a point of the space"),
        (["--split", "1.5"], "--split must be a share"),
        (["--split", "most"], "--split wants"),
        (["--channel", "nothing"], "--channel 'nothing' is unknown; known: "),
        (["--per", "person"], "--per must be"),
        (["--reports", "auto"], "--per route"),
        (["--reports", "few"], "--reports wants"),
        (["--reports", "0"], "--reports must be a whole number from 1"),
        (["--step", "5"], "--step"),
        (["--names", "drop"], "--names must be"),
        (["--round-to", "12x0"], "--round-to needs from 1 to 32768 columns and rows, got 12 x 0"),
        (["--round-to", "absent.csv"], "absent.csv"),
        (["--points", "absent.csv"], "absent.csv"),
        (["--projection", "mercator"], "--projection must be"),
        (["--disk", "0,0,1"], "give one of --space"),
        (["--column", "route"], "--column wants"),
        (["--column", "altitude=z"], "--column has the key 'altitude'"),
        (["--html", "page.pdf"], "must end in"),
    ],
)
def test_options_without_a_meaning(capsys, folder, options, said):
    assert said in refused(capsys, folder, *perturb("trips.geojson", *options))


@pytest.mark.parametrize("epsilon", ["0", "-1", "nan", "inf", "33"])
def test_budgets_without_a_meaning(capsys, folder, epsilon):
    assert "epsilon must be" in refused(capsys, folder, *perturb(epsilon=epsilon))


@pytest.mark.parametrize(
    ("space", "said"),
    [
        ([], "it is not taken from the data"),
        (["--space", "1,2,3"], "--space wants"),
        (["--space", "a,b,c,d"], "--space wants"),
        (["--space", "139,36,140,35"], "south < north"),
        (["--disk", "139.7,35.7,1"], "--disk is for files of the plane"),
        (["--polygon", "1,2;3"], "--polygon wants"),
        (["--polygon", "@trips.geojson"], "one polygon, without holes"),
        (["--globe", "--projection", "local"], "--projection is for boxes"),
    ],
)
def test_spaces_without_a_meaning(capsys, folder, space, said):
    assert said in refused(capsys, folder, *perturb(space=space))


def test_spaces_of_the_earth_are_not_for_the_plane(capsys, folder):
    folder.joinpath("plane.csv").write_text("x,y\n0.5,0.5\n")
    for space in (["--globe"], ["--space", "0,0,1,1", "--projection", "local"]):
        assert "degrees" in refused(capsys, folder, *perturb("plane.csv", space=space, to="out.csv"))
    box = ["--space", "0,0,1,1"]
    assert "write routes of the plane as" in refused(capsys, folder, *perturb("plane.csv", space=box))


def test_outputs_that_would_destroy_something(capsys, folder):
    folder.joinpath("private.geojson").write_text("mine")
    assert "exists already" in refused(capsys, folder, *perturb())
    assert "the input itself" in refused(
        capsys, folder, *perturb("trips.geojson", "--force", to="trips.geojson")
    )
    assert "does not exist" in refused(capsys, folder, *perturb(to="nowhere/private.geojson"))
    assert "must end in" in refused(capsys, folder, *perturb(to="private.shp"))


def test_true_routes_are_no_reports(capsys, folder):
    for verb in (["reconstruct"], ["count", "--grid", "2x2"]):
        err = refused(capsys, folder, verb[0], "trips.geojson", *verb[1:])
        assert "not taken for reports" in err
    assert "not taken for reports" in refused(capsys, folder, "evaluate", "trips.geojson", "trips.geojson")


def test_a_broken_description_is_refused(capsys, folder):
    text = TRIPS.removesuffix("}") + ', "noisewright": {"kind": "routes", "format": 1, "mechanism": 3}}'
    folder.joinpath("forged.geojson").write_text(text)
    assert "description" in refused(capsys, folder, "reconstruct", "forged.geojson")


def test_estimates_are_not_taken_for_reports(capsys, folder):
    assert main(["routes", *perturb("trips.geojson", "--method", "C")]) == 0
    assert main(["routes", "reconstruct", "private.geojson"]) == 0
    capsys.readouterr()
    for verb in (["reconstruct"], ["count", "--grid", "2x2"]):
        err = refused(capsys, folder, verb[0], "private.reconstructed.geojson", *verb[1:])
        assert "but estimates that were reconstructed" in err
    assert "exists already" in refused(capsys, folder, "reconstruct", "private.geojson")
    same = ["reconstruct", "private.geojson", "-o", "private.geojson", "--force"]
    assert "the input itself" in refused(capsys, folder, *same)


def test_reconstruction_refuses_what_it_cannot_use(capsys, folder):
    assert main(["routes", *perturb("trips.geojson", "--method", "C")]) == 0
    capsys.readouterr()
    err = refused(capsys, folder, "reconstruct", "private.geojson", "--max-speed", "30")
    assert "a speed limit needs the times" in err
    folder.joinpath("plane.csv").write_text("x,y\n0.5,0.5\n")
    err = refused(capsys, folder, "reconstruct", "private.geojson", "--points", "plane.csv")
    assert "not in the same kind of coordinates" in err


def test_files_of_other_routes_are_not_compared(capsys, folder):
    assert main(["routes", *perturb("trips.geojson", "--method", "C")]) == 0
    capsys.readouterr()
    write_routes("longer.geojson", Routes.of([np.array([HOME] * 3)]))
    assert "numbers of points differ" in refused(
        capsys, folder, "evaluate", "longer.geojson", "private.geojson"
    )
    write_routes("other.geojson", Routes.of([np.array([HOME] * 2)], names=["zoe"]))
    assert main(["routes", *perturb("other.geojson", "--method", "C", to="zoe.geojson")]) == 0
    capsys.readouterr()
    assert "their names differ" in refused(capsys, folder, "evaluate", "trips.geojson", "zoe.geojson")
    wider = perturb("trips.geojson", "--method", "C", space=["--space", "139,35,140,36"], to="wide.geojson")
    assert main(["routes", *wider]) == 0
    capsys.readouterr()
    both = ["evaluate", "trips.geojson", "private.geojson", "wide.geojson"]
    assert "of different spaces" in refused(capsys, folder, *both)
    folder.joinpath("plane.csv").write_text("x,y\n0.5,0.5\n0.5,0.5\n")
    assert "same kind of coordinates" in refused(capsys, folder, "evaluate", "plane.csv", "private.geojson")


def test_counts_need_a_question(capsys, folder):
    assert main(["routes", *perturb("trips.geojson", "--method", "C")]) == 0
    capsys.readouterr()
    assert "say what to count" in refused(capsys, folder, "count", "private.geojson")
    for option, text in (("--grid", "12"), ("--region", "1,2,3"), ("--origin-destination", "axb")):
        assert f"{option} wants" in refused(capsys, folder, "count", "private.geojson", option, text)
    assert "reports" in refused(capsys, folder, "count", "private.geojson", "--grid", "2x2")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["count", "private.geojson", "--grid", "0x1"], "--grid needs from 1 to 256 columns and rows, got 0 x 1"),
        (["count", "private.geojson", "--origin-destination", "1x999"], "--origin-destination needs from 1 to"),
        (["count", "private.geojson", "--region", "1,2,3,4"], "--region has no area inside the space"),
        (["count", "private.geojson", "--region", "1,2,3,nan"], "--region must be four finite numbers"),
        (["count", "private.geojson", "--region", "139.6,35.7,139.7,35.6"], "--region needs left < right and bottom"),
        (["count", "private.geojson", "--zone", "town=1,2,3,4"], "--zone 'town' has no area inside the space"),
        (["evaluate", "trips.geojson", "private.geojson", "--radius", "-1"], "--radius must be above 0, got -1"),
        (["reconstruct", "private.geojson", "--max-speed", "x"], "'--max-speed': it must be a number, such as 0.5;"),
        (["reconstruct", "private.geojson", "--points", "odd.csv"], "cannot read points from odd.csv"),
        (["reconstruct", "private.geojson", "--points", "odd.csv"], "; rename the columns of the file, and is there"),
        (["compare", "trips.geojson", "--epsilon=4", "--points=lon.csv", *BOX, "--baseline=x"], "--baseline 'x' is unknown"),
        (perturb(space=["--space", "139.90,35.51,139.47,35.86"], to="b.csv"), "which reaches from 139.9, 35.51 to 139.47,"),
        (perturb(space=["--space", "139.90,35.51,139.47,35.86"], to="b.csv"), "its west lies above its east, so it crosses"),
        (perturb("trips.geojson", "--for=counts", "--grid=0x1", to="b.csv"), "--grid needs from 1 to 256"),
    ],
)  # fmt: skip
def test_refusals_name_the_option_in_its_own_words(capsys, folder, arguments, said):
    (folder / "odd.csv").write_text("a,b\n1,2\n3,4\n")
    (folder / "lon.csv").write_text("lon,lat\n139.5,35.6\n139.7,35.7\n")
    routes = [[HOME, (139.7, 35.7)]] * 20
    write_routes("trips.geojson", Routes.of(routes), replace=True)
    assert main(["routes", *perturb()]) == 0
    capsys.readouterr()
    sentence = refused(capsys, folder, *arguments)
    assert said in sentence
    assert "columns={" not in sentence
    assert not any(name in sentence for name in ("Rectangle(", "LonLatBox(", "LocalMap("))


@pytest.mark.parametrize("verb", [["routes", "evaluate"], ["apply"], ["estimate"]])
def test_helps_name_arguments_without_types_and_doubled_brackets(capsys, verb):
    assert main([*verb, "--help"]) == 0
    said = capsys.readouterr().out
    assert not any(odd in said for odd in ("<list", "[[", "......", "<path>  "))
