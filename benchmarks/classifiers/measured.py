"""Records measured three ways, and the panels that show one of them, their average or the worst."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.classifiers.results import Panel, above
from noisewright.domains import Floats
from noisewright.utility import Records
from noisewright.utility.prediction import Prediction


@dataclass(frozen=True, eq=False)
class Measured:
    """Records measured three ways, without the privacy indicator.

    ``published`` and ``drawn`` are (records, mechanisms, ε), like the certificate of ``prediction``;
    ``corners`` are the low and high corners of the published boxes.
    """

    records: Records
    prediction: Prediction
    published: Floats
    drawn: Floats
    corners: tuple[Floats, Floats]

    @property
    def names(self) -> tuple[str, ...]:
        """The mechanisms."""
        return self.prediction.names

    @property
    def excess(self) -> Floats:
        """How far each published number lies above what can be true."""
        return above(self.published, self.prediction.certificate.high)

    @property
    def width(self) -> float:
        """How far our bounds for single records lie apart, at most."""
        found = self.prediction.certificate
        return float((found.high - found.low).max())

    def record(self, place: int, title: str) -> Panel:
        """The panel of one record."""
        found = self.prediction.certificate
        return Panel(
            title,
            self.names,
            self.prediction.epsilons,
            published=self.published[place],
            drawn=self.drawn[place],
            low=found.low[place],
            high=found.high[place],
        )

    def average(self, title: str, everyone: Prediction | None = None) -> Panel:
        """The panel of the mean over the records; ``everyone`` adds our mean over all records."""
        return Panel(
            title,
            self.names,
            self.prediction.epsilons,
            published=self.published.mean(axis=0),
            drawn=self.drawn.mean(axis=0),
            low=self.prediction.average.low,
            high=self.prediction.average.high,
            records=len(self.published),
            everyone=None if everyone is None else everyone.average.low,
        )

    def worst(self, title: str, everyone: Prediction | None = None) -> Panel:
        """The panel of the least over the records; ``everyone`` adds our least over all records."""
        return Panel(
            title,
            self.names,
            self.prediction.epsilons,
            published=np.min(self.published, axis=0),
            drawn=np.min(self.drawn, axis=0),
            low=self.prediction.worst.low,
            high=self.prediction.worst.high,
            records=len(self.published),
            everyone=None if everyone is None else everyone.worst.low,
        )
