"""The coin-scaled problem: coins are fair, and ⊥ comes as often as it should."""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from noisewright.audit.blackbox import black_box
from noisewright.audit.experiment import Experiment
from noisewright.published.eureka import toss
from noisewright.published.eureka.classifiers import odd_root

COUNT, ALARM = 8000, 1e-9


def test_labels_and_bottoms_follow_definition_12() -> None:
    box = black_box(lambda data, count: np.full(count, data), vectorized=True)
    tosses = toss(Experiment(box, 3.0, 5.0, seed=1), COUNT, seed=1)
    zeros = int(np.sum(tosses.labels == 0))
    assert ALARM / 2 < binom.cdf(zeros, COUNT, 0.5) < 1 - ALARM / 2
    assert np.all(tosses.outputs.numbers[:, 0] == np.where(tosses.labels == 1, 5.0, 3.0))
    for epsilon in (0.0, 0.5, 2.0):
        shown = tosses.shown(epsilon)
        assert shown[tosses.labels == 1].all()
        kept = int(np.sum(shown & (tosses.labels == 0)))
        assert (
            ALARM / 2 < binom.cdf(kept, zeros, np.exp(-epsilon)) < 1 - ALARM / 2
            or epsilon == 0 == zeros - kept
        )
    # a share for an ε that is larger by a third would be noticed
    assert binom.sf(kept, zeros, np.exp(-2.0 * 4 / 3)) < ALARM


def test_neighbours_never_tie() -> None:
    counts = [odd_root(tosses) for tosses in range(1, 3000, 7)]
    assert all(count % 2 == 1 for count in counts)
    assert all(abs(count - tosses**0.5) <= 2 for count, tosses in zip(counts, range(1, 3000, 7), strict=True))
