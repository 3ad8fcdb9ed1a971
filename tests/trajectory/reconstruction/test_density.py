from __future__ import annotations

import numpy as np
import pytest

from noisewright.randomness import SeededSource
from noisewright.trajectory import Routes, TraCSC, TraCSD
from noisewright.trajectory.reconstruction import reconstruct
from noisewright.trajectory.routes.simulation import random_routes
from noisewright.trajectory.spaces import Disk, Rectangle

SQUARE = Rectangle(0, 0, 1, 1)


def two_towns(count, seed):
    """Three quarters of the people around one town, the others around another."""
    random = np.random.default_rng(seed)
    first = random.random(count) < 0.75
    points = np.where(first[:, None], (0.25, 0.3), (0.75, 0.7)) + random.normal(0, 0.06, (count, 2))
    return Routes.of(np.clip(points, 0, 1)[:, None])


def gap(density, routes):
    """Half the absolute difference between estimated and true shares, on 8 × 8 squares."""
    side = len(density.cells)
    where = np.minimum((density.centres * 8).astype(int), 7)
    found = np.zeros((8, 8))
    np.add.at(found, (where[..., 0], where[..., 1]), density.cells)
    cells = np.minimum((routes.points * 8).astype(int), 7)
    wanted = np.zeros((8, 8))
    np.add.at(wanted, (cells[:, 0], cells[:, 1]), 1 / len(routes))
    assert side >= 8
    return np.abs(found - wanted).sum() / 2


def learned(mechanism, truth, seed=5):
    return reconstruct(mechanism.perturb_routes(truth, SeededSource(seed)), mechanism, grid=24).density


def test_the_density_comes_closer_with_more_reports():
    mechanism = TraCSC(SQUARE, 4.0)
    gaps = [
        gap(learned(mechanism, two_towns(count, 1)), two_towns(count, 1)) for count in (300, 2000, 20_000)
    ]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.15
    even = np.full((8, 8), 1 / 64)
    truth = two_towns(20_000, 1)
    counts = np.histogram2d(*truth.points.T, bins=8, range=[[0, 1], [0, 1]])[0] / 20_000
    assert np.abs(even - counts).sum() / 2 > 0.6  # what knowing nothing would cost


def test_the_density_behind_directions_and_distances():
    truth = two_towns(1500, 2)
    assert gap(learned(TraCSD(SQUARE, 4.0), truth), truth) < 0.3


def test_shares_sum_to_one_inside_the_space():
    space = Disk(0, 0, 1)
    density = learned(TraCSC(space, 4.0), random_routes(space, 2000, 1, 3))
    assert density.cells.sum() == pytest.approx(1)
    assert space.contains(density.centres).all()
    corner = density.cells[0, 0]
    assert corner == 0


@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_nothing_is_made_up_from_even_or_few_reports(epsilon):
    mechanism = TraCSC(SQUARE, epsilon)
    for truth in (random_routes(SQUARE, 500, 1, 4), random_routes(SQUARE, 1, 1, 4)):
        density = learned(mechanism, truth)
        assert density.smoothing is None
        assert np.ptp(density.cells) == 0
