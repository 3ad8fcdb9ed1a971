"""The lower bound on the whole spectrum: chosen events exactly, and all thresholds by a band.

Events are chosen on rows that the bounds will never see. Every event that is bounded costs a part of the
failure probability, so there are few. For each of some ε and both directions it is the threshold whose bound
promises most; then the one with the largest log-ratio; and, with the largest part, the one against the claim.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.basics.claim import Claim
from noisewright.audit.bounds.event_bounds import Band, EventBounds, lean_at
from noisewright.audit.bounds.tally import Counts, Tally
from noisewright.domains import Floats

# -- the events ----------------------------------------------------------------------------------------


CURVE_POINTS = 16
"""Values of ε for which an event is chosen, in each direction."""

AIMS = ("curve", "epsilon")
"""Accepted aims: what the failure probability is spent on."""

CAUTION = 3.0
"""Standard errors by which a bound will lie below its estimate, roughly."""

LUCK = 2.0
"""Standard errors by which the best of many thresholds looks better than it is, on the rows that chose it."""

SINGLED_OUT = 2.0
"""The weight of an event that was singled out while learning; the one against the claim has 3."""


@dataclass(frozen=True)
class Event:
    """{score > threshold}, speaking for left, or {score ≤ threshold}, speaking for right."""

    above: bool
    threshold: float
    weight: float
    """Its part of the failure probability."""

    lean: float = 0.5
    """The share of the favoured input in the variance of what it is to bound best."""

    looked: float | None = None
    """For an event that may refute the claim: the ε that the choosing runs show at its δ."""


def choose_events(
    seen: Counts,
    rows: int,
    claim: Claim | None,
    aim: str = "curve",
    singled_out: Sequence[tuple[bool, float]] = (),
) -> list[Event]:
    """Return the events for bounds on ``rows`` further outputs of each input; their weights sum to one.

    Args:
        seen: Counts of the rows that choose.
        rows: Outputs of each input that the bounds will rest on.
        claim: What is to be refuted, if anything is claimed.
        aim: "curve" for events that serve every ε, or "epsilon" for one alone: the event that promises the
            largest ε at the claim's δ, or at 0.
        singled_out: Events that were singled out while learning: {score > threshold} if True, else {score ≤
            threshold}; each threshold is among those of ``seen``.
    """
    up, down = directions = _Direction.both(seen, rows)
    tested = claim or Claim(0.0)
    rare = [(up if above else down).singled_out(tested, threshold) for above, threshold in singled_out]
    if aim == "epsilon":
        best = max([*(one.against(tested) for one in directions), *rare], key=attrgetter("epsilon"))
        return [replace(best.event, weight=1.0)]
    wishes = [*_wishes(directions, claim), *(hope.event for hope in rare)]
    total = sum(event.weight for event in wishes)
    merged: dict[tuple[bool, float], Event] = {}
    for wish in wishes:
        event = replace(wish, weight=wish.weight / total)
        same = merged.get((event.above, event.threshold))
        merged[event.above, event.threshold] = event if same is None else _join(same, event)
    return list(merged.values())


def _join(first: Event, second: Event) -> Event:
    """Merge two wishes for one event; the wish against a claim decides what it is aimed at."""
    weight = first.weight + second.weight
    if second.looked is not None:
        return replace(second, weight=weight)
    return replace(
        first, weight=weight, lean=(first.weight * first.lean + second.weight * second.lean) / weight
    )


class Hope(NamedTuple):
    """An event, and an estimate of the largest ε that its bound will show."""

    epsilon: float
    event: Event


@dataclass(frozen=True, eq=False)
class _Direction:
    """The counts of choosing rows for {score > t} (``above``) or {score ≤ t}, and ``rows`` for bounding."""

    above: bool
    counts: Counts
    rows: int

    @classmethod
    def both(cls, seen: Counts, rows: int) -> tuple[_Direction, _Direction]:
        """Return the events that speak for left, and those that speak for right."""
        return cls(True, seen, rows), cls(False, seen.mirrored(), rows)

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """Shares of both inputs; the other input has one more hit, for outputs that did not occur by luck."""
        q = (self.counts.right_above + 1) / (self.counts.right + 1)
        return self.counts.left_share, np.asarray(np.minimum(q, 1.0))

    def gains(self, epsilon: float) -> Floats:
        """Estimate the lower bound on p − e^ε·q."""
        (p, q), factor = self.shares, np.exp(epsilon)
        errors = np.sqrt(p * (1 - p) / self.rows + factor**2 * q * (1 - q) / self.rows)
        return np.asarray(p - factor * q - CAUTION * errors)

    def log_ratios(self, delta: float, luck: float = LUCK) -> Floats:
        """Estimate the lower bound on ln((p − δ)/q), less the choosing rows' own luck."""
        p, q = self.shares
        unsure = [
            math.hypot(CAUTION / math.sqrt(self.rows), luck / math.sqrt(max(each, 1)))
            for each in (self.counts.left, self.counts.right)
        ]
        low = p - np.sqrt(p) * unsure[0] - delta
        high = q + np.sqrt(q) * unsure[1] + CAUTION**2 / self.rows
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(low > 0, np.log(np.maximum(low, 1e-300)) - np.log(high), -np.inf))

    def log_ratio(self, place: int, delta: float) -> float:
        """Estimate the largest ε that an event can show at δ; 0 if it shows none."""
        p, q = (float(share[place]) for share in self.shares)
        return math.log(max(p - delta, q) / q)

    def event(self, place: int, weight: float, epsilon: float) -> Event:
        """Return the event that is to bound p − e^ε·q best."""
        p, q = (float(share[place]) for share in self.shares)
        return Event(self.above, float(self.counts.thresholds[place]), weight, lean_at(p, q, epsilon))

    def against(self, claim: Claim) -> Hope:
        """Return the event that speaks most against a claim."""
        ratios = self.log_ratios(claim.delta)
        place = int(np.argmax(ratios))
        looked = self.log_ratio(place, claim.delta)
        event = self.event(place, 1.0, looked)
        hopeful = math.isfinite(ratios[place])
        return Hope(float(ratios[place]), replace(event, looked=looked) if hopeful else event)

    def singled_out(self, claim: Claim, threshold: float) -> Hope:
        """Return an event that was chosen while learning, without a discount for the choosing rows' luck."""
        place = int(np.searchsorted(self.counts.thresholds, threshold))
        ratio = self.log_ratios(claim.delta, luck=0.0)[place]
        return Hope(float(ratio), self.event(place, SINGLED_OUT, claim.epsilon))


def _wishes(directions: Sequence[_Direction], claim: Claim | None) -> Iterator[Event]:
    largest = 0.5
    for one in directions:
        ratios = one.log_ratios(0.0)
        place = int(np.argmax(ratios))
        largest = max(largest, float(ratios[place]))
        yield one.event(place, 0.5, one.log_ratio(place, 0.0))
    for one in directions:
        for epsilon in np.linspace(0.0, largest, CURVE_POINTS).tolist():
            yield one.event(int(np.argmax(one.gains(epsilon))), 4.0 / CURVE_POINTS, epsilon)
    if claim is not None:
        worse, better = sorted((one.against(claim) for one in directions), key=attrgetter("epsilon"))
        yield from (replace(better.event, weight=3.0), worse.event)


# -- their bounds --------------------------------------------------------------------------------------


BAND_SHARE = 0.05
"""The part of the failure probability that pays for all thresholds at once, unless one ε is the aim."""


@dataclass(frozen=True, eq=False)
class LowerBounds:
    """The lower bounds from the bounding rows, valid together with probability 1 − ``failure``.

    Each of ``events`` speaks for left ({score > t}) or right ({score ≤ t}). ``counts`` are those of the
    bounding rows at many thresholds, for the band, which has ``band_share`` of the failure probability.
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
        """Return the bounds from scored bounding rows; events and thresholds were fixed before.

        Args:
            judged: The scored bounding rows.
            events: The events to bound exactly.
            thresholds: The thresholds that the band holds at.
            failure: The probability with which any of it may fail.
            band_share: The band's part of that.
        """
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
        """Return a lower bound on δ(ε), for all ε together, the larger of both directions."""
        wanted = np.asarray(epsilons, dtype=np.float64)
        return np.asarray(np.maximum(self.exact.delta_lower(wanted), self._band_delta(wanted)))

    def _band_delta(self, epsilons: Floats) -> Floats:
        if not self.band_share:
            return np.zeros(epsilons.shape)
        low, high = self._edges
        factors = np.exp(epsilons).reshape(-1, 1)
        forward = (low - factors * high).max(axis=1, initial=0.0)
        backward = ((1 - high) - factors * (1 - low)).max(axis=1, initial=0.0)  # Q(S^c) and P(S^c)
        return np.asarray(np.maximum(forward, backward).reshape(epsilons.shape))

    def epsilon(self, delta: float) -> float:
        """Return a lower bound on ε at this δ: no smaller ε holds."""
        exact = float(self.exact.epsilon_lower(delta))
        if not self.band_share:
            return exact
        low, high = self._edges
        with np.errstate(divide="ignore"):
            forward = np.log(np.maximum(low - delta, 0.0)) - np.log(high)
            backward = np.log(np.maximum(1 - high - delta, 0.0)) - np.log1p(-np.minimum(low, 1 - 1e-16))
        banded = max(forward.max(initial=0.0), backward.max(initial=0.0))
        return max(exact, float(banded))
