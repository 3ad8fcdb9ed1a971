"""Claims: every way to write one, and what is none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.audit import Claim
from noisewright.audit.basics.claim import allowed_delta, allowed_misses
from noisewright.audit.truth import finite, randomized_response
from noisewright.errors import InvalidParameter
from noisewright.guarantees import ApproximateLDP, MetricLDP, ProbabilisticLDP, PureLDP, RelativeDP


@pytest.mark.parametrize(
    "text", ["epsilon=1,delta=1e-6", "1, 1e-6", "delta=1e-6 , EPS = 1", "ε=1,δ=0.000001", "1,delta=1e-6"]
)
def test_a_claim_is_read_however_it_is_written(text):
    assert Claim.parse(text) == Claim(1.0, 1e-6)


def test_what_a_user_may_pass_for_a_claim():
    claim = Claim(0.5)
    assert Claim.of(None) is None
    assert Claim.of(claim) is claim
    assert Claim.of("0.5") == Claim.of(0.5) == claim
    assert claim.factor == pytest.approx(math.exp(0.5))


@pytest.mark.parametrize(
    ("guarantee", "claim"),
    [
        (PureLDP(0.5), Claim(0.5)),
        (ApproximateLDP(0.5, 0.1), Claim(0.5, 0.1)),
        (ProbabilisticLDP(0.5, 0.1), Claim(0.5, 0.1)),
        (RelativeDP(0.5, 0.1, "trial 7"), Claim(0.5, 0.1)),
    ],
)
def test_a_guarantee_is_a_claim(guarantee, claim):
    assert Claim.of(guarantee) == claim


def test_a_guarantee_about_something_else_is_no_claim():
    with pytest.raises(InvalidParameter, match="MetricLDP does not speak of two inputs alone"):
        Claim.of(MetricLDP(1.0))


@given(st.floats(0, 700), st.floats(0, 1, exclude_max=True))
def test_a_claim_survives_being_written_out(epsilon, delta):
    assert Claim.parse(f"epsilon={epsilon!r},delta={delta!r}") == Claim(epsilon, delta)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "names its epsilon"),
        ("delta=0.1", "names its epsilon"),
        ("epsilon=1,epsilon=2", "one epsilon"),
        ("epsilon=1,rho=2", "'rho' besides"),
        ("1,0.1,0.2", "one epsilon"),
        ("epsilon=one", "looks like"),
        ("epsilon=-1", "from 0 to 700"),
        ("epsilon=701", "from 0 to 700"),
        ("epsilon=nan", "epsilon"),
        ("1,delta=1", "below 1"),
        ("1,delta=-0.1", "at least 0"),
    ],
)
def test_what_is_no_claim_is_refused_in_a_sentence(text, words):
    with pytest.raises(InvalidParameter, match=words):
        Claim.parse(text)


def test_a_claim_in_words_has_its_delta_only_if_there_is_one():
    assert str(Claim(1.0)) == "ε = 1"
    assert str(Claim(1.0, 1e-6)) == "ε = 1, δ = 1e-06"


# -- What a claim allows at most: the curves of the worst pair of laws that keeps it

GRID = np.linspace(0.0, 3.0, 13)


def test_what_a_claim_allows_is_its_randomized_response():
    for claim in (Claim(0.1), Claim(1.0), Claim(2.0)):
        np.testing.assert_allclose(
            allowed_delta(claim, GRID), randomized_response(claim.epsilon, 2, GRID), atol=1e-12
        )


def test_a_claim_with_delta_allows_a_leak_beside_randomized_response():
    """Four outputs: the input itself with probability δ, else one of two answers at odds e^ε."""
    claim = Claim(1.0, 0.1)
    odd = (1 - claim.delta) / (1 + math.e)
    law = np.array([claim.delta, 0.0, math.e * odd, odd])
    np.testing.assert_allclose(allowed_delta(claim, GRID), finite(law, law[[1, 0, 3, 2]], GRID), atol=1e-12)


def test_the_least_misses_of_a_claim_are_the_support_lines_of_its_curve():
    """f(α) = max over ε of 1 − δ(ε) − e^ε·α: the two ways to draw one claim agree."""
    claim, alarms = Claim(1.0, 0.05), np.linspace(0.0, 1.0, 41)
    fine = np.linspace(0.0, claim.epsilon, 2001)
    lines = 1 - allowed_delta(claim, fine)[:, None] - np.exp(fine)[:, None] * alarms
    mirrored = np.exp(-fine)[:, None] * (1 - allowed_delta(claim, fine)[:, None] - alarms)
    expected = np.maximum(np.maximum(lines.max(axis=0), mirrored.max(axis=0)), 0.0)
    np.testing.assert_allclose(allowed_misses(claim, alarms), expected, atol=1e-9)
