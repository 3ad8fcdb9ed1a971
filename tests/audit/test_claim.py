"""Claims: every way to write one, and what is none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.audit import Claim
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
