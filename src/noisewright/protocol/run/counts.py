"""What the collector of a run works out: how many users have each label, with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from noisewright.estimate import Tally, frequencies
from noisewright.estimate.result import LEVEL
from noisewright.mechanisms.joint import JointRandomizedResponse


@dataclass(frozen=True)
class LabelCount:
    """How many of the users have a label: unbiased, so that a rare label's number may be negative."""

    label: str
    reported: int
    value: float
    stderr: float
    low: float
    high: float
    symmetric: bool
    """Whether value ± standard error says the same as the interval."""

    def to_dict(self) -> dict[str, Any]:
        """The count in plain JSON values."""
        return asdict(self)


def count_labels(
    mechanism: JointRandomizedResponse, reports: Sequence[Any], level: float = LEVEL
) -> list[LabelCount]:
    """The number of users with each label.

    The interval is about these very users: it covers the noise, not the luck of drawing them from a larger
    population. Whoever estimates ``about="reporters"`` from the written reports gets the same.
    """
    supports = mechanism.supports(reports)
    tally = Tally.of_supports(supports, len(reports), mechanism)
    found = frequencies(tally, level=level, about="reporters").counts()
    numbers = (found.value, found.stderr, found.low, found.high, found.symmetric)
    return [
        LabelCount(str(label), reported, *row)
        for label, reported, *row in zip(
            mechanism.domain.labels, supports.tolist(), *(each.tolist() for each in numbers), strict=True
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
