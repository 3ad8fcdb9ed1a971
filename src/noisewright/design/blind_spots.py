"""What reports of a mechanism cannot reveal, however they are analysed; said before anything is drawn.

**Zones.** A mechanism may have one law for a whole stretch of values, as OGPM has at both ends. Only the
number of people in such a stretch can be learned, so the mean is known up to Σ (their share)·(its length).

**Shape.** Let Z be the laws of reports for people spread evenly over each quarter of the domain, and w their
average. No unbiased estimate of the share of a quarter has a variance below that of the Fisher information
M = Z·diag(1/w)·Zᵀ, on average over quarters tr(M⁻¹)/4 − 1/16 a report. Duchi's two reports reveal only
the mean: M is singular. The number is compared with SW's at the same ε.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from noisewright.domains import Bins, Floats, Integers, Interval
from noisewright.estimate.channel import channel_of
from noisewright.estimate.partition import flat_zones
from noisewright.mechanisms import SW, Mechanism, NumericMechanism

QUARTERS = 4
SINGULAR = 1e-13
"""Information below this share of the largest eigenvalue is rounding."""

POOR = 4.0
"""A mechanism that needs this many times the people of SW for a quarter's share gets a sentence."""

ONLY_MEAN = (
    "everything but the mean: reports do not reveal quantiles, bins or the spread of people, however many "
    "answer"
)

MOST_LISTED = 2
SHORT = 0.01
"""Shorter stretches of values with one law, as a share of the domain, are not worth mentioning."""


@lru_cache(maxsize=64)
def blind_spots(mechanism: Mechanism) -> tuple[str, ...]:
    """Return what reports of a mechanism leave open, however they are analysed; empty if nothing.

    Args:
        mechanism: what a column is, or was, randomized with.

    >>> from noisewright.mechanisms import Duchi
    >>> blind_spots(SW(Interval(0, 1), 1.0))
    ()
    >>> blind_spots(Duchi(Interval(0, 1), 1.0))
    ('everything but the mean: reports do not reveal quantiles, bins or the spread of people, however many
    answer',)
    """
    if isinstance(mechanism.domain, Bins):
        return ("where in their bin people are; so there is no mean, no standard deviation and no quantile",)
    if not isinstance(mechanism, NumericMechanism) or not isinstance(mechanism.domain, Interval):
        return ()
    return (*_zones(mechanism), *_shape(mechanism))


def only_mean(mechanism: Mechanism) -> bool:
    """Return whether reports of a mechanism reveal only the mean, so that nothing else is shown.

    >>> from noisewright.mechanisms import Duchi
    >>> only_mean(Duchi(Interval(0, 1), 1.0)), only_mean(SW(Interval(0, 1), 1.0))
    (True, False)
    """
    return ONLY_MEAN in blind_spots(mechanism)


def mean_gap(mechanism: NumericMechanism) -> tuple[float, float]:
    """Return the least width of the mean's interval, however many answer: for an even spread, and at worst.

    >>> from noisewright.mechanisms import OGPM
    >>> [round(gap, 3) for gap in mean_gap(OGPM(Interval(0, 1), 1.0))]
    [0.071, 0.189]
    """
    spans = _spans(mechanism)
    return sum(share * gap for _, _, share, gap in spans), max((gap for *_, gap in spans), default=0.0)


def _spans(mechanism: NumericMechanism) -> list[tuple[float, float, float, float]]:
    """Return stretches with one law: both ends, the share of evenly spread people there, and its width."""
    domain, found = mechanism.domain, []
    for low, high in flat_zones(mechanism):
        if isinstance(domain, Integers):
            inside = domain.values[(domain.values >= low) & (domain.values <= high)]
            if inside.size < 2:
                continue
            first, last, share = float(inside[0]), float(inside[-1]), inside.size / domain.size
        else:
            first, last, share = low, high, (high - low) / domain.length
        found.append((first, last, share, last - first))
    return found


def _zones(mechanism: NumericMechanism) -> tuple[str, ...]:
    spans = [span for span in _spans(mechanism) if span[3] > SHORT * mechanism.domain.length]
    if not spans:
        return ()
    listed = " and ".join(f"from {low:.4g} to {high:.4g}" for low, high, *_ in spans[:MOST_LISTED])
    more = f" and in {len(spans) - MOST_LISTED} more stretches" if len(spans) > MOST_LISTED else ""
    even, worst = mean_gap(mechanism)
    return (
        f"how people are spread {listed}{more}, where all values have one law of reports; so, however many "
        f"answer, the interval of the mean keeps a width of {even:.3g} if people are spread evenly over the "
        f"whole domain, of less if fewer of them are there, and of up to {worst:.3g} if all are",
    )


def _shape(mechanism: NumericMechanism) -> tuple[str, ...]:
    if isinstance(mechanism.domain, Integers) and mechanism.domain.size <= 2:
        return ()  # the mean says how many have which of two values
    name = type(mechanism).title if mechanism.designed else type(mechanism).__name__
    own = quarter_variance(mechanism)
    if math.isinf(own):
        return (ONLY_MEAN,)
    ratio = own / quarter_variance(SW(mechanism.domain, mechanism.epsilon))
    if ratio <= POOR:
        return ()
    return (
        f"much of the shape: for the share of people in a quarter of the range {name} needs about "
        f"{ratio:,.0f} times as many people as SW",
    )


def quarter_variance(mechanism: NumericMechanism) -> float:
    """Return the least variance, per report, of an unbiased share of a quarter of the domain.

    It is infinite if there is no such estimate. People are spread evenly over the whole domain.
    """
    domain = mechanism.domain
    assert isinstance(domain, Interval)
    edges: Floats = np.linspace(domain.low, domain.high, QUARTERS + 1)
    whole = replace(mechanism, domain=domain.as_interval())  # the same laws between whole numbers, too
    laws = channel_of(whole, edges).matrix()
    reports = laws.mean(axis=0)
    seen = laws[:, reports > 0]
    information = (seen / reports[reports > 0]) @ seen.T
    values = np.linalg.eigvalsh(information)
    if values[0] <= SINGULAR * values[-1]:
        return math.inf
    return float(np.sum(1 / values) / QUARTERS - 1 / QUARTERS**2)
