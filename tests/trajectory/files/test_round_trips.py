"""What is written is read back: every format, odd names, times or none, routes of one point, marks, words."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.trajectory.files import read_routes, write_routes
from noisewright.trajectory.files.values import EARLIEST, EAST, LATEST
from noisewright.trajectory.routes import Routes

pytestmark = pytest.mark.filterwarnings("ignore::noisewright.errors.FormulaCells")
"""Names that look like formulas are warned of, and come back."""

SUFFIXES = ("csv", "parquet", "geojson", "gpx")
DEGREES_SUFFIXES = ("geojson", "gpx")

letters = st.characters(exclude_categories=["Cs"])
printable = st.characters(
    exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"
) | st.sampled_from("\t\r\n")
words = st.text(printable, min_size=1, max_size=12) | st.sampled_from(
    ["1", "007", '"', "a,b", "<b>&", "NA", "null", "=1", " a "]
)
plain_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | st.text(letters, max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(letters, max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
degrees = st.tuples(st.floats(-180, 180, exclude_max=True), st.floats(-90, 90))
moments = st.integers(int(EARLIEST) * 10**6, (int(LATEST) - 1) * 10**6) | st.integers(0, 2 * 10**9).map(
    lambda s: s * 10**6
)


@st.composite
def contents(draw, points=degrees, names=words):
    """Routes with distinct names, and what may be said of them."""
    labels = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    routes = [draw(st.lists(points, min_size=1, max_size=5)) for _ in labels]
    times = None
    if draw(st.booleans()):
        times = [[count / 1e6 for count in sorted(draw(moments) for _ in route)] for route in routes]
    found = Routes.of(routes, labels, times)
    flags = st.lists(st.booleans(), min_size=len(found.points), max_size=len(found.points))
    reported = draw(st.none() | flags.map(lambda values: np.array(values, dtype=np.bool_)))
    about = draw(st.none() | st.dictionaries(st.text(letters, max_size=5), plain_json, max_size=3))
    return found, reported, about


def assert_comes_back(suffix, content, **options):
    routes, reported, about = content
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"routes.{suffix}"
        assert write_routes(path, routes, reported=reported, about=about, **options) == path
        found = read_routes(path)
    assert found.routes.names == routes.names
    np.testing.assert_array_equal(found.routes.starts, routes.starts)
    np.testing.assert_array_equal(
        found.routes.points.view(np.int64), routes.points.view(np.int64)
    )  # bit by bit
    assert_same(found.routes.times, routes.times)
    assert_same(found.reported, reported)
    assert found.about == about
    assert found.coordinates == options.get("coordinates", "lonlat")


def assert_same(found, wanted):
    assert (found is None) == (wanted is None)
    if wanted is not None:
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=60)
@given(content=contents())
def test_degrees_come_back(suffix, content):
    assert_comes_back(suffix, content)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@settings(max_examples=40)
@given(content=contents(points=st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2)))
def test_a_plane_comes_back(suffix, content):
    assert_comes_back(suffix, content, coordinates="plane")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "geojson"])
@settings(max_examples=40)
@given(content=contents(names=st.text(letters, min_size=1, max_size=6)))
def test_control_characters_in_names_come_back_where_the_format_has_them(suffix, content):
    assert_comes_back(suffix, content)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_times_are_kept_to_the_microsecond(suffix, tmp_path):
    seconds = np.array([1e9 + 0.123_456_4, 1e9 + 0.999_999_9])
    routes = Routes.of([[(0, 0), (1, 1)]], times=[seconds])
    found = read_routes(write_routes(tmp_path / f"routes.{suffix}", routes)).routes.times
    np.testing.assert_array_equal(found, [1e9 + 0.123_456, 1e9 + 1])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_longitudes_of_a_crossing_stay_within_180(suffix, tmp_path):
    """Coordinates that run on over the antimeridian are turned back; 180 itself is no longitude of GPX."""
    routes = Routes.of([[(179.5, 10), (EAST, 10), (180.5, 10), (360, 10)]])
    found = read_routes(write_routes(tmp_path / f"routes.{suffix}", routes)).routes.points[:, 0]
    assert found.tolist() == [179.5, -180.0 if suffix == "gpx" else 180.0, -179.5, 0.0]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_converts_into_every_other(suffix, tmp_path):
    routes = Routes.of([[(139.7, 35.68), (139.71, 35.69)], [(-0.1, 51.5)]], ["a", "b"], [[1.0, 2.5], [3.0]])
    path = write_routes(tmp_path / f"first.{suffix}", routes)
    for other in SUFFIXES:
        path = write_routes(tmp_path / f"from-{suffix}.{other}", read_routes(path).routes)
    found = read_routes(path).routes
    assert found.names == routes.names
    np.testing.assert_array_equal(found.points, routes.points)
    np.testing.assert_array_equal(found.times, routes.times)


def test_geojson_is_what_the_standard_says(tmp_path):
    routes = Routes.of([[(1, 2), (3, 4)], [(5, 6)]], ["a", "b"], [[0, 1], [2]])
    path = write_routes(tmp_path / "r.geojson", routes, about={"epsilon": 4}, reported=[True, False, True])
    assert json.loads(path.read_text()) == {
        "type": "FeatureCollection",
        "noisewright": {"epsilon": 4},
        "features": [
            {
                "type": "Feature",
                "properties": {
                    "route": "a",
                    "times": ["1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z"],
                    "reported": [True, False],
                },
                "geometry": {"type": "LineString", "coordinates": [[1.0, 2.0], [3.0, 4.0]]},
            },
            {
                "type": "Feature",
                "properties": {"route": "b", "time": "1970-01-01T00:00:02Z", "reported": True},
                "geometry": {"type": "Point", "coordinates": [5.0, 6.0]},
            },
        ],
    }


def test_gpx_has_no_exponents_and_its_elements_in_order(tmp_path):
    routes = Routes.of([[(1e-7, -2.5e-5)]], ["a<b"], [[0.5]])
    text = write_routes(tmp_path / "r.gpx", routes, reported=[True]).read_text()
    assert (
        '<trkpt lat="-0.000025" lon="0.0000001"><time>1970-01-01T00:00:00.500000Z</time><extensions>' in text
    )
    assert "<name>a&lt;b</name>" in text
    assert 'version="1.1" creator="Noisewright" xmlns="http://www.topografix.com/GPX/1/1"' in text
