"""How often the intervals of labels hold the truth, through real perturbation and counting.

``test_share_intervals.py`` computes coverage exactly for counts that are binomial. Here every oracle draws its
own reports, 400 collections of them with ten labels. The share of all intervals that hold has a standard
deviation of 0.35 % (labels are hardly correlated), so 93 to 97 % is missed by bad luck once in 10⁷, and a true
coverage of 91 or 99 % is seen as surely. The coverage of one label has one of 1.1 %, and may lie within five
of those; a standard error measured on 400 collections is off by 3.5 %, and may be by six of those. Seeds are
fixed.
"""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Categories
from noisewright.estimate import Tally, frequencies
from noisewright.mechanisms import KRR, OLH, OUE, HadamardResponse, LabelExponential, SubsetSelection
from noisewright.mechanisms.joint import JointOUE, JointRandomizedResponse
from noisewright.randomness import SeededSource

pytestmark = pytest.mark.slow

LABELS = Categories(range(10))
TRUTH = np.array([0.0, 0.001, 0.1, 0.5, 0.1, 0.1, 0.1, 0.05, 0.04, 0.009])
COLLECTIONS = 400
PEOPLE = 1000


def joint(kind):
    return kind(LABELS, 1.0, users=PEOPLE, colluders=5, correlation=-0.1)


def collect(mechanism, seed):
    labels = np.random.default_rng(seed).choice(10, PEOPLE, p=TRUTH)
    return Tally.of(mechanism.perturb(labels, SeededSource(seed)), mechanism)


def simulate(mechanisms):
    found = [
        frequencies([collect(one, 1000 * seed + place) for place, one in enumerate(mechanisms)])
        for seed in range(COLLECTIONS)
    ]
    held = np.mean([(one.low <= TRUTH) & (one.high >= TRUTH) for one in found], axis=0)
    measured = np.std([one.value for one in found], axis=0)
    return held, measured / np.mean([one.stderr for one in found], axis=0)


@pytest.mark.parametrize(
    "mechanisms",
    [
        [KRR(LABELS, 1.0)],
        [OUE(LABELS, 1.0)],
        [OLH(LABELS, 1.0)],
        [SubsetSelection(LABELS, 1.0)],
        [HadamardResponse(LABELS, 1.0)],
        [HadamardResponse(LABELS, 4.0)],
        [joint(JointRandomizedResponse)],
        [joint(JointOUE)],
        [KRR(LABELS, 0.5), OUE(LABELS, 1.0), LabelExponential(LABELS, 3.0)],
    ],
    ids=lambda mechanisms: "+".join(f"{type(one).__name__}-{one.epsilon:g}" for one in mechanisms),
)
def test_intervals_hold_as_often_as_they_say(mechanisms):
    held, errors = simulate(mechanisms)
    assert 0.93 <= held.mean() <= 0.97, held
    assert (np.abs(held - 0.95) < 0.055).all(), held
    assert errors == pytest.approx(np.ones(10), abs=0.21)
