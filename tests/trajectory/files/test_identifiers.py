"""Files of many people or devices never become one route without a word."""

from __future__ import annotations

import json

import pytest

from noisewright.errors import BadTable, InvalidParameter
from noisewright.trajectory.files import read_routes


def table(folder, header, rows, name="trips.csv"):
    path = folder / name
    path.write_text("\n".join([header, *rows, ""]))
    return path


def three_devices(header="device_id,timestamp,lat,lon"):
    """Three devices, each at ten minutes."""
    rows = [
        f"d{who},2020-01-01T00:{at:02}:00Z,35.{who}{at},139.{who}{at}" for at in range(10) for who in "123"
    ]
    return header, rows


@pytest.mark.parametrize(
    "name",
    [
        "device_id",
        "Device ID",
        "deviceId",
        "DEVICEID",
        "user-id",
        "userid",
        "uid",
        "vehicle",
        "MMSI",
        "taxi_id",
        "trip_id",
        "TripID",
        "person",
        "participant_id",
        "driver_id",
        "vessel",
        "journey",
    ],
)
def test_usual_identifiers_cut_a_file_into_routes(tmp_path, name):
    header, rows = three_devices(f"{name},timestamp,lat,lon")
    assert read_routes(table(tmp_path, header, rows)).routes.lengths.tolist() == [10, 10, 10]


@pytest.mark.parametrize(
    "name", ["badge_id", "cardid", "who_uuid", "subscriber number", "id", "callsign", "Pseudonym"]
)
def test_other_identifiers_are_never_left_over(tmp_path, name):
    path = table(tmp_path, *three_devices(f"{name},timestamp,lat,lon"))
    with pytest.raises(BadTable, match="looks like the identifier") as refusal:
        read_routes(path)
    assert repr(name) in str(refusal.value)
    assert f'columns={{"route": "{name}"}}' in str(refusal.value)
    assert "d1" not in str(refusal.value)
    assert len(read_routes(path, columns={"route": name}).routes) == 3
    assert len(read_routes(path, one_route=True).routes) == 1


@pytest.mark.parametrize(
    "name", ["venue_id", "vehicle_type", "speed", "valid", "user_agent", "stopId", "grid", "category"]
)
def test_what_does_not_move_is_no_identifier(tmp_path, name):
    rows = [f"a,2020-01-01T00:{at:02}:00Z,35.{at},139.{at}" for at in range(10)]
    assert len(read_routes(table(tmp_path, f"{name},timestamp,lat,lon", rows)).routes) == 1


def test_many_points_at_one_time_are_many_people(tmp_path):
    header, rows = three_devices("colour,timestamp,lat,lon")
    path = table(tmp_path, header, rows)
    with pytest.raises(BadTable, match="route 1 has many points at one time in different places"):
        read_routes(path)
    assert len(read_routes(path, columns={"route": "colour"}).routes) == 3
    assert len(read_routes(path, one_route=True).routes) == 1
    line = [f"bus 7,{row}" for row in rows]
    with pytest.raises(BadTable, match="many points at one time"):
        read_routes(table(tmp_path, f"route,{header}", line, "line.csv"))


def test_repeated_rows_and_a_few_equal_times_are_let_through(tmp_path):
    rows = [f"2020-01-01T00:{at:02}:00Z,35.{at},139.{at}" for at in range(50)]
    path = table(tmp_path, "timestamp,lat,lon", rows + rows[:20] + [rows[0].replace("35.0", "35.5")])
    assert read_routes(path).routes.lengths.tolist() == [71]


def test_points_of_geojson_are_looked_at_in_the_same_way(tmp_path):
    points = [
        {"type": "Feature", "properties": {"badge_id": n, "time": 1.0}, "geometry": {"type": "Point", "coordinates": [n, 0]}}
        for n in range(8)
    ]  # fmt: skip
    path = tmp_path / "points.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": points}))
    with pytest.raises(BadTable, match="in feature 1 the property 'badge_id' looks like the identifier"):
        read_routes(path)
    assert len(read_routes(path, columns={"route": "badge_id"}).routes) == 8
    assert len(read_routes(path, one_route=True).routes) == 1
    for point in points:
        del point["properties"]["badge_id"]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": points}))
    with pytest.raises(BadTable, match="many points at one time"):
        read_routes(path)


def test_one_route_and_a_column_of_routes_exclude_each_other(tmp_path):
    path = table(tmp_path, *three_devices())
    with pytest.raises(InvalidParameter, match="one of the two"):
        read_routes(path, columns={"route": "device_id"}, one_route=True)
