"""The widths of all intervals of a planned collection, before anybody is asked.

An interval from n reports is about 2·z·√(V/n) wide, where V is the variance that one report contributes. For
a mean V is exact: the variance of a report under the guessed shape, over the squared slope of the expected
report. Shares, quantiles and the standard deviation have intervals that end at 0 and 1, or that are not
multiples of 1/√n. For them the estimator itself runs on the reports that are *expected* under the guess.
Nothing is simulated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final

import numpy as np

from noisewright.design.blind_spots import blind_spots, only_mean
from noisewright.design.expected_reports import (
    Shape,
    expected_support,
    expected_tally,
    read_shape,
    report_variance,
    straight_slope,
    worst_variance,
)
from noisewright.design.headcount import MOST_PEOPLE, people_for
from noisewright.domains import Bins, Circle, Floats, Integers, Interval
from noisewright.errors import InvalidParameter
from noisewright.estimate import Tally, distribution, frequencies, mean, quantile, variance
from noisewright.estimate.channel import two_valued
from noisewright.mechanisms import FrequencyOracle, Mechanism, NumericMechanism
from noisewright.parameters import real, whole
from noisewright.statistics.intervals import standard_errors

WORST: Final = "worst"
QUARTILES: Final = (0.25, 0.5, 0.75)
MOST_LISTED: Final = 12
"""Most labels that are listed one by one if the guess distinguishes them."""

NO_DIRECTION: Final = (
    "mean direction: people spread evenly round a circle have none; with a guess of their shares it is "
    "planned"
)

Counted = Callable[[int], Tally]
"""From a number of people to their expected reports."""


@dataclass(frozen=True)
class PlannedEstimate:
    """One number that will be estimated.

    Attributes:
        what: its name.
        width: how wide its interval will be.
        share: whether it is a share of people; other numbers are in units of the column.
        wanted: the width that was asked for, if any.
        people: how many people that takes; ``None`` if ten billion are too few, or nothing was asked.
    """

    what: str
    width: float
    share: bool
    wanted: float | None = None
    people: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate in strict JSON values."""
        facts: dict[str, Any] = {"what": self.what, "width": self.width, "share": self.share}
        return facts | ({} if self.wanted is None else {"wanted": self.wanted, "people": self.people})


@dataclass(frozen=True)
class PlannedColumn:
    """Everything that the reports of one column will reveal, and how precisely.

    Attributes:
        mechanism: what the column will be randomized with.
        people: how many will report.
        level: of the intervals.
        guess: what is assumed of the true values, in words.
        estimates: the numbers that will be estimated.
        left_open: what the reports will not reveal, however many there are.
        unplanned: why a number that the reports will reveal has no width here; empty if all have one.
    """

    mechanism: Mechanism
    people: int
    level: float
    guess: str
    estimates: tuple[PlannedEstimate, ...]
    left_open: tuple[str, ...]
    unplanned: str = ""

    def __getitem__(self, what: str) -> PlannedEstimate:
        """Return the estimate of a name."""
        for each in self.estimates:
            if each.what == what:
                return each
        raise KeyError(f"{what!r} is none of {', '.join(each.what for each in self.estimates)}")

    def to_dict(self) -> dict[str, Any]:
        """Return the column in strict JSON values."""
        return {
            "mechanism": type(self.mechanism).__name__,
            "epsilon": self.mechanism.epsilon,
            "people": self.people,
            "level": self.level,
            "guess": self.guess,
            "estimates": [each.to_dict() for each in self.estimates],
            "left_open": list(self.left_open),
            "unplanned": self.unplanned,
        }


def plan_column(
    mechanism: Mechanism,
    people: int,
    *,
    guess: Sequence[float] | str | None = None,
    level: float = 0.95,
    quantiles: Sequence[float] = QUARTILES,
    histogram: int = 20,
    width: float | None = None,
    share_width: float | None = None,
    label: str = "label",
) -> PlannedColumn:
    """Return the widths of the intervals from a column's reports, and the people needed for wanted widths.

    Args:
        mechanism: what the column will be randomized with, for example ``recommend(domain, ε).mechanism``.
        people: how many will report, one report each.
        guess: shares of people in equal parts of the domain, or with each label: public knowledge, never
            taken from the data. "worst" plans means and shares for the worst population; even if ``None``.
        level: the confidence level of the intervals.
        quantiles: the quantiles that will be asked for, by the share of people below.
        histogram: how many bins the histogram will have.
        width: a wanted width of the mean, the standard deviation and quantiles, in units of the column.
        share_width: a wanted width of shares of labels, bins and bars; 0.02 is two percentage points.
        label: the word for a label, for example "cell".

    >>> from noisewright.mechanisms import PM
    >>> planned = plan_column(PM(Interval(0, 100), 1.0), 100_000, width=2.0, quantiles=(), histogram=0)
    >>> round(planned["mean"].width, 3), planned["mean"].people
    (1.319, 43500)
    """
    whole("people", people, 2, MOST_PEOPLE)
    for what, each in (("width", width), ("share_width", share_width)):
        if each is not None and not real(what, each) > 0:
            raise InvalidParameter(f"must be above 0, got {each:g}", field=what)
    if share_width is not None and share_width >= 1:
        raise InvalidParameter(
            f"a wanted width of shares must be below 1, got {share_width:g}; 0.02 is two percentage points, "
            "and a width in units of a column is given with its name"
        )
    task = _Task(mechanism, people, level, width, share_width, label)
    worst = isinstance(guess, str)
    if worst and guess != WORST:
        raise InvalidParameter(f'a guess is a list of shares or "{WORST}", not {guess!r}')
    shape = read_shape(mechanism.domain, None if isinstance(guess, str) else guess)
    unplanned = ""
    said = "the worst population" if worst else "people spread evenly" if guess is None else "the given guess"
    if isinstance(mechanism, FrequencyOracle):
        found = [_worst_label(task, mechanism)] if worst else _labels(task, mechanism, shape)
    elif isinstance(mechanism, NumericMechanism):
        found = _numbers(task, mechanism, shape, quantiles, histogram, worst=worst)
        if isinstance(mechanism.domain, Circle) and guess is None:
            found, unplanned = found[1:], NO_DIRECTION
            if width is not None:
                unplanned += f", and no number of people is given for the width {width:g}"
    else:
        raise InvalidParameter(
            f"{type(mechanism).__name__} cannot be planned; take one that recommend() gives"
        )
    if worst and len(found) > 1 and isinstance(mechanism, NumericMechanism):
        said += " for the mean; people spread evenly for everything else"
    return PlannedColumn(mechanism, people, level, said, tuple(found), blind_spots(mechanism), unplanned)


@dataclass(frozen=True)
class _Task:
    mechanism: Mechanism
    people: int
    level: float
    width: float | None
    share_width: float | None
    label: str

    def estimate(
        self, what: str, width_of: Callable[[int], float], *, share: bool = False
    ) -> PlannedEstimate:
        """Return an estimate whose width is a function of the number of people."""
        here = width_of(self.people)
        wanted = self.share_width if share else self.width
        found = PlannedEstimate(what, here, share, wanted)
        if wanted is None:
            return found
        return replace(found, people=people_for(width_of, wanted, self.people, here))


# -- numbers ---------------------------------------------------------------------------------------


def _numbers(
    task: _Task,
    mechanism: NumericMechanism,
    shape: Shape,
    quantiles: Sequence[float],
    bins: int,
    *,
    worst: bool,
) -> list[PlannedEstimate]:
    domain = mechanism.domain
    level = task.level

    @cache
    def tally(people: int) -> Tally:
        return expected_tally(mechanism, people, shape)

    found = [_mean(task, mechanism, shape, tally, worst=worst)]
    if only_mean(mechanism):
        return found

    def deviation(people: int) -> float:
        spread = variance(tally(people), level=level)
        return math.sqrt(max(spread.high, 0.0)) - math.sqrt(max(spread.low, 0.0))

    def quantile_width(share: float, people: int) -> float:
        return _width(quantile(tally(people), share=share, level=level))

    def bin_width(people: int) -> float:
        """Return the width of the interval of a bin, on average."""
        bars = distribution(tally(people), bins=count, level=level)
        return float(np.mean(bars.high - bars.low))

    if isinstance(domain, Interval) and (bins or quantiles):
        found.append(task.estimate("standard deviation", deviation))
    for share in quantiles if isinstance(domain, Interval) else ():
        name = "median" if share == 0.5 else f"{share:.4g} quantile"
        found.append(task.estimate(name, partial(quantile_width, share)))
    if bins:
        count = min(bins, domain.size) if isinstance(domain, Integers) else bins
        found.append(task.estimate(f"one of {count} bins", bin_width, share=True))
    return found


def _mean(
    task: _Task,
    mechanism: NumericMechanism,
    shape: Shape,
    tally: Counted,
    *,
    worst: bool,
) -> PlannedEstimate:
    if isinstance(mechanism.domain, Circle):
        return task.estimate("mean direction", lambda people: _width(mean(tally(people), level=task.level)))
    slope = straight_slope(mechanism)
    if slope is None or (two_valued(mechanism.domain) and not worst):
        if worst:
            raise InvalidParameter(
                f"the mean report of {type(mechanism).__name__} is not linear in the true value, so its "
                "worst population is not known; plan with a guess"
            )
        return task.estimate("mean", lambda people: _width(mean(tally(people), level=task.level)))
    spread = worst_variance(mechanism) if worst else report_variance(mechanism, shape)

    most = float(np.ptp(mechanism.domain.places(2)))  # an interval never leaves the domain

    def width_of(people: int) -> float:
        width = 2 * standard_errors(task.level, people) * math.sqrt(spread / people) / abs(slope)
        return min(width, most)

    return task.estimate("mean", width_of)


def _width(estimate: Any) -> float:
    return float(estimate.high - estimate.low)


# -- labels ----------------------------------------------------------------------------------------


def _labels(task: _Task, oracle: FrequencyOracle, shape: Shape) -> list[PlannedEstimate]:
    labels = oracle.domain.labels

    def widths(people: int) -> Floats:
        found = frequencies(expected_support(oracle, people, shape.weights), level=task.level)
        return np.asarray(found.high - found.low)

    def width_of(place: int, people: int) -> float:
        return float(widths(people)[place])

    if len(labels) <= MOST_LISTED and np.ptp(shape.weights) > 0:
        return [
            task.estimate(f"share of {label}", partial(width_of, at), share=True)
            for at, label in enumerate(labels)
        ]
    return [task.estimate(_any_label(task, oracle), lambda people: float(widths(people).max()), share=True)]


def _worst_label(task: _Task, oracle: FrequencyOracle) -> PlannedEstimate:
    """Return the share of a label in the population in which it varies most; others are equally frequent."""
    size = len(oracle.domain)
    tried = [np.append(own, np.full(size - 1, (1 - own) / (size - 1))) for own in np.linspace(0, 1, 201)]
    spread = max(float(oracle.share_variance(shares, 1)[0]) for shares in tried)

    def width_of(people: int) -> float:
        return min(2 * standard_errors(task.level, people) * math.sqrt(spread / people), 1.0)

    return task.estimate(_any_label(task, oracle), width_of, share=True)


def _any_label(task: _Task, oracle: FrequencyOracle) -> str:
    return f"share of a {'bin' if isinstance(oracle.domain, Bins) else task.label}"
