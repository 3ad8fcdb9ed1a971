"""What a report says about a cell, against exact laws and against drawn reports."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.randomness import SeededSource
from noisewright.trajectory import Routes, TraCSC, TraCSD
from noisewright.trajectory.reconstruction.axis_likelihood import (
    PARTS,
    AxisLikelihood,
    PlaneChannel,
    merged_parts,
)
from noisewright.trajectory.reconstruction.grid import Grid
from noisewright.trajectory.reconstruction.likelihood import held_matrix
from noisewright.trajectory.reconstruction.polar_likelihood import PolarLikelihood
from noisewright.trajectory.spaces import Disk, Rectangle, Sphere

SQUARE = Rectangle(0, 0, 1, 1)


def test_an_axis_likelihood_is_the_product_of_two_laws():
    mechanism, grid = TraCSC(SQUARE, 4.0), Grid(SQUARE, 64)
    reports = np.array([[0.2, 0.9], [0.51, 0.02]])
    found = AxisLikelihood(mechanism, reports, grid).of(np.arange(2))
    for row, report in enumerate(reports):
        first = mechanism.first.law(grid.centres[:, 0]).density(report[:1])[:, 0]
        second = mechanism.second.law(grid.centres[:, 1]).density(report[1:])[:, 0]
        close = np.isclose(found[row], first * second, rtol=0.02)
        assert close.mean() > 0.9  # all but the cells that the edge of a window cuts


@pytest.mark.parametrize("name", ["SW", "PM"])
def test_reports_beyond_the_axis_count_at_its_end(name):
    mechanism = TraCSC(SQUARE, 2.0, channel=name).first
    edges = np.linspace(0, 1, 9)
    found = held_matrix(mechanism, edges, 16)
    assert np.allclose(found.sum(axis=1), 1)
    law = mechanism.law(np.full(1, 1 / 16))
    assert found[0, 0] == pytest.approx(float(law.cdf(np.array([1 / 16]))[0]), rel=0.05)
    assert found[0, 15] == pytest.approx(1 - float(law.cdf(np.array([15 / 16]))[0]), rel=0.05)


def test_corners_of_a_disk_are_merged_with_its_boundary():
    space = Disk(0, 0, 1)
    mechanism, grid = TraCSC(space, 2.0), Grid(space, 8)
    channel = PlaneChannel(
        held_matrix(mechanism.first, grid.edges(0), PARTS),
        held_matrix(mechanism.second, grid.edges(1), PARTS),
        merged_parts(space),
    )
    shares = np.zeros(64)
    shares[grid.cell_of(np.array([0.3, 0.1]))] = 1
    expected = channel.forward(shares)
    assert expected.sum() == pytest.approx(1)
    truth = np.random.default_rng(1).uniform([0.25, 0.0], [0.5, 0.25], (40_000, 2))
    reports = mechanism.perturb(truth, SeededSource(2))
    boundary = np.hypot(*reports.T) > 0.999
    parts = Grid(space, PARTS)
    outer = np.flatnonzero(channel.crowd > 1)
    # false alarm about 1e-9: six standard errors of a share
    assert expected[outer].sum() == pytest.approx(boundary.mean(), abs=6 * 0.5 / 200 + 0.01)
    seen = AxisLikelihood(mechanism, reports[boundary][:1], grid).of(np.arange(1))[0]
    part = channel.target[parts.cell_of(reports[boundary][0])]
    assert seen[grid.cell_of(np.array([0.3, 0.1]))] == pytest.approx(expected[part] * PARTS**2, rel=1e-4)


def test_forward_and_backward_are_transposes():
    random = np.random.default_rng(4)
    channel = PlaneChannel(random.random((3, 5)), random.random((4, 6)), random.integers(30, size=30))
    shares, numbers = random.random(12), random.random(30)
    assert channel.forward(shares) @ numbers == pytest.approx(shares @ channel.backward(numbers))
    assert np.allclose(channel.matrix() @ numbers, channel.backward(numbers))


@pytest.mark.parametrize("space", [SQUARE, Disk(0, 0, 1), Sphere()], ids=lambda space: space.kind)
def test_a_polar_likelihood_ranks_the_truth_first(space):
    """Averaged over reports, no place explains the reports of a location better than the location (Gibbs)."""
    mechanism, grid = TraCSD(space, 4.0), Grid(space, 16)
    truth = grid.cell_of(space.spread(7)[3])
    reports = Routes.of(
        [mechanism.perturb(np.repeat(grid.centres[truth][None], 1500, axis=0), SeededSource(3))]
    )
    likelihood = PolarLikelihood(mechanism, reports.points, mechanism.references(reports), grid)
    scores = np.log(likelihood.of(np.arange(1500))).mean(axis=0)
    away = space.distance(grid.centres, grid.centres[truth])
    assert away[np.argmax(scores)] <= 2 * max(grid.usual_steps)
    assert scores[away > space.diameter / 3].max() < scores[truth] - 0.1


def test_reports_of_one_stay_multiply():
    for mechanism in (TraCSC(SQUARE, 2.0), TraCSC(Disk(0.5, 0.5, 0.5), 2.0)):
        grid = Grid(mechanism.space, 8)
        reports = mechanism.perturb(np.full((5, 2), 0.5), SeededSource(1))
        likelihood = AxisLikelihood(mechanism, reports, grid)
        found = likelihood.together(np.arange(5), np.array([0, 2]))
        single = likelihood.of(np.arange(5)).astype(float)
        for row, wanted in zip(found, (single[:2].prod(axis=0), single[2:].prod(axis=0)), strict=True):
            assert np.allclose(row / row.max(), wanted / wanted.max(), rtol=1e-3)
