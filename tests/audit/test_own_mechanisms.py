"""Our own mechanisms under our own audit: none is convicted, and a sampler that is a little off is."""

from dataclasses import replace

import numpy as np
import pytest

from catalogue import KINDS, NAMES, build
from mechanisms.categorical import oracles
from noisewright import Interval
from noisewright.audit import Claim, Experiment, audit_pair
from noisewright.audit.blackbox import black_box
from noisewright.audit.blackbox.mechanism import MechanismBox
from noisewright.guarantees import PureLDP
from noisewright.mechanisms import OGPM, OLH
from noisewright.mechanisms.window import Window

SAMPLES = 4_000
CONFIDENCE = 1 - 1e-7
"""Some forty audits: one false alarm in 250,000 runs of the suite."""

VISIBLE = 2.7
"""The ε against a claim of 1 that so small an audit would show nine times in ten, in an event as likely."""


def claim_of(mechanism):
    guarantee = mechanism.guarantee
    return Claim(guarantee.epsilon, getattr(guarantee, "delta", 0.0))


def audited(box, left, right, claim, samples=SAMPLES, **options):
    experiment = Experiment(box, left, right, seed=1)
    return audit_pair(experiment, samples, claim=claim, **{"confidence": CONFIDENCE, **options})


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_mechanisms_for_numbers_keep_their_claim(kind, domain):
    mechanism = build(kind, domain, 1.0)
    ends = (-1.0, 3.0) if domain is Interval else (0.0, 12.0)
    found = audited(MechanismBox(mechanism, simulated=True), *ends, claim_of(mechanism), score="bins")
    assert found.verdict == "not refuted"
    assert found.detectable < VISIBLE


@pytest.mark.parametrize("kind", oracles.KINDS, ids=lambda kind: kind.__name__)
def test_mechanisms_for_labels_keep_their_claim(kind):
    mechanism = oracles.build(kind, 1.0)
    if issubclass(kind, OLH):  # a seed and a value say nothing by themselves; which labels they support does
        supported = Supported(mechanism)
        found = audited(black_box(supported, vectorized=True), 0, 1, claim_of(mechanism))
    else:
        found = audited(MechanismBox(mechanism, simulated=True), 0, 1, claim_of(mechanism))
    assert found.verdict == "not refuted"
    assert found.detectable < VISIBLE
    assert isinstance(mechanism.guarantee, PureLDP)


class Supported:
    """Reports of an oracle as the labels that each supports."""

    def __init__(self, mechanism):
        self.mechanism = mechanism

    def __call__(self, label, count):
        reports = self.mechanism.perturb(np.full(count, label))
        return np.array([self.mechanism.supports(reports[place : place + 1]) for place in range(count)])


def off_by(mechanism, factor):
    """The mechanism with its β, the chance to ignore the true value, multiplied by a factor."""
    window = mechanism.window
    wrong = replace(window, threshold=int(factor * window.threshold))
    assert isinstance(wrong, Window)
    object.__setattr__(mechanism, "window", wrong)
    return mechanism


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "verdict"), [(0.95, "false"), (1.0, "not refuted")])
def test_a_window_mechanism_whose_beta_is_off_by_five_percent_is_found(factor, verdict):
    mechanism = off_by(OGPM(Interval(0, 1), epsilon=1.0), factor)
    found = audited(
        MechanismBox(mechanism, simulated=True), 0.0, 1.0, Claim(1.0), samples=400_000, confidence=0.999
    )
    assert found.verdict == verdict
