"""What noise puts between people and their reports, as numbers that bound the loss of any rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.learn.bounds.laws import LabelledLaw
from noisewright.parameters import real


@dataclass(frozen=True)
class Discrepancy:
    """How far the law of reports is from the law of people; each expectation is over people's places.

    ``variation``: the largest difference in the probability of any set of places. ``drift``: the mean of
    |η − η_noisy|. ``reversed_drift``: the same with the reports' labels swapped. ``certainty_lost``: the mean
    of |η − ½| − |η_noisy − ½|, which may be below 0. Take :meth:`between` for laws on finitely many places,
    or give numbers from elsewhere (``total_variation`` for the first).

    >>> people, reports = LabelledLaw([0.5, 0.5], [1.0, 0.0]), LabelledLaw([0.5, 0.5], [0.6, 0.4])
    >>> Discrepancy.between(people, reports).drift
    0.4
    """

    variation: float
    drift: float
    reversed_drift: float
    certainty_lost: float

    def __post_init__(self) -> None:
        for name in ("variation", "drift", "reversed_drift"):
            if not 0 <= real(name, getattr(self, name)) <= 1:
                raise InvalidParameter(f"{name} must be from 0 to 1, got {getattr(self, name)!r}")
        if not -0.5 <= real("certainty_lost", self.certainty_lost) <= 0.5:
            raise InvalidParameter(f"certainty_lost must be from -0.5 to 0.5, got {self.certainty_lost!r}")

    @classmethod
    def between(cls, clean: LabelledLaw, noisy: LabelledLaw) -> Discrepancy:
        """The discrepancy of two laws on the same places."""
        _same_places(clean, noisy)
        apart = np.array(
            [
                np.abs(clean.lean - noisy.lean),
                np.abs(clean.lean + noisy.lean),
                np.abs(clean.lean) - np.abs(noisy.lean),
            ]
        )
        drift, reversed_drift, lost = (float(mean) for mean in apart @ clean.mass)
        return cls(_variation(clean, noisy), min(drift, 1.0), min(reversed_drift, 1.0), lost)


def transfer_gap(clean: LabelledLaw, noisy: LabelledLaw) -> float:
    """The most by which the excess risk of *any* rule among people exceeds that among reports.

    At each place the worse of the two labels counts, with t₊ = max(t, 0):

        Σ_z max( p(1−2η)₊ − q(1−2η_noisy)₊ ,  p(2η−1)₊ − q(2η_noisy−1)₊ ),

    attained by the rule that takes it everywhere. Never above theorem 4's three terms, often far below.

    >>> people, reports = LabelledLaw([0.5, 0.5], [1.0, 0.0]), LabelledLaw([0.5, 0.5], [0.6, 0.4])
    >>> transfer_gap(people, reports)
    0.8
    """
    _same_places(clean, noisy)
    sides = [
        clean.mass * np.maximum(sign * clean.lean, 0) - noisy.mass * np.maximum(sign * noisy.lean, 0)
        for sign in (-2, 2)
    ]
    return float(np.maximum(*sides).sum())


def _variation(clean: LabelledLaw, noisy: LabelledLaw) -> float:
    return min(1.0, float(np.abs(clean.mass - noisy.mass).sum()) / 2)


def _same_places(clean: LabelledLaw, noisy: LabelledLaw) -> None:
    if clean.mass.shape != noisy.mass.shape:
        raise InvalidParameter("the two laws must be on the same places")
