"""Tables of strangers: usual names of columns, scattered rows, times of all kinds, columns left behind."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright.errors import BadTable, InvalidParameter
from noisewright.trajectory.files import read_routes, write_routes

FOLDER = os.environ.get("NOISEWRIGHT_DATA")
TOKYO = "foursquare_tky/foursquare_tky_101users.parquet"
PAIR = {"lon": [139.7, 139.8], "lat": [35.6, 35.7]}


def read_text(tmp_path, text, **options):
    (tmp_path / "trips.csv").write_text(text)
    return read_routes(tmp_path / "trips.csv", **options)


def read_table(tmp_path, columns, **options):
    pq.write_table(pa.table(columns), tmp_path / "trips.parquet")
    return read_routes(tmp_path / "trips.parquet", **options)


def test_scattered_rows_become_routes_in_the_order_of_their_first_row(tmp_path):
    found = read_text(tmp_path, "user,x,y\nb,1,0\na,2,0\nb,3,0\na,4,0\n")
    assert found.routes.names == ("b", "a")
    assert [route[:, 0].tolist() for route in found.routes] == [[1, 3], [2, 4]]
    assert found.coordinates == "plane"
    assert found.routes.times is found.reported is found.about is None


def test_times_put_points_in_order_and_equal_times_keep_theirs(tmp_path):
    found = read_text(tmp_path, "route,t,timestamp,x,y\na,,9,1,0\nb,,1,2,0\na,,5,3,0\na,,9,4,0\na,,5,5,0\n")
    assert [route[:, 0].tolist() for route in found.routes] == [[3, 5, 1, 4], [2]]


def test_without_a_route_column_a_file_is_one_route(tmp_path):
    found = read_text(tmp_path, "Latitude,Longitude\n35.6,139.7\n35.7,139.8\n")
    assert found.routes.names == ("1",)
    assert found.routes.points.tolist() == [[139.7, 35.6], [139.8, 35.7]]


def test_names_of_routes_stay_text_in_a_csv_and_whole_numbers_become_text(tmp_path):
    assert read_text(tmp_path, "trip_id,x,y\n007,0,0\n7,0,0\n").routes.names == ("007", "7")
    assert read_table(tmp_path, {"trip_id": [12, 7], **PAIR}).routes.names == ("12", "7")
    coded = pa.array(["b", "a"]).dictionary_encode()
    assert read_table(tmp_path, {"user_id": coded, **PAIR}).routes.names == ("b", "a")


@pytest.mark.parametrize(
    "text",
    [
        "2012-04-07T23:33:08Z", "2012-04-07 23:33:08", "2012-04-08T08:33:08+09:00", "20120407T233308Z", "1333841588",
        "1333841588.0", "1.333841588e9", " 2012-04-07T23:33:08.000Z ", "2012-04-07T23:33:08.000000000Z",
    ],
)  # fmt: skip
def test_times_of_a_csv(tmp_path, text):
    found = read_text(tmp_path, f"time,x,y\n{text},0,0\n")
    assert found.routes.times.tolist() == [1333841588.0]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Asia/Tokyo", "+05:30"])
def test_timestamps_of_any_unit_and_zone(tmp_path, unit, zone):
    moments = [datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(2012, 4, 7, 23, 33, 8, tzinfo=UTC)]
    counts = pa.array([int(m.timestamp()) for m in moments], pa.int64()).cast(pa.timestamp("s"))
    stored = counts.cast(pa.timestamp(unit)).view(pa.timestamp(unit, zone))
    assert read_table(tmp_path, {"utc_time": stored, **PAIR}).routes.times.tolist() == [-1.0, 1333841588.0]


def test_fractions_below_a_microsecond_are_dropped(tmp_path):
    stored = pa.array([1333841588_123456_789, 1333841588_123457_000], pa.timestamp("ns"))
    found = read_table(tmp_path, {"time": stored, **PAIR}).routes.times
    assert found.tolist() == [1333841588.123456, 1333841588.123457]


@pytest.mark.parametrize(
    "values", [[5, 6], [5.0, 6.0], ["5", "6"], ["1970-01-01T00:00:05", "1970-01-01T00:00:06"]]
)
def test_seconds_and_texts_in_parquet(tmp_path, values):
    assert read_table(tmp_path, {"timestamp": values, **PAIR}).routes.times.tolist() == [5.0, 6.0]


def test_days_are_times(tmp_path):
    found = read_table(tmp_path, {"time": pa.array([0, 1], pa.date32()), **PAIR})
    assert found.routes.times.tolist() == [0.0, 86400.0]


def test_columns_are_named_by_the_user(tmp_path):
    text = "badge,longitude,latitude,e,n,when\nq,1,1,10,20,3\n"
    found = read_text(tmp_path, text, columns={"route": "badge", "x": "e", "y": "n", "time": "when"})
    assert (found.routes.names, found.coordinates) == (("q",), "plane")
    assert (found.routes.points.tolist(), found.routes.times.tolist()) == ([[10, 20]], [3])


def test_marks_may_be_booleans_texts_or_digits(tmp_path):
    for values in ([True, False], ["True", "false"], [1, 0]):
        assert read_table(tmp_path, {"reported": values, **PAIR}).reported.tolist() == [True, False]


def test_other_columns_are_never_passed_on(tmp_path):
    found = read_text(tmp_path, "user_id,email,lon,lat\n1,ada@example.org,139.7,35.6\n")
    for suffix in ("csv", "parquet", "geojson", "gpx"):
        path = write_routes(tmp_path / f"out.{suffix}", found.routes)
        assert b"ada@example.org" not in path.read_bytes()
        assert b"email" not in path.read_bytes()


AMBIGUOUS = {
    "two routes": ("user_id,trip_id,x,y\n1,2,0,0\n", "any of 'user_id', 'trip_id' may be the route; say which by columns"),
    "two pairs": (
        "long,lat,x,y\n1,2,0,0\n",
        'both longitude and latitude and x and y; say which, such as columns={"longitude": "long", "latitude": "lat"}',
    ),
    "two latitudes": ("lon,lat,Latitude\n1,2,3\n", "any of 'lat', 'Latitude' may be the latitude"),
    "no pair": ("lon,altitude\n1,2\n", "no columns 'longitude' and 'latitude' or 'x' and 'y' .*is there a header line"),
    "semicolons": ("lon;lat\n1;2\n", "separated by commas; this file seems to use semicolons"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_columns_are_not_guessed(tmp_path, text, sentence):
    with pytest.raises(BadTable, match=f"trips.csv: .*{sentence}"):
        read_text(tmp_path, text)


def test_a_choice_of_columns_must_make_sense(tmp_path):
    text = "lon,lat,a\n1,2,3\n"
    with pytest.raises(
        InvalidParameter, match="columns has the key 'who'; in this format it may have route, time"
    ):
        read_text(tmp_path, text, columns={"who": "a"})
    with pytest.raises(InvalidParameter, match="gives one column two meanings"):
        read_text(tmp_path, text, columns={"route": "a", "time": "a"})
    with pytest.raises(BadTable, match="has no column 'lot'"):
        read_text(tmp_path, text, columns={"longitude": "lot"})


def test_an_exact_name_wins_over_usual_ones(tmp_path):
    found = read_text(tmp_path, "user_id,route,x,y\n1,a,0,0\n1,b,0,0\n")
    assert found.routes.names == ("a", "b")


@pytest.mark.skipif(FOLDER is None, reason="set NOISEWRIGHT_DATA to the folder that holds foursquare_tky/")
def test_the_tokyo_check_ins_are_read_as_they_are():
    found = read_routes(Path(str(FOLDER)) / TOKYO)
    assert (len(found.routes), found.coordinates) == (101, "lonlat")
    west, south = found.routes.points.min(axis=0)
    east, north = found.routes.points.max(axis=0)
    assert 139.4 < west < east < 139.95
    assert 35.5 < south < north < 35.9
    assert (np.diff(found.routes.times)[np.diff(found.routes.owner) == 0] >= 0).all()
