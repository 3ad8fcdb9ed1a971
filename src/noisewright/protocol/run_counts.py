"""What the collector of a run works out: how many users have each label, with an interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from noisewright.mechanisms.joint import JointRandomizedResponse

LEVEL: Final = 0.95


@dataclass(frozen=True)
class LabelCount:
    """How many of the users have a label: unbiased, so that a rare label's number may be negative."""

    label: str
    reported: int
    value: float
    stderr: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """The count in plain JSON values."""
        return asdict(self)


def count_labels(
    mechanism: JointRandomizedResponse, reports: Sequence[Any], level: float = LEVEL
) -> list[LabelCount]:
    """The number of users with each label.

    The interval is about these very users: it covers the noise, not the luck of drawing them from a larger
    population. The variance is Zheng 2026, thm 4 (and its form for more labels), with the covariance that the
    pairs which drew together are sure to have left.
    """
    users, supports = len(reports), mechanism.supports(reports)
    values = users * mechanism.unbiased(supports, users)
    variances = mechanism.noise.count_variance(np.clip(values, 0, users), users)
    reach = NormalDist().inv_cdf((1 + level) / 2)
    return [
        _row(str(label), int(reported), float(value), math.sqrt(max(variance, 0.0)), reach, users)
        for label, reported, value, variance in zip(
            mechanism.domain.labels, supports, values, variances, strict=True
        )
    ]


def as_drawn(mechanism: JointRandomizedResponse, reports: int, alone: int) -> JointRandomizedResponse:
    """The mechanism as it came about, if ``alone`` users share their coins with nobody who reported.

    At its worst: each of them was in another pair, and of that pair nothing cancels.

    >>> from noisewright.domains import Categories
    >>> planned = JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=200, correlation=-0.3)
    >>> as_drawn(planned, reports=200, alone=25).together
    0.75
    """
    return replace(mechanism, together=max(0.0, 1 - alone / (reports / 2)))


def _row(label: str, reported: int, value: float, stderr: float, reach: float, users: int) -> LabelCount:
    low, high = value - reach * stderr, value + reach * stderr
    if high <= 0 or low >= users:  # all of it impossible: keep half its width at the nearest end
        low, high = (0.0, reach * stderr) if high <= 0 else (users - reach * stderr, float(users))
    return LabelCount(label, reported, value, stderr, max(low, 0.0), min(high, float(users)))
