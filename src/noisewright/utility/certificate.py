"""What is proved about records: an interval around the utility of each, for every mechanism and ε."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats


@dataclass(frozen=True, eq=False)
class Band:
    """An estimate between a lower and an upper bound."""

    estimate: Floats
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

    estimate: Floats
    low: Floats
    high: Floats
    method: tuple[str, ...]
    queries: int = 0
    moments: Moments | None = None

    @property
    def exact(self) -> bool:
        """Whether no chance is involved."""
        return self.moments is None

    def __len__(self) -> int:
        return len(self.low)


def joined(parts: Sequence[Certificate]) -> Certificate:
    """The certificates of further records, one after the other."""
    moments = None
    if any(part.moments is not None for part in parts):
        each = [part.moments or _sure(part) for part in parts]
        moments = Moments(
            *(np.concatenate([getattr(m, name) for m in each]) for name in ("failing", "squares", "largest"))
        )
    return Certificate(
        estimate=np.concatenate([part.estimate for part in parts]),
        low=np.concatenate([part.low for part in parts]),
        high=np.concatenate([part.high for part in parts]),
        method=tuple(method for part in parts for method in part.method),
        queries=sum(part.queries for part in parts),
        moments=moments,
    )


def _sure(part: Certificate) -> Moments:
    """The moments of an exact certificate: nothing varies; what is undecided counts as failing."""
    nothing = np.zeros_like(part.low)
    return Moments(1.0 - part.low, nothing, nothing)
