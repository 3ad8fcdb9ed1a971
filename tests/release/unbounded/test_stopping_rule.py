"""The published rule stops with too small a variance about as often as not; a proved limit does not."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release.unbounded.release import stopped_variances
from noisewright.statistics.bounded_means import betting_limit
from noisewright.statistics.intervals import exact_chance

RUNS, TRIALS = 400, 2000
ALARM = 1e-9


def test_the_published_rule_is_too_small_in_more_than_four_runs_of_ten() -> None:
    random = np.random.default_rng(1)
    chance, size = 0.05, 0.05  # outputs that are seldom large
    truth = size**2 * chance * (1 - chance)
    outputs = size * (random.random((TRIALS, RUNS)) < chance)
    low = sum(stopped_variances(column[:, None])[0][0] < truth for column in outputs.T)
    assert exact_chance(low, RUNS, 2 * ALARM)[0] > 0.4
    moments = betting_limit((outputs[:, :40] / size) ** 2, 1e-6) * size**2
    assert (moments >= truth).all()  # one of 40 is missed with probability 4e-5 at most


def test_it_stops_at_the_first_look_that_moved_little() -> None:
    outputs = np.random.default_rng(2).normal(0, 0.02, (3000, 2))
    variances, trials = stopped_variances(outputs)
    looks = [outputs[:count].var(axis=0, ddof=1) for count in range(10, trials + 1, 10)]
    moved = [np.abs(there - here).max() for here, there in pairwise(looks)]
    assert np.allclose(variances, looks[-1], rtol=1e-9)
    assert moved[-1] <= 1e-6 < min(moved[:-1])


def test_a_rule_that_is_never_content_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="allow more"):
        stopped_variances(np.random.default_rng(3).normal(size=(200, 1)))
