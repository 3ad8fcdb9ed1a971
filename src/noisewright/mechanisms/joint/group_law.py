"""The law of the coins that a group shares: who tells the truth, as integers over 2⁶⁴.

Everybody of a group holds a *flag*, truth or lie. A group law says how often exactly K of its s members lie;
given K, every choice of the K liars is equally likely. So all members are alike, each lies with the same
probability q = 1 − p, and the flags of any two of them have the same correlation ρ, because

    Var[K] = s·p·q·(1 + (s − 1)·ρ).

A pair has the four cells of Zheng 2026, table 4.2: N11 = weights[0], N10 = N01 = weights[1]/2 and
N00 = weights[2]. For larger groups the dissertation uses a growing number of parameters; one is enough:

    ρ < 0: mix independent flags with the *balanced* law, where K is ⌊s·q⌋ or ⌈s·q⌉ and so varies least;
    ρ > 0: mix independent flags with the *unanimous* law, where all lie or nobody does.

For pairs these mixtures give every law there is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

from noisewright.errors import InvalidParameter
from noisewright.mechanisms.joint.flag_shares import flag_shares, least_correlation, truth_given
from noisewright.parameters import whole

WORDS = 1 << 64
MOST_MEMBERS = 16
"""The largest group: beyond it one colluder reaches too many people for any gain to be left."""


@dataclass(frozen=True)
class GroupLaw:
    """The number of words, out of 2⁶⁴, that make exactly K members of a group lie, for K = 0, 1, … size.

    Attributes:
        weights: Number of words for each K; they sum to 2⁶⁴.

    >>> law = GroupLaw.correlated(2, truth=0.75, correlation=-0.25)
    >>> [count / 2**64 for count in law.table]
    [0.515625, 0.234375, 0.234375, 0.015625]
    >>> float(law.truth), float(law.correlation)
    (0.75, -0.25)
    """

    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        counts = tuple(whole("a weight of a group law", weight, 0, WORDS) for weight in self.weights)
        object.__setattr__(self, "weights", counts)
        group_size(self.size)
        if sum(counts) != WORDS:
            raise InvalidParameter("the weights of a group law must sum to 2^64")
        if self.size == 2 and counts[1] % 2:
            raise InvalidParameter("the weight of one liar in a pair must be even: it may be either of them")
        if not 0 < self.lie < 1:
            raise InvalidParameter("a group law in which somebody always lies, or never, hides nothing")

    @classmethod
    def correlated(cls, size: int, truth: float | Fraction, correlation: float) -> Self:
        """Return the law of a group with a given probability of truth and correlation of flags.

        Probabilities are rounded to integers; a correlation within 10⁻⁹ of the least possible one becomes
        that one, so that impossible outcomes have probability 0.
        """
        lie = 1 - Fraction(truth)
        if not 0 < lie < 1:
            raise InvalidParameter(f"the share of true answers must be between 0 and 1, got {float(truth)}")
        return cls(_whole_weights(flag_shares(group_size(size), lie, Fraction(correlation))))

    # -- what the integers say -----------------------------------------------------------------------

    @property
    def size(self) -> int:
        """Number of people who share the coins."""
        return len(self.weights) - 1

    @cached_property
    def lie(self) -> Fraction:
        """The probability that a member lies."""
        return Fraction(sum(liars * weight for liars, weight in enumerate(self.weights)), self.size * WORDS)

    @property
    def truth(self) -> Fraction:
        """The probability that a member tells the truth."""
        return 1 - self.lie

    @cached_property
    def correlation(self) -> Fraction:
        """The correlation of the flags of any two members."""
        pairs = sum(liars * (liars - 1) * weight for liars, weight in enumerate(self.weights))
        both = Fraction(pairs, self.size * (self.size - 1) * WORDS)
        return (both - self.lie**2) / (self.lie * self.truth)

    @property
    def least_correlation(self) -> Fraction:
        """The most negative correlation that flags with this probability of a lie can have."""
        return least_correlation(self.size, self.lie)

    @property
    def table(self) -> tuple[int, int, int, int]:
        """The cells of a pair: both true, only the first true, only the second true, both lies."""
        if self.size != 2:
            raise InvalidParameter(f"only a pair has a table of four cells, not a group of {self.size}")
        none, one, both = self.weights
        return none, one // 2, one // 2, both

    @cached_property
    def shares(self) -> tuple[Fraction, ...]:
        """The probability of each number of liars."""
        return tuple(Fraction(weight, WORDS) for weight in self.weights)

    @property
    def truth_given(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """For every possible number of liars among the others: its chance, and that of a member's truth."""
        return truth_given(self.shares)

    def answers(self, truth: int, options: int) -> tuple[list[int], int]:
        """Count the outcomes that lead a member to each option: the truth, or any other, equally likely.

        >>> counts, total = GroupLaw.correlated(2, truth=0.75, correlation=0.0).answers(0, options=3)
        >>> [count / total for count in counts]
        [0.75, 0.125, 0.125]
        """
        total, others = self.size * WORDS, options - 1
        lies = int(self.lie * total)
        counts = [lies] * options
        counts[truth] = (total - lies) * others
        return counts, total * others

    @property
    def thresholds(self) -> list[int]:
        """Running sums below 2⁶⁴: a word makes as many members lie as there are thresholds at or below it."""
        sums = (sum(self.weights[:end]) for end in range(1, self.size + 1))
        return [total for total in sums if total < WORDS]


def group_size(size: object) -> int:
    """Return the size of a group, or refuse one that no group can have."""
    return whole("the size of a group", size, 2, MOST_MEMBERS)


def check_whole_groups(people: int, size: int, what: str = "users") -> None:
    """Refuse people who do not fill whole groups; ``what`` says how they were counted.

    >>> check_whole_groups(7, 2)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: an odd number of users in pairs: 7 users leave 1 without ...
    """
    if left := people % size:
        rule, lack = f"users must fill whole groups of {size}", "group"
        if size == 2:
            rule, lack = "an odd number of users in pairs", "partner"
        fewer = f"{people - left} or " if people > left else ""
        raise InvalidParameter(
            f"{rule}: {people} {what} leave {left} without a {lack}; take {fewer}{people - left + size}"
        )


def _whole_weights(shares: list[Fraction]) -> tuple[int, ...]:
    """Return shares as integers that sum to 2⁶⁴, rounded towards more lies on both sides of the largest.

    So a rare number of liars never makes truth likelier than it should be, nor a lie impossible.
    """
    largest = shares.index(max(shares))
    weights = [
        math.floor(share * WORDS) if liars < largest else math.ceil(share * WORDS)
        for liars, share in enumerate(shares)
    ]
    weights[largest] += WORDS - sum(weights)
    if len(weights) == 3 and weights[1] % 2:  # one liar of two may be either of them
        to_one = 1 if largest == 0 else -1
        weights[1] += to_one
        weights[0 if largest == 0 or weights[2] == 0 else 2] -= to_one
    return tuple(weights)
