"""Channels tell the law that mechanisms sample, at every cell and for every family of mechanisms."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Interval
from noisewright.mechanisms.catalogue import applicable
from noisewright.utility.core.channels import Lattice
from noisewright.utility.core.curve import make_curve

KINDS = [kind.__name__ for kind in applicable(Interval(0, 1))]
UNITS = (0.0, 0.31, 0.5, 0.77, 1.0)


@pytest.mark.parametrize("name", KINDS)
def test_cumulative_is_that_of_the_law(name: str) -> None:
    random = np.random.default_rng(7)
    for channel in make_curve([name], [0.5, 4.0], points=20).flat():
        points = random.uniform(-0.5, 1.5, 40)
        for unit in UNITS:
            told = channel.law(unit).below(channel.lattice.count_to(points))
            assert told == pytest.approx(channel.mechanism.law(unit).cdf(points), abs=1e-9)


@pytest.mark.parametrize("name", KINDS)
def test_masses_are_the_samplers_words(name: str) -> None:
    """On a small lattice, each cell's mass is the share of random words that lead there."""
    for channel in make_curve([name], [0.7, 3.0], points=8, lattice=32).flat():
        for cell in (0, 13, 31):
            counts, total = channel.mechanism.word_counts(cell)
            law = channel.law((cell + 0.5) / 32)
            shares = np.array([count / total for count in counts])
            assert law.mass(np.arange(channel.lattice.cells)) == pytest.approx(shares, abs=1e-8)
            assert law.cumulative[0] == 0
            assert law.cumulative[-1] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("name", KINDS)
def test_many_values_at_once_agree_with_one_by_one(name: str) -> None:
    channel = make_curve([name], [1.3], points=20).flat()[0]
    cells = np.linspace(0, channel.lattice.cells, 7).astype(np.int64)
    together = channel.below(np.array(UNITS)[:, None], cells[None, :])
    for row, unit in zip(together, UNITS, strict=True):
        assert row == pytest.approx(channel.law(unit).below(cells), abs=1e-12)


@pytest.mark.parametrize("name", ["OGPM", "TruncatedLaplace", "Exponential"])
def test_simulated_reports_follow_the_law(name: str) -> None:
    """χ² at a false-alarm rate of 1e-9; the law of 20 % less ε is rejected by the same draws."""
    from scipy.stats import chi2

    wrong, right = make_curve([name], [1.6, 2.0], points=8, lattice=16).flat()
    draws, places = 400_000, np.arange(right.lattice.cells)
    counts = np.bincount(right.law(0.3).draw(np.random.default_rng(3).random(draws)), minlength=places.size)
    for channel, accepted in ((right, True), (wrong, False)):
        expected = draws * channel.law(0.3).mass(places)
        statistic = ((counts - expected) ** 2 / expected).sum()
        assert (statistic < chi2.isf(1e-9, places.size - 1)) == accepted


def test_counting_cells_at_centres_and_infinities() -> None:
    lattice = Lattice(-0.5, 0.25, 8)
    assert lattice.count_to(lattice.centres(np.arange(8))).tolist() == list(range(1, 9))
    assert lattice.count_to(np.nextafter(lattice.centres(3), -1)).tolist() == 3
    assert lattice.count_to([-np.inf, np.inf]).tolist() == [0, 8]


def test_laws_are_remembered_but_not_without_end() -> None:
    channel = make_curve(["OGPM"], [1.0]).flat()[0]
    first = channel.law(0.25)
    assert channel.law(0.25) is first
    for unit in np.linspace(0, 1, 5000):
        channel.law(float(unit))
    assert len(channel._laws) <= 4096
