"""Units for the confidences about each record, so that any finite number fits where scores are kept.

Scores are kept as 32-bit floats, of which there are none beyond 3·10³⁸, and a score of a million has but one
digit behind the point. What tells members from others is how the confidence about *one* record moves, so it
is measured from the middle of where it was seen, in units of how far it moved there. Likelihood ratios and
ranks do not depend on either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.release.attacks.base import Scores

ROUNDING = 1e-9
"""What moves by less than this part of itself is taken to stand still."""

FAR = 1e12
"""Units at which all distances count alike; in deviations of ``lira.NARROWEST`` their squares still fit."""


@dataclass(frozen=True, eq=False)
class Units:
    """For each record the middle of its confidences, and the unit in which they are measured from there.

    >>> units = Units.of([np.array([[1e300, 5.0], [3e300, 5.0]])])
    >>> units.scaled(np.array([[1e300, 5.0], [2.5e300, 5.0]])).tolist()
    [[-1.0, 0.0], [0.5, 0.0]]
    """

    middle: Floats
    unit: Floats

    @classmethod
    def of(cls, seen: Iterable[Floats]) -> Units:
        """From some confidences, in blocks of (releases, records)."""
        ends = [(block.min(axis=0), block.max(axis=0)) for block in seen]
        low, high = np.min([end[0] for end in ends], axis=0), np.max([end[1] for end in ends], axis=0)
        middle = low / 2 + high / 2  # halved first: the sum of two large numbers may be none
        unit = np.maximum(high / 2 - low / 2, ROUNDING * np.abs(middle))
        return cls(middle, np.where(unit > np.finfo(np.float64).tiny, unit, 1.0))

    def scaled(self, confidences: Floats) -> Scores:
        """Confidences (releases, records) in these units."""
        with np.errstate(over="ignore"):
            away = (confidences / 2 - self.middle / 2) / self.unit * 2
        return np.clip(away, -FAR, FAR).astype(np.float32)
