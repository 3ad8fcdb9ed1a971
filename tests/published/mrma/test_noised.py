"""Proposition 2 against counting every outcome."""

import itertools

import numpy as np
import pytest

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OGPM, Laplace
from noisewright.published.mrma.laws import LabelledLaw, agreement, grid_channel, noise_weights, noised

LAW = LabelledLaw([0.2, 0.5, 0.3], [0.9, 0.4, 0.7])
CHANNEL = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.05, 0.15, 0.8]])
KEEP = 0.8


def every_outcome():
    """The probability of each (true place, label, reported place, reported label)."""
    table = np.zeros((3, 2, 3, 2))
    for place, label, report, said in itertools.product(range(3), range(2), range(3), range(2)):
        truth = LAW.positive[place] if label else 1 - LAW.positive[place]
        kept = KEEP if said == label else 1 - KEEP
        table[place, label, report, said] = LAW.mass[place] * truth * CHANNEL[place, report] * kept
    return table


def test_the_law_of_reports_is_that_of_all_outcomes():
    reports = every_outcome().sum(axis=(0, 1))
    found = noised(LAW, CHANNEL, KEEP)
    assert found.mass == pytest.approx(reports.sum(axis=1), abs=1e-15)
    assert found.positive == pytest.approx(reports[:, 1] / reports.sum(axis=1), abs=1e-14)


def test_agreement_is_the_probability_of_equal_labels_of_two_independent_people():
    noisy = noised(LAW, CHANNEL, KEEP)
    together = LAW.positive * noisy.positive + (1 - LAW.positive) * (1 - noisy.positive)
    assert agreement(LAW, noisy) == pytest.approx(together, abs=1e-15)


def test_weights_average_to_one_and_are_bayes_rule():
    weights = noise_weights(LAW, CHANNEL)
    assert LAW.mass @ weights == pytest.approx(np.ones(3), abs=1e-15)
    outcomes = every_outcome().sum(axis=(1, 3))
    posterior = outcomes / outcomes.sum(axis=0)
    assert weights * LAW.mass[:, None] == pytest.approx(posterior, abs=1e-15)


def test_heavy_noise_evens_the_weights_out_and_light_noise_keeps_places_apart():
    """Figure 1: the range of the weights closes around 1 as ε falls."""
    edges = np.linspace(-1, 1, 21)
    uniform = LabelledLaw(np.full(20, 0.05), np.full(20, 0.5))
    ranges = [
        np.ptp(noise_weights(uniform, grid_channel(Laplace(Interval(-1, 1), epsilon), edges)))
        for epsilon in (10.0, 1.0, 0.1)
    ]
    assert ranges[0] > 4
    assert 0.15 < ranges[1] < 1.5
    assert ranges[2] < 0.15


def test_a_grid_channel_is_the_exact_law_of_the_mechanism():
    mechanism = OGPM(Interval(-1, 1, cells=8), epsilon=1.5)
    exact = np.array([np.array(counts) / total for counts, total in map(mechanism.word_counts, range(8))])
    assert grid_channel(mechanism, np.linspace(-1, 1, 9)) == pytest.approx(exact, abs=1e-9)


def test_a_place_without_reports_is_a_toss_up():
    assert noised(LabelledLaw([0.5, 0.5], [1, 1]), [[1, 0], [1, 0]]).positive.tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: LabelledLaw([0.5, 0.6], [0, 1]),
        lambda: LabelledLaw([1.0], [1.5]),
        lambda: LabelledLaw([0.5, 0.5], [1.0]),
        lambda: LabelledLaw([], []),
        lambda: LabelledLaw([np.nan, 1.0], [0, 1]),
        lambda: noised(LAW, np.eye(2)),
        lambda: noised(LAW, 2 * np.eye(3)),
        lambda: noised(LAW, CHANNEL, keep=1.1),
        lambda: LAW.accuracy([0, 1]),
        lambda: LAW.excess([0, 1, 2]),
        lambda: grid_channel(Laplace(Interval(0, 1), 1.0), [1, 0]),
        lambda: agreement(LAW, LabelledLaw([1.0], [0.5])),
    ],
)
def test_what_is_no_law_is_refused(wrong):
    with pytest.raises(InvalidParameter):
        wrong()
