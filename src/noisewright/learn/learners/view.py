"""Columns on a scale that fits where people stand, and directions in units of their standard deviations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.learners.asking import combined, rescaled
from noisewright.learn.learners.linear_moments import (
    USUAL_CORRELATION,
    column_deviations,
    column_means,
    posterior_means,
)
from noisewright.learn.learners.moments import Measured
from noisewright.learn.rules import LinearRule

REACH: Final = 2.5
SCORE_REACH: Final = 2.0
"""How many standard deviations of a column, and of a score, still count: beyond, it is cut."""

LEAST_TURN: Final = 1e-6
"""A second direction shorter than this part of the first is no direction."""


@dataclass(frozen=True, eq=False)
class View:
    """The columns on a scale that fits where people stand, and their standard deviations on that scale."""

    columns: list[LinearRule]
    deviations: Floats
    reaches: Floats

    @classmethod
    def of(cls, means: Measured, spreads: Measured) -> View:
        """Each column about its mean, REACH standard deviations wide, and wider if the mean is uncertain.

        >>> certain = np.zeros(1)
        >>> view = View.of(Measured(np.array([0.5]), certain), Measured(np.array([0.04]), certain))
        >>> view.columns[0].scores(np.array([[0.0], [1.0]])).round(2).tolist()
        [-1.0, 1.0]
        """
        middles, doubt = column_means(means), np.minimum(means.stderr, 0.3)
        deviations = column_deviations(spreads)
        reaches = np.minimum(REACH * deviations + doubt, 1 + np.abs(middles))
        columns = [
            rescaled(LinearRule(row), float(middle), float(reach))
            for row, middle, reach in zip(np.eye(len(middles)), middles, reaches, strict=True)
        ]
        return cls(columns, deviations / reaches, reaches)

    def scaled(self, ties: Measured) -> Measured:
        """Ties of the unit columns as ties of these."""
        return Measured(ties.value / self.reaches, ties.variance / self.reaches**2)

    def standardised(self, ties: Measured) -> Measured:
        """Ties of the columns in units of their standard deviations."""
        return Measured(ties.value / self.deviations, ties.variance / self.deviations**2)

    def score(self, direction: Floats) -> LinearRule:
        """The rule of a direction, given in standard deviations, cut at SCORE_REACH of its own."""
        rule = combined(self.columns, LinearRule(direction / self.deviations))
        return rescaled(rule, 0.0, self._reach(direction))

    def _reach(self, direction: Floats) -> float:
        """Between the deviation of a score if its columns have nothing in common, and if they are one."""
        apart, together = np.linalg.norm(direction), np.abs(direction).sum()
        return float(SCORE_REACH * np.sqrt(apart * together))

    def second_direction(self, first: Floats, seen: Measured) -> Floats:
        """The part of the first direction that is orthogonal to its image under the covariance matrix.

        Together with the first it spans what two steps of conjugate gradients reach. The image is measured
        as products of the columns with the first score; as long as these are uncertain it is taken for what
        it were without any correlation, the first direction itself.
        """
        scale: Floats = self._reach(first) / self.deviations
        image = first + posterior_means(
            Measured(scale * seen.value - first, scale**2 * seen.variance),
            USUAL_CORRELATION * float(np.linalg.norm(first)),
        )
        rest = first - image * (image @ first) / max(float(image @ image), 1e-12)
        return rest if np.linalg.norm(rest) > LEAST_TURN * np.linalg.norm(first) else np.zeros_like(first)
