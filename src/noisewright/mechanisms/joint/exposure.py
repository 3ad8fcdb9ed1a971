"""How far the odds between two labels move for an observer who may know the others' flags in a group.

An exposure turns a law of flags into the largest ratio of the probabilities of one report under two labels,
when the observer shares the user's group with a chance ``reach`` and then knows the others' flags. It is
written once for exact and for floating numbers; proofs use the exact ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from noisewright.mechanisms.joint.flag_shares import Number, truth_given


@dataclass(frozen=True)
class Exposure(ABC):
    """The effect of a flag, for a list of ``labels`` labels."""

    labels: int

    @abstractmethod
    def ratio(self, shares: Sequence[Number], reach: Number) -> Number | None:
        """Return the largest ratio of the probabilities of a report under two labels; None if it is infinite.

        ``shares`` are the probabilities of each number of liars in a group.
        """

    @abstractmethod
    def certainty(self, shares: Sequence[Fraction]) -> Fraction:
        """Return how often those who know the others' flags learn a value with certainty."""

    @abstractmethod
    def most_truth(self, bound: Fraction) -> Fraction | float:
        """Return the largest probability of truth at which independent flags keep the ratio below a bound."""

    @property
    def least_truth(self) -> float:
        """The probability of truth at which a report says nothing."""
        return 0.5


@dataclass(frozen=True)
class LabelExposure(Exposure):
    """Truth is the label itself, a lie any other one: randomized response.

    A report moves the odds by (k − 1)·a/(1 − a), or by one over that, if its flag is truth with
    probability a = reach·(truth given the others' flags) + (1 − reach)·p.

    >>> from noisewright.mechanisms.joint.flag_shares import flag_shares
    >>> round(LabelExposure(2).ratio(flag_shares(2, 0.25, -0.2), 1.0), 9)      # ((1 − ρ)p) / (q + ρp)
    9.0
    """

    def ratio(self, shares: Sequence[Number], reach: Number) -> Number | None:
        known = truth_given(shares)
        plain = sum((chance * truth for chance, truth in known), reach - reach)
        worst = reach - reach + 1
        for truth in (max(truth for _, truth in known), min(truth for _, truth in known)):
            seen = reach * truth + (1 - reach) * plain
            if not 0 < seen < 1:
                return None
            odds = (self.labels - 1) * seen / (1 - seen)
            worst = max(worst, odds, 1 / odds)
        return worst

    def certainty(self, shares: Sequence[Fraction]) -> Fraction:
        """Return how often the others' flags settle a value.

        A member who certainly tells the truth has revealed their value; one who certainly lies has ruled out
        a label, and of two labels only one is left.
        """
        settled = (0, 1) if self.labels == 2 else (1,)
        return sum((chance for chance, truth in truth_given(shares) if truth in settled), Fraction(0))

    def most_truth(self, bound: Fraction) -> Fraction:
        return bound / (self.labels - 1 + bound)

    @property
    def least_truth(self) -> float:
        return 1 / self.labels
