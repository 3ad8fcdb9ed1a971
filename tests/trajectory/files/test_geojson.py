"""GeoJSON of strangers: what counts as a route, and one sentence for everything that does not."""

from __future__ import annotations

import json

import pytest

from noisewright.errors import BadTable, InvalidParameter
from noisewright.trajectory.files import geojson, read_routes

SECRET = "731731"
LINE = {"type": "LineString", "coordinates": [[139.7, 35.6], [139.8, 35.7]]}


def read(tmp_path, document, **options):
    path = tmp_path / "trips.geojson"
    if isinstance(document, bytes):
        path.write_bytes(document)
    else:
        path.write_text(document if isinstance(document, str) else json.dumps(document))
    return read_routes(path, **options)


def feature(geometry, **properties):
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def collection(*features, **members):
    return {"type": "FeatureCollection", "features": list(features), **members}


def point(lon, lat, **properties):
    return feature({"type": "Point", "coordinates": [lon, lat]}, **properties)


@pytest.mark.parametrize(
    "document", [LINE, feature(LINE), collection(feature(LINE)), {**feature(LINE), "properties": None}]
)
def test_a_collection_a_feature_and_a_geometry_are_read(tmp_path, document):
    found = read(tmp_path, document)
    assert found.routes.names == ("1",)
    assert found.routes.points.tolist() == LINE["coordinates"]
    assert found.coordinates == "lonlat"


def test_each_line_of_several_is_a_route_and_repeated_names_are_numbered(tmp_path):
    lines = {"type": "MultiLineString", "coordinates": [[[1, 2], [3, 4]], [[5, 6, 100], [7, 8, 200]]]}
    times = [[10, 20], ["1970-01-01T00:00:30Z", 40.5]]
    found = read(tmp_path, collection(feature(lines, user="ada", coordTimes=times)))
    assert found.routes.names == ("ada", "ada (2)")
    assert [route.tolist() for route in found.routes] == [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    assert found.routes.times.tolist() == [10, 20, 30, 40.5]


def test_points_of_one_name_are_one_route_in_the_order_of_time(tmp_path):
    features = [
        point(1, 1, user_id=7, timestamp=30),
        point(2, 2, user_id=8, timestamp=5),
        point(3, 3, user_id=7, timestamp=10),
    ]
    found = read(tmp_path, collection(*features))
    assert found.routes.names == ("7", "8")
    assert [route[:, 0].tolist() for route in found.routes] == [[3, 1], [2]]


def test_points_without_names_are_one_route(tmp_path):
    assert read(tmp_path, collection(point(1, 1), point(2, 2))).routes.lengths.tolist() == [2]


def test_lines_go_by_their_property_name_and_the_user_may_choose(tmp_path):
    document = collection(feature(LINE, name="Morning", badge="b1", time="2012-04-07T23:33:08Z", when=[1, 2]))
    assert read(tmp_path, document).routes.names == ("Morning",)
    assert read(tmp_path, document).routes.times is None  # one time for a whole line orders nothing
    found = read(tmp_path, document, columns={"route": "badge", "time": "when"})
    assert (found.routes.names, found.routes.times.tolist()) == (("b1",), [1, 2])
    with pytest.raises(
        InvalidParameter, match="columns has the key 'x'; in this format it may have route, time"
    ):
        read(tmp_path, document, columns={"x": "badge"})


def test_times_may_stand_among_the_properties_of_coordinates(tmp_path):
    document = feature(LINE, coordinateProperties={"times": [1, 2]})
    assert read(tmp_path, document).routes.times.tolist() == [1, 2]


def test_a_mark_at_the_start_of_the_file_is_no_part_of_it(tmp_path):
    assert len(read(tmp_path, b"\xef\xbb\xbf" + json.dumps(LINE).encode()).routes) == 1


def test_longitudes_to_360_are_turned_to_the_west(tmp_path):
    document = {"type": "LineString", "coordinates": [[179.5, 1], [180, 1], [180.5, 1], [359, 1]]}
    assert read(tmp_path, document).routes.points[:, 0].tolist() == [179.5, 180, -179.5, -1]


def text(coordinates):
    return f'{{"type": "LineString", "coordinates": {coordinates}}}'


REFUSED = {
    "no bytes": ("", "is empty"),
    "not JSON": ('{"type": "LineString",\n "coordinates": [[731731', "it stops being JSON at line 2"),
    "not UTF-8": (b'{"type": "\xff"}', "its text is not UTF-8"),
    "NaN": (text("[[NaN, 1]]"), "not the strict JSON.*NaN is not a number .at coordinates\\[0\\]\\[0\\]"),
    "Infinity": (text("[[Infinity, 1]]"), "not the strict JSON"),
    "a key twice": ('{"type": "LineString", "type": "Point", "coordinates": [731731]}', "not the strict JSON"),
    "nesting bomb": ("[" * 100_000, "not the strict JSON"),
    "nested coordinates": (text("[" * 50_000 + "]" * 50_000), "not the strict JSON"),
    "an endless number": (text(f"[[{'9' * 5000}, 1]]"), "not the strict JSON"),
    "a huge whole number": (text(f"[[{'9' * 400}, 1]]"), "a number is too large .at coordinates"),
    "a huge number": (text("[[1e999, 1]]"), "a number is too large .at coordinates"),
    "a list": ("[731731]", "it is JSON, but not a GeoJSON object"),
    "no type": ({"coordinates": [731731, 1]}, "the type of the geometry must be one of LineString, MultiLineString, Point"),
    "polygon": (collection(feature(LINE), feature({"type": "Polygon", "coordinates": []})), "the type of feature 2 must be one of"),
    "type is a list": ({"type": ["Point"], "coordinates": [1, 1]}, "the type of the geometry must be one of"),
    "no features": ({"type": "FeatureCollection"}, "a FeatureCollection without a list of features"),
    "empty collection": (collection(), "it has no routes"),
    "feature is text": (collection("731731"), 'feature 1 is not an object of type "Feature"'),
    "no geometry": (collection(feature(None)), "feature 1 has no geometry"),
    "odd properties": ({**feature(LINE), "properties": [731731]}, "the properties of the feature are not an object"),
    "no coordinates": ({"type": "Point"}, "a position of the geometry is not a list of two or three numbers"),
    "empty line": (text("[]"), "the geometry has no points; leave empty routes out"),
    "empty lines": ({"type": "MultiLineString", "coordinates": [[[1, 1]], []]}, "line 2 of the geometry has no points"),
    "one ordinate": (text("[[731731]]"), "is not a list of two or three numbers"),
    "four ordinates": (text("[[1, 2, 3, 731731]]"), "is not a list of two or three numbers"),
    "not nested": (text("[731731, 1]"), "is not a list of two or three numbers"),
    "too nested": (text("[[[731731, 1]]]"), "a position of the geometry is not a list of two or three"),
    "boolean": (text("[[true, 1]]"), "a position of the geometry has something other than numbers"),
    "string": (text('[["731731", 1]]'), "a position of the geometry has something other than numbers"),
    "null": (text("[[null, 1]]"), "something other than numbers"),
    "swapped": (collection(feature(LINE | {"coordinates": [[35.731731, 139.7]]})), "longitude and latitude look swapped: feature 1 has a latitude"),
    "metres": (text("[[1, 2], [388731731.0, 3947000.0]]"), "point 2 of the geometry has a latitude beyond ±90 degrees; give degrees"),
    "longitude": (text("[[1, 2], [-180.731731, 3]]"), "point 2 of the geometry has a longitude outside −180 to 360 degrees"),
    "grid": (LINE | {"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2451"}}}, "not longitudes and latitudes"),
    "few times": (feature(LINE, times=[1]), "the feature has 2 points but 1 times; each point needs one"),
    "times of some": (collection(feature(LINE, times=[1, 2]), feature(LINE)), "some of its points have times and feature 2 differs"),
    "times of others": (collection(feature(LINE), feature(LINE, times=[1, 2])), "some of its points have times and feature 2 differs"),
    "times not a list": (feature(LINE, times={"a": 731731}), "the times of the feature are not a list"),
    "null time": (feature(LINE, times=[1, None]), "point 2 of the feature has no readable time"),
    "no time": (feature(LINE, times=[1, "731731 o'clock"]), "point 2 of the feature has no readable time"),
    "milliseconds": (feature(LINE, times=[1333841588000, 1333841589000]), "point 1 of .* seconds since 1970 .not milliseconds"),
    "boolean time": (feature(LINE, times=[True, False]), "point 1 of the feature has no readable time"),
    "lists of times": (feature({"type": "MultiLineString", "coordinates": [[[1, 1]]]}, times=[[1], [2]]), "as many lists of times of the feature as lines"),
    "odd mark": (feature(LINE, reported=[True, "731731"]), "reported of point 2 of the feature must be true or false"),
    "odd route": (feature(LINE, route={"a": 731731}), "the route of the feature must be text or a whole number"),
    "boolean route": (feature(LINE, route=True), "the route of the feature must be text or a whole number"),
    "half a letter": ('{"type": "Feature", "properties": {"route": "\\ud800"}, "geometry": ' + json.dumps(LINE) + "}", "half of a surrogate pair .at properties.route"),
    "empty name": (feature(LINE, route=""), "the name of the feature must be text of 1 to 1000 letters"),
    "long name": (feature(LINE, route="731731" * 1000), "the name of the feature must be text of 1 to 1000 letters"),
    "two names": (feature(LINE, user=731731, trip=1), "any of 'user', 'trip' may be the route"),
    "about": (collection(feature(LINE), noisewright=[731731]), "its description is not a JSON object"),
}  # fmt: skip


@pytest.mark.parametrize(("document", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_route_is_refused_without_its_values(tmp_path, document, sentence):
    with pytest.raises(BadTable, match=sentence) as refusal:
        read(tmp_path, document)
    said = str(refusal.value)
    assert "trips.geojson" in said
    assert SECRET not in said
    assert "\n" not in said
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


def test_a_file_too_large_for_memory_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(geojson, "LARGEST", 1 << 20)
    with pytest.raises(BadTable, match=r"trips.geojson: it is larger than 1 MiB; split it .* Parquet"):
        read(tmp_path, " " * (1 << 20) + json.dumps(LINE))
