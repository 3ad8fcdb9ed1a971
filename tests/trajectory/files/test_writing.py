"""Files appear whole or not at all, never over another unasked, and only with what can be read back."""

from __future__ import annotations

import errno
import subprocess
import sys

import numpy as np
import pytest

from noisewright.errors import BadTable, InvalidParameter
from noisewright.trajectory.files import geojson, gpx, read_routes, tables, write_routes
from noisewright.trajectory.routes import Routes

SUFFIXES = ("csv", "parquet", "geojson", "gpx")
ROUTES = Routes.of([[(139.7, 35.6), (139.8, 35.7)]], ["a"])


@pytest.fixture(params=SUFFIXES)
def target(request, tmp_path):
    return tmp_path / f"out.{request.param}"


def test_a_file_is_replaced_only_when_asked_and_the_input_never(target):
    write_routes(target, ROUTES, about={"turn": 1})
    before = {path.name: path.read_bytes() for path in target.parent.iterdir()}
    with pytest.raises(BadTable, match="exists already"):
        write_routes(target, ROUTES, about={"turn": 2})
    with pytest.raises(BadTable, match="is the input itself"):
        write_routes(target, ROUTES, about={"turn": 2}, replace=True, original=target)
    assert {path.name: path.read_bytes() for path in target.parent.iterdir()} == before
    write_routes(target, ROUTES, about={"turn": 2}, replace=True)
    assert read_routes(target).about == {"turn": 2}


def test_a_link_is_followed(target):
    (target.parent / "real").mkdir()
    target.symlink_to(target.parent / "real" / target.name)
    assert write_routes(target, ROUTES) == (target.parent / "real" / target.name).resolve()
    assert target.is_symlink()
    assert read_routes(target).routes.names == ("a",)


@pytest.mark.parametrize("suffix", ["csv", "gpx"])
def test_a_description_of_an_earlier_file_is_not_taken_for_the_new_one(tmp_path, suffix):
    write_routes(tmp_path / f"out.{suffix}", ROUTES, about={"epsilon": 1})
    with pytest.raises(BadTable, match=rf"out.{suffix}.json describes another file of this name"):
        write_routes(tmp_path / f"out.{suffix}", ROUTES, replace=True)
    assert read_routes(tmp_path / f"out.{suffix}").about == {"epsilon": 1}


def test_a_failing_disk_leaves_nothing(target, monkeypatch):
    def full(draft, content):
        draft.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(geojson, "write_geojson", full)
    monkeypatch.setattr(gpx, "write_gpx", full)
    monkeypatch.setattr(tables, "write_locations", lambda _, draft, content: full(draft, content))
    with pytest.raises(BadTable, match="the disk is full; no output was left behind"):
        write_routes(target, ROUTES, about={})
    assert list(target.parent.iterdir()) == []


REFUSED = {
    "two of a name": ({"routes": Routes.of([[(1, 1)], [(2, 2)]], ["a", "a"])}, BadTable, "two routes have the same name"),
    "no name": ({"routes": Routes.of([[(1, 1)]], [""])}, BadTable, "the name of route 1 must be text of 1 to 1000 letters"),
    "half a letter": ({"routes": Routes.of([[(1, 1)]], ["\ud800"])}, BadTable, "the name of route 1 must be text"),
    "swapped": ({"routes": Routes.of([[(35.6, 139.7)]])}, BadTable, "longitude and latitude look swapped: route 1, point 1"),
    "metres": ({"routes": Routes.of([[(1e6, 1e6)]])}, BadTable, "route 1, point 1 has a latitude beyond"),
    "far time": ({"routes": Routes.of([[(1, 1)]], times=[[1e12]])}, BadTable, "route 1, point 1 has no readable time"),
    "few marks": ({"reported": [True]}, InvalidParameter, "reported must be one boolean for each of the 2 points"),
    "odd marks": ({"reported": [1, 0]}, InvalidParameter, "reported must be one boolean for each of the 2 points"),
    "odd about": ({"about": {"a": {1, 2}}}, InvalidParameter, "about must be made of JSON values"),
    "nan about": ({"about": {"a": np.nan}}, InvalidParameter, "about must be made of JSON values"),
    "one key twice": ({"about": {1: "a", "1": "b"}}, InvalidParameter, "about must be made of JSON values"),
    "large about": ({"about": {"a": "x" * (1 << 22)}}, InvalidParameter, "about takes more than the 4 MiB"),
    "coordinates": ({"coordinates": "polar"}, InvalidParameter, 'coordinates must be "lonlat" or "plane"'),
}  # fmt: skip


@pytest.mark.parametrize(("options", "error", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_could_not_be_read_back_is_refused_and_nothing_is_left(target, options, error, sentence):
    with pytest.raises(error, match=sentence):
        write_routes(target, **{"routes": ROUTES} | options)
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("suffix", ["geojson", "gpx"])
def test_a_plane_has_no_place_in_files_of_degrees(tmp_path, suffix):
    with pytest.raises(InvalidParameter, match=r"write routes of the plane as .csv or .parquet"):
        write_routes(tmp_path / f"out.{suffix}", ROUTES, coordinates="plane")


def test_importing_the_files_loads_no_tables():
    code = (
        "import sys, noisewright.trajectory.files; print('pyarrow' in sys.modules, 'pandas' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.split() == ["False", "False"]
