"""Classes of sets: frontiers against brute force, and upper bounds that hold under their assumption."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.audit.bounds.upper import atoms_frontier, half_lines_frontier, intervals_gain, upper_bound
from noisewright.audit.spectrum.pair import parse_assumption
from noisewright.audit.truth import finite, laplace
from noisewright.errors import InvalidParameter

EPSILONS = np.linspace(0, 2, 9)
FALSE_ALARM = 1e-9


def best_subset(p, q, factor):
    return max(
        sum(p[i] - factor * q[i] for i in chosen)
        for size in range(len(p) + 1)
        for chosen in itertools.combinations(range(len(p)), size)
    )


def test_atoms_against_all_subsets():
    rng = np.random.default_rng(1)
    own, other = rng.integers(0, 20, 7), rng.integers(0, 20, 7)
    own[-1] = other[-1] = 0
    p, q = own / own.sum(), other / other.sum()
    expected = [best_subset(p, q, factor) for factor in np.exp(EPSILONS)]
    assert atoms_frontier(own, other).gain(EPSILONS) == pytest.approx(expected)


def test_thousands_of_atoms_of_which_some_never_came():
    """Beyond what is swept point by point; an atom that neither input gave repeats a point of the curve."""
    rng = np.random.default_rng(4)
    own, other = rng.integers(1, 40, (2, 3_000))
    own[[5, 6, 7]] = other[[5, 6, 7]] = 0
    own[-1] = other[-1] = 0
    p, q = own / own.sum(), other / other.sum()
    expected = [np.maximum(p - factor * q, 0).sum() for factor in np.exp(EPSILONS)]
    assert atoms_frontier(own, other).gain(EPSILONS) == pytest.approx(expected)


def test_outputs_without_an_atom_count_as_if_each_told_everything():
    own, other = np.array([50, 40, 10]), np.array([50, 40, 10])
    gain = atoms_frontier(own, other).gain(EPSILONS)
    assert gain[0] == pytest.approx(0.1)
    assert (gain >= 0.1 - 1e-12).all()


def test_half_lines_against_all_of_them():
    rng = np.random.default_rng(2)
    own, other = rng.integers(0, 6, 15).astype(float), rng.integers(2, 8, 12).astype(float)
    sets = [np.less, np.less_equal, np.greater, np.greater_equal]
    for epsilon, gain in zip(EPSILONS, half_lines_frontier(own, other).gain(EPSILONS), strict=True):
        expected = max(
            side(own, t).mean() - np.exp(epsilon) * side(other, t).mean()
            for side in sets
            for t in range(-1, 10)
        )
        assert gain == pytest.approx(max(expected, 0.0))


def test_intervals_against_all_of_them():
    rng = np.random.default_rng(3)
    own, other = rng.integers(0, 6, 15).astype(float), rng.integers(0, 6, 12).astype(float)
    points = np.arange(-0.5, 7)
    for epsilon, gain in zip(EPSILONS, intervals_gain(own, other, 2, EPSILONS), strict=True):
        expected = 0.0
        for a, b, c, d in itertools.combinations_with_replacement(points, 4):
            inside = lambda x: ((x > a) & (x < b)) | ((x > c) & (x < d))  # noqa: B023, E731
            expected = max(expected, inside(own).mean() - np.exp(epsilon) * inside(other).mean())
        assert gain == pytest.approx(expected)


def upper_misses(trials, law, truth, **options):
    wrong = 0
    for seed in range(trials):
        rng = np.random.default_rng(seed)
        values = law(rng)
        upper = upper_bound(EPSILONS, 0.2, values=values, **options).delta
        wrong += bool((upper < truth - 1e-12).any())
    return wrong


@pytest.mark.parametrize(("intervals", "trials"), [(0, 60), (1, 30)])
def test_upper_bounds_hold_for_laplace_noise(intervals, trials):
    truth = laplace(1.0, EPSILONS)
    wrong = upper_misses(
        trials, lambda rng: (rng.laplace(0, 1, 250), rng.laplace(1, 1, 250)), truth, intervals=intervals
    )
    assert wrong <= binom.isf(FALSE_ALARM, trials, 0.2)


def test_a_wrong_assumption_gives_a_wrong_bound():
    """A window: the outputs that favour left lie on both sides, which no half-line sees. Never implied!"""
    rng = np.random.default_rng(0)
    left = np.concatenate([rng.uniform(0, 1, 10_000), rng.uniform(2, 3, 10_000)])
    right = rng.uniform(0, 3, 20_000)
    half_lines = upper_bound(np.array([0.0]), 0.05, values=(left, right)).delta[0]
    two = upper_bound(np.array([0.0]), 0.05, values=(left, right), intervals=2).delta[0]
    assert half_lines < 0.25 < 1 / 3 < two < 0.4


def test_atoms_need_no_assumption_and_hold():
    p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.3, 0.3, 0.2])
    truth = np.maximum(finite(p, q, EPSILONS), finite(q, p, EPSILONS))
    trials, wrong = 100, 0
    for seed in range(trials):
        rng = np.random.default_rng(seed)
        codes = [rng.choice(4, 400, p=law).astype(np.int64) for law in (p, q)]
        left, right = (np.bincount(each, minlength=5) for each in codes)
        result = upper_bound(EPSILONS, 0.2, atoms=(left, right))
        wrong += bool((result.delta < truth - 1e-12).any())
        assert "assumes only independent runs" in result.assumption
    assert wrong <= binom.isf(FALSE_ALARM, trials, 0.2)


@pytest.mark.parametrize("text", ["monotonic", "intervals", "intervals:0", "intervals:x", "", "monotone:2"])
def test_unknown_assumptions_are_refused(text):
    with pytest.raises(InvalidParameter, match="monotone"):
        parse_assumption(text)
