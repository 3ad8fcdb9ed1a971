"""How surely feedback tells a good rule from a bad one: the probability in theorem 5, exactly.

A rule is reversed if fewer than half of its evaluators *report* that it was right. With accuracy r and
randomized response that keeps an answer with probability q, a report is favourable with probability
s = q·r + (1 − q)(1 − r), their number is binomial, and everything follows. The source has r in place of s, as
if no answer were randomized, and a normal law for the binomial one.
"""

from __future__ import annotations

import math

from noisewright.errors import InvalidParameter
from noisewright.learn.feedback import response
from noisewright.parameters import real, whole

MOST_PEOPLE = 10**9


def reversal_probability(
    accuracy: float, people: int, epsilon: float, *, as_published: bool = False
) -> float:
    """The probability that model reversal picks the better of a rule and its reversal.

    For a rule that is a toss-up both are right, and it is 1. ``as_published`` is Φ(√n·|r − ½| / √(r(1 − r))),
    which leaves ``epsilon`` out.

    >>> round(reversal_probability(0.6, 51, epsilon=1.0), 3)
    0.747
    >>> round(reversal_probability(0.6, 51, epsilon=1.0, as_published=True), 3)
    0.928
    """
    rate, asked = _read_accuracy(accuracy), whole("people", people, 1, MOST_PEOPLE)
    if rate == 0.5:
        return 1.0
    return _published(rate, asked) if as_published else _exact(rate, asked, epsilon)


def favourable_rate(accuracy: float, epsilon: float) -> float:
    """How often a rule is reported right: its accuracy through the integers of randomized response.

    >>> round(favourable_rate(0.6, epsilon=1.0), 4)
    0.5462
    """
    keep = response(epsilon).hit
    return keep * accuracy + (1 - keep) * (1 - accuracy)


def _exact(rate: float, asked: int, epsilon: float) -> float:
    from scipy.special import betainc, betaincc  # noqa: PLC0415  (scipy is slow to load)

    least = (asked + 1) // 2  # with half of the answers favourable a rule is kept: eq. 9 reverses below ½
    tail = betainc if rate > 0.5 else betaincc
    return float(tail(least, asked - least + 1, favourable_rate(rate, epsilon)))


def _published(rate: float, asked: int) -> float:
    from scipy.special import ndtr  # noqa: PLC0415  (scipy is slow to load)

    spread = math.sqrt(rate * (1 - rate))
    return float(ndtr(math.sqrt(asked) * abs(rate - 0.5) / spread)) if spread else 1.0


def _read_accuracy(accuracy: float) -> float:
    rate = real("accuracy", accuracy)
    if not 0 <= rate <= 1:
        raise InvalidParameter(f"accuracy must be from 0 to 1, got {accuracy!r}")
    return rate
