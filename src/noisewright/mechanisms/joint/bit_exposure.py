"""What shared coins give away in unary encodings, where every label has a bit and a flag of its own.

Two labels differ in two bits. Whoever knows the others' flags at both places sees the bit of a zero as 1
with probability 1 − a there, a the probability of truth given what they know, and the bit of a one as a coin
of its own (OUE) or as 1 with probability a (SUE). All other bits are zeros under either label and cancel,
*if* the observer is in the user's group for certain. If that has only a chance, they do not: bits that agree
with the flags that a colluder knows say that the colluder is the partner. With R the likelihood ratio of the
other bits with and without those flags, and reach h,

    P[y | v] / P[y | v'] = (h·R·N + (1 − h)·N₀) / (h·R·D + (1 − h)·D₀),

N, D the probabilities of the two bits given the flags and N₀, D₀ without. R may be as large as
max(P[bit | flags]/P[bit])^(k − 2), so for many labels the average is soon as large as the number given that
the partner colludes: random grouping hides nobody whose report is long.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from noisewright.mechanisms.joint.exposure import Exposure
from noisewright.mechanisms.joint.flag_shares import Number, truth_given

MOST_BITS_BESIDE = 64
"""Other bits whose ratio R is worked out; for more it counts as unbounded, which is on the safe side."""


@dataclass(frozen=True)
class BitExposure(Exposure):
    """Truth is a bit as it should be; with ``own_coin`` the bit of the true label is a fair coin instead.

    >>> from noisewright.mechanisms.joint.flag_shares import flag_shares
    >>> round(BitExposure(10, own_coin=False).ratio(flag_shares(2, 0.25, 0.0), 1.0), 9)      # (p/q)²
    9.0
    """

    own_coin: bool

    def ratio(self, shares: Sequence[Number], reach: Number) -> Number | None:
        known = truth_given(shares)
        plain = sum((chance * truth for chance, truth in known), reach - reach)
        ends = (max(truth for _, truth in known), min(truth for _, truth in known))
        if reach > 0 and self.labels - 2 > MOST_BITS_BESIDE:
            reach = reach / reach
        worst = reach - reach + 1
        bits = itertools.product((0, 1), (0, 1), ends, ends, self._beside(plain, ends, reach))
        for own, other, here, there, beside in bits:
            upper = lower = reach - reach
            for weight, at, to in ((reach * beside, here, there), (1 - reach, plain, plain)):
                upper = upper + weight * self._one(own, at) * self._zero(other, to)
                lower = lower + weight * self._zero(own, at) * self._one(other, to)
            if upper > 0 and lower == 0:
                return None
            worst = max(worst, upper / lower) if lower > 0 else worst
        return worst

    def _zero(self, bit: int, truth: Number) -> Number:
        """The probability that the bit of a label that is not the person's shows."""
        return 1 - truth if bit else truth

    def _one(self, bit: int, truth: Number) -> Number:
        """The probability that the bit of the person's own label shows."""
        if self.own_coin:
            return (truth - truth + 1) / 2
        return truth if bit else 1 - truth

    def _beside(self, plain: Number, ends: tuple[Number, Number], reach: Number) -> tuple[Number, ...]:
        """The largest and the smallest R; where the observer is in the group for certain it cancels."""
        if reach == 1:
            return (reach,)
        ratios = [self._zero(bit, truth) / self._zero(bit, plain) for bit in (0, 1) for truth in ends]
        beside = min(self.labels - 2, MOST_BITS_BESIDE)
        return max(ratios) ** beside, min(ratios) ** beside

    def certainty(self, shares: Sequence[Fraction]) -> Fraction:
        """How often the others' flags settle a value.

        A bit settles it if it shows what the bit of another label cannot: with an own coin in half of the
        cases in which that bit is settled, else in all of them. Without one, so do all other bits together.
        """
        settled = sum((chance for chance, truth in truth_given(shares) if truth in (0, 1)), Fraction(0))
        if self.own_coin:
            return settled / 2
        return settled + (1 - settled) * settled ** (self.labels - 1)

    def most_truth(self, bound: Fraction) -> Fraction | float:
        if self.own_coin:
            return bound / (1 + bound)
        root = math.sqrt(bound)
        return root / (1 + root)
