"""The privacy indicator and the extended Gaussian mechanism: what they gain and what they cost."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from noisewright import Interval
from noisewright.errors import InvalidParameter, NoTheorem
from noisewright.guarantees import ProbabilisticLDP
from noisewright.mechanisms import OGPM, BinnedKRR, Exponential, Laplace
from noisewright.published.classifier_utility import (
    PrivacyIndicator,
    feature_delta,
    gaussian_caveats,
    gaussian_guarantee,
)

UNIT = Interval(0, 1)


def failing_share(mechanism, delta: float) -> Fraction:
    """The largest probability, over all pairs of inputs, that the indicator's loss exceeds ε: in rationals."""
    inputs = range(mechanism.domain.lattice)
    raw = Fraction(delta)
    rows = []
    for cell in inputs:
        counts, total = mechanism.word_counts(cell)
        law = [(1 - raw) * Fraction(count, total) for count in counts]
        law[cell] += raw
        rows.append(law)
    bound = Fraction(math.exp(mechanism.epsilon) * (1 + 1e-12))
    return max(
        sum((p for p, q in zip(here, there, strict=True) if p > bound * q), Fraction(0))
        for here in rows
        for there in rows
    )


def test_utility_is_mixed_with_certainty():
    assert PrivacyIndicator(0.1).utility(0.5) == pytest.approx(0.55)
    assert PrivacyIndicator(0.1).utility(np.array([[0.0, 1.0]])) == pytest.approx(np.array([[0.1, 1.0]]))


def test_the_claimed_guarantee_is_that_of_theorem_3():
    assert PrivacyIndicator(0.1).claimed_guarantee(epsilon=4.0, features=49) == ProbabilisticLDP(196.0, 0.1)


@pytest.mark.parametrize("kind", [OGPM, BinnedKRR])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_what_is_kept_holds_in_rationals_and_what_is_claimed_does_not(kind, epsilon):
    extra = {"points": 8} if kind is BinnedKRR else {}
    mechanism = kind(Interval(0, 1, cells=8), epsilon, **extra)
    indicator = PrivacyIndicator(0.1)
    truly = failing_share(mechanism, 0.1)
    assert indicator.claimed_guarantee(epsilon, 1).delta < truly
    assert truly <= Fraction(indicator.kept_guarantee(mechanism, 1).delta)


def test_k_rr_fails_exactly_as_often_as_it_reports_the_truth_or_is_skipped():
    mechanism = BinnedKRR(Interval(0, 1, cells=8), 2.0, points=8)
    honest = math.exp(2) / (7 + math.exp(2))
    assert float(failing_share(mechanism, 0.1)) == pytest.approx(0.1 + 0.9 * honest)
    assert PrivacyIndicator(0.1).kept_guarantee(mechanism, 1).delta == pytest.approx(0.1 + 0.9 * honest)


def test_the_published_delta_is_nearly_right_for_fine_lattices_and_far_too_small_for_coarse_grids():
    indicator = PrivacyIndicator(0.1)
    assert indicator.kept_guarantee(OGPM(UNIT, 4.0), 1).delta == pytest.approx(0.1, abs=1e-5)
    assert indicator.kept_guarantee(BinnedKRR(UNIT, 4.0), 1).delta == pytest.approx(0.42, abs=5e-3)
    assert indicator.kept_guarantee(BinnedKRR(UNIT, 4.0), 2).delta == pytest.approx(
        0.1 + 0.9 * 0.3554**2, abs=5e-4
    )
    assert indicator.kept_guarantee(Exponential(UNIT, 8.0, points=100), 1).delta > 0.12


def test_a_guarantee_that_is_not_known_is_not_printed():
    with pytest.raises(NoTheorem, match="window and grid mechanisms, not for Laplace"):
        PrivacyIndicator(0.1).kept_guarantee(Laplace(UNIT, 1.0), 1)


def test_composition_over_features_and_its_inverse():
    pair = gaussian_guarantee(1.0, 0.1, features=2)
    assert (pair.epsilon, pair.delta) == (2.0, pytest.approx(0.19))
    for features in (1, 2, 49):
        share = feature_delta(0.1, features)
        assert 1 - (1 - Fraction(share)) ** features <= Fraction(0.1)
        assert gaussian_guarantee(1.0, share, features).delta == pytest.approx(0.1)
    assert 1 - (1 - 0.052) ** 2 > 0.1  # the rounded δ of the authors' program


@pytest.mark.parametrize("delta", [0, 1, -0.1, math.nan])
def test_a_delta_without_a_meaning_is_refused(delta):
    for use in (
        PrivacyIndicator,
        lambda value: feature_delta(value, 2),
        lambda value: gaussian_guarantee(1.0, value, 2),
    ):
        with pytest.raises(InvalidParameter, match="delta must be"):
            use(delta)


def test_features_are_counted_from_one():
    with pytest.raises(InvalidParameter, match="features must be"):
        PrivacyIndicator(0.1).claimed_guarantee(1.0, 0)


def test_caveats_say_that_raw_records_are_published():
    sentences = PrivacyIndicator(0.1).caveats()
    assert "raw record is published" in sentences[0]
    assert any("post-processing" in sentence for sentence in sentences)
    assert any("post-processing" in sentence for sentence in gaussian_caveats())
