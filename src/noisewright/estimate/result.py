"""What an estimate is: a value, its standard error, an interval, and the words that say what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Floats

LEVEL = 0.95
"""How often an interval holds the truth, where the user does not choose."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """A value with an interval that holds the truth in a stated share of collections.

    ``value``, ``stderr``, ``low`` and ``high`` are numbers, or arrays of the same length. ``method`` says how
    the interval was made, ``assumption`` what must be true for it to mean what it says. The truth is that of
    the population which the people were drawn from, so an interval covers both the noise and the luck of
    the draw.

    >>> print(Estimate(71.3, 0.4, 70.5, 72.1, count=1000))
    71.3 ± 0.4 (95 % interval 70.5 to 72.1, 1,000 reports)
    """

    value: Any
    stderr: Any
    low: Any
    high: Any
    level: float = LEVEL
    count: int = 0
    method: str = ""
    assumption: str = ""

    def __str__(self) -> str:
        if np.ndim(self.value):
            return f"{len(self.value)} values with {self.level:.0%} intervals from {self.count:,} reports"
        return (
            f"{self.value:.6g} ± {self.stderr:.2g} ({100 * self.level:g} % interval {self.low:.6g} to "
            f"{self.high:.6g}, {self.count:,} reports)"
        )

    def to_dict(self) -> dict[str, Any]:
        """The estimate in plain JSON values."""
        numbers = {name: _plain(getattr(self, name)) for name in ("value", "stderr", "low", "high")}
        words = {"level": self.level, "count": self.count, "method": self.method}
        return {**numbers, **words, "assumption": self.assumption}

    def plot(self, axes: Any = None, *, label: str | None = None) -> Any:
        """Draw the value with its interval; returns the matplotlib axes."""
        from noisewright.estimate.drawing import plot_estimate  # noqa: PLC0415  (matplotlib is an extra)

        return plot_estimate(self, axes, label=label)


@dataclass(frozen=True, eq=False)
class Histogram(Estimate):
    """The share of people in each bin, with an interval each; ``edges`` are the ends of the bins."""

    edges: Floats = None  # type: ignore[assignment]  # always given by name; a dataclass wants a default here
    iterations: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "edges": _plain(self.edges)}

    def cumulative(self) -> Floats:
        """The share of people below each edge, by the estimated values."""
        return np.concatenate([[0.0], np.cumsum(self.value)])


@dataclass(frozen=True, eq=False)
class Frequencies(Estimate):
    """The share of people with each label, with an interval each."""

    labels: tuple[Any, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "labels": list(self.labels)}


def _plain(number: Any) -> Any:
    """Numbers as JSON has them: an infinite end of an interval is null."""
    if np.ndim(number):
        return [_plain(item) for item in np.asarray(number).tolist()]
    return float(number) if np.isfinite(number) else None
