"""Certificates: true for any multipliers, tight for the solver's, and never taken from a file on trust."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Categories, Circle, Interval
from noisewright.design import optimal_law, verify
from noisewright.design.certificate import certified_bound
from noisewright.design.program import Multipliers, Program
from noisewright.design.solver import solve
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OGPM, Mechanism


@given(
    st.integers(0, 2**32), st.sampled_from([0.1, 1.0, 4.0]), st.sampled_from(["worst", "average", "capped"])
)
def test_any_multipliers_give_a_true_bound(seed, epsilon, objective):
    rng = np.random.default_rng(seed)
    losses = rng.random((4, 2, 5))
    program = Program(epsilon, losses)
    if objective != "worst":
        ceiling = 1.1 * program.value(solve(program).law) if objective == "capped" else None
        program = replace(program, average=losses.mean(axis=1) / 4, ceiling=ceiling)
    best = solve(program)
    weights = rng.random((4, 2)) * (objective != "average")
    wild = Multipliers(weights, rng.normal(size=4), np.zeros(4))
    near = replace(best.multipliers, inputs=best.multipliers.inputs + rng.normal(size=4) * 1e-3)
    for multipliers in (wild, near):
        assert certified_bound(program, multipliers) <= program.value(best.law) + 1e-10


def test_a_bound_that_is_too_good_needs_prices_that_the_check_refuses():
    program = Program(1.0, (1 - np.eye(3))[:, None, :])
    best = solve(program)
    greedy = replace(best.multipliers, inputs=best.multipliers.inputs * 1.5)
    assert certified_bound(program, greedy) < certified_bound(program, best.multipliers)


def test_multipliers_that_do_not_fit_are_refused():
    program = Program(1.0, (1 - np.eye(3))[:, None, :])
    good = solve(program).multipliers
    with pytest.raises(InvalidParameter, match="do not fit"):
        certified_bound(program, replace(good, inputs=np.zeros(2)))
    with pytest.raises(InvalidParameter, match="negative"):
        certified_bound(program, replace(good, situations=-good.situations))
    with pytest.raises(InvalidParameter, match="does not limit"):
        certified_bound(replace(program, average=np.ones((3, 3))), good)


LAWS = {
    "worst": lambda: optimal_law(Interval(-2, 3), 1.0, "squared", inputs=16),
    "prior": lambda: optimal_law(Interval(0, 1), 2.0, objective="average", prior=[0.6, 0.3, 0.1], inputs=16),
    "capped": lambda: optimal_law(Interval(0, 1), 2.0, 1.5, "average", cap_worst=1.1, inputs=16),
    "lexicographic": lambda: optimal_law(Interval(0, 1), 2.0, objective="lexicographic", inputs=16),
    "point": lambda: optimal_law(Interval(0, 1), 2.0, objective="point", point=0.2, inputs=16),
    "unbiased": lambda: optimal_law(Interval(0, 1), 1.0, "squared", unbiased=True, inputs=9),
    "circle": lambda: optimal_law(Circle(24), 2.0, "squared"),
    "circle prior": lambda: optimal_law(Circle(24), 2.0, objective="average", prior=[0.9, 0.1], inputs=16),
    "labels": lambda: optimal_law(Categories("abcd"), 1.0, "zero-one", "average", prior=[0.4, 0.3, 0.2, 0.1]),
    "matrix": lambda: optimal_law(Categories("ab"), 1.0, [[0, 1, 0.4], [2, 0, 0.4]], outputs=["a", "b", "?"]),
}


@pytest.fixture(scope="module", params=LAWS)
def law(request):
    return LAWS[request.param]()


def assert_same(told, known):
    assert (told.value, told.bound) == pytest.approx((known.value, known.bound), rel=1e-12)


def test_a_certificate_survives_a_file_and_is_computed_again(law):
    again = Mechanism.from_dict(json.loads(json.dumps(law.to_dict(), allow_nan=False)))
    assert again == law
    assert hash(again) == hash(law)
    assert_same(verify(again), law.certificate)
    assert law.certificate.gap < 1e-6
    assert law.certificate.bound > 0


def test_numbers_written_into_a_file_are_not_believed(law):
    boast = replace(law.certificate, value=law.certificate.value / 2, bound=law.certificate.value / 2)
    assert_same(verify(replace(law, certificate=boast)), law.certificate)


def test_evidence_written_into_a_file_only_weakens_the_bound(law):
    if not law.certificate.inputs:
        pytest.skip("a window on a circle needs no multipliers")
    forged = replace(law.certificate, inputs=tuple(price * 1.3 + 0.01 for price in law.certificate.inputs))
    assert verify(replace(law, certificate=forged)).bound < law.certificate.bound


@pytest.mark.parametrize(
    "change",
    [
        {"value": "best"}, {"bound": None}, {"inputs": ["a"]}, {"inputs": [[1.0]]}, {"situations": 3},
        {"situations": [[1.0], [1.0, 2.0]]}, {"means": [float("nan")]}, {"ceiling": "high"}, {"surprise": 1},
    ],
)  # fmt: skip
def test_broken_certificates_are_refused(change):
    description = LAWS["labels"]().to_dict()
    description["certificate"] = {**description["certificate"], **change}
    with pytest.raises(InvalidParameter, match="certificate"):
        Mechanism.from_dict(description)


def test_a_law_above_its_own_limit_is_not_certified():
    capped = LAWS["capped"]()
    tight = replace(capped.certificate, ceiling=capped.certificate.ceiling * 0.99)
    with pytest.raises(InvalidParameter, match="above the limit"):
        verify(replace(capped, certificate=tight))


def test_mechanisms_without_a_certificate_are_refused():
    with pytest.raises(InvalidParameter, match="no certificate"):
        verify(OGPM(Interval(0, 1), 1.0))
    with pytest.raises(InvalidParameter, match="no certificate"):
        verify(replace(LAWS["labels"](), certificate=None))


def test_verify_refuses_certificates_that_speak_of_something_else():
    answers = Categories(["no", "yes"])
    law = optimal_law(answers, 1.0, "zero-one")
    lying = replace(law, certificate=replace(law.certificate, prior=(1.0, 0.0)))
    with pytest.raises(InvalidParameter, match="no prior"):
        verify(lying)
    with pytest.raises(InvalidParameter, match="objective"):
        verify(replace(law, certificate=replace(law.certificate, objective="best")))
    window = optimal_law(Circle(24), 2.0, "squared")
    uneven = replace(window.certificate, objective="average", prior=(1.0, 0.0))
    with pytest.raises(InvalidParameter, match="even prior"):
        verify(replace(window, certificate=uneven))


def test_verify_refuses_a_biased_law_with_the_certificate_of_an_unbiased_one():
    law = optimal_law(Interval(0, 1), 1.0, "squared", unbiased=True, inputs=9)
    first = law.weights[0]
    constant = replace(law, weights=(first,) * len(law.weights))
    with pytest.raises(InvalidParameter, match="not unbiased"):
        verify(constant)


def test_a_large_budget_with_a_limit_is_still_verified():
    law = optimal_law(Categories("abc"), 12.0, "zero-one", "lexicographic")
    assert verify(law).gap < 1e-6
