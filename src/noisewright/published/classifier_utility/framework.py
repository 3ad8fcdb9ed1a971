"""The published framework from end to end: radius, hyperrectangle, utility, and its empirical check.

The paper does not say in which order the sides of a hyperrectangle grow (section 5.1). Here every side first
tries to move to the end of the unit interval, so that features which hardly matter are done first. Then the
remaining sides move, one after the other, as far as the test accepts while the others stay.

Its check ρ̂ is how often the answer holds among a few thousand simulated reports. It has a sampling error of
±0.02 at 2,000 draws, which the paper does not state; a record's true value lies outside in one case of
twenty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.base import open_stream
from noisewright.parameters import Parameter, whole
from noisewright.published.classifier_utility.robustness import Prober, find_rule, uniforms
from noisewright.published.classifier_utility.utility import Published, rectangle_utility
from noisewright.randomness import SeededSource, Source, Stream
from noisewright.statistics.roots import bisect
from noisewright.utility.answers import Asking, ask_records
from noisewright.utility.core.channels import Channel
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records
from noisewright.utility.models import BlackBox, Classifier
from noisewright.utility.prediction import Prediction
from noisewright.utility.record_table import RecordTable

PRECISION = Parameter(
    "precision", "precision of the sides, in unit coordinates", above=1e-6, at_most=0.5, usual=(0.01,)
)


def ball(units: Floats, radii: ArrayLike) -> tuple[Floats, Floats]:
    """Return the corners of balls in the largest-coordinate distance, cut to the unit cube.

    >>> [corner.tolist() for corner in ball(np.array([[0.5, 0.875]]), 0.25)]
    [[[0.25, 0.625]], [[0.75, 1.0]]]
    """
    reach = np.broadcast_to(np.asarray(radii, dtype=np.float64), (len(units),))[:, None]
    return np.maximum(units - reach, 0.0), np.minimum(units + reach, 1.0)


def find_radii(prober: Prober, precision: float = 0.01) -> Floats:
    """Return the robustness radius of every record: the largest ball on which the model keeps its answer.

    It is found by bisection of 0..1, with common rounds of questions for all records. It is the largest
    radius that was tested and *accepted*, up to the precision; 0 if the smallest was refused.

    Args:
        prober: Tests boxes of the records.
        precision: Precision of the search for radii, in unit coordinates.
    """
    units = prober.records.units()
    everyone = np.arange(len(units))

    def accepted(radii: Floats) -> NDArray[np.bool_]:
        return prober.test(everyone, *ball(units, radii)).accepted

    return bisect(accepted, np.zeros(len(units)), np.ones(len(units)), rounds(1.0, precision))[0]


def rounds(length: float, precision: float) -> int:
    """Return how often a length must be halved until it is at most the precision.

    >>> rounds(1.0, 0.01)
    7
    """
    return max(0, math.ceil(math.log2(length / precision))) if length > 0 else 0


def find_rectangles(prober: Prober, radii: Floats, precision: float = 0.01) -> tuple[Floats, Floats]:
    """Return the low and high corners of every record's rectangle in unit coordinates, one row per record.

    Args:
        prober: Tests boxes of the records.
        radii: Robustness radii, from which the rectangles start to grow.
        precision: Precision of the search for sides, in unit coordinates.
    """
    growing = _Rectangles(prober, *ball(prober.records.units(), radii))
    sides = [(axis, goal) for axis in range(growing.low.shape[1]) for goal in (0.0, 1.0)]
    for axis, goal in sides:
        growing.leap(axis, goal)
    for axis, goal in sides:
        growing.push(axis, goal, precision)
    return growing.low, growing.high


class _Rectangles:
    """The rectangles of all records while their sides are pushed outward."""

    def __init__(self, prober: Prober, low: Floats, high: Floats) -> None:
        self.prober, self.low, self.high = prober, low, high

    def leap(self, axis: int, goal: float) -> Cells:
        """Move one side of every rectangle to its goal, 0 or 1; return the refused records."""
        side = self.high if goal else self.low
        moving = np.flatnonzero(side[:, axis] != goal)
        return moving[~self._try(moving, axis, goal, np.full(moving.size, goal))]

    def push(self, axis: int, goal: float, precision: float) -> None:
        """Move one side of every rectangle toward its goal as far as the test accepts."""
        side, moving = self.high if goal else self.low, self.leap(axis, goal)
        beyond = np.full(moving.size, goal)
        longest = float(np.abs(side[moving, axis] - goal).max(initial=0.0))
        for _ in range(rounds(longest, precision)):
            middle = (side[moving, axis] + beyond) / 2
            accepted = self._try(moving, axis, goal, middle)
            beyond = np.where(accepted, beyond, middle)

    def _try(self, which: Cells, axis: int, goal: float, ends: Floats) -> NDArray[np.bool_]:
        """Test rectangles with one side moved, and keep those that are accepted."""
        corners = {0.0: self.low[which], 1.0: self.high[which]}
        corners[goal][:, axis] = ends
        accepted = self.prober.test(which, corners[0.0], corners[1.0]).accepted
        side = self.high if goal else self.low
        side[which[accepted], axis] = ends[accepted]
        return accepted


def published_utility(
    box: BlackBox,
    records: Records,
    references: Cells,
    curve: Curve,
    *,
    omega: float = 0.05,
    tau: float = 0.01,
    test: str = "hoeffding",
    conservative: bool = False,
    precision: float = 0.01,
    source: Source | None = None,
) -> Published:
    """Return the claim of the framework for every record, mechanism and ε; only for comparison.

    Args:
        box: The model, as a :class:`~noisewright.utility.models.BlackBox`.
        records: The records to predict.
        references: The answers that should hold, as codes of the box.
        curve: The mechanisms and ε.
        omega: Probability that one test errs.
        tau: Share of a box that may fail.
        test: "hoeffding" (the paper's), "clopper-pearson" (the same statement with far fewer questions) or
            "as coded" (the laxer rule of the authors' program).
        conservative: Whether to keep the factor (1 − ω)(1 − τ), which section 5.1 drops.
        precision: Precision of the search for sides, in unit coordinates.
        source: Random words of the questions; None takes secure ones.

    >>> from noisewright import Interval
    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.utility import Records, Sensitive, make_curve
    >>> class Middle:
    ...     queries = 0
    ...     def ask(self, rows, numbers):
    ...         return ((rows[:, 0] >= 0.2) & (rows[:, 0] <= 0.8)).astype(int)
    >>> one = Records(np.array([[0.5]]), ("x",), (Sensitive("x", 0, Interval(0, 1)),), np.array([1]))
    >>> found = published_utility(
    ...     Middle(), one, np.array([1]), make_curve(["OGPM"], [2.0]),
    ...     test="clopper-pearson", source=SeededSource(1),
    ... )
    >>> bool(abs(found.low[0, 0] - 0.2) < 0.02), found.label
    (True, 'as published (Zheng and Hu): an estimate, not a bound')
    """
    if len(references) != len(records):
        raise InvalidParameter(
            f"every record needs one reference answer, got {len(references)} for {len(records)} records"
        )
    precision = PRECISION.check(precision)
    before = box.queries
    rule = find_rule(test, omega, tau)
    prober = Prober(box, records, np.asarray(references), rule, open_stream(source))
    radii = find_radii(prober, precision)
    low, high = find_rectangles(prober, radii, precision)
    rho = rectangle_utility(
        curve, records.units(), low, high, omega=omega, tau=tau, conservative=conservative
    )
    asked = box.queries - before
    return Published(rho=rho, queries=asked, curve=curve, radii=radii, low=low, high=high, test=test)


DRAWS = 2000
"""Simulated reports for each record, mechanism and ε (section 7.1)."""


def empirical_utility(
    box: BlackBox,
    records: Records,
    references: Cells,
    curve: Curve,
    *,
    draws: int = DRAWS,
    source: Source | None = None,
) -> Floats:
    """Return the share of simulated reports that keep the answer, as (records, mechanisms, ε).

    Reports are drawn from the exact law of each channel; those outside 0..1 are lost, as in the paper, and
    the model is not asked about them.

    Args:
        box: The model, as a :class:`~noisewright.utility.models.BlackBox`.
        records: The records to predict.
        references: The answers that should hold, as codes of the box.
        curve: The mechanisms and ε.
        draws: Simulated reports for each record, mechanism and ε.
        source: Random words of the reports; None takes secure ones.
    """
    stream, draws = open_stream(source), whole("draws", draws, 1, 10_000_000)
    shares = np.empty((len(records), len(curve.flat())))
    for one in range(len(records)):
        reports = [_reports(channel, records.units()[one], stream, draws) for channel in curve.flat()]
        shares[one] = _kept_shares(box, records, one, int(references[one]), reports)
    return shares.reshape(len(records), *curve.shape)


def _reports(channel: Channel, units: Floats, stream: Stream, draws: int) -> Floats:
    """Return simulated reports of one record through one channel, one row per draw."""
    spread = uniforms(stream, draws, units.size)
    return np.stack(
        [
            channel.lattice.centres(channel.law(float(unit)).draw(spread[:, axis]))
            for axis, unit in enumerate(units)
        ],
        axis=1,
    )


def _kept_shares(box: BlackBox, records: Records, one: int, reference: int, reports: list[Floats]) -> Floats:
    """Return the share of each set of reports that keeps the answer; one question for all sets."""
    every = np.stack(reports)
    inside = ((every >= 0) & (every <= 1)).all(axis=2)
    kept = np.zeros(inside.shape, dtype=bool)
    if inside.any():
        rows = records.with_values(one, every[inside])
        kept[inside] = box.ask(rows, int(records.numbers[one])) == reference
    return np.asarray(kept.mean(axis=1))


TEST: Final = "clopper-pearson"
"""The default test: the published statement about a box, with far fewer questions than the paper's own."""


@dataclass(frozen=True)
class PublishedBeside:
    """A function that computes the published number for the model, records and curve of a prediction.

    It is the ``compare`` of :func:`noisewright.utility.forecast_file`.

    Args:
        asking: Batches, time and budget of all questions to the model, including those of the prediction.
        answers: The column of true labels; None if the model's own answers should hold.
        seed: Seed of the questions; None takes secure ones.
    """

    asking: Asking = Asking()  # noqa: RUF009  (frozen)
    answers: str | None = None
    seed: int | None = None

    def __call__(
        self, classifier: Classifier, table: RecordTable, prediction: Prediction
    ) -> tuple[Published | None, int]:
        """Return the framework's numbers for the records of a prediction, and the number of rows asked.

        None, if the prediction did not leave enough of the budget: the prediction itself is not discarded for
        a number that is only for comparison.
        """
        left = None if self.asking.budget is None else self.asking.budget - prediction.asked
        if left is not None and left < 1:
            return None, 0
        box = replace(self.asking, budget=left).box(classifier)
        try:
            return self._published(box, table, prediction), box.queries
        except InvalidParameter:
            if left is None:
                raise
            return None, box.queries

    def _published(self, box: BlackBox, table: RecordTable, prediction: Prediction) -> Published:
        everyone = np.arange(1, len(table.values) + 1)
        there = replace(prediction.records, values=table.values, numbers=everyone)
        labels = None if self.answers is None else table.labels[self.answers]
        chosen, known = ask_records(box, there, prediction.records.numbers - 1, labels)
        source = None if self.seed is None else SeededSource(self.seed)
        return published_utility(box, chosen, known.expected, prediction.curve, test=TEST, source=source)
