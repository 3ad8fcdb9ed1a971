"""A mechanism that keeps its claim at every moment is not convicted because it changes with time."""

import numpy as np
import pytest

from noisewright.audit import Claim, Experiment, audit, black_box, watch
from noisewright.audit.bounds.lower import LowerBounds, choose_events
from noisewright.audit.bounds.tally import ScoreTally
from noisewright.audit.experiment.experiment import turn_order
from noisewright.audit.experiment.sampler import SIDES

RATE = 2e-4
"""Noise scales by which outputs rise from one run to the next: over an audit of 8,000 more than one."""


class Drifting:
    """Laplace noise that keeps ε = 1, around a point that moves with every run."""

    def __init__(self):
        self.runs = 0

    def __call__(self, data, count, generator):
        rise = RATE * (self.runs + np.arange(count))
        self.runs += count
        return data + rise + generator.laplace(size=count)


@pytest.mark.parametrize("power", [0, 1, 2])
def test_turns_share_a_drift_evenly(power):
    """Sums of k-th powers of the time are equal after every 2^(k+1) turns."""
    moments = dict.fromkeys(SIDES, 0)
    for turn in range(8):
        for place, side in enumerate(turn_order(turn)):
            moments[side] += (2 * turn + place) ** power
    assert moments["left"] == moments["right"]


def test_audits_by_turns_do_not_see_it():
    """At 95 % five of ten false alarms come up less than once in 10^4 times, were there one in twenty."""
    verdicts = [
        audit(Drifting(), 0.0, 1.0, claim=1.0, samples=8_000, vectorized=True, jobs=1, seed=seed).verdict
        for seed in range(10)
    ]
    assert verdicts.count("false") < 5


def test_one_input_after_the_other_would_see_it():
    mechanism, generator = Drifting(), np.random.default_rng(1)
    left, right = (-mechanism(value, 2_800, generator) for value in (0.0, 1.0))
    thresholds = np.linspace(-4, 2, 61)
    events = choose_events(ScoreTally(left, right).counts(thresholds), 2_800, Claim(1.0))
    assert LowerBounds.of(ScoreTally(left, right), events, thresholds, 0.05).epsilon(0.0) > 1


def test_monitors_by_turns_do_not_see_it():
    for seed in range(4):
        box = black_box(Drifting(), vectorized=True)
        *_, last = watch(Experiment(box, 0.0, 1.0, seed=seed, jobs=1), 1.0, samples=20_000, score="value")
        assert not last.refuted
