"""Each way of sampling: unbiased, within its bounds, and no term larger than it says."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.errors import InvalidParameter
from noisewright.utility.core.curve import make_curve
from noisewright.utility.sampling.direct import MappedDraws, sample_directly
from noisewright.utility.sampling.families import SortedCells, axis_laws, find_families
from noisewright.utility.sampling.grid import axis_edges
from noisewright.utility.sampling.mixture import Mixture, find_representatives
from noisewright.utility.sampling.plan import enumerate_points
from noisewright.utility.sampling.strata import Strata
from noisewright.utility.sampling.surrogate import draw_map
from utility.sampling.query_cases import network, true_utility

CURVE = make_curve(["OGPM", "PMC", "TruncatedLaplace"], [0.5, 2.0, 6.0], lattice=48)
CHANNELS = CURVE.flat()
FAMILY = find_families(CHANNELS)[0]
UNIT = np.array([0.35, 0.8])
MODEL = network(2, seed=1)
LAWS = axis_laws(CHANNELS, FAMILY, UNIT)
TRUTH = true_utility(MODEL, UNIT, CURVE).reshape(-1)
RUNS, ALPHA = 300, 0.02
ALLOWED = int(binom.isf(1e-9 / len(CHANNELS), RUNS, ALPHA))


class Fails:
    """Which values, or reports of cells, lead to another answer than a record's own."""

    def __init__(self, model, unit):
        self.model, self.own = model, model(unit[None])[0]

    def __call__(self, points):
        return self.model(points) != self.own

    def at(self, lattice, cells):
        return self(lattice.centres(cells))


fails = Fails(MODEL, UNIT)


def all_cells():
    shape = (FAMILY.lattice.cells,) * 2
    return np.stack(np.unravel_index(np.arange(shape[0] ** 2), shape), axis=1)


def a_map(random):
    edges = [axis_edges([channel.law(float(u)) for channel in CHANNELS], 7) for u in UNIT]
    return draw_map(fails, edges, 300, random), edges


def stratified(random):
    chart, edges = a_map(random)
    return Strata(chart, edges, FAMILY.lattice, LAWS).sample(fails, 400, random)


def mapped(random):
    return a_mixture().sample_mapped(fails, 300, a_map(random)[0], random)


def guessed(random):
    return a_mixture().sample_guessed(fails, 300, 1 - TRUTH, random)


def drawn(random):
    """Too few draws of a channel for any on the border of the map."""
    return some_draws().sample(fails, 9 * 60, random)


def drawn_on_the_border(random):
    return some_draws().sample(fails, 9 * 1000, random)


@lru_cache
def some_draws():
    return MappedDraws(FAMILY, LAWS, a_map(np.random.default_rng(26))[0])


@lru_cache
def a_mixture():
    return Mixture(FAMILY.lattice, LAWS, find_representatives(CHANNELS, FAMILY, LAWS))


@pytest.mark.parametrize("sample", [stratified, mapped, guessed, drawn, drawn_on_the_border])
def test_sampled_utilities_are_unbiased_and_hold(sample):
    """False alarms: 10⁻⁹ for the intervals, about as rare (6 standard errors) for the means."""
    random = np.random.default_rng(21)
    tallies = [sample(random) for _ in range(RUNS)]
    failing = np.array([tally.failing for tally in tallies])
    off = failing.mean(axis=0) - (1 - TRUTH)
    error = failing.std(axis=0) / np.sqrt(RUNS)
    assert (np.abs(off) <= 6.5 * error + 1e-12).all()
    assert (np.abs(off + 0.04) > 6.5 * error).all()  # power: four percent off would be seen
    ends = np.array([tally.utility(ALPHA) for tally in tallies])
    misses = ((ends[:, 0] > TRUTH) | (ends[:, 2] < TRUTH)).sum(axis=0)
    assert misses.max() <= ALLOWED


@pytest.mark.parametrize("sample", [stratified, mapped, guessed])
def test_squares_estimate_at_least_the_variance(sample):
    random = np.random.default_rng(22)
    chart, edges = a_map(random)
    strata = Strata(chart, edges, FAMILY.lattice, LAWS)
    again = {
        stratified: lambda: strata.sample(fails, 400, random),
        mapped: lambda: a_mixture().sample_mapped(fails, 300, chart, random),
        guessed: lambda: a_mixture().sample_guessed(fails, 300, 1 - TRUTH, random),
    }[sample]
    tallies = [again() for _ in range(200)]
    spread = np.var([tally.failing for tally in tallies], axis=0)
    squares = np.mean([tally.squares for tally in tallies], axis=0)
    assert (spread <= 1.6 * squares + 1e-12).all()  # χ² of 200 runs: 1.6 is six standard errors


def test_no_term_of_a_mixture_is_larger_than_its_bound():
    chosen = find_representatives(CHANNELS, FAMILY, LAWS)
    points = SortedCells.of(all_cells())
    density = sum(v * points.masses(LAWS, int(p)) for p, v in zip(chosen.places, chosen.shares, strict=True))
    for place in range(len(CHANNELS)):
        mass = points.masses(LAWS, place)
        largest = (mass[mass > 0] / density[mass > 0]).max()
        assert largest <= chosen.bound[place]
        assert chosen.bound[place] <= 8 * largest  # and it says something
    assert chosen.shares.sum() == pytest.approx(1)


def test_no_term_of_the_strata_is_larger_than_its_bound():
    random = np.random.default_rng(23)
    chart, edges = a_map(random)
    strata = Strata(chart, edges, FAMILY.lattice, LAWS)
    counts = strata._counts(400)
    weight = strata._volumes / np.maximum(counts, 1)
    found = np.zeros(len(CHANNELS))
    for first, size, one in zip(strata._ends[0], strata._sizes, weight, strict=True):
        cells = np.stack(np.unravel_index(np.arange(size.prod()), size), axis=1) + first
        points = SortedCells.of(cells)
        for place in range(len(CHANNELS)):
            found[place] = max(found[place], one * points.masses(LAWS, place).max(initial=0.0))
    assert (found <= strata._largest(weight) * (1 + 1e-12)).all()
    assert (strata._largest(weight) <= 4 * found).all()
    assert counts.sum() <= 400 + (counts == 1).sum()


def test_no_draw_weighs_more_than_its_bound_and_border_draws_stay_on_the_border():
    random = np.random.default_rng(25)
    draws = some_draws()
    assert not draws._counts(9 * 60)[1].any()
    plain, border = draws._counts(9 * 1000)
    unsure = draws.chart.at(draws._on_border(border, random), draws._edges)[1]
    assert unsure.size == border.sum() > 0
    assert unsure.all()
    points = SortedCells.of(all_cells())
    masses = np.array([points.masses(LAWS, place) for place in range(len(CHANNELS))])
    density = plain @ masses
    for place, mass in enumerate(masses):
        largest = (mass[mass > 0] / density[mass > 0]).max()
        assert largest <= draws._bound[place] / (plain.size * plain.min())
    assert draws._bound.max() <= len(CHANNELS) * (1 + 1e-6)  # never worse off than alone


def test_all_points_of_a_grid_give_the_truth():
    for features in (1, 3):
        model, unit = network(features, seed=2), np.linspace(0.2, 0.7, features)
        curve = make_curve(["Exponential", "BinnedKRR"], [1.0, 4.0], points=12)
        family = find_families(curve.flat())[0]
        tally = enumerate_points(
            Fails(model, unit),
            family.lattice,
            axis_laws(curve.flat(), family, unit),
        )
        assert tally.queries == 12**features
        assert np.allclose(1 - tally.failing, true_utility(model, unit, curve).reshape(-1), atol=1e-12)
        assert not tally.largest.any()


def test_channels_sampled_for_themselves_hold():
    """The answer depends on one of 25 features, so the truth is one cumulative; α = 10⁻⁶ a channel."""
    curve = make_curve(["OGPM", "PM"], [1.0, 8.0])
    unit = np.full(25, 0.3)
    asked = Fails(lambda rows: rows[:, 3] > 0.5, unit)
    sample = sample_directly(asked, curve.flat(), unit, 40_000, np.random.default_rng(24))
    truth = np.array([c.law(0.3).below(c.lattice.count_to(0.5)) for c in curve.flat()])
    low, estimate, high = sample.utility(1e-6)
    assert (low <= truth).all()
    assert (truth <= high).all()
    assert not ((low <= truth + 0.05) & (truth + 0.05 <= high)).any()  # power
    assert np.allclose(estimate, 1 - sample.failing)
    assert sample.queries == 40_000


def test_too_few_queries_for_single_channels_are_refused():
    with pytest.raises(InvalidParameter, match="too few for 9 pairs"):
        sample_directly(fails, CHANNELS, UNIT, 8, np.random.default_rng(0))
