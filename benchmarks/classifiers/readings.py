"""One published number in several readings: what the text, the program and the figures each make of it.

The text takes a box if at most τ/2 = 0.5 % of its points change the answer. The authors' program takes it at
3 %, keeps the end of the bisection that was never tested, and rounds its sides outward to a grid; that makes
the 0.5959 of their results. The first stays below the truth for the record of figure 6, all others exceed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.classifiers.measured import Measured
from benchmarks.classifiers.results import Reading
from benchmarks.classifiers.study import TEXT_TAU, Settings, Subject
from noisewright.domains import Floats
from noisewright.published.classifier_utility import rectangle_utility
from noisewright.text import percent

LAST_STEP = 2.0**-7
"""What the bisection of a radius leaves open at its end."""

PRINTED = ((0.63, 0.0), (1.0, 1.0))
"""The box of section 7.2.1."""

GRID = 500
"""Steps of the program's cumulative; its last one stands for the end of the interval."""


def rounded(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """A box on the grid on which the program reads its cumulative."""
    return np.floor(low * GRID) / GRID, np.minimum(np.ceil(high * GRID), GRID - 1) / GRID


@dataclass(frozen=True, eq=False)
class OneNumber:
    """The utility of one record, mechanism and ε, in every reading of the published framework."""

    subject: Subject
    measured: Measured
    mechanism: str
    epsilon: float
    settings: Settings

    def readings(self) -> Iterator[Reading]:
        """All readings, the most careful first."""
        low, high = self.measured.corners
        curve, seed = self.measured.prediction.curve, self.settings.seed
        text = self.subject.published(self.measured.records, curve, seed, tau=TEXT_TAU)
        further = low.copy()
        further[0, 0] = max(0.0, low[0, 0] - LAST_STEP)
        printed = np.array(PRINTED)
        yield self._reading(f"text: τ = {TEXT_TAU:g}, so half a per cent may change", text.low, text.high)
        yield self._reading(f"program: {percent(self.subject.accepted)} may change, tested box", low, high)
        yield self._reading("program: the box it returns, one untested step wider", further, high)
        yield self._reading("program: that box with sides rounded outward", *rounded(further, high))
        yield self._reading("the box printed in section 7.2.1", printed[:1], printed[1:])

    def _reading(self, name: str, low: Floats, high: Floats) -> Reading:
        prediction = self.measured.prediction
        rho = rectangle_utility(prediction.curve, prediction.records.units(), low, high)
        sides = zip(low[0].tolist(), high[0].tolist(), strict=True)
        box = " × ".join(f"[{start:.3f}, {end:.3f}]" for start, end in sides)
        return Reading(name, box, float(rho[0][self._place]), *self._truth)

    @property
    def _place(self) -> tuple[int, int]:
        prediction = self.measured.prediction
        return prediction.curve.where(self.mechanism), prediction.nearest(self.epsilon)

    @property
    def _truth(self) -> tuple[float, float]:
        found = self.measured.prediction.certificate
        return float(found.low[0][self._place]), float(found.high[0][self._place])
