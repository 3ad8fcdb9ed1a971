"""Recommend a mechanism for a column by the purpose of its reports, with the reason.

The rule, with the measurements behind it, is in ``docs/theory/design.md``, section 45.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from noisewright.design.blind_spots import blind_spots
from noisewright.design.optimal_law import optimal_law
from noisewright.domains import Bins, Circle, Domain, FiniteDomain, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import (
    OGPM,
    PM,
    SW,
    CircularOGPM,
    DesignedLaw,
    Hybrid,
    Mechanism,
    NumericMechanism,
    best_oracle,
)
from noisewright.parameters import EPSILON, one_of

MEAN, DISTRIBUTION, BOTH, BINS, SINGLE = "mean", "distribution", "both", "bins", "single"
PURPOSES: Final = (MEAN, DISTRIBUTION, BOTH, BINS, SINGLE)
"""Purposes of reports: the mean, the shape, both of them, bins that are fixed beforehand, or single reports
that lie near the truth."""

MOST_WORST: Final = 1.2
"""Limit on the worst-case variance of the law for means, as a multiple of the least one. Real columns are
seldom at the worst value, and giving up a fifth there gains up to a quarter on most of them."""

KNOTS: Final = 65
SAME: Final = 1.1
"""Two variances within 10 % are called about equal."""


@dataclass(frozen=True)
class Recommendation:
    """A mechanism for a column, what it is for, and why it was taken.

    Attributes:
        mechanism: what to randomize the column with.
        purpose: one of ``PURPOSES``.
        reason: one sentence with the numbers that decided.
    """

    mechanism: Mechanism
    purpose: str
    reason: str

    @property
    def blind_spots(self) -> tuple[str, ...]:
        """What reports of this mechanism leave open, however they are analysed."""
        return blind_spots(self.mechanism)


def recommend(
    domain: Domain, epsilon: float, purpose: str = BOTH, bins: int | Sequence[float] | None = None
) -> Recommendation:
    """Return the mechanism for a column by the purpose of its reports, with the reason.

    Args:
        domain: where true values live. Labels get the frequency oracle with the least variance.
        epsilon: the budget of one report.
        purpose: "mean"; "distribution" (histogram, quantiles); "both" of them; "bins", fixed beforehand;
            or "single", reports that lie near their own true value.
        bins: only for "bins": their edges from one end of the domain to the other, or the number of bins.

    >>> from noisewright import Integers
    >>> recommend(Integers(0, 99), 1.0).mechanism
    SW(domain=Integers(0, 99), epsilon=1.0)
    >>> print(recommend(Integers(0, 99), 4.0, "bins", bins=10).reason)
    the bin as a label, 10 of them, through KRR: one report estimates a share with variance 0.127, in 4 bits;
    SubsetSelection is as good but its reports have 10 bits; HadamardResponse would need 1.74 times as many
    people
    >>> for spot in recommend(Interval(0, 100), 1.0, "single").blind_spots:
    ...     print(spot)
    how people are spread from 0 to 18.87 and from 81.13 to 100, where all values have one law of reports; so,
    however many answer, the interval of the mean keeps a width of 7.12 if people are spread evenly over the
    whole domain, of less if fewer of them are there, and of up to 18.9 if all are
    """
    budget = EPSILON.check(epsilon)
    if isinstance(domain, FiniteDomain):
        if bins is not None or purpose not in (BOTH, DISTRIBUTION, BINS):
            raise InvalidParameter("labels have shares and nothing else; leave out the purpose and the bins")
        best = best_oracle(domain, budget)
        return Recommendation(best.mechanism, DISTRIBUTION, best.reason.removesuffix("."))
    if not isinstance(domain, NumericDomain):
        raise InvalidParameter(f"recommend needs numbers or labels, got {domain!r}")
    one_of("the purpose", purpose, PURPOSES)
    if (bins is None) == (purpose == BINS):
        raise InvalidParameter('purpose="bins" and the edges of the bins, or their number, go together')
    if bins is not None:
        labels = Bins(domain, bins)
        found = best_oracle(labels, budget)
        reason = f"the bin as a label, {len(labels)} of them, through {found.reason.removesuffix('.')}"
        return Recommendation(found.mechanism, BINS, reason)
    if isinstance(domain, Circle):
        return Recommendation(CircularOGPM(domain, budget), purpose, ROUND)
    assert isinstance(domain, Interval)
    if purpose == MEAN:
        return _mean(domain, budget)
    if purpose == SINGLE:
        return Recommendation(OGPM(domain, budget), purpose, NEAR)
    return Recommendation(SW(domain, budget), purpose, _shape(domain, budget, purpose))


ROUND: Final = (
    "CircularOGPM: on a circle its window turns with the true value, so that reports reveal the mean "
    "direction and the whole distribution"
)
NEAR: Final = "OGPM: among windows its single reports lie nearest to the truth (least worst expected |error|)"


def _shape(domain: Interval, epsilon: float, purpose: str) -> str:
    """Return why SW is taken, and what it costs for the mean."""
    extra = even_variance(SW(domain, epsilon)) / even_variance(PM(domain, epsilon))
    what = "the shape, quantiles and bins" if purpose == DISTRIBUTION else "the shape and the mean"
    return (
        f"SW reveals {what} without blind spots; for the mean alone, PM would need only "
        f"{100 / extra:.0f} % of the people (evenly spread)"
        if extra > SAME
        else f"SW reveals {what} without blind spots, the mean about as well as PM"
    )


def _mean(domain: Interval, epsilon: float) -> Recommendation:
    """Return the unbiased law with the least variance over the range, or PM or Hybrid if none is found."""
    rivals: list[NumericMechanism] = [PM(domain, epsilon), Hybrid(domain, epsilon)]
    spread = {type(each).__name__: even_variance(each) for each in rivals}
    law = mean_law(domain, epsilon)
    if law is None:
        chosen = min(rivals, key=even_variance)
        name, other = sorted(spread, key=spread.__getitem__)
        return Recommendation(
            chosen, MEAN, f"{name}: its reports are unbiased and vary least over the range, {other}'s "
            f"{100 * spread[other] / spread[name] - 100:.0f} % more",
        )  # fmt: skip
    own = even_variance(law)
    said = ", ".join(f"{name} {spread[name] / own:.2f}" for name in spread)
    reason = (
        "a law designed for means: unbiased, with the least variance on average over the range and at most "
        f"{MOST_WORST:g} times the least possible one anywhere; others need more people if they are spread "
        f"evenly ({said} times as many)"
    )
    return Recommendation(law, MEAN, reason)


def mean_law(domain: Interval, epsilon: float) -> DesignedLaw | None:
    """Return the unbiased law of least average variance whose worst variance is within 1.2 times the least.

    It is solved once on the unit interval, of which any other interval is a scaled copy. It is ``None`` if
    the linear program was not solved.
    """
    found = _unit_law(epsilon, min(KNOTS, domain.lattice))
    if found is None:
        return None
    outer = found.report_lattice
    assert isinstance(outer, Interval)
    low, high = (domain.low + domain.length * end for end in (outer.low, outer.high))
    reports = Interval(low, high, cells=outer.cells)
    return DesignedLaw(domain, epsilon, reports, found.outputs, found.weights, dithered=True)


@lru_cache(maxsize=16)
def _unit_law(epsilon: float, knots: int) -> DesignedLaw | None:
    try:
        found = optimal_law(
            Interval(0, 1), epsilon, "squared", "average", cap_worst=MOST_WORST, unbiased=True, inputs=knots
        )
    except InvalidParameter:  # the solver gave up
        return None
    return found if isinstance(found, DesignedLaw) else None


def even_variance(mechanism: NumericMechanism) -> float:
    """Return the variance of one report as an estimate of the mean of evenly spread people."""
    places = mechanism.domain.places(257)
    law = mechanism.law(places)
    means, spread = np.asarray(law.mean()), np.asarray(law.variance())
    slope = float((means[-1] - means[0]) / (places[-1] - places[0]))
    weights = np.ones(places.size)
    weights[[0, -1]] = 0.5  # the trapezoid rule: end values stand for half a step each
    return float(np.average(spread, weights=weights)) / slope**2 + float(np.var(places))
