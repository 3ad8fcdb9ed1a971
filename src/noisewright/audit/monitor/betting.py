"""Fair bets against a claim: whoever plays them can grow rich only if the claim is false.

One output x of the left input and one y of the right, an event S fixed beforehand, and the payoff

    payoff = 1[x ∈ S] − e^ε·1[y ∈ S] − δ,

which loses on average, or breaks even, if P(S) ≤ e^ε·Q(S) + δ. A stake λ ≥ 0, fixed beforehand too and so
small that no payoff ruins the player, multiplies the capital by 1 + λ·payoff. Under the claim the expected
capital never grows, whatever the stakes, so it ever reaches 1/α with probability at most α (Ville 1939).
No payoff needs to be independent of another, nor x of y: it is enough that P(S) and Q(S) obey the claim for
every pair, given all pairs before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

MOST = 0.99
"""Share of the capital that the worst payoff may take."""

HALVINGS = 24


@dataclass(frozen=True)
class Pairs:
    """How often of ``count`` pairs both outputs fell into the event, only the favoured one, only the other.

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
    """The logarithm by which the bets on all pairs multiply the capital; ``factors`` are e^ε.

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
    low, high = np.zeros_like(favoured), np.full_like(favoured, MOST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rising = (chances * payoffs / (1 + middle * payoffs)).sum(axis=0) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    # a stake that could only be found by halving down to nothing is nothing
    return np.asarray(np.where((chances * payoffs).sum(axis=0) > 0, low, 0.0) / worst)
