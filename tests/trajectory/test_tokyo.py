"""The check-ins of Tokyo: the published comparison in continuous space, with the strawman mended."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from noisewright.published.routes import Strawman
from noisewright.randomness import SeededSource
from noisewright.trajectory import LonLatBox, Routes, TraCSC, TraCSD, choose_tracs
from noisewright.trajectory.files import read_routes

FOLDER = os.environ.get("NOISEWRIGHT_DATA")
TOKYO = LonLatBox(139.47, 35.51, 139.90, 35.86)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        FOLDER is None, reason="set NOISEWRIGHT_DATA to the folder that holds foursquare_tky/"
    ),
]


@pytest.fixture(scope="module")
def routes():
    found = read_routes(Path(FOLDER) / "foursquare_tky" / "foursquare_tky_101users.parquet").routes
    return Routes.of([points[TOKYO.contains(points)] for points in found])


def error(mechanism, routes):
    return TOKYO.distance(routes.points, mechanism.perturb_routes(routes, SeededSource(4)).points).mean()


@pytest.mark.parametrize("epsilon", [2.0, 4.0, 6.0, 8.0, 10.0])
def test_both_methods_err_less_than_the_strawman_and_auto_less_than_both_as_published(routes, epsilon):
    """29,055 check-ins: each mean is good to 0.5 %."""
    assert len(routes.points) == 29_055
    along_axes = error(TraCSC(TOKYO, epsilon, split="even"), routes)
    directions = error(TraCSD(TOKYO, epsilon, split="heuristic"), routes)
    strawman = error(Strawman(TOKYO, epsilon), routes)
    auto = choose_tracs(TOKYO, epsilon, purpose="single").mechanism
    assert max(along_axes, directions) < 0.98 * strawman
    assert error(auto, routes) < 1.05 * min(along_axes, directions)
