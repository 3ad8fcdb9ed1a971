"""Shares that are none below 0 and sum to 1: by named choice, and never by clipping and rescaling.

Unbiased shares of rare labels are negative half the time. Cutting them to 0 and dividing by what is left
turns the noise of all the rare labels into shares, and takes those from the frequent ones: with 10,000
k-RR reports about 100 labels at ε = 1, a share of one half comes out as a sixth.

"norm-sub" subtracts one number from all shares and cuts at 0, with the number that leaves a sum of 1: the
nearest point of the simplex (Wang et al. 2020). "em" is the likeliest point of the simplex, where EM ends.
Both are biased near 0, as everything must be that keeps to the simplex.
"""

from __future__ import annotations

from typing import Final

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import words
from noisewright.estimate.likelihood import likeliest
from noisewright.estimate.simplex import norm_sub
from noisewright.estimate.tally import Tally

CHOICES: Final = ("none", "norm-sub", "em")


def check_choice(consistency: str) -> str:
    """A named choice, or a refusal that lists them."""
    if consistency not in CHOICES:
        raise InvalidParameter(f"consistency must be one of {', '.join(CHOICES)}, not {consistency!r}")
    return consistency


def made_consistent(raw: Floats, tally: Tally, consistency: str) -> tuple[Floats, str]:
    """The shares by one of the named choices, and how they were made in words."""
    match check_choice(consistency):
        case "norm-sub":
            return norm_sub(raw), words.NORM_SUB
        case "em":
            return likeliest(tally)
    return raw, ""
