"""The promised cuts on real check-ins; skipped where the data is not."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from noisewright.randomness import SeededSource
from noisewright.trajectory import LonLatBox, Routes, TraCSC
from noisewright.trajectory.files import read_routes
from noisewright.trajectory.reconstruction import reconstruct

TOKYO = LonLatBox(139.47, 35.51, 139.90, 35.86)
FOLDER = os.environ.get("NOISEWRIGHT_DATA")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        FOLDER is None, reason="set NOISEWRIGHT_DATA to the folder that holds foursquare_tky/"
    ),
]


@pytest.fixture(scope="module")
def people():
    """The check-ins inside the box, one route a person, in order of time."""
    file = Path(str(FOLDER)) / "foursquare_tky" / "foursquare_tky_101users.parquet"
    routes = read_routes(file, columns={"route": "user_id", "time": "utc_time"}).routes
    inside = TOKYO.contains(routes.points)
    lengths = np.add.reduceat(inside.astype(int), routes.starts[:-1])
    names = tuple(name for name, length in zip(routes.names, lengths, strict=True) if length)
    starts = np.cumsum([0, *lengths[lengths > 0]])
    return Routes(routes.points[inside], starts, names, routes.times[inside])


@pytest.mark.parametrize(("epsilon", "promised"), [(2.0, 0.40), (4.0, 0.30), (6.0, 0.22)])
def test_the_mean_error_of_check_ins_is_cut_as_promised(people, epsilon, promised):
    mechanism = TraCSC(TOKYO, epsilon)
    reports = mechanism.perturb_routes(people, SeededSource(3))
    found = reconstruct(reports, mechanism)
    before, after = (
        TOKYO.distance(people.points, routes.points).mean() for routes in (reports, found.routes)
    )
    assert 1 - after / before >= promised
    assert 1 - after / before >= 0.45  # what repeated places add
    assert found.spread.mean() == pytest.approx(after, rel=0.35)
