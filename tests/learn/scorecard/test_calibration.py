"""Calibration: bins, exact intervals of ratios, and points on the diagonal for probabilities that hold."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from noisewright.learn.questions.choice import CheckQuestion
from noisewright.learn.rules import LinearRule
from noisewright.learn.scorecard import Scorecard
from noisewright.learn.scorecard.calibration import Calibration
from noisewright.learn.scorecard.shares import CellShares
from noisewright.randomness import SeededSource


def people_with_known_odds(people, seed=1):
    generator = np.random.default_rng(seed)
    units = generator.uniform(-1, 1, (people, 1))
    chances = expit(3 * units[:, 0])
    return units, (generator.random(people) < chances).astype(np.int64), chances


def test_honest_probabilities_lie_on_the_diagonal():
    """Ten points, each of whose 99.9 % intervals holds its mean prediction, for a fixed seed."""
    _, labels, chances = people_with_known_odds(20_000)
    found = Calibration.measured(chances, labels, 0.001)
    assert ((found.observed.low < found.predicted) & (found.predicted < found.observed.high)).all()
    assert ((found.low <= found.predicted) & (found.predicted <= found.high)).all()
    assert found.people.value.sum() == pytest.approx(1)


def test_overconfident_probabilities_do_not():
    _, labels, chances = people_with_known_odds(20_000)
    bold = 0.5 + np.sign(chances - 0.5) * np.sqrt(np.abs(chances - 0.5) / 2)
    found = Calibration.measured(bold, labels, 0.001)
    off = (found.observed.low > found.predicted) | (found.observed.high < found.predicted)
    assert off.mean() > 0.6


def test_private_bins_hold_what_is_true_in_them():
    """Eight 99.9 % intervals of randomized answers around the shares of the 20,000 people, fixed seed."""
    units, labels, chances = people_with_known_odds(20_000)
    question = CheckQuestion(3.0, LinearRule([3.0]), (-1.0, 0.0, 1.0))
    card = Scorecard.of(question.answers(units, labels, SeededSource(3)), question, level=0.999)
    found = card.calibration
    np.testing.assert_allclose(found.low, [0, expit(-1), 0.5, expit(1)])
    np.testing.assert_allclose(found.high[:-1], found.low[1:])
    for row in range(4):
        inside = (chances > found.low[row]) & (chances <= found.high[row])
        assert found.people.low[row] < inside.mean() < found.people.high[row]
        assert found.observed.low[row] < labels[inside].mean() < found.observed.high[row]
    assert (found.observed.high - found.observed.low).max() < 0.3


def test_the_ends_of_bins():
    found = Calibration.measured(np.array([0.0, 0.1, 0.5, 0.5000001, 1.0]), np.array([0, 0, 0, 1, 1]), 0.05)
    np.testing.assert_allclose(found.low, [0.0, 0.4, 0.5, 0.9])
    assert found.observed.value.tolist() == [0, 0, 1, 1]
    assert found.to_dict()["predicted"][0] == pytest.approx(0.05)


def test_places_are_means_or_middles():
    cells = CellShares(np.array([[30, 10], [10, 30]]), 0.8, 0.2 / 3)
    found = Calibration.of(cells, np.array([0.0]), 0.05)
    assert found.places.tolist() == [0.25, 0.75]
    assert found.to_dict()["predicted"] == [None, None]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.7, 1.0])
def test_a_ratio_without_noise_is_the_exactbinomial_interval(share):
    """All 40 people in one bin: the interval covers as Clopper and Pearson's does, by enumeration."""
    counts = np.arange(41)
    part, whole = np.array([[False, True]]), np.array([[True, True]])
    found = [CellShares(np.array([[40 - hits, hits]])).ratio(part, whole, 0.05) for hits in counts]
    held = np.array([each.low <= share <= each.high for each in found])
    covered = binom.pmf(counts, 40, share)[held].sum()
    assert covered >= 0.95 - 1e-12
    assert covered < 0.99 or share in (0.0, 1.0)


def test_a_bin_that_seems_empty_tells_nothing():
    cells = CellShares(np.array([[0, 0], [50, 50]]), 0.5, 0.5 / 3)
    found = Calibration.of(cells, np.array([0.0]), 0.05)
    assert np.isnan(found.observed.value[0])
    assert (found.observed.low[0], found.observed.high[0]) == (0, 1)
    assert found.to_dict()["observed"]["value"][0] is None
