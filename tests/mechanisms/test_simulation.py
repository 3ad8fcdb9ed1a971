"""Simulation agrees with every law: a test with a stated level and a stated power.

Level: by Massart's form of the Dvoretzky–Kiefer–Wolfowitz inequality the largest distance between the
empirical and the true distribution function of n reports exceeds t with probability at most 2·exp(−2nt²),
for every n and any law. With LEVEL = 10⁻⁹ a test, a false alarm is out of the question. The seed is fixed;
set NOISEWRIGHT_RANDOM_SEED=1 to draw a new one (the nightly switch).

Power: a law whose ε is 10 % off is rejected with probability at least 1 − 10⁻⁹, because its distance from
the true one is more than 2t; the test checks that distance, and then rejects such a sample for real.
"""

from __future__ import annotations

import math
import os
import secrets

import numpy as np
import pytest

from catalogue import KINDS, NAMES, build
from noisewright.mechanisms import Law, Mechanism
from noisewright.randomness import SeededSource

LEVEL = 1e-9
REPORTS = 1_500_000
THRESHOLD = math.sqrt(math.log(2 / LEVEL) / (2 * REPORTS))
SEED = secrets.randbelow(1 << 32) if os.environ.get("NOISEWRIGHT_RANDOM_SEED") else 20261115

pytestmark = pytest.mark.slow


def largest_gap(reports: np.ndarray, law: Law) -> float:
    """sup |empirical − true distribution function|, a lower bound of it on all report values (exact if few)."""
    ordered = np.sort(reports)
    places = np.unique(np.linspace(0, ordered.size - 1, 4000).astype(int))
    points = np.unique(ordered[places])
    true = law.cdf(points)
    below = true - point_masses(law, points)
    share = np.searchsorted(ordered, points, side="right") / ordered.size
    strictly = np.searchsorted(ordered, points, side="left") / ordered.size
    return float(max(np.abs(share - true).max(), np.abs(strictly - below).max()))


def point_masses(law: Law, points: np.ndarray) -> np.ndarray:
    return np.asarray(law.mass(points, points))


def distance(first: Law, second: Law) -> float:
    """A lower bound of the distance of two laws' distribution functions, on one lattice of values."""
    low = min(first.reports.start, second.reports.start)
    high = max(law.reports.start + law.reports.length for law in (first, second))
    points = np.linspace(low, high, 20_001)[:-1]
    return float(np.abs(first.cdf(points) - second.cdf(points)).max())


def truth(mechanism: Mechanism) -> float:
    return mechanism.domain.start + 0.2 * mechanism.domain.length


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_sampler_follows_its_law_and_a_law_ten_percent_off_is_rejected(kind, domain):
    right, wrong = build(kind, domain, 2.0), build(kind, domain, 2.2)
    value = truth(right)
    values = np.full(REPORTS, value)
    assert largest_gap(right.perturb(values, SeededSource(SEED)), right.law(value)) <= THRESHOLD
    assert distance(right.law(value), wrong.law(value)) > 2 * THRESHOLD
    assert largest_gap(wrong.perturb(values, SeededSource(SEED + 1)), right.law(value)) > THRESHOLD


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
@pytest.mark.parametrize("epsilon", [0.1, 8.0])
def test_sampler_follows_its_law_at_other_budgets_and_at_the_ends(kind, domain, epsilon):
    mechanism = build(kind, domain, epsilon)
    for place in (0.0, 0.999999):
        value = mechanism.domain.start + place * mechanism.domain.length
        reports = mechanism.perturb(np.full(REPORTS // 5, value), SeededSource(SEED + 2))
        assert largest_gap(reports, mechanism.law(value)) <= THRESHOLD * math.sqrt(5)


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_successive_reports_are_uncorrelated(kind, domain):
    """Products of centred signs at a lag are bounded martingale differences, so Azuma gives the level."""
    mechanism = build(kind, domain, 1.0)
    value, count = truth(mechanism), 400_000
    law = mechanism.law(value)
    reports = mechanism.perturb(np.full(count, value), SeededSource(SEED + 3))
    middle = mechanism.reports.start + mechanism.reports.length / 2
    signs = (reports > middle) - (1 - law.cdf(middle))
    for lag in (1, 2, 16, 1 << 14):
        bound = math.sqrt(2 * math.log(2 / LEVEL) / (count - lag))
        assert abs(np.mean(signs[:-lag] * signs[lag:])) <= bound
