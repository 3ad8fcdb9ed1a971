"""What a collector learns from all reports of a round although nobody colludes.

The averaged number of ``collusion.py`` is about one report seen alone (Zheng 2026, thm 3 conditions on
that report and on colluders' flags). A collector sees all of them. Flags that cancel make the number of
"yes" reports vary less than independent ones would, so a collector with an idea of the true share knows
how many there should be; if there are more than that, each "yes" is likelier to be the answer that another
"yes" should have cancelled. The pairing may stay hidden: by symmetry the reports of the others matter
only through the number W of "yes" among them, and with Pr(a, b | x) for the reports of a pair whose
first member has the value x and whose second is anyone,

    Pr(y, others | x) ∝ W · Pr(y, yes | x) · G(W − 1) + (n − 1 − W) · Pr(y, no | x) · G(W),

where G(w) is the probability of one arrangement of w "yes" among the n − 2 people of the other pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.joint.group_law import WORDS, GroupLaw
from noisewright.parameters import real

FEWEST_USERS, MOST_USERS = 50, 2_000_000
"""The range of users for which the information of all reports together is computed."""

Pair = Mapping[tuple[int, int], float]


def is_worked_out(users: int, labels: int, group: int) -> bool:
    """Return whether :func:`collector_epsilon` applies to such a round: pairs, two labels, enough users."""
    return labels == group == 2 and FEWEST_USERS <= users <= MOST_USERS


def collector_epsilon(law: GroupLaw, users: int, share: float, level: float = 0.95) -> float:
    """Bound the log-odds between "yes" and "no" of one person, given all reports, in most rounds.

    For pairs, and a collector who knows the share of "yes" in the population that users are drawn from, but
    not who was paired with whom. In a share ``level`` of all rounds the number is not exceeded (the number of
    "yes" reports is taken as normal). Whoever knows how many of *these* users say "yes" learns more, even
    without shared coins.

    >>> heuristic = GroupLaw.correlated(2, truth=1 / (1 + math.exp(-0.01)), correlation=-0.99)
    >>> round(collector_epsilon(heuristic, 10_000, 0.08), 3)       # one report alone: 0.01
    0.07
    """
    known = _share(share)
    given = _given(law, known)
    anyone = {key: known * given[1][key] + (1 - known) * given[0][key] for key in given[0]}
    mean = 2 * (anyone[1, 1] + anyone[0, 1])
    spread = anyone[0, 1] + anyone[1, 0] + 4 * anyone[1, 1] - mean**2
    reach = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(max(users / 2 * spread, 0.0))
    middle = users / 2 * mean
    ends = {min(max(round(middle + side * reach), 1), users - 2) for side in (-1, 1)}
    return max(abs(log_odds(given, anyone, users, ones, said)) for ones in ends for said in (0, 1))


def pair_epsilon(law: GroupLaw, share: float) -> float:
    """Return the log-odds that the reports of a pair reveal, given the pair and the share of "yes".

    This is the cost of a public grouping beyond one report alone. It is infinite if a cell of the law is
    empty and nobody says "yes", or everybody: then the partner's value is known, and with it the partner's
    flag.

    >>> round(pair_epsilon(GroupLaw.correlated(2, truth=0.6, correlation=-0.5), 0.08), 3)    # alone: 0.405
    1.675
    """
    given = _given(law, _share(share))
    return max(
        abs(_log(given[1][seen]) - _log(given[0][seen]))
        for seen in given[0]
        if given[0][seen] or given[1][seen]
    )


def _share(share: float) -> float:
    known = real("share", share)
    if not 0 <= known <= 1:
        raise InvalidParameter(f"must be a number from 0 to 1, got {share!r}", field="share")
    return known


def _given(law: GroupLaw, share: float) -> dict[int, Pair]:
    """Return the reports of a pair, for either value of its first member."""
    if law.size != 2:
        raise InvalidParameter("the information of a collector is computed for pairs only")
    return {value: _pair(law, share, value) for value in (0, 1)}


def _log(chance: float) -> float:
    return math.log(chance) if chance > 0 else -math.inf


def log_odds(given: Mapping[int, Pair], anyone: Pair, users: int, ones: int, said: int) -> float:
    """Return the logarithm of Pr(all reports | value 1), less that of value 0, if ``ones`` others said 1."""
    rest = [_arrangement(anyone, users // 2 - 1, ones - partner) for partner in (0, 1)]
    many = (users - 1 - ones, ones)
    sides = []
    for value in (1, 0):
        parts = [
            math.log(many[partner] * given[value][said, partner]) + rest[partner]
            for partner in (0, 1)
            if many[partner] * given[value][said, partner] > 0 and rest[partner] > -math.inf
        ]
        sides.append(float(np.logaddexp.reduce(parts)) if parts else -math.inf)
    return sides[0] - sides[1]


def _pair(law: GroupLaw, share: float, value: int) -> Pair:
    """Return the law of a pair's reports if the first has a value and the second is drawn at random."""
    true, first, second, false = (weight / WORDS for weight in law.table)
    flags = {(1, 1): true, (1, 0): first, (0, 1): second, (0, 0): false}
    chances = {0: 1 - share, 1: share}
    return {
        (mine, other): sum(
            chances[theirs] * flags[int(mine == value), int(other == theirs)] for theirs in (0, 1)
        )
        for mine in (0, 1)
        for other in (0, 1)
    }


def _arrangement(anyone: Pair, pairs: int, ones: int) -> float:
    """Return the log-probability of one arrangement of ``ones`` "yes" among the people of some pairs."""
    if not 0 <= ones <= 2 * pairs:
        return -math.inf
    mixed = np.arange(ones % 2, min(ones, 2 * pairs - ones) + 1, 2)
    both, neither = (ones - mixed) // 2, pairs - (ones + mixed) // 2
    kinds = ((neither, anyone[0, 0]), (mixed, anyone[0, 1] + anyone[1, 0]), (both, anyone[1, 1]))
    ways = np.full(mixed.size, math.lgamma(pairs + 1))
    for count, chance in kinds:
        ways += np.where(count > 0, count * math.log(chance) if chance > 0 else -np.inf, 0.0) - _lgamma(count)
    places = math.lgamma(2 * pairs + 1) - math.lgamma(ones + 1) - math.lgamma(2 * pairs - ones + 1)
    return float(np.logaddexp.reduce(ways)) - places


def _lgamma(count: Cells) -> Floats:
    """Return the logarithms of factorials."""
    from scipy.special import gammaln  # noqa: PLC0415  (scipy.special takes a moment to load)

    return np.asarray(gammaln(count + 1.0))
