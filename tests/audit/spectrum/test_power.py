"""The planner promises what the exact bound then does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisewright.audit.basics.budget import bounding_rows
from noisewright.audit.basics.claim import Claim
from noisewright.audit.bounds.event_bounds import EventBounds, lean_at
from noisewright.audit.spectrum.power import (
    Strictness,
    best_event,
    plan_sentence,
    samples_to_refute,
    smallest_visible,
)
from noisewright.errors import InvalidParameter


def found_share(claim: Claim, p: float, q: float, samples: float) -> float:
    """How often the bound refutes a claim in simulated audits of this size."""
    rows, rng = bounding_rows(int(samples)), np.random.default_rng(7)
    hits, other = rng.binomial(rows, p, 500), rng.binomial(rows, q, 500)
    lean = lean_at(p, q, math.log((p - claim.delta) / q))
    bounds = EventBounds.of(hits, rows, other, rows, Strictness().failure, lean)
    return float((bounds.deltas([claim.epsilon])[:, 0] > claim.delta).mean())


@pytest.mark.parametrize(
    ("claim", "actual", "rate"),
    [
        (Claim(1.0), 1.1, 0.5),
        (Claim(0.0), 0.1, 0.5),
        (Claim(4.0), 4.3, 0.5),
        (Claim(0.5, 0.01), 1.0, 0.2),
        (Claim(1.0), 2.0, 0.001),
    ],
)
def test_the_planned_size_has_the_planned_power(claim, actual, rate):
    samples = samples_to_refute(claim, actual, rate)
    other = (rate - claim.delta) * math.exp(-actual)
    # true powers near 0.94 and 0.75, standard errors of 0.011 and 0.019: either line is six of them away
    assert found_share(claim, rate, other, samples * 1.1) > 0.87
    assert found_share(claim, rate, other, samples / 1.4) < 0.87


def test_few_hits_cost_at_most_a_third_more():
    samples = samples_to_refute(Claim(0.1), 9.0, 0.01)
    assert found_share(Claim(0.1), 0.01, 0.01 * math.exp(-9.0), samples) > 0.9
    assert found_share(Claim(0.1), 0.01, 0.01 * math.exp(-9.0), samples / 1.5) < 0.9


def test_both_questions_have_one_answer():
    claim = Claim(1.0)
    visible = smallest_visible(claim, 20_000)
    assert samples_to_refute(claim, visible * 1.01) < 20_000 < samples_to_refute(claim, visible * 0.99)
    assert smallest_visible(claim, 10) == math.inf


def test_more_of_anything_costs_runs():
    base = samples_to_refute(Claim(1.0), 1.5)
    assert samples_to_refute(Claim(1.0), 1.5, confidence=0.999) > base
    assert samples_to_refute(Claim(1.0), 1.5, power=0.99) > base
    assert samples_to_refute(Claim(1.0), 1.5, comparisons=100) > base
    assert samples_to_refute(Claim(1.0), 1.5, 0.05) > 8 * base


def test_the_best_event_of_known_laws():
    # the third output tells most, though it is rare; with both others excluded it is the cheapest
    found = best_event(Claim(1.0), [0.5, 0.45, 0.05], [0.5, 0.499, 0.001])
    assert found is not None
    assert (found.direction, found.outputs) == ("left", (2,))
    assert found.samples == samples_to_refute(Claim(1.0), math.log(50), 0.05)
    assert best_event(Claim(math.log(3)), [0.75, 0.25], [0.25, 0.75]) is None


def test_an_output_that_only_one_input_has():
    found = best_event(Claim(2.0, 0.01), [1.0, 0.0], [0.8, 0.2])
    assert found is not None
    assert (found.direction, found.outputs, found.left_rate) == ("right", (1,), 0.0)


def test_small_plans_are_not_rounded_away():
    runs = samples_to_refute(Claim(1.0), 7.0)
    said = int(plan_sentence(Claim(1.0), 7.0).split("about ")[1].split(" ")[0])
    assert runs <= said <= 1.1 * runs


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: samples_to_refute(Claim(1.0), 1.0),
        lambda: samples_to_refute(Claim(1.0), 2.0, 0.0),
        lambda: samples_to_refute(Claim(1.0, 0.1), 2.0, 0.1),
        lambda: samples_to_refute(Claim(1.0), 2.0, confidence=1.0),
        lambda: samples_to_refute(Claim(1.0), 2.0, power=0.0),
        lambda: samples_to_refute(Claim(1.0), 1.0 + 1e-9),
        lambda: smallest_visible(Claim(1.0), 0),
        lambda: best_event(Claim(1.0), [0.5, 0.5], [1.0]),
        lambda: best_event(Claim(1.0), [0.5, 0.4], [0.5, 0.5]),
    ],
)
def test_questions_without_meaning_are_refused(wrong):
    with pytest.raises(InvalidParameter):
        wrong()
