"""The cost of shared coins: two privacy numbers, from the same integers that are sampled.

People who share coins with you may collude with the collector and reveal how many others of your group lied.
If your flag is then truth with probability a, your report moves the odds between two of k labels by

    max( (k − 1)·a/(1 − a), (1 − a)/((k − 1)·a) ).

*Given that your partner colludes* (in a larger group: that all others do) a is the probability of truth given
what they know, at its worst. If a cell of the law is zero, a may be 1: there is no bound.

*Averaged over who your partner is*, a = h·(truth given what they know) + (1 − h)·p, where h is the chance
that you share a group with a colluder. Zheng 2026, thm 3 takes h = m/(n − 1) for pairs, m colluders and n
users. That is the chance *before* the colluders look at their own flags, but the theorem conditions on these,
and they say something of the grouping: with n = 4, m = 2, ρ = 1 − 1/p and both colluders lying, the two
cannot be partners, so h = 1, and the target's truth is certain where the theorem claims a finite ε. What
holds for all flags of the colluders: at most m·(s − 1) honest users share a group with a colluder, and the
n − m honest ones are exchangeable, so

    h ≤ min(1, m·(s − 1)/(n − m)).

The average is about one report seen alone, beside the colluders' flags; what a collector learns from all
reports together is in ``collector.py``. The number given that the partner colludes holds whatever else is
seen. A user whose true value the collector knows by other means counts as a colluder, because value and
report together reveal the flag.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from noisewright.guarantees import JointLDP
from noisewright.mechanisms.basics.exact import log_upper
from noisewright.mechanisms.joint.exposure import Exposure
from noisewright.mechanisms.joint.group_law import GroupLaw, check_whole_groups
from noisewright.parameters import whole

MOST_USERS = 1 << 40


def check_people(users: object, colluders: object, group: int) -> tuple[int, int]:
    """Return the number of users, who must fill whole groups, and of those who collude."""
    people = whole("users", users, group, MOST_USERS)
    check_whole_groups(people, group)
    return people, whole("colluders", colluders, 0, people - 1)


def reach_upper(users: int, colluders: int, group: int) -> Fraction:
    """Bound the chance that a user shares a group with a colluder, whatever the colluders' flags are.

    >>> reach_upper(10_000, 5, 2), reach_upper(4, 2, 2)
    (Fraction(1, 1999), Fraction(1, 1))
    """
    return min(Fraction(1), Fraction(colluders * (group - 1), users - colluders))


def reach_published(users: int, colluders: int, group: int) -> Fraction:
    """Return the same chance before any flag is known, as Zheng 2026, thm 3 uses it; it is too small.

    >>> reach_published(10_000, 5, 2)
    Fraction(5, 9999)
    """
    alone = Fraction(1)
    for drawn in range(1, group):
        alone *= Fraction(max(users - colluders - drawn, 0), users - drawn)
    return 1 - alone


def epsilon_upper(law: GroupLaw, exposure: Exposure, reach: Fraction) -> float:
    """Return the ε of the largest ratio of probabilities, rounded up; infinite where there is no bound."""
    ratio = exposure.ratio(law.shares, reach)
    return math.inf if ratio is None else log_upper(ratio)


@dataclass(frozen=True)
class Collusion:
    """Both privacy numbers of one law among some users, and how often the worst happens.

    Attributes:
        users: Number of users.
        colluders: How many of them collude.
        group: Users who share coins.
        epsilon_average: ε of one report, averaged over who the partners are.
        epsilon_published: What Zheng 2026, thm 3 states for it: for comparison only.
        epsilon_colluding: ε against partners who collude.
        certainty: Probability that colluding partners learn a user's value with certainty.

    >>> from noisewright.mechanisms.joint.exposure import LabelExposure
    >>> law = GroupLaw.correlated(2, 0.75, -1 / 3)
    >>> numbers = Collusion.of(law, LabelExposure(2), users=1000, colluders=10)
    >>> round(numbers.epsilon_average, 4), round(numbers.epsilon_published, 4), numbers.epsilon_colluding
    (1.1121, 1.112, inf)
    >>> float(numbers.certainty)
    0.25
    """

    users: int
    colluders: int
    group: int
    epsilon_average: float
    epsilon_published: float
    epsilon_colluding: float
    certainty: Fraction

    @classmethod
    def of(cls, law: GroupLaw, exposure: Exposure, users: int, colluders: int) -> Collusion:
        """Return the numbers of a law whose groups are drawn uniformly among all users."""
        people, bad = check_people(users, colluders, law.size)
        return cls(
            people,
            bad,
            law.size,
            epsilon_average=epsilon_upper(law, exposure, reach_upper(people, bad, law.size)),
            epsilon_published=epsilon_upper(law, exposure, reach_published(people, bad, law.size)),
            epsilon_colluding=epsilon_upper(law, exposure, Fraction(1)),
            certainty=exposure.certainty(law.shares),
        )

    @property
    def reach(self) -> Fraction:
        """The chance that a user shares a group with a colluder, at most."""
        return reach_upper(self.users, self.colluders, self.group)

    @property
    def guarantee(self) -> JointLDP:
        """Both numbers as one value that composes."""
        return JointLDP(self.epsilon_average, self.epsilon_colluding, self.colluders, self.users)
