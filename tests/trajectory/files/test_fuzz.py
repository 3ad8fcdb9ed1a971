"""Damaged documents: whatever bytes stand in a file, it is read or refused in a sentence, and nothing else."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.errors import BadTable
from noisewright.trajectory.files import RouteFile, read_routes, write_routes
from noisewright.trajectory.routes import Routes

TOKENS = (
    b"", b"[", b"]", b"{", b"}", b"null", b"true", b"-", b"1e999", b"NaN", b'"', b'"Point"', b'"MultiLineString"', b"<", b"</", b"/>",
    b"<trk>", b"</trk>", b"<trkseg>", b"</trkseg>", b"</trkpt>", b"&#0;", b"&x;", b"<!DOCTYPE gpx>", b"<?xml?>", b"\x00", b"\xff\xfe",
    b"encoding='cp037'", b",", b"\n", b"999999999999", b"<![CDATA[", b"]]>", b"UTF-16", b"UTF-7", b"xmlns=''",
)  # fmt: skip


def valid(suffix):
    routes = Routes.of([[(139.7, 35.6), (139.8, 35.7)], [(1, 2)]], ["a", "b"], [[1.0, 2.5], [3.0]])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"routes.{suffix}"
        return write_routes(
            path, routes, about={"epsilon": 4}, reported=np.array([True, False, True])
        ).read_bytes()


WHOLE = {suffix: valid(suffix) for suffix in ("geojson", "gpx", "csv")}
cuts = st.tuples(st.integers(0, 2000), st.integers(0, 12), st.sampled_from(TOKENS) | st.binary(max_size=4))


def damaged(content, changes):
    """The bytes with some stretches replaced by others."""
    for start, length, token in changes:
        here = start % (len(content) + 1)
        content = content[:here] + token + content[here + length :]
    return content


def read_or_refusal(path):
    try:
        return read_routes(path)
    except BadTable as refusal:
        return str(refusal)


@pytest.mark.parametrize("suffix", WHOLE)
@settings(max_examples=400)
@given(changes=st.lists(cuts, min_size=1, max_size=4))
def test_damage_is_read_or_refused(suffix, changes):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"routes.{suffix}"
        path.write_bytes(damaged(WHOLE[suffix], changes))
        found = read_or_refusal(path)
    assert isinstance(found, RouteFile) or (path.name in found and "\n" not in found)


@pytest.mark.parametrize("suffix", WHOLE)
def test_the_undamaged_file_is_read(suffix, tmp_path):
    (tmp_path / f"routes.{suffix}").write_bytes(WHOLE[suffix])
    assert read_routes(tmp_path / f"routes.{suffix}").routes.names == ("a", "b")
