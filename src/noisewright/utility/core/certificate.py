"""Certificates about records: an interval for the utility of each, for every mechanism and ε."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import is_number

SIDES = ("estimate", "low", "high")


@dataclass(frozen=True, eq=False)
class Band:
    """An estimate between a lower and an upper bound; all of one shape, often (mechanisms, ε).

    Attributes:
        estimate: The estimate.
        low: The lower bound.
        high: The upper bound.
    """

    estimate: Floats = field(repr=False)
    low: Floats
    high: Floats

    @property
    def width(self) -> Floats:
        """The distance between the bounds."""
        return np.asarray(self.high - self.low)


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of sampled estimates for averages over records; all of shape (records, mechanisms, ε).

    Attributes:
        failing: An unbiased estimate of 1 − utility: a known part plus a sum of independent terms.
        squares: The sum of the squares of these terms.
        largest: A bound on each term.
    """

    failing: Floats
    squares: Floats
    largest: Floats


@dataclass(frozen=True, eq=False)
class Certificate:
    """Intervals for the utility of records, of shape (records, mechanisms, ε).

    Attributes:
        estimate: The estimate of each utility.
        low: Its lower bound.
        high: Its upper bound.
        method: How the interval of each record was found.
        queries: Number of questions to the model.
        moments: Moments for averages over sampled records; None for exact certificates.
    """

    estimate: Floats = field(repr=False)
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)
    method: tuple[str, ...] = field(repr=False)
    queries: int = 0
    moments: Moments | None = field(default=None, repr=False)

    @property
    def exact(self) -> bool:
        """Whether the intervals involve no randomness."""
        return self.moments is None

    def __len__(self) -> int:
        return len(self.low)

    def band(self, reduce: Callable[[Floats], Floats]) -> Band:
        """Return the estimate and both bounds, each reduced over the records."""
        return Band(*(np.asarray(reduce(getattr(self, side))) for side in SIDES))

    def widen(self, margin: Floats | float) -> Certificate:
        """Return the certificate with bounds moved outward, but never beyond 0 and 1."""
        low, high = np.maximum(self.low - margin, 0.0), np.minimum(self.high + margin, 1.0)
        return replace(self, low=low, high=high)


def read_confidence(confidence: float) -> float:
    """Return a confidence as a number; refuse one below 0.5 or not below 1."""
    if not (is_number(confidence) and 0.5 <= float(confidence) < 1):
        raise InvalidParameter(f"must be at least 0.5 and below 1, got {confidence!r}", field="confidence")
    return float(confidence)
