"""What a case study has found, ready to be printed and drawn."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from benchmarks.classifiers.channels import FAILURE, GAUSSIAN
from noisewright.domains import Floats
from noisewright.published.classifier_utility import PrivacyIndicator

ROUNDING = 1e-9
"""Sums of probabilities may differ by this much without meaning anything."""


def above(published: Floats, high: Floats) -> Floats:
    """How far published numbers lie above upper bounds; zero where they do not."""
    excess = published - high
    return np.where(excess > ROUNDING, excess, 0.0)


@dataclass(frozen=True, eq=False)
class Panel:
    """Utility against ε, three ways for each mechanism; all arrays are (mechanisms, ε).

    ``published`` is the number of the published framework, ``drawn`` the share of simulated reports that keep
    the answer, ``low`` and ``high`` our certificate. ``everyone`` is the certificate's lower end for all
    records of the table, for which the published framework would take too long.
    """

    title: str
    names: tuple[str, ...]
    epsilons: Floats
    published: Floats
    drawn: Floats
    low: Floats
    high: Floats
    records: int = 1
    everyone: Floats | None = None

    @property
    def excess(self) -> Floats:
        """How far the published number lies above what can be true; zero where it does not."""
        return above(self.published, self.high)

    @property
    def width(self) -> float:
        """How far our bounds lie apart, at most."""
        return float((self.high - self.low).max())

    def behind_indicator(self) -> Panel:
        """The same with the privacy indicator, which the Gaussian mechanism does without (section 5.2)."""
        spared = np.array([[name == GAUSSIAN] for name in self.names])
        indicator = PrivacyIndicator(FAILURE)

        def raised(curve: Floats) -> Floats:
            return np.where(spared, curve, indicator.utility(curve))

        return replace(
            self,
            published=raised(self.published),
            drawn=raised(self.drawn),
            low=raised(self.low),
            high=raised(self.high),
            everyone=None if self.everyone is None else raised(self.everyone),
        )

    def to_dict(self) -> dict[str, Any]:
        """The panel for machines."""
        curves = {
            name: {
                side: getattr(self, side)[row].round(6).tolist()
                for side in ("published", "drawn", "low", "high")
            }
            for row, name in enumerate(self.names)
        }
        return {
            "title": self.title,
            "records": self.records,
            "epsilon": self.epsilons.tolist(),
            "curves": curves,
        }


@dataclass(frozen=True, eq=False)
class Map:
    """Where in the plane of two sensitive features a model keeps its answer for a record.

    ``kept`` are disjoint rectangles, one a row: left, bottom, right, top. If ``exact``, they were read from
    the model; otherwise they are cells of a raster, each with the answer at its centre. ``published`` is the
    box of the published framework by its corners (low, high).
    """

    title: str
    axes: tuple[str, str]
    point: tuple[float, float]
    kept: Floats
    published: tuple[tuple[float, float], tuple[float, float]]
    exact: bool = False

    @property
    def failing_inside(self) -> float:
        """The share of the published box, by area, in which the answer changes."""
        (left, bottom), (right, top) = self.published
        area = (right - left) * (top - bottom)
        return max(0.0, 1 - self._kept_in(*self.published) / area) if area > 0 else 0.0

    @property
    def left_out(self) -> float:
        """The share of the kept area that the published box leaves out."""
        return max(0.0, 1 - self._kept_in(*self.published) / self._kept_in((0, 0), (1, 1)))

    def _kept_in(self, low: tuple[float, float], high: tuple[float, float]) -> float:
        """The area of a box in which the answer is kept."""
        sides = np.minimum(self.kept[:, 2:], high) - np.maximum(self.kept[:, :2], low)
        return float(np.maximum(sides, 0.0).prod(axis=1).sum())

    def to_dict(self) -> dict[str, Any]:
        """The map for machines, without its rectangles."""
        return {
            "title": self.title,
            "exact": self.exact,
            "published_box": [list(corner) for corner in self.published],
            "failing_share_of_box": round(self.failing_inside, 6),
            "stable_share_outside_box": round(self.left_out, 6),
        }


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure of the paper, computed anew."""

    name: str
    title: str
    words: str
    panels: tuple[Panel | Map, ...]

    @property
    def curves(self) -> tuple[Panel, ...]:
        """The panels that show utility against ε."""
        return tuple(panel for panel in self.panels if isinstance(panel, Panel))


@dataclass(frozen=True)
class Reading:
    """One way to read a published number: the box it comes from, what it states, and what is certified."""

    name: str
    box: str
    published: float
    low: float
    high: float

    @property
    def too_high(self) -> bool:
        """Whether it states more than can be true."""
        return self.published > self.high


@dataclass(frozen=True, eq=False)
class Study:
    """One case study: what was asked, what was found, its figures."""

    name: str
    title: str
    facts: tuple[tuple[str, str], ...]
    findings: tuple[str, ...]
    figures: tuple[Figure, ...]
    seconds: float
    readings: tuple[Reading, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The study for machines."""
        return {
            "study": self.name,
            "facts": dict(self.facts),
            "findings": list(self.findings),
            "readings": [asdict(reading) for reading in self.readings],
            "figures": {
                figure.name: {"title": figure.title, "panels": [panel.to_dict() for panel in figure.panels]}
                for figure in self.figures
            },
            "seconds": round(self.seconds, 1),
        }
