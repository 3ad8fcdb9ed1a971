"""What is proved about records: an interval around the utility of each, for every mechanism and ε."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from noisewright.domains import Floats


@dataclass(frozen=True, eq=False)
class Band:
    """An estimate between a lower and an upper bound."""

    estimate: Floats = field(repr=False)
    low: Floats
    high: Floats

    @property
    def width(self) -> Floats:
        """How far the bounds lie apart."""
        return np.asarray(self.high - self.low)


@dataclass(frozen=True, eq=False)
class Moments:
    """What averaging over records needs to know of sampled estimates; all of shape (records, mechanisms, ε).

    ``failing`` is an unbiased estimate of 1 − utility, a sum of independent terms beside what is known;
    ``squares`` is the sum of the squares of these terms, and ``largest`` bounds each of them.
    """

    failing: Floats
    squares: Floats
    largest: Floats


@dataclass(frozen=True, eq=False)
class Certificate:
    """Intervals for the utility of records, of shape (records, mechanisms, ε).

    ``method`` says for each record how it was found, ``queries`` how often the model was asked. Exact
    certificates have no ``moments``.
    """

    estimate: Floats = field(repr=False)
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)
    method: tuple[str, ...] = field(repr=False)
    queries: int = 0
    moments: Moments | None = field(default=None, repr=False)

    @property
    def exact(self) -> bool:
        """Whether no chance is involved."""
        return self.moments is None

    def __len__(self) -> int:
        return len(self.low)

    def widened(self, margin: Floats | float) -> Certificate:
        """The same with bounds moved outward, but never beyond 0 and 1."""
        low, high = np.maximum(self.low - margin, 0.0), np.minimum(self.high + margin, 1.0)
        return replace(self, low=low, high=high)
