"""Files of many people or devices never become one route without a word."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
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


OTHERS = [
    "badge_id",
    "cardid",
    "who_uuid",
    "subscriber_number",
    "id",
    "callsign",
    "Pseudonym",
    "username",
    "user_name",
    "userName",
    "email",
    "mail",
    "e-mail",
    "email_address",
    "login",
    "name",
    "who",
    "mac_address",
    "MACAddress",
    "ip_address",
    "serial_number",
    "ssn",
    "tail_number",
    "veh_no",
    "unit_no",
    "device_name",
    "agent",
    "courier",
    "household",
    "id_veh",
    "id_usuario",
    "iduser",
    "event_user_id",
    "map_user_id",
    "station_user",
    "point_owner",
    "location_user",
]


@pytest.mark.parametrize("name", OTHERS)
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
    "name",
    [
        "venue_id",
        "vehicle_type",
        "speed",
        "valid",
        "user_agent",
        "stopId",
        "grid",
        "category",
        "station_id",
        "place_name",
        "id_station",
        "venueid",
        "street_name",
        "address",
        "idle",
        "number_of_satellites",
        "code",
        "osm_tag",
        "user_location_id",
    ],
)
def test_what_does_not_move_is_no_identifier(tmp_path, name):
    rows = [f"a,2020-01-01T00:{at:02}:00Z,35.{at},139.{at}" for at in range(10)]
    assert len(read_routes(table(tmp_path, f"{name},timestamp,lat,lon", rows)).routes) == 1


def blocks(path, header="{name},lat,lon", *, name="shade", texts=("red", "green", "blue"), turns=1):
    """A table of 60 places whose first column has each text in a block, or in several turns."""
    each = 60 // (len(texts) * turns)
    column = [text for _ in range(turns) for text in texts for _ in range(each)]
    return table(
        path, header.format(name=name), [f"{text},35.{at},139.{at}" for at, text in enumerate(column)]
    )


@pytest.mark.parametrize("turns", [1, 20])
def test_texts_that_repeat_are_not_passed_over_whatever_their_column_is_called(tmp_path, turns):
    path = blocks(tmp_path, turns=turns)
    with pytest.raises(BadTable, match="'shade' has several texts that each appear in many rows") as refusal:
        read_routes(path)
    assert 'columns={"route": "shade"}' in str(refusal.value)
    assert "one_route=True" in str(refusal.value)
    assert "red" not in str(refusal.value)
    assert read_routes(path, columns={"route": "shade"}).routes.lengths.tolist() == [20, 20, 20]
    assert read_routes(path, one_route=True).routes.lengths.tolist() == [60]


def test_texts_that_repeat_are_seen_in_parquet_and_in_points_of_geojson(tmp_path):
    shades = ["red"] * 10 + ["green"] * 10
    columns = {"shade": pa.array(shades).dictionary_encode(), "lat": np.arange(20.0), "lon": np.arange(20.0)}
    pq.write_table(pa.table({**columns, "height": np.repeat([1, 2], 10)}), tmp_path / "trips.parquet")
    with pytest.raises(BadTable, match="the column 'shade' has several texts"):
        read_routes(tmp_path / "trips.parquet")
    points = [
        {"type": "Feature", "properties": {"shade": shade}, "geometry": {"type": "Point", "coordinates": [at, 0]}}
        for at, shade in enumerate(shades)
    ]  # fmt: skip
    path = tmp_path / "points.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": points}))
    with pytest.raises(BadTable, match="the property 'shade' has several texts"):
        read_routes(path)
    assert len(read_routes(path, columns={"route": "shade"}).routes) == 2
    assert len(read_routes(path, one_route=True).routes) == 1


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("shade", ["red"]),
        ("shade", [f"red {at}" for at in range(30)]),
        ("height", ["12.5", "13", "1e3"]),
        ("on", ["2020-01-01", "2020-01-02"]),
        ("moving", ["true", "false"]),
        ("mode", ["walk", "bus"]),
        ("venue_name", ["bar", "gym"]),
        ("note", ["", "", "", "", "lunch", "rain"]),
    ],
)
def test_what_changes_along_one_way_is_let_through(tmp_path, name, texts):
    assert read_routes(blocks(tmp_path, name=name, texts=texts)).routes.lengths.tolist() == [60]


def test_many_points_at_one_time_are_many_people(tmp_path):
    header, rows = three_devices("colour,timestamp,lat,lon")
    path = table(tmp_path, header, rows)
    with pytest.raises(BadTable, match="route 1 has many points at one time in different places") as refusal:
        read_routes(path)
    assert 'columns={"route": "NAME"}' in str(refusal.value)  # no column that the table does not have
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
