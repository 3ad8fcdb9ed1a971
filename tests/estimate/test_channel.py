"""Channels between bins and parts of the reports: cumulative sums against exact laws, cell by cell."""

from __future__ import annotations

import numpy as np
import pytest

from catalogue import KINDS, NAMES, build
from noisewright import Circle, Interval
from noisewright.estimate.channel import FINE, SlidingChannel, TurningChannel, _remembered, channel_of, dense
from noisewright.estimate.groups import parts_of
from noisewright.estimate.partition import common_zones, equal_bins, flat_zones
from noisewright.mechanisms import OGPM, PM, PMC, SW, CircularOGPM, TunedWindow, UnbiasedOGPM
from noisewright.mechanisms.piecewise import WindowMechanism

CELLS = 1 << 13
WINDOWS = [
    OGPM(Interval(-1, 3, cells=CELLS), 1.0),
    OGPM(Interval(-1, 3, cells=CELLS), 5.0),
    SW(Interval(0, 1, cells=CELLS), 0.3),
    PM(Interval(0, 1, cells=CELLS), 2.0),
    UnbiasedOGPM(Interval(0, 1, cells=CELLS), 1.0),
    PMC(Circle(24, cells=CELLS), 2.0),
    CircularOGPM(Circle(24, cells=CELLS), 1.0),
    TunedWindow(Circle(24, cells=CELLS), 3.0, share=0.1),
]


def exact(mechanism: WindowMechanism, edges: np.ndarray, parts: int) -> np.ndarray:
    """Average, over the cells of each bin, the law of every cell: the naive twin."""
    cells = np.arange(mechanism.domain.lattice)
    inside = np.searchsorted(edges, mechanism.domain.centres(cells)) - 1
    start, count, mass = mechanism.window.runs(cells)
    lattice = mechanism.reports.lattice
    rows = np.zeros((edges.size - 1, lattice))
    for cell in cells:
        for run in range(2):
            places = (int(start[cell, run]) + np.arange(int(count[run]))) % lattice
            rows[inside[cell], places] += mass[run] / count[run]
    rows = rows / np.bincount(inside)[:, None]
    return rows.reshape(edges.size - 1, parts, -1).sum(axis=2)


@pytest.mark.parametrize("mechanism", WINDOWS, ids=repr)
def test_cumulative_sums_are_the_exact_laws_averaged(mechanism):
    edges = equal_bins(mechanism.domain, 16)
    kind = TurningChannel if mechanism.window.circular else SlidingChannel
    sliding = kind(mechanism, edges, 64)
    assert np.abs(sliding.matrix() - exact(mechanism, edges, 64)).max() < 2.0 / CELLS / 16


@pytest.mark.parametrize("mechanism", WINDOWS, ids=repr)
def test_backward_is_the_transpose_of_forward(mechanism):
    random = np.random.default_rng(1)
    edges = equal_bins(mechanism.domain, 40)
    kind = TurningChannel if mechanism.window.circular else SlidingChannel
    channel = kind(mechanism, edges, 256)
    shares, numbers = random.dirichlet(np.ones(40)), random.normal(size=256)
    assert channel.forward(shares) @ numbers == pytest.approx(shares @ channel.backward(numbers), rel=1e-10)
    assert channel.forward(shares).sum() == pytest.approx(1)
    assert channel.backward(np.ones(256)) == pytest.approx(1)


@pytest.mark.parametrize("mechanism", WINDOWS, ids=repr)
@pytest.mark.parametrize("small", [0, 1 << 30], ids=["sums", "matrix"])
def test_several_rows_at_once_are_each_row_alone(mechanism, small, monkeypatch):
    monkeypatch.setattr("noisewright.estimate.channel.SMALL", small)
    _remembered.cache_clear()
    random = np.random.default_rng(2)
    channel = channel_of(mechanism, equal_bins(mechanism.domain, 40), 256)
    _remembered.cache_clear()
    shares, numbers = random.dirichlet(np.ones(40), size=3), random.normal(size=(3, 256))
    for together, one in ((channel.forward, shares), (channel.backward, numbers)):
        assert together(one) == pytest.approx(np.array([together(row) for row in one]), abs=1e-12)


def test_bins_of_unequal_width_are_served():
    mechanism = OGPM(Interval(0, 1, cells=CELLS), 1.0)
    edges = np.array([0.0, 0.125, 0.1875, 0.5, 0.75, 1.0])
    sliding = SlidingChannel(mechanism, edges, 64)
    assert np.abs(sliding.matrix() - exact(mechanism, edges, 64)).max() < 2.0 / CELLS / 8


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_every_mechanism_has_a_channel_of_laws(kind, domain):
    mechanism = build(kind, domain, 1.0)
    edges = equal_bins(mechanism.domain, 10)
    rows = channel_of(mechanism, edges).matrix()
    assert rows.shape == (10, parts_of(mechanism.reports))
    assert rows.sum(axis=1) == pytest.approx(1, abs=1e-9)
    assert rows.min() > -1e-12
    place = mechanism.domain.start + 0.05 * mechanism.domain.length
    law = mechanism.law(np.array([place]))
    middle = mechanism.reports.start + mechanism.reports.length / 2
    assert rows[0, : rows.shape[1] // 2].sum() == pytest.approx(float(law.cdf(middle)[0]), abs=0.06)


def test_a_coarse_lattice_is_averaged_cell_by_cell():
    mechanism = OGPM(Interval(0, 1, cells=64), 1.0)
    assert mechanism.domain.lattice < FINE
    edges = equal_bins(mechanism.domain, 8)
    assert dense(mechanism, edges, 64) == pytest.approx(exact(mechanism, edges, 64), abs=1e-12)


def test_the_zones_of_ogpm_are_half_a_window_at_either_end():
    mechanism = OGPM(Interval(0, 1), 1.0)
    half = mechanism.window.width / mechanism.window.cells / 2
    (left, right) = flat_zones(mechanism)
    assert left == pytest.approx((0, half), abs=2e-4)
    assert right == pytest.approx((1 - half, 1), abs=2e-4)
    assert flat_zones(SW(Interval(0, 1), 1.0)) == []


def test_a_second_mechanism_divides_what_the_first_leaves_undivided():
    both = [OGPM(Interval(0, 1), 1.0), SW(Interval(0, 1), 1.0)]
    assert len(common_zones(both[:1])) == 2
    assert common_zones(both) == []
