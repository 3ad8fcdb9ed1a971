"""The result of an audit: the whole curve δ(ε) of one pair of inputs, with bounds that hold.

Everything with ``lower`` in its name holds together with probability ``confidence``, whatever the black box
does, if its runs are independent. An ``estimate`` is a guess, not a bound. ``upper`` holds only under the
``assumption`` beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.basics.claim import Claim, read_delta, read_epsilons
from noisewright.audit.bounds.event_bounds import EventBounds
from noisewright.audit.bounds.lower import LowerBounds
from noisewright.audit.bounds.tally import Counts
from noisewright.audit.bounds.upper import Contradiction
from noisewright.audit.scores.selection import Scorer
from noisewright.audit.spectrum import explanation
from noisewright.audit.spectrum.explanation import Witness, chance_under, rates
from noisewright.audit.spectrum.power import outlook, visible
from noisewright.audit.spectrum.summary import OutputSummary
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.report import Report, Reportable
from noisewright.report.terminal import render_text
from noisewright.text import at_least

# -- what bounds on events say in other measures -------------------------------------------------------
#
# For a fixed event everything follows from its two probabilities, and the true ones lie beyond one of the
# corners of its region (bounds/event_bounds.py). A measure is the weakest over the corners, and the best over
# the events.


ZCDP_ORDERS = np.concatenate([np.linspace(1.05, 2, 20), np.geomspace(2.2, 256, 40)])
"""Orders of Rényi divergence from which ρ of zCDP is bounded."""


@dataclass(frozen=True, eq=False)
class TradeOff:
    """The trade-off of false alarms and misses: how well any test can tell the two inputs apart.

    Attributes:
        false_alarms: Rates at which a test says left for the right input, rising from 0 to 1.
        misses: An estimate of the least share of misses at each rate.
        misses_upper: The trade-off function f of the mechanism (f-DP) lies nowhere above it, at the
            audit's confidence.
    """

    false_alarms: Floats
    misses: Floats
    misses_upper: Floats

    def plot(self, axes: Any = None, *, claim: Claim | None = None) -> Any:
        """Draw misses over false alarms, with the least that a claim allows if one is given; returns axes."""
        from noisewright.audit.spectrum.plots import plot_tradeoff  # noqa: PLC0415  (drawing is seldom wanted)

        return plot_tradeoff(self, axes, claim=claim)


def estimate_misses(counts: Counts, false_alarms: Floats) -> Floats:
    """Estimate the trade-off function at each rate of false alarms, the lower of both directions.

    A test that says "left" above a threshold has false alarms among right outputs that score above it, and
    misses left ones that do not.
    """
    curves = [
        np.interp(false_alarms, *_rising(each.right_share, 1 - each.left_share))
        for each in (counts, counts.mirrored())
    ]
    return np.minimum(*curves)


def _rising(false_alarms: Floats, misses: Floats) -> tuple[Floats, Floats]:
    """Return the points of a curve from (0, 1) to (1, 0), by rising false alarms."""
    order = np.lexsort((-misses, false_alarms))
    return (
        np.concatenate([[0.0], false_alarms[order], [1.0]]),
        np.concatenate([[1.0], misses[order], [0.0]]),
    )


def misses_upper(corners: Floats, false_alarms: Floats) -> Floats:
    """Return an upper bound on the trade-off function at each rate of false alarms.

    A test with false alarms q and misses 1 − p can be mixed with blind guessing, so the function lies below
    the lines from (0, 1) over (q, 1 − p) to (1, 0).

    >>> misses_upper(np.array([[[0.5, 0.1]]]), np.array([0.0, 0.1, 1.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    best = 1 - false_alarms
    for event in corners:
        lines = [np.interp(false_alarms, [0.0, q, 1.0], [1.0, 1 - p, 0.0]) for p, q in event if 0 < q < 1]
        if len(lines) == len(event):
            best = np.minimum(best, np.max(lines, axis=0))
    return np.asarray(best)


def estimate_epsilon(bounds: EventBounds, delta: float) -> float:
    """Estimate ε at δ, without a guarantee: the log-ratio of the event that is bounded best.

    That is the event with the largest lower bound among those chosen before the bounding runs, so a rare
    event is not picked for its luck. Its two shares are those of the bounding runs:

        ln((hits + ½)/(n + 1) − δ) − ln((other hits + ½)/(m + 1)),

    or 0 if that is less. The halves keep it finite if the other input never gave the event. They also bring
    the mean of ln(hits + ½) nearest to the logarithm of the expected hits (Anscombe 1956).

    >>> one = EventBounds.of([600], 1000, [200], 1000, 0.01)
    >>> round(estimate_epsilon(one, 0.0), 3), round(estimate_epsilon(one, 0.2), 3)
    (1.097, 0.691)
    """
    best = int(np.argmax(bounds.log_ratios(delta)))
    share = (bounds.hits[best] + 0.5) / (bounds.count[best] + 1) - delta
    other = (bounds.other_hits[best] + 0.5) / (bounds.other_count[best] + 1)
    return max(float(np.log(share / other)), 0.0) if share > 0 else 0.0


def renyi_lower(corners: Floats, order: float) -> float:
    """Return a lower bound on the Rényi divergence of the given order above 1, the larger of both directions.

    Merging outputs into "in S" and "not in S" never raises a divergence, so that of two coins with
    probabilities p and q is a bound.

    >>> round(renyi_lower(np.array([[[0.75, 0.25]]]), 2.0), 4)
    0.8473
    """
    if not real("order", order) > 1:
        raise InvalidParameter(f"the order of a Rényi divergence must be above 1, got {order:g}")
    p, q = corners[..., 0], corners[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = order * np.log(p) + (1 - order) * np.log(q)
        outside = order * np.log1p(-p) + (1 - order) * np.log1p(-q)
        divergence = np.logaddexp(inside, outside) / (order - 1)
    useful = np.where(p > q, divergence, 0.0)  # a corner that does not favour its input counts as 0
    return float(np.nan_to_num(useful, nan=0.0, posinf=np.inf).min(axis=1).max(initial=0.0))


def zcdp_lower(corners: Floats) -> float:
    """Return a lower bound on the ρ of zCDP: the largest of divergence / order."""
    return max(renyi_lower(corners, float(order)) / float(order) for order in ZCDP_ORDERS)


# -- the spectrum --------------------------------------------------------------------------------------


TRADE_OFF_POINTS = 201


@dataclass(frozen=True, eq=False, repr=False)
class Spectrum(Reportable):
    """How well outputs reveal which of two inputs was used, at every ε.

    Attributes:
        mechanism: The name of the black box.
        left: The name of the left input, never its data.
        right: The name of the right input.
        claim: The claim that was tested, or None.
        confidence: The confidence of all bounds together.
        samples: Runs over both inputs.
        score: The score that distinguishes the inputs, in words.
        losses: The held-out log-loss, in nats, of every score that was tried.
        epsilons: The grid of ``estimate``, ``lower`` and ``upper``, rising.
        estimate: An estimate of δ at each ε of the grid, the larger of both directions.
        upper: The upper bound on δ at each ε of the grid, or None.
        assumption: The assumption of the upper bound, in words, or None.
        bounds: The lower bounds and the events they rest on.
        scorer: The score together with the encoder of outputs: it tests events on further runs.
        looks: A summary of the outputs, for people.
        bits: Whether the bit patterns of numbers were examined.
        share: The part of the failure probability that this pair had; 1 for a pair by itself.
        failures: How often the mechanism failed while these runs were drawn.
        refuted_assumption: The assumption that the runs refute, or None.
    """

    mechanism: str
    left: str
    right: str
    claim: Claim | None
    confidence: float
    samples: int
    score: str
    losses: Mapping[str, float]
    epsilons: Floats
    estimate: Floats
    upper: Floats | None
    assumption: str | None
    bounds: LowerBounds
    scorer: Scorer
    looks: OutputSummary = field(default_factory=OutputSummary)
    bits: bool = False
    share: float = 1.0
    failures: int = 0
    refuted_assumption: Contradiction | None = None

    @cached_property
    def lower(self) -> Floats:
        """The lower bound on δ at each ε of the grid; all hold together."""
        return self.bounds.delta(self.epsilons)

    @property
    def identified(self) -> bool:
        """Whether each input gave one output only, and not the same: as far as runs show, ε is infinite."""
        return self.looks.identified

    @property
    def bounded(self) -> int:
        """Runs of each input that the bounds rest on."""
        return min(self.bounds.counts.left, self.bounds.counts.right)

    @property
    def comparisons(self) -> int:
        """How many statements share the failure probability."""
        return self.bounds.comparisons

    def delta_lower(self, epsilon: ArrayLike) -> Floats:
        """Return a lower bound on δ at this ε, for all ε together: no smaller δ holds."""
        return self.bounds.delta(read_epsilons(epsilon))

    def delta_estimate(self, epsilon: ArrayLike) -> Floats:
        """Estimate δ at this ε from all outputs: the estimated curve, straight in e^ε between grid points."""
        wanted = read_epsilons(epsilon)
        return np.asarray(np.interp(np.exp(wanted), np.exp(self.epsilons), self.estimate))

    def delta_upper(self, epsilon: ArrayLike) -> Floats | None:
        """Return an upper bound on δ at this ε, if the assumption holds: that of the grid point before it."""
        wanted = read_epsilons(epsilon)
        if self.upper is None:
            return None
        place = np.searchsorted(self.epsilons, wanted, side="right") - 1
        return np.asarray(np.where(place < 0, 1.0, self.upper[np.maximum(place, 0)]))

    def epsilon_lower(self, delta: float = 0.0) -> float:
        """Return a lower bound on ε at this δ, for all δ together: no smaller ε holds."""
        return self.bounds.epsilon(read_delta(delta))

    def epsilon_estimate(self, delta: float = 0.0) -> float:
        """Estimate ε at this δ from one event; a guess, not a bound, and no less than ``epsilon_lower``.

        It is the log-ratio of the event that is bounded best (:func:`estimate_epsilon` has the formula), so
        it is about the events of this audit: others may show more. ``delta_estimate`` adds up all outputs, so
        its curve may reach a larger ε at a small δ. Infinite if each input gave one output only, and not the
        same; finite in all other cases.
        """
        lower = self.epsilon_lower(delta)
        return math.inf if self.identified else max(estimate_epsilon(self.bounds.exact, delta), lower)

    def tradeoff(self) -> TradeOff:
        """Return the trade-off curve of false alarms and misses, estimated and bounded (f-DP)."""
        alarms = np.linspace(0.0, 1.0, TRADE_OFF_POINTS)
        estimated = estimate_misses(self.bounds.counts, alarms)
        return TradeOff(alarms, estimated, misses_upper(self.bounds.exact.corners, alarms))

    def renyi_lower(self, order: float) -> float:
        """Return a lower bound on the Rényi divergence of this order, the larger of both directions."""
        return renyi_lower(self.bounds.exact.corners, order)

    def zcdp_lower(self) -> float:
        """Return a lower bound on the ρ of zero-concentrated differential privacy."""
        return zcdp_lower(self.bounds.exact.corners)

    @property
    def verdict(self) -> str:
        """The verdict on the claim: "false" (refuted), "not refuted", or "none" without a claim.

        It is "identified" if every run gave the input away, but runs are too few to prove more than the claim
        allows.
        """
        if self.claim is not None and self.delta_lower(self.claim.epsilon) > self.claim.delta:
            return "false"
        if self.identified:
            return "identified"
        return "none" if self.claim is None else "not refuted"

    @cached_property
    def witness(self) -> Witness | None:
        """The strongest event, against the claim or else for the largest ε; None if there is none."""
        exact, claim = self.bounds.exact, self.claim
        epsilons = exact.epsilons(self._delta)  # if all are 0, the event that tests the claim
        place = int(np.argmax(epsilons)) if epsilons.max() > 0 else self._testing
        event = self.bounds.events[place]
        rate, other_rate = rates(exact, place)
        if rate.value <= other_rate.value:
            return None
        favoured, other = (self.left, self.right) if event.above else (self.right, self.left)
        chance = chance_under(exact, place, claim, event.weight * self.share) if claim else 1.0
        said = self.scorer.words(event.threshold, above=event.above, nan=self.looks.nan)
        return Witness(
            said, favoured, other, rate, other_rate,
            float(epsilons[place]), chance, claim, event.threshold, event.above,
            self.scorer, refutes=self.verdict == "false",
        )  # fmt: skip

    @cached_property
    def _testing(self) -> int:
        """The event that looked likeliest to refute the claim; else any."""
        looked = [
            (event.looked, place)
            for place, event in enumerate(self.bounds.events)
            if event.looked is not None
        ]
        hopeful = [place for _, place in sorted(looked, reverse=True)]
        able = [place for place in hopeful if math.isfinite(self._visible(place))]
        return [*able, *hopeful, 0][0]

    def _visible(self, place: int) -> float:
        """Return the smallest true ε that an event would have shown against the claim; infinite if none."""
        if self.claim is None:
            return math.inf
        return visible(self.bounds.exact.only(place), self.claim, self.bounded, self.confidence)

    @property
    def tested(self) -> float:
        """The share of runs with the event that tested the claim, for the input it speaks for."""
        exact, place = self.bounds.exact, self._testing
        return float(exact.hits[place] / exact.count[place])

    @property
    def _delta(self) -> float:
        return self.claim.delta if self.claim else 0.0

    @property
    def detectable(self) -> float:
        """The smallest ε that would have refuted the claim about nine times in ten; infinite if none would.

        It is for a violation in the very event that was tested, with a share :attr:`tested` of runs. A
        violation in events that learning and choosing did not find may be of any size.
        """
        return self._visible(self._testing)

    @property
    def inconclusive(self) -> bool:
        """Whether nothing can be said about the claim: too few runs, or nothing in them to compare."""
        if self.claim is None or self.verdict == "false":
            return False
        empty = self.looks.same or self.looks.empty or self.looks.unreadable
        return self.identified or empty or not math.isfinite(self.detectable)

    @cached_property
    def plan(self) -> list[tuple[float, int]]:
        """The runs that would show each of some violations, by an event as likely as the witness's.

        Nothing without a claim or a witness.
        """
        if self.claim is None or self.claim.epsilon <= 0 or self.looks.same or self.witness is None:
            return []
        return outlook(self.claim, float(self.witness.rate.value), self.confidence)

    def explain(self) -> str:
        """Return the result in sentences: verdict, witness, their basis, and the limits of the audit."""
        return explanation.explain(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result in plain JSON values."""
        from noisewright.audit.spectrum.report import to_dict  # noqa: PLC0415  (it needs this module)

        return to_dict(self)

    def report(self) -> Report:
        """Describe the result as a document."""
        from noisewright.audit.spectrum.report import spectrum_report  # noqa: PLC0415  (it needs this module)

        return spectrum_report(self)

    def __str__(self) -> str:
        return render_text(self.report())

    def plot(self, axes: Any = None, *, logarithmic: bool = False) -> Any:
        """Draw δ over ε with its bounds and the most that the claim allows; return the axes."""
        from noisewright.audit.spectrum.plots import plot_spectrum  # noqa: PLC0415  (drawing is seldom wanted)

        return plot_spectrum(self, axes, logarithmic=logarithmic)

    def __repr__(self) -> str:
        least = at_least(self.epsilon_lower(self._delta), 4)
        return (
            f"Spectrum({self.mechanism!r}, verdict={self.verdict!r}, epsilon_lower={least}, "
            f"confidence={self.confidence}, samples={self.samples})"
        )
