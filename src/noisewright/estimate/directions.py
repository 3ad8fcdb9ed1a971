"""The mean direction of angles, hours and bearings, from reports alone."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np

from noisewright.domains import Circle, Floats
from noisewright.estimate.functional import Wave
from noisewright.estimate.groups import parts_of
from noisewright.estimate.result import SAMPLE, Estimate
from noisewright.estimate.sandwich import bracket, method_of
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import Mechanism
from noisewright.statistics.intervals import standard_errors

NOT_TURNED: Final = (
    "the mean direction of the reports, which the mechanism does not turn, with a normal interval"
)
"""How intervals were made, for people to read."""

LOOKS = 36
TURNED = 1e-6


def mean_direction(tally: Tally, level: float) -> Estimate:
    """Estimate the direction of the mean of e^{iθ} over the people.

    If the mean may lie at the centre, it has no direction, and the interval is the whole circle. An interval
    across 0 has its low end above its high end, as an arc has.
    """
    period = tally.domain.period
    kept = [shortening(group.mechanism) for group in tally.groups]
    if all(share is not None for share in kept):
        centre, spread = _rescaled(tally, [share for share in kept if share is not None])
        method = NOT_TURNED
    else:
        centre, spread = _inverted(tally, standard_errors(level, tally.count))
        method = method_of(tally)
    angle, length = math.atan2(centre[1], centre[0]), float(np.hypot(*centre))
    across = np.array([-math.sin(angle), math.cos(angle)])
    along = np.array([math.cos(angle), math.sin(angle)])
    reach, stderr = standard_errors(level, tally.count), math.sqrt(max(across @ spread @ across, 0.0))
    # the arc that a confidence band around the centre covers, seen from the middle of the circle
    clear = length > reach * math.sqrt(max(along @ spread @ along, stderr**2, 1e-300))
    turn = period / (2 * math.pi)
    half = math.asin(min(1.0, reach * stderr / length)) if clear else math.pi
    low, high = ((angle - half) * turn % period, (angle + half) * turn % period) if clear else (0.0, period)
    return Estimate(
        angle * turn % period, stderr / max(length, 1e-12) * turn, low,
        high,
        level=level, count=tally.count, method=method, assumption=SAMPLE,
    )  # fmt: skip


@lru_cache(maxsize=64)
def shortening(mechanism: Mechanism) -> float | None:
    """Return the factor by which a mechanism shortens mean directions, if it turns none; otherwise None."""
    domain = mechanism.domain
    if not isinstance(domain, Circle) or mechanism.reports.length != domain.period:
        return None
    places = np.arange(LOOKS) * (domain.period / LOOKS)
    law = mechanism.law(places)
    lengths = np.asarray(law.resultant())
    off = np.asarray(domain.distance(law.mean(), places)).max() / domain.period
    even = off <= TURNED and np.ptp(lengths) <= TURNED
    return float(lengths.mean()) if even and lengths.min() > 1e-9 else None


def _rescaled(tally: Tally, kept: list[float]) -> tuple[Floats, Floats]:
    """The mean of e^{iθ} over the reports, lengthened; mechanisms are weighted by what each is worth."""
    worth = np.array([group.count * share**2 for group, share in zip(tally.groups, kept, strict=True)])
    weights = worth / worth.sum()  # known before any report is seen
    centre, together = np.zeros(2), np.zeros((2, 2))
    for group, share, weight in zip(tally.groups, kept, weights, strict=True):
        parts = parts_of(group.mechanism.reports)
        angles = 2 * math.pi * (np.arange(parts) + 0.5) / parts
        places = np.stack([np.cos(angles), np.sin(angles)])
        centre += weight / share * (places @ group.counts) / group.count
        more = (group.counts + 1 / parts) / (group.count + 1)  # with one more report, see average()
        middle = places @ more
        spread = (places * more) @ places.T - np.outer(middle, middle)
        together += (weight / share) ** 2 * spread * (group.count + 1) / group.count**2
    return centre, together


def _inverted(tally: Tally, reach: float) -> tuple[Floats, Floats]:
    """The mean of e^{iθ} by functions of the reports, for mechanisms that treat directions differently."""
    period = tally.domain.period
    waves = [Wave(period, 0.0), Wave(period, period / 4), Wave(period, period / 8, math.sqrt(2))]
    found = bracket(tally, waves, reach)
    low, high = found.interval(reach)
    wide = (high - low) / (2 * reach)
    cross = (wide[2] ** 2 - wide[0] ** 2 - wide[1] ** 2) / 2
    return found.middle[:2], np.array([[wide[0] ** 2, cross], [cross, wide[1] ** 2]])
