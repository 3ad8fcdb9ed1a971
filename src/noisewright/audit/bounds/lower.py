"""The lower bound on the whole spectrum: chosen events exactly, and all thresholds by a band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.bounds.band import Band
from noisewright.audit.bounds.choosing import Event
from noisewright.audit.bounds.counts import Counts
from noisewright.audit.bounds.event_bound import EventBounds
from noisewright.audit.tallies import Tally
from noisewright.domains import Floats

BAND_SHARE = 0.05
"""The part of the failure probability that pays for all thresholds at once, unless one ε is the aim."""


@dataclass(frozen=True, eq=False)
class LowerBounds:
    """Everything the bounding rows say, valid together with probability 1 − ``failure``.

    ``events`` speak one after another for left ({score > t}) or right ({score ≤ t}); ``counts`` are those of
    the bounding rows at many thresholds, for the band, which has ``band_share`` of the failure probability.
    """

    events: tuple[Event, ...]
    at_events: Counts
    counts: Counts
    failure: float
    band_share: float = BAND_SHARE

    @classmethod
    def of(
        cls,
        judged: Tally,
        events: Sequence[Event],
        thresholds: Floats,
        failure: float,
        band_share: float = BAND_SHARE,
    ) -> LowerBounds:
        """From the scored bounding rows; events and thresholds were fixed before."""
        at = np.array([event.threshold for event in events])
        return cls(tuple(events), judged.counts(at), judged.counts(thresholds), failure, band_share)

    @property
    def comparisons(self) -> int:
        """How many statements share the failure probability: the events, and one band for each input."""
        return len(self.events) + (2 if self.band_share else 0)

    @cached_property
    def exact(self) -> EventBounds:
        """The exact bounds of the chosen events."""
        above = np.array([event.above for event in self.events])
        failures = np.array([event.weight for event in self.events]) * self.failure * (1 - self.band_share)
        up, down = self.at_events, self.at_events.mirrored()
        return EventBounds.of(
            np.where(above, up.left_above, down.left_above),
            np.where(above, up.left, down.left),
            np.where(above, up.right_above, down.right_above),
            np.where(above, up.right, down.right),
            failures,
            [event.lean for event in self.events],
        )

    @cached_property
    def _edges(self) -> tuple[Floats, Floats]:
        """The least P(score > t) and the most Q(score > t) at each threshold; they serve both directions."""
        each = self.failure * self.band_share / 2
        low = Band(self.counts.left, each).below(self.counts.left_share)
        high = Band(self.counts.right, each).above(self.counts.right_share)
        return low, high

    def delta(self, epsilons: ArrayLike) -> Floats:
        """A lower bound on δ(ε), for all ε together, the larger of both directions."""
        wanted = np.asarray(epsilons, dtype=np.float64)
        return np.asarray(np.maximum(self.exact.delta_lower(wanted), self._banded(wanted)))

    def _banded(self, epsilons: Floats) -> Floats:
        if not self.band_share:
            return np.zeros(epsilons.shape)
        low, high = self._edges
        factors = np.exp(epsilons).reshape(-1, 1)
        forward = (low - factors * high).max(axis=1, initial=0.0)
        backward = ((1 - high) - factors * (1 - low)).max(axis=1, initial=0.0)  # Q(S^c) and P(S^c)
        return np.asarray(np.maximum(forward, backward).reshape(epsilons.shape))

    def epsilon(self, delta: float) -> float:
        """No smaller ε holds at this δ."""
        exact = float(self.exact.epsilon_lower(delta))
        if not self.band_share:
            return exact
        low, high = self._edges
        with np.errstate(divide="ignore"):
            forward = np.log(np.maximum(low - delta, 0.0)) - np.log(high)
            backward = np.log(np.maximum(1 - high - delta, 0.0)) - np.log1p(-np.minimum(low, 1 - 1e-16))
        banded = max(forward.max(initial=0.0), backward.max(initial=0.0))
        return max(exact, float(banded))
