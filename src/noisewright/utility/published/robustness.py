"""Probabilistic robustness: whether a model keeps its answer on almost all of a box.

The model is asked at uniform points of the box, and the box is accepted if few enough answers differ
(``rules.py``). That bounds the failing share of the box's *volume*, which is not the probability that a
report fails (``caveats.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.randomness import Stream
from noisewright.utility.published.points import uniforms
from noisewright.utility.published.rules import Rule
from noisewright.utility.records import Records

_ROWS = 1 << 18
"""Questions put together before a model is asked."""


class Asked(Protocol):
    """A model that answers rows with label codes and counts them (``utility.models.BlackBox``)."""

    @property
    def queries(self) -> int:
        """How many rows it answered so far."""

    def ask(self, rows: Floats, numbers: Cells | int) -> Cells:
        """The codes of the answers."""


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What tests of several boxes found. A refused box may have been left before its last points."""

    rule: Rule
    failures: Cells

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Whether each box kept the answer often enough."""
        return np.asarray(self.failures <= self.rule.allowed)


@dataclass(frozen=True, eq=False)
class Prober:
    """Tests boxes of records: ``references`` are the codes of the answers that should hold."""

    box: Asked
    records: Records
    references: Cells
    rule: Rule
    stream: Stream

    def test(self, which: Cells, low: Floats, high: Floats) -> Verdicts:
        """Ask at uniform points of one box for each of the chosen records; corners in unit coordinates."""
        failures = np.zeros(which.size, dtype=np.int64)
        running = np.arange(which.size)
        for piece in self.rule.pieces():
            running = running[failures[running] <= self.rule.allowed]
            step = max(1, _ROWS // piece)
            for at in range(0, running.size, step):
                some = running[at : at + step]
                failures[some] += self._failures(which[some], low[some], high[some], piece)
        return Verdicts(self.rule, failures)

    def _failures(self, which: Cells, low: Floats, high: Floats, points: int) -> Cells:
        spread = uniforms(self.stream, which.size, points, low.shape[1])
        units = low[:, None, :] + spread * (high - low)[:, None, :]
        rows = [self.records.placed(int(one), place) for one, place in zip(which, units, strict=True)]
        answers = self.box.ask(np.concatenate(rows), np.repeat(self.records.numbers[which], points))
        kept = answers.reshape(which.size, points) == self.references[which, None]
        return np.asarray((~kept).sum(axis=1), dtype=np.int64)
