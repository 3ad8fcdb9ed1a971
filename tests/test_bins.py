"""Bins of numbers as labels: what they hold, what they refuse, and that true values never pass for reports."""

import numpy as np
import pytest

from noisewright import Bins, Categories, Circle, Domain, Integers, Interval
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.estimate import frequencies
from noisewright.mechanisms import KRR, OLH, OUE, SUE, HadamardResponse, LabelExponential, SubsetSelection
from noisewright.mechanisms.basics.base import Mechanism
from noisewright.randomness import SeededSource


@pytest.mark.parametrize(
    ("bins", "values", "places"),
    [
        (Bins(Interval(0, 100), [0, 18, 65, 100]), [0, 17.999, 18, 65, 100], [0, 0, 1, 2, 2]),
        (Bins(Integers(0, 99), [0, 18, 65, 100]), [0, 17, 18, 64, 65, 99], [0, 0, 1, 1, 2, 2]),
        (Bins(Integers(0, 99), [0, 18, 65, 99]), [65, 99], [2, 2]),
        (Bins(Integers(0, 99), [-0.5, 17.5, 64.5, 99.5]), [17, 18], [0, 1]),
        (Bins(Integers(0, 9), 4), np.arange(10), [0, 0, 1, 1, 1, 2, 2, 3, 3, 3]),
        (Bins(Circle(24), [0, 6, 24]), [0, 5.99, 6, 23.9], [0, 0, 1, 1]),
        (Bins(Interval(0.1, 0.3), 2), [0.1, 0.2, 0.3], [0, 1, 1]),
    ],
)
def test_every_number_falls_into_one_bin(bins, values, places):
    assert bins.snap(values).tolist() == places
    assert Domain.from_dict(bins.to_dict()) == bins
    assert hash(Domain.from_dict(bins.to_dict())) == hash(bins)


def test_labels_say_which_whole_numbers_are_in_a_bin():
    assert Bins(Integers(0, 99), [0, 18, 19, 100]).labels == ("0 to 17", "18", "19 to 99")
    assert Bins(Interval(0, 1), 3).labels == ("0 to 0.3333", "0.3333 to 0.6667", "0.6667 to 1")
    assert Bins(Interval(0, 1), [0, 0.500001, 0.500002, 1]).labels[1] == "0.500001 to 0.500002"


@pytest.mark.parametrize(
    ("within", "edges", "sentence"),
    [
        (Integers(0, 99), [0, 18, 90], "begin with 0 and end with 100"),
        (Interval(0, 100), [1, 18, 100], "begin with 0 and end with 100"),
        (Interval(0, 100), [0, 100], "at least two bins"),
        (Interval(0, 100), [0, 50, 50, 100], "rising"),
        (Interval(0, 100), [0, float("nan"), 100], "rising"),
        (Interval(0, 100), "abc", "rising"),
        (Interval(0, 100), 1, "from 2 to 1024"),
        (Integers(0, 9), 11, "room for 10 `bins`"),
        (Integers(0, 9), [0, 0.2, 0.4, 10], "must hold a whole number"),
        (Categories("ab"), 2, "cut out of an interval"),
    ],
)
def test_bad_bins_are_refused(within, edges, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        Bins(within, edges)


@pytest.mark.parametrize("kind", [KRR, OUE, SUE, OLH, SubsetSelection, HadamardResponse, LabelExponential])
def test_numbers_go_through_every_oracle_and_come_back_as_shares(kind):
    """Ten standard errors: a false alarm in less than 10⁻²⁰ of all seeds; a shift by one bin is found."""
    mechanism = kind(Bins(Interval(0, 10), [0, 1, 4, 10]), epsilon=3.0)
    truth = np.random.default_rng(3).uniform(0, 10, 20_000)
    found = frequencies(mechanism.perturb(truth, SeededSource(4)), mechanism)
    assert np.abs(found.value - [0.1, 0.3, 0.6]).max() < 10 * found.stderr.max()
    assert np.abs(found.value - [0.6, 0.1, 0.3]).max() > 10 * found.stderr.max()
    assert Mechanism.from_dict(mechanism.to_dict()) == mechanism


def test_true_numbers_are_no_reports_and_outside_values_are_refused_or_clipped():
    mechanism = KRR(Bins(Interval(0, 10), 2), epsilon=1.0)
    with pytest.raises(OutOfDomain, match="declared categories"):
        frequencies(np.array([1.0, 7.0]), mechanism)
    with pytest.raises(OutOfDomain, match=r"value\[1\] lies above") as refusal:
        mechanism.perturb([1.0, 12345.5])
    assert "12345" not in str(refusal.value)
    assert mechanism.perturb([1.0, 12345.5], out_of_domain="clip").size == 2


def test_bins_of_different_lattices_are_the_same_bins():
    assert Bins(Interval(0, 1, cells=64), 4) == Bins(Interval(0, 1), 4)
