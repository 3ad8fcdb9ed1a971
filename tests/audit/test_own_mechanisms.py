"""Our own mechanisms under our own audit: none is convicted, and a sampler that is a little off is."""

from dataclasses import replace

import numpy as np
import pytest

from catalogue import KINDS, NAMES, build
from mechanisms.categorical import oracles
from noisewright import Categories, Interval
from noisewright.audit import Claim, Experiment, audit_pair
from noisewright.audit.blackbox import black_box
from noisewright.audit.blackbox.functions import MechanismBox
from noisewright.design import optimal_law
from noisewright.guarantees import PureLDP
from noisewright.mechanisms import (
    OGPM,
    OLH,
    JointOLH,
    JointOUE,
    JointRandomizedResponse,
    JointSUE,
    LabelExponential,
    Mechanism,
)
from noisewright.mechanisms.basics.window import Window
from noisewright.trajectory import LocationMechanism, OptimalPoints, Rectangle, TraCSC, TraCSD

SAMPLES = 4_000
CONFIDENCE = 1 - 1e-7
"""Some fifty audits: one false alarm in 200,000 runs of the suite."""

VISIBLE = 2.7
"""The ε against a claim of 1 that so small an audit would show nine times in ten, in an event as likely."""


def audited(box, left, right, claim, samples=SAMPLES, **options):
    experiment = Experiment(box, left, right, seed=1)
    return audit_pair(experiment, samples, claim=claim, **{"confidence": CONFIDENCE, **options})


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_mechanisms_for_numbers_keep_their_claim(kind, domain):
    mechanism = build(kind, domain, 1.0)
    ends = (-1.0, 3.0) if domain is Interval else (0.0, 12.0)
    found = audited(MechanismBox(mechanism, simulated=True), *ends, mechanism.guarantee, score="bins")
    assert found.verdict == "not refuted"
    assert found.detectable < VISIBLE


@pytest.mark.parametrize("kind", oracles.KINDS, ids=lambda kind: kind.__name__)
def test_mechanisms_for_labels_keep_their_claim(kind):
    mechanism = oracles.build(kind, 1.0)
    if issubclass(kind, OLH):  # a seed and a value say nothing by themselves; which labels they support does
        supported = Supported(mechanism)
        found = audited(black_box(supported, vectorized=True), 0, 1, mechanism.guarantee)
    else:
        found = audited(MechanismBox(mechanism, simulated=True), 0, 1, mechanism.guarantee)
    assert found.verdict == "not refuted"
    assert found.detectable < VISIBLE
    assert isinstance(mechanism.guarantee, PureLDP)


LABELS = Categories("abc")
TOGETHER = [JointRandomizedResponse, JointOUE, JointSUE, JointOLH]
OTHERS = [LabelExponential(LABELS, 1.0), optimal_law(LABELS, 1.0, loss="zero-one")]


@pytest.mark.parametrize("kind", TOGETHER, ids=lambda kind: kind.__name__)
def test_one_report_with_shared_coins_keeps_its_claim(kind):
    """Each run is a group of its own: within one, reports depend on each other."""
    labels = Categories("ab") if kind is JointRandomizedResponse else LABELS
    mechanism = kind(labels, 1.0, users=1000, correlation=-0.2)
    box = black_box(Supported(mechanism), vectorized=True)
    found = audited(box if kind is JointOLH else MechanismBox(mechanism, simulated=True), "a", "b", 1.0)
    assert found.verdict == "not refuted"
    assert found.detectable < VISIBLE


@pytest.mark.parametrize("mechanism", OTHERS, ids=lambda mechanism: type(mechanism).__name__)
def test_tables_of_labels_keep_their_claim(mechanism):
    found = audited(MechanismBox(mechanism, simulated=True), "a", "c", mechanism.guarantee)
    assert found.verdict == "not refuted"
    assert found.detectable < VISIBLE


SQUARE = Rectangle(0, 0, 1, 1)
CORNERS = ((0.0, 0.0), (1.0, 1.0))
PLACES = [TraCSC(SQUARE, 1.0), TraCSD(SQUARE, 1.0), OptimalPoints(SQUARE, 1.0, points=(*CORNERS, (0.0, 1.0)))]


@pytest.mark.parametrize("mechanism", PLACES, ids=lambda mechanism: type(mechanism).__name__)
@pytest.mark.parametrize("rest", [(), ((0.0, 1.0),)], ids=["location", "route"])
def test_mechanisms_for_places_keep_their_claim(mechanism, rest):
    """Of a route one location differs, and the reports of later ones refer to its report."""
    left, right = ([here, *rest] if rest else here for here in CORNERS)
    found = audited(MechanismBox(mechanism, simulated=True), left, right, mechanism.guarantee)
    assert found.verdict == "not refuted"
    assert found.detectable < VISIBLE


def test_every_registered_mechanism_is_audited():
    labels = {*oracles.KINDS, *TOGETHER, *map(type, OTHERS)}
    ours = {kind for kind in Mechanism.registry.values() if kind.__module__.startswith("noisewright.")}
    assert ours == {kind for kind, _ in KINDS} | labels
    assert set(LocationMechanism.registry.values()) == set(map(type, PLACES))


class Supported:
    """Reports of an oracle as the labels that each supports."""

    def __init__(self, mechanism):
        self.mechanism = mechanism

    def __call__(self, label, count):
        reports = self.mechanism.perturb_cells(np.full(count, self.mechanism.domain.snap([label])[0]))
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
