"""Theorem 4 exactly: every classifier and every event of small finite laws, in rationals."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

weights = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(sum)
factors = st.fractions(min_value=1, max_value=8, max_denominator=7)


def law(counts: list[int]) -> list[Fraction]:
    return [Fraction(count, sum(counts)) for count in counts]


def risks(left: list[Fraction], right: list[Fraction], factor: Fraction) -> dict[tuple[int, ...], Fraction]:
    """The chance of an error of every rule output → label; the last label is that of ⊥."""
    scaled, plain = [*(mass / factor for mass in left), 1 - 1 / factor], [*right, Fraction(0)]
    rules = product((0, 1), repeat=len(plain))
    # a rule errs on label-0 outputs that it calls 1, and on label-1 outputs that it calls 0
    return {
        rule: sum((scaled, plain)[1 - called][at] for at, called in enumerate(rule)) / 2 for rule in rules
    }


def delta(left: list[Fraction], right: list[Fraction], factor: Fraction) -> Fraction:
    events = product((0, 1), repeat=len(left))
    return max(
        sum(left[at] - factor * right[at] for at, inside in enumerate(event) if inside) for event in events
    )


@settings(max_examples=40)
@given(weights, weights, factors)
def test_the_best_rule_has_the_risk_that_the_spectrum_says(one, other, factor) -> None:
    left, right = law(one), law(other)
    every = risks(left, right, factor)
    best = min(every.values())
    assert 1 - 2 * factor * best == delta(left, right, factor)
    # answering ⊥ with 0 loses nothing, and calling every shown output 1 already gives δ ≥ 0
    assert min(risk for rule, risk in every.items() if rule[-1] == 0) == best
    assert 1 - 2 * factor * every[(1, 1, 1, 0)] == 0


@pytest.mark.parametrize("error", [Fraction(1, 1000), Fraction(3, 100), Fraction(1, 4), Fraction(49, 100)])
def test_theorem_3_as_printed_is_false_for_every_positive_error(error: Fraction) -> None:
    """It denies every (α, β)-estimator with β ≥ ½ + ν, and a guess that asks nothing is one for large β.

    Of k = ⌈1/2α⌉ values, 1/k apart, one is within α of every δ in [0, 1]; drawn evenly it is named with
    probability 1/k, so the guess is an (α, 1 − 1/k)-estimator, and β = max(1 − 1/k, ¾) < 1 is allowed.
    """
    count = math.ceil(1 / (2 * error))
    guesses = [Fraction(2 * k + 1, 2 * count) for k in range(count)]
    hit = min(
        Fraction(sum(abs(guess - Fraction(at, 840)) <= error for guess in guesses), count)
        for at in range(841)
    )
    assert hit >= Fraction(1, count) > 0
    gaps = [guesses[0], *((high - low) / 2 for low, high in pairwise(guesses)), 1 - guesses[-1]]
    assert max(gaps) <= error  # no δ between the ones that were tried is farther from all guesses


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(3, 2)])
def test_rectangles_are_not_enough_for_composition(factor: Fraction) -> None:
    """The proofs of propositions 3 and 4 look at products of events only; others can be larger."""
    left, right = (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))
    places = list(product((0, 1), repeat=3))
    p, q = ([side[a] * side[b] * side[c] for a, b, c in places] for side in (left, right))
    sides = list(product(((), (0,), (1,), (0, 1)), repeat=3))
    inside = lambda place, box: all(one in part for one, part in zip(place, box, strict=True))  # noqa: E731
    rectangles = max(
        sum(p[at] - factor * q[at] for at, place in enumerate(places) if inside(place, box)) for box in sides
    )
    assert rectangles < delta(p, q, factor)
