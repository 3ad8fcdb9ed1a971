"""What a claim allows at most: the curves of the worst pair of laws that keeps it."""

import math

import numpy as np

from noisewright.audit import Claim
from noisewright.audit.allowance import allowed_delta, allowed_misses
from noisewright.audit.truth import finite, randomized_response

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
