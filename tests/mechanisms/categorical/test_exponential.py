"""The exponential mechanism on labels: its table, its promise and its manners."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.categorical.oracles import EPSILONS, rows
from noisewright import Categories
from noisewright.domains import MetricSpace
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.mechanisms import KRR, LabelExponential, Mechanism
from noisewright.mechanisms.basics.exact import within

LINE = MetricSpace("ABCDE", np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0))))


@pytest.mark.parametrize("epsilon", [*EPSILONS, 24.0, 32.0])
@pytest.mark.parametrize(
    "domain", [LINE, Categories("ab"), Categories(range(9))], ids=["line", "two", "nine"]
)
def test_the_table_keeps_epsilon_in_rationals(domain, epsilon):
    mechanism = LabelExponential(domain, epsilon)
    counts, total = rows(mechanism), mechanism.word_counts(0)[1]
    assert all(sum(row) == total for row in counts)
    ratios = [Fraction(max(column), min(column)) for column in zip(*counts, strict=True)]
    assert all(within(ratio.numerator, ratio.denominator, epsilon) for ratio in ratios)
    assert epsilon >= mechanism.epsilon_upper >= np.log(float(max(ratios))) * (1 - 1e-12)


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_weights_fall_with_the_distance_as_in_the_textbook(epsilon):
    law = LabelExponential(LINE, epsilon).law(list("ABCDE")).probabilities
    expected = np.exp(-epsilon * LINE.distances / 8)
    np.testing.assert_allclose(law, expected / expected.sum(axis=1, keepdims=True), rtol=1e-9)


def test_with_equal_distances_it_is_k_rr_at_half_the_budget():
    domain = Categories(range(7))
    law = LabelExponential(domain, 2.0).law([3]).probabilities
    np.testing.assert_allclose(law, KRR(domain, 1.0).law([3]).probabilities, rtol=1e-6)


def test_it_is_rebuilt_from_its_description():
    mechanism = LabelExponential(LINE, 1.0)
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    assert Mechanism.from_dict(json.loads(json.dumps(mechanism.to_dict()))) == mechanism
    assert (
        eval(repr(mechanism), {"LabelExponential": LabelExponential, "MetricSpace": MetricSpace}) == mechanism
    )


def test_bad_labels_and_long_lists_are_refused():
    with pytest.raises(OutOfDomain, match=r"stop\[1\]"):
        LabelExponential(LINE, 1.0).perturb(["A", "Z"], name="stop")
    with pytest.raises(InvalidParameter, match="at most"):
        LabelExponential(Categories(range(1025)), 1.0)
