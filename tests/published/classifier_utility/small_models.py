"""Models and records that the tests of the published framework ask."""

from __future__ import annotations

import numpy as np

from noisewright import Interval
from noisewright.utility import Records, Sensitive
from noisewright.utility.models.blackbox import BlackBox

UNIT = Interval(0, 1)


def records_of(values) -> Records:
    """Records all of whose features are sensitive and live in 0..1."""
    rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
    sensitive = tuple(Sensitive(f"x{at}", at, UNIT) for at in range(rows.shape[1]))
    return Records(rows, tuple(one.name for one in sensitive), sensitive, np.arange(1, len(rows) + 1))


def asked(answer, records) -> tuple[BlackBox, np.ndarray]:
    """A function of rows that tells 0 or 1 as a black box, and its answers to the records."""
    box = BlackBox(lambda rows: answer(rows).astype(np.int64), classes=(0, 1))
    return box, box.ask(records.values, records.numbers)


class Watched:
    """A model that remembers what it was asked and always answers 0."""

    def __init__(self) -> None:
        self.rows: list[np.ndarray] = []

    @property
    def queries(self) -> int:
        return sum(map(len, self.rows))

    def ask(self, rows, numbers):
        self.rows.append(rows)
        return np.zeros(len(rows), dtype=np.int64)


def network(rows):
    """The network that the paper prints as example 5 (class 1 is coded 0)."""
    hidden = np.maximum(rows @ np.array([[-1.86, -2.09], [0.12, -0.46]]).T + [3.71, -0.08], 0)
    scores = hidden @ np.array([[-3.05, 0.40], [4.02, -0.22]]).T + [0.94, -0.58]
    return scores.argmax(axis=1)


def quadratic(rows):
    """The quadratic discriminant of example 4 (class 1 is coded 0)."""
    first = -0.5 * (rows**2).sum(axis=1) + np.log(0.5)
    second = -0.25 * ((rows - 1) ** 2).sum(axis=1) - 0.5 * np.log(4) + np.log(0.5)
    return second > first
