"""Intervals of bounded means: they hold as often as they say, and are not needlessly wide."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release.attacks import Bonferroni, Split
from noisewright.release.attacks.intervals import Moments, bounded_mean, hit_rates


def test_bounded_means_cover() -> None:
    """Misses of 100 rare-event intervals at failure 0.1; P(binomial(100, 0.1) > 32) is below 1e-9."""
    generator = np.random.default_rng(1)
    samples = generator.random((100, 60)) < 0.05
    found = [bounded_mean(sample.astype(float), failure=0.1) for sample in samples]
    allowed = 32
    assert sum(not e.low <= 0.05 <= e.high for e in found) <= allowed
    narrow = [not e.value - 0.5 * e.stderr <= 0.05 <= e.value + 0.5 * e.stderr for e in found]
    assert sum(narrow) > allowed  # half a standard error is caught as too little


def test_bounded_means_between_other_bounds() -> None:
    terms = np.random.default_rng(2).uniform(-2, 4, 300)
    moved, plain = bounded_mean(terms, 0.05, -2.0, 4.0), bounded_mean((terms + 2) / 6, 0.05)
    assert moved.low == pytest.approx(6 * plain.low - 2)
    assert moved.low < 1 < moved.high


def test_moments_are_means_and_variances() -> None:
    values = np.random.default_rng(3).random((500, 4))
    whole, parts = Moments.of(4), Moments.of(4)
    whole.add(values)
    for piece in (values[:100], values[100:]):
        more = Moments.of(4)
        more.add(piece)
        parts += more
    np.testing.assert_allclose(parts.mean(), values.mean(axis=0))
    np.testing.assert_allclose(parts.variance(), values.var(axis=0, ddof=1))
    np.testing.assert_allclose(parts.reach(0.01), whole.reach(0.01))
    estimate = whole.estimate(1e-9)
    assert (estimate.low < 0.5).all()
    assert (estimate.high > 0.5).all()
    assert (whole.reach(0.01) < whole.reach(0.001)).all()
    assert (whole.reach(0.01, 50_000) < whole.reach(0.01) / 8).all()


def test_hit_rates_hold_for_all_records_at_once() -> None:
    many, one = hit_rates(np.full(1000, 50.0), 100, 0.01), hit_rates(np.array([50.0]), 100, 0.01)
    assert many.high[0] > one.high[0]
    assert one.low[0] < 0.5 < one.high[0]


def test_splits_keep_choosing_and_judging_apart() -> None:
    choice, rest = Split(0.25).parts(100)
    assert (choice.stop, rest.start, rest.stop) == (25, 25, 100)
    assert Split(0.01).parts(8)[0].stop == 2
    assert Bonferroni(9).each(0.09) == pytest.approx(0.01)
    with pytest.raises(InvalidParameter, match="share of a Split"):
        Split(1.0)
    with pytest.raises(InvalidParameter, match="trials must be a whole number from 8"):
        Split().parts(7)
