"""The attack that convicts a float sampler: which of two inputs can have produced exactly this number?

The published OGPM sampler computes ``low + u·(high − low)`` in doubles, with u a multiple of 2⁻⁵³. The set
of doubles that this can yield depends on the piece, hence on the input; a single report that only one of
two inputs can yield *proves* the input, whatever ε is. Here the same attack is run on both samplers.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisewright import Interval
from noisewright.mechanisms import OGPM
from noisewright.randomness import SecureSource

UNIT = Interval(0, 1)
STEP = 2.0**-53


def pieces(x: float, epsilon: float) -> list[tuple[float, float]]:
    half = (math.exp(epsilon / 2) - 1) / (2 * math.exp(epsilon) - 2)
    left = 0.0 if x < half else (x - half if x < 1 - half else 1 - 2 * half)
    right = 2 * half if x < half else (x + half if x < 1 - half else 1.0)
    return [(0.0, left), (left, right), (right, 1.0)]


def float_sampler(x: float, epsilon: float, count: int, generator: np.random.Generator) -> np.ndarray:
    """OGPM as one writes it from the formula: pick a piece, then draw a uniform double in it."""
    parts = pieces(x, epsilon)
    density = math.exp(epsilon / 2)
    weights = [
        (b - a) * (density if i == 1 else density / math.exp(epsilon)) for i, (a, b) in enumerate(parts)
    ]
    chosen = generator.choice(3, size=count, p=np.array(weights) / sum(weights))
    ends = np.array(parts)[chosen]
    return ends[:, 0] + generator.random(count) * (ends[:, 1] - ends[:, 0])


def reachable(reports: np.ndarray, x: float, epsilon: float) -> np.ndarray:
    """Which doubles the float sampler can yield for x: try the multiples of 2⁻⁵³ next to the right one."""
    found = np.zeros(reports.size, dtype=bool)
    for low, high in pieces(x, epsilon):
        if high <= low:
            continue
        near = np.rint((reports - low) / (high - low) / STEP)
        for offset in range(-4, 5):
            unit = (near + offset) * STEP
            found |= (unit >= 0) & (unit < 1) & (low + unit * (high - low) == reports)
    return found


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
@pytest.mark.parametrize(("left", "right"), [(0.3, 0.6), (0.1, 0.9), (0.45, 0.55)])
def test_the_float_sampler_is_convicted(epsilon, left, right):
    reports = float_sampler(left, epsilon, 20_000, np.random.default_rng(1))
    assert reachable(reports, left, epsilon).all(), "the attack must know its own sampler"
    proved = 1 - reachable(reports, right, epsilon).mean()
    assert proved > 0.04


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_for_a_middling_pair_eight_to_nineteen_percent_of_the_reports_are_proofs(epsilon):
    reports = float_sampler(0.3, epsilon, 50_000, np.random.default_rng(3))
    assert 0.08 < 1 - reachable(reports, 0.6, epsilon).mean() < 0.19


def test_for_values_at_opposite_ends_it_is_worse():
    reports = float_sampler(0.1, 4.0, 20_000, np.random.default_rng(4))
    assert 1 - reachable(reports, 0.9, 4.0).mean() > 0.5


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 12.0])
@pytest.mark.parametrize(("left", "right"), [(0.3, 0.6), (0.0, 1.0)])
def test_the_same_attack_finds_nothing_here(epsilon, left, right):
    """For every report there is a word that yields exactly it from the other input: the attack has no proof."""
    mechanism = OGPM(UNIT, epsilon)
    window = mechanism.window
    reports = mechanism.perturb(np.full(50_000, left), SecureSource())
    cells = mechanism.reports.snap(reports)
    position = -(
        -(cells << window.position_bits) // window.cells
    )  # the first position that leads to the cell
    witness = (position.astype(np.uint64) << np.uint64(window.coin_bits)) | np.uint64(0)
    for other in (left, right):
        inputs = np.full(cells.size, mechanism.domain.snap(other))
        np.testing.assert_array_equal(mechanism.reports.centres(window.draw(inputs, witness)), reports)


def test_the_low_bits_of_a_report_carry_nothing():
    """Every report is one of 2²⁰ fixed numbers, the same for every input."""
    mechanism = OGPM(UNIT, 1.0)
    allowed = set(mechanism.reports.centres(np.arange(1 << 20)).tolist())
    for x in (0.0, 0.123456789, 1 / 3, 1.0):
        assert set(mechanism.perturb(np.full(20_000, x)).tolist()) <= allowed
