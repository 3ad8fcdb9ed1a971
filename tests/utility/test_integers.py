"""Predictions for features of whole numbers: the exact law of what ``perturb`` reports."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from noisewright import Integers, Interval
from noisewright.errors import OutOfDomain
from noisewright.mechanisms import OGPM, PM, SW, BinnedKRR, Laplace
from noisewright.utility import predict_utility

AGES = np.arange(0.0, 100.0)[:, None]
KINDS = [OGPM, SW, PM, Laplace, BinnedKRR]


def test_a_threshold_is_passed_as_often_as_the_law_of_the_report_says():
    model = DecisionTreeClassifier(max_depth=1).fit(AGES, AGES[:, 0] > 47)
    found = predict_utility(
        model, AGES, sensitive={0: Integers(0, 99)}, epsilons=[1.0, 4.0], mechanisms=KINDS, points=100
    )
    assert found.exact
    for row, kind in enumerate(KINDS):
        mechanism = kind(Integers(0, 99), 4.0, **({"points": 100} if kind is BinnedKRR else {}))
        below = np.asarray(mechanism.law(AGES[:, 0]).cdf(47.5))
        kept = np.where(AGES[:, 0] <= 47, below, 1 - below)
        # scaling to the unit interval may move a whole number to the neighbouring cell of a million
        np.testing.assert_allclose(found.certificate.low[:, row, 1], kept, atol=2e-5)
        np.testing.assert_allclose(found.certificate.high[:, row, 1], kept, atol=2e-5)
    assert found.to_dict()["sensitive"] == [{"name": "x0", "low": 0, "high": 99}]


def test_the_halves_at_the_ends_are_part_of_the_law():
    model = DecisionTreeClassifier(max_depth=1).fit(AGES, AGES[:, 0] > 47)
    whole, plain = (
        predict_utility(model, AGES, sensitive={0: domain}, epsilons=[1.0], mechanisms=[OGPM])
        for domain in (Integers(0, 99), Interval(0, 99))
    )
    assert np.abs(whole.certificate.low - plain.certificate.low).max() > 1e-3


def test_records_that_are_not_whole_are_refused_by_place():
    model = DecisionTreeClassifier(max_depth=1).fit(AGES, AGES[:, 0] > 47)
    records = AGES.copy()
    records[[6, 9], 0] = 30.4375
    with pytest.raises(
        OutOfDomain, match=r"record 7: x0 is not a whole number \(and 1 more record\)"
    ) as said:
        predict_utility(model, records, sensitive={0: Integers(0, 99)}, epsilons=[1.0])
    assert "4375" not in str(said.value)
    with pytest.raises(OutOfDomain, match=r"lies above Integers\(0, 98\); widen"):
        predict_utility(model, AGES, sensitive={0: Integers(0, 98)}, epsilons=[1.0])
