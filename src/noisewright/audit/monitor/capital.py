"""Fair bets against claims: a player grows rich only if the claim is false.

One output x of the left input and one y of the right, an event S fixed beforehand, and the payoff

    payoff = 1[x ∈ S] − e^ε·1[y ∈ S] − δ,

which loses on average, or breaks even, if P(S) ≤ e^ε·Q(S) + δ. A stake λ ≥ 0, fixed beforehand too and so
small that no payoff ruins the player, multiplies the capital by 1 + λ·payoff. Under the claim the expected
capital never grows, whatever the stakes, so it ever reaches 1/α with probability at most α (Ville 1939).
No payoff needs to be independent of another, nor x of y: it is enough that P(S) and Q(S) obey the claim for
every pair, given all pairs before it.

For each ε of a grid several players start with equal shares of 1: in both directions, with the whole stake of
the plan and with half of it. If the claim holds in both directions, their mean is again a capital that never
grows on average. Why a grid of ε costs nothing: let ε* be the first grid point whose claim is true. The bound
exceeds the truth only if ε* is refuted, together with all points below it; so only if the capital of this
*one* point ever reaches 1/α.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.audit.basics.claim import LARGEST, Claim, read_grid
from noisewright.audit.bounds.tally import Counts, thresholds_between
from noisewright.domains import Floats
from noisewright.statistics import bisect

BELOW = (0.0, 0.25, 0.5, 0.75, 0.875, 0.95)
"""Shares of the claimed ε."""

ABOVE = np.concatenate([np.arange(1, 81) * 0.025, np.geomspace(2.1, 14.0, 24)])
"""Steps up from the claimed ε. A finer grid costs time and no confidence."""


def epsilon_grid(claim: Claim, epsilons: ArrayLike | None = None) -> Floats:
    """Return an increasing grid with the claimed ε on it, coarse below: there a bound is worth little.

    >>> epsilon_grid(Claim(1.0), [0.5, 2.0]).tolist()
    [0.5, 1.0, 2.0]
    """
    if epsilons is None:
        points = np.concatenate([claim.epsilon * np.array(BELOW), claim.epsilon + ABOVE])
        points = points[points <= LARGEST]
    else:
        points = read_grid(epsilons)
    return np.unique(np.append(points, claim.epsilon))


# -- bets and stakes -----------------------------------------------------------------------------------


MOST = 0.99
"""Share of the capital that the worst payoff may take."""

HALVINGS = 24


@dataclass(frozen=True)
class Pairs:
    """Of ``count`` pairs, how often both outputs fell into the event, only the favoured one, only the other.

    The fields are arrays of one shape: an event for each direction and each ε.
    """

    count: int
    both: NDArray[np.int64]
    favoured: NDArray[np.int64]
    other: NDArray[np.int64]

    @property
    def neither(self) -> NDArray[np.int64]:
        """Pairs of which neither output fell into the event."""
        return self.count - self.both - self.favoured - self.other


def log_growth(pairs: Pairs, stakes: Floats, factors: Floats, delta: float) -> Floats:
    """Return the logarithm by which the bets on all pairs multiply the capital; ``factors`` are e^ε.

    Args:
        pairs: The outcomes of the pairs.
        stakes: The stake on each event.
        factors: e^ε of each.
        delta: The claim's δ.

    >>> one = Pairs(1, np.array([0]), np.array([1]), np.array([0]))
    >>> np.exp(log_growth(one, np.array([0.25]), np.array([2.0]), 0.0)).tolist()
    [1.25]
    """
    return np.asarray(
        pairs.favoured * np.log1p(stakes * (1 - delta))
        + pairs.both * np.log1p(stakes * (1 - delta - factors))
        + pairs.other * np.log1p(-stakes * (factors + delta))
        + pairs.neither * np.log1p(-stakes * delta)
    )


def best_stakes(favoured: Floats, other: Floats, factors: Floats, delta: float) -> Floats:
    """Stakes under which the capital would grow fastest if P(S) and Q(S) were these (Kelly 1956).

    The expected logarithm is concave in the stake: its slope falls, and halving finds where it is zero.

    Args:
        favoured: P(S) of each event.
        other: Q(S) of each.
        factors: e^ε of each.
        delta: The claim's δ.

    >>> best_stakes(np.array([0.5, 0.5]), np.array([0.25, 0.2]), np.array([2.0, 2.0]), 0.0).round(3).tolist()
    [0.0, 0.102]
    """
    worst = factors + delta
    payoffs = np.stack(
        [(1 - delta) / worst, (1 - delta - factors) / worst, -np.ones_like(worst), -delta / worst]
    )
    chances = np.stack(
        [favoured * (1 - other), favoured * other, (1 - favoured) * other, (1 - favoured) * (1 - other)]
    )

    def rising(stakes: Floats) -> Floats:
        return np.asarray((chances * payoffs / (1 + stakes * payoffs)).sum(axis=0) > 0)

    low, _ = bisect(rising, np.zeros_like(favoured), MOST, HALVINGS)
    # a stake that small is taken as 0
    return np.asarray(np.where((chances * payoffs).sum(axis=0) > 0, low, 0.0) / worst)


# -- the plan: events and stakes, chosen from pairs that have been played already ----------------------


Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Plan:
    """Thresholds and stakes for the pairs to come: one row for each direction, one column for each ε."""

    thresholds: Floats
    stakes: Floats

    @classmethod
    def from_past(cls, left: Floats, right: Floats, factors: Floats, delta: float) -> Plan:
        """Return the plan that would have served best for the scores of past pairs.

        Args:
            left: Scores of past left outputs.
            right: Scores of past right outputs.
            factors: e^ε of each column.
            delta: The claim's δ.
        """
        left_sorted, right_sorted = np.sort(left), np.sort(right)
        seen = Counts.at(thresholds_between(left_sorted, right_sorted), left_sorted, right_sorted)
        aims = [_aim(counts, factors, delta) for counts in (seen, seen.mirrored())]
        thresholds, stakes = (np.stack(rows) for rows in zip(*aims, strict=True))
        return cls(thresholds, stakes)

    def count(self, left: Floats, right: Floats) -> Pairs:
        """Return the outcomes of pairs of new scores, for the event of every direction and ε."""
        # both scores of a pair exceed a threshold if the smaller does; neither does if the larger does not
        smaller, larger = np.minimum(left, right), np.maximum(left, right)
        upper, lower = self.thresholds
        both = np.stack([_above(smaller, upper), _up_to(larger, lower)])
        favoured = np.stack([_above(left, upper), _up_to(right, lower)])
        other = np.stack([_above(right, upper), _up_to(left, lower)])
        return Pairs(len(left), both, favoured - both, other - both)


def _aim(seen: Counts, factors: Floats, delta: float) -> tuple[Floats, Floats]:
    """Return the best threshold and the stake on its event, for one direction and every ε."""
    places = _most_telling(seen, factors, delta)
    # half a hit and half a miss more: no stake of everything on unseen events
    favoured, other = ((hits[places] + 0.5) / (seen.left + 1) for hits in (seen.left_above, seen.right_above))
    return seen.thresholds[places], best_stakes(favoured, other, factors, delta)


def _most_telling(seen: Counts, factors: Floats, delta: float) -> Whole:
    """Return for every ε the event with the largest mean payoff in standard errors: the fastest growth.

    One more hit of the other input keeps events away that only luck has left empty.
    """
    favoured = seen.left_share[:, None]
    other = np.minimum(seen.right_share[:, None] + 1 / seen.right, 1.0)
    payoff = favoured - factors * other - delta
    spread = np.hypot(np.sqrt(favoured * (1 - favoured)), factors * np.sqrt(other * (1 - other)))
    return np.asarray(np.argmax(payoff / (spread + 1 / seen.left), axis=0))


def _up_to(scores: Floats, thresholds: Floats) -> Whole:
    return np.searchsorted(np.sort(scores), thresholds, side="right")


def _above(scores: Floats, thresholds: Floats) -> Whole:
    return len(scores) - _up_to(scores, thresholds)


# -- the capital ---------------------------------------------------------------------------------------


FRACTIONS = (0.5, 1.0)
"""Shares of the planned stake that players use: the best plan of the past was also lucky."""


@dataclass
class Capital:
    """Capitals against (ε, δ) for every ε of an increasing grid.

    >>> Capital(np.array([0.0, 1.0]), delta=0.0, failure=0.05).epsilon_lower
    0.0
    """

    epsilons: Floats
    delta: float
    failure: float
    logs: Floats = field(init=False)
    highest: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.logs = np.zeros((len(FRACTIONS), 2, len(self.epsilons)))
        self.highest = np.zeros(len(self.epsilons))

    @property
    def factors(self) -> Floats:
        """e^ε."""
        return np.exp(self.epsilons)

    @property
    def log_needed(self) -> float:
        """The log capital that refutes."""
        return math.log(1 / self.failure)

    def play(self, plan: Plan, left: Floats, right: Floats) -> None:
        """Play the plan on the scores of new pairs; the plan must have been made before they were seen."""
        pairs = plan.count(left, right)
        for player, fraction in enumerate(FRACTIONS):
            self.logs[player] += log_growth(pairs, fraction * plan.stakes, self.factors, self.delta)
        self.highest = np.maximum(self.highest, self.means)

    @property
    def means(self) -> Floats:
        """The logarithm of the players' mean capital now, for every ε."""
        flat = self.logs.reshape(-1, len(self.epsilons))
        return np.asarray(np.logaddexp.reduce(flat, axis=0) - math.log(len(flat)))

    def against(self, epsilon: float) -> float:
        """Return the log capital that counts against a claim: the least one up to it, each at its highest.

        A claim falls together with all smaller grid points, so that one confidence covers it and the bound.
        """
        return float(self.highest[self.epsilons <= epsilon].min(initial=math.inf))

    @property
    def epsilon_lower(self) -> float:
        """The last grid point that is refuted together with all before it; 0 if the first is not."""
        refuted = np.logical_and.accumulate(self.highest >= self.log_needed)
        return float(self.epsilons[refuted][-1]) if refuted.any() else 0.0
