"""Estimates: a value, its standard error, an interval, and sentences on its method and assumption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.parameters import whole
from noisewright.report import Block, Report, Reportable, Section, Table, number
from noisewright.statistics.intervals import CONFIDENCE, standard_errors
from noisewright.text import short

LEVEL = 0.95
"""How often an interval holds the truth, where the user does not choose."""

SAMPLE: Final = "the people are an independent sample of those the estimate is about"
REPORTERS: Final = "the estimate is about those who reported, and chance chose who got which mechanism"
"""What must be true for an estimate to mean what it says."""

MANY = 1 << 62
"""Number of reports assumed for an estimate that does not state it: standard errors are normal ones."""

_NUMBERS = ("value", "stderr", "low", "high")

AGREED = 0.1
"""Of half an interval's width: the most by which value ± reach · standard error may miss the ends."""


MOST_ROWS = 100
"""Numbers of an estimate that its report lists."""


@dataclass(frozen=True, eq=False)
class Estimate(Reportable):
    """A value with an interval that holds the truth in a stated share of collections.

    The truth is that of the population from which the people were drawn, so an interval covers both the noise
    and the luck of the draw.

    An interval need not be symmetric: a share ends at 0, and where a mechanism has one law for many values
    the fitted value may lie anywhere between the ends. No ± is then shown, since value ± standard error would
    contradict the interval (``symmetric``).

    Attributes:
        value: The estimate: a number, or an array.
        stderr: Its standard error, of the same shape.
        low: The lower end of the interval, of the same shape.
        high: The upper end.
        level: How often an interval holds the truth.
        count: Number of reports; 0 if unknown.
        method: How the interval was made.
        assumption: What must be true for it to mean what it says.

    >>> print(Estimate(71.3, 0.4, 70.5, 72.1, count=1000))
    71.3 ± 0.4 (95 % interval 70.5 to 72.1, 1,000 reports)
    >>> print(Estimate(70.5, 0.4, 70.5, 72.1, count=1000))
    70.5 (95 % interval 70.5 to 72.1, 1,000 reports)
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
        error = f" ± {self.stderr:.2g}" if self.symmetric else ""
        return (
            f"{self.value:.6g}{error} ({100 * self.level:g} % interval {self.low:.6g} to {self.high:.6g}, "
            f"{self.count:,} reports)"
        )

    @property
    def symmetric(self) -> Any:
        """Whether the standard error says the same as the interval, so that a ± may stand beside the value.

        That is so if value ± as many standard errors as the level asks for ends where the interval does, up
        to a tenth of its half width. An array for an estimate of several numbers.
        """
        level = min(self.level, CONFIDENCE.at_most)  # audits ask for more, and show no ±
        reach = standard_errors(level, max(self.count, 2) if self.count else MANY)
        value, stderr, low, high = (np.asarray(getattr(self, name), dtype=np.float64) for name in _NUMBERS)
        error, half = reach * stderr, (high - low) / 2
        with np.errstate(invalid="ignore"):  # what is infinite or no number agrees with nothing
            below, above = np.abs(value - error - low), np.abs(value + error - high)
            # An arc across 0 of a circle has its low end above its high end: one of the two is a turn away.
            apart = np.where(low <= high, np.maximum(below, above), np.minimum(below, above))
            agreed = apart <= AGREED * np.where(low <= high, half, error)
        return agreed if agreed.ndim else bool(agreed)

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate in plain JSON values."""
        numbers = {name: _plain(getattr(self, name)) for name in _NUMBERS}
        words = {"level": self.level, "count": self.count, "method": self.method}
        symmetric = np.asarray(self.symmetric).tolist()
        return {**numbers, "symmetric": symmetric, **words, "assumption": self.assumption}

    def report(self) -> Report:
        """Describe the estimate as a document: a row for each number."""
        numbers = [np.ravel(getattr(self, name)).tolist() for name in _NUMBERS]
        cells = [[number(short(each), exact=each) for each in row] for row in zip(*numbers, strict=True)]
        rows = [[name, *row] for name, row in zip(self._row_names(), cells, strict=True)]
        header = ["", "estimate", "standard error", "low", "high"]
        blocks: list[Block] = [
            Table(f"Estimates with {100 * self.level:g} % intervals", header, rows[:MOST_ROWS])
        ]
        blocks += [f"{len(rows) - MOST_ROWS:,} more are in to_dict()."] if len(rows) > MOST_ROWS else []
        blocks += [f"The intervals assume: {self.assumption}."] if self.assumption else []
        return Report(
            "Estimate", str(self), [Section("Numbers", blocks)], verb="estimate", data=self.to_dict()
        )

    def _row_names(self) -> list[str]:
        """Return a name for each number of the estimate."""
        return [str(place) for place in range(np.size(self.value))] if np.ndim(self.value) else ["value"]

    def plot(self, axes: Any = None, *, label: str | None = None) -> Any:
        """Draw the value with its interval; returns the matplotlib axes."""
        from noisewright.estimate.plots import plot_estimate  # noqa: PLC0415  (matplotlib is an extra)

        return plot_estimate(self, axes, label=label)


@dataclass(frozen=True, eq=False)
class Histogram(Estimate):
    """The share of people in each bin, with an interval each.

    Attributes:
        edges: The ends of the bins, one more than there are bins.
        iterations: Steps that the fit took; 0 if it took none.
    """

    edges: Floats = None  # type: ignore[assignment]  # always given by name; a dataclass wants a default here
    iterations: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "edges": _plain(self.edges)}

    def _row_names(self) -> list[str]:
        return [f"{short(low)} to {short(high)}" for low, high in pairwise(self.edges.tolist())]

    def cumulative(self) -> Floats:
        """Return the share of people below each edge, by the estimated values."""
        return np.concatenate([[0.0], np.cumsum(self.value)])


@dataclass(frozen=True, eq=False)
class Frequencies(Estimate):
    """The share of people with each label, with an interval each.

    Attributes:
        labels: The labels.
        raw: The unbiased shares, to which ``stderr`` and the intervals belong.
        consistency: The method that makes ``value`` from ``raw``; "none" if they are the same.

    >>> value, stderr = np.array([0.7, 0.3]), np.full(2, 0.01)
    >>> asked = Frequencies(
    ...     value, stderr, value - 0.02, value + 0.02, count=1000, labels=("no", "yes")
    ... )
    >>> print(asked["yes"])
    0.3 ± 0.01 (95 % interval 0.28 to 0.32, 1,000 reports)
    >>> asked.counts().value.tolist(), asked.top(1).labels
    ([700.0, 300.0], ('no',))
    """

    labels: tuple[Any, ...] = ()
    raw: Any = None
    consistency: str = "none"

    def __post_init__(self) -> None:
        if self.raw is None:
            object.__setattr__(self, "raw", self.value)

    def _row_names(self) -> list[str]:
        return [str(label) for label in self.labels]

    def __getitem__(self, label: Any) -> Estimate:
        """Return the estimate of one label's share."""
        if label not in self.labels:
            raise KeyError(f"{label!r} is not one of the {len(self.labels)} labels")
        place = self.labels.index(label)
        return self._estimate(lambda numbers: float(numbers[place]))

    def top(self, labels: int) -> Frequencies:
        """Return the labels with the largest values, largest first.

        Picking the largest values favours labels whose values are large by chance. For intervals that hold
        for all picked labels at once, ask for the frequencies at a level of 1 − 0.05/number of all labels.
        """
        shown = whole("labels", labels, 1, 1 << 62)
        order = np.argsort(-np.asarray(self.value), kind="stable")[:shown]
        numbers: dict[str, Any] = {
            name: np.asarray(getattr(self, name))[order] for name in (*_NUMBERS, "raw")
        }
        return replace(self, **numbers, labels=tuple(self.labels[place] for place in order))

    def counts(self, people: int | None = None) -> Estimate:
        """Return how many of the people have each label, in the order of the labels, with an interval each.

        The people are those who reported, unless the size of the population that they were drawn from is
        given. If only the reporters matter, shares ``about="reporters"`` have shorter intervals.
        """
        size = self.count if people is None else whole("people", people, 1, 1 << 62)
        return self._estimate(lambda numbers: np.asarray(numbers) * size)

    def _estimate(self, pick: Callable[[Any], Any]) -> Estimate:
        """An estimate with numbers made from those of the shares."""
        return Estimate(
            pick(self.value), pick(self.stderr), pick(self.low), pick(self.high),
            level=self.level, count=self.count, method=self.method, assumption=self.assumption,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        said = {"labels": list(self.labels), "raw": _plain(self.raw), "consistency": self.consistency}
        return {**super().to_dict(), **said}


def _plain(number: Any) -> Any:
    """Numbers as JSON has them: an infinite end of an interval is null."""
    if np.ndim(number):
        return [_plain(item) for item in np.asarray(number).tolist()]
    return float(number) if np.isfinite(number) else None
