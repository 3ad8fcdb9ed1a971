"""The relation of features and label that noise leaves: proposition 2, on finitely many places.

A :class:`LabelledLaw` says how likely each place is and how often a record there has label 1. A channel
between places (a row of probabilities for each true place) and randomized response on the label turn it into
the law of the reports:

    η_noisy(z₀) − ½ = 2(keep − ½) · Σ_z weight(z | z₀)·mass(z)·(η(z) − ½)       (Qin and Bai 2026, eq. 4)
    weight(z | z₀)  = channel(z, z₀) / Σ_z′ mass(z′)·channel(z′, z₀)            (eq. 5)

so a report's label leans like the *average* record around it. A continuous law is first put on a grid;
:func:`grid_channel` does it for any numeric mechanism.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import NumericMechanism
from noisewright.parameters import real

ROUNDING = 1e-9
"""The most that a sum of probabilities may differ from one."""


@dataclass(frozen=True, eq=False)
class LabelledLaw:
    """The law of (place, label): the probability of each place, and of label 1 at each.

    Attributes:
        mass: The probability of each place.
        positive: The probability of label 1 at each.

    >>> law = LabelledLaw([0.5, 0.5], [0.9, 0.3])
    >>> law.best.tolist(), round(law.accuracy(law.best), 3), round(law.excess([1, 1]), 3)
    ([1, 0], 0.8, 0.2)
    """

    mass: Floats
    positive: Floats

    def __post_init__(self) -> None:
        mass, positive = np.asarray(self.mass, dtype=np.float64), np.asarray(self.positive, dtype=np.float64)
        if mass.ndim != 1 or mass.size == 0 or mass.shape != positive.shape:
            raise InvalidParameter(
                "mass and positive must be two lists of the same length, at least one place"
            )
        _check_chances("mass", mass)
        if not ((positive >= 0) & (positive <= 1)).all():
            raise InvalidParameter("must be from 0 to 1", field="positive")
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "positive", positive)

    @property
    def lean(self) -> Floats:
        """How far label 1 is from a toss-up at each place: η − ½."""
        return self.positive - 0.5

    @property
    def best(self) -> NDArray[np.int64]:
        """The label that errs least at each place: the Bayes classifier."""
        return (self.positive >= 0.5).astype(np.int64)

    def accuracy(self, codes: ArrayLike) -> float:
        """Return how often a classifier, given by its label for each place, is right."""
        chosen = np.where(self._codes(codes) == 1, self.positive, 1 - self.positive)
        return float(self.mass @ chosen)

    def excess(self, codes: ArrayLike) -> float:
        """Return how much less often a classifier is right than the best one: its excess risk."""
        wrong = self._codes(codes) != self.best
        return float(self.mass @ np.where(wrong, 2 * np.abs(self.lean), 0.0))

    def _codes(self, codes: ArrayLike) -> NDArray[Any]:
        array = np.asarray(codes)
        if array.shape != self.mass.shape or not np.isin(array, (0, 1)).all():
            raise InvalidParameter(f"a classifier on {len(self.mass)} places is a list of as many 0 and 1")
        return array


def noised(law: LabelledLaw, channel: ArrayLike, keep: float = 1.0) -> LabelledLaw:
    """Return the law of reports: places through a channel, labels kept with probability ``keep``.

    Where no report can fall, the label is a toss-up by convention; nothing depends on it.

    Args:
        law: The law of people.
        channel: A row of report probabilities for each true place.
        keep: The probability that a label is kept.

    >>> reports = noised(LabelledLaw([0.5, 0.5], [1.0, 0.0]), [[0.8, 0.2], [0.2, 0.8]], keep=0.75)
    >>> reports.mass.tolist(), reports.positive.round(3).tolist()
    ([0.5, 0.5], [0.65, 0.35])
    """
    lean = 2 * (read_share("keep", keep) - 0.5) * (law.mass * law.lean) @ noise_weights(law, channel)
    return LabelledLaw(law.mass @ _rows(law, channel), np.clip(lean + 0.5, 0.0, 1.0))


def noise_weights(law: LabelledLaw, channel: ArrayLike) -> Floats:
    """Return the weight of a record at each place (row) for a report at each place (column): figure 1.

    Weighted by ``law.mass`` every column averages to 1. Without noise the diagonal has it all, and under
    heavy noise every entry nears 1, so that a report says next to nothing about its own place.

    Args:
        law: The law of people.
        channel: A row of report probabilities for each true place.

    >>> noise_weights(LabelledLaw([0.5, 0.5], [1.0, 0.0]), [[0.8, 0.2], [0.2, 0.8]]).tolist()
    [[1.6, 0.4], [0.4, 1.6]]
    """
    rows = _rows(law, channel)
    reported = law.mass @ rows
    return np.divide(rows, reported, out=np.zeros_like(rows), where=reported > 0)


def agreement(clean: LabelledLaw, noisy: LabelledLaw) -> Floats:
    """Return how often a record's label equals the reported label at the same place (eq. 2, 3).

    Below ½ reports mislead about that place: the reversed label would do better.

    Args:
        clean: The law of people.
        noisy: The law of reports.

    >>> agreement(LabelledLaw([1.0], [0.9]), LabelledLaw([1.0], [0.4])).round(3).tolist()
    [0.42]
    """
    check_same_places(clean, noisy)
    return np.asarray(2 * clean.lean * noisy.lean + 0.5)


def grid_channel(mechanism: NumericMechanism, edges: ArrayLike) -> Floats:
    """Return a numeric mechanism as a channel between parts of a grid; the end parts take reports beyond.

    A true value stands for the middle of its part, so the grid must be finer than the noise to mean much.

    Args:
        mechanism: A numeric mechanism.
        edges: The ends of the parts, rising.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import Laplace
    >>> grid_channel(Laplace(Interval(-1, 1), epsilon=2.0), [-1, 0, 1]).round(3).tolist()
    [[0.697, 0.303], [0.303, 0.697]]
    """
    ends = read_edges(edges)
    law = mechanism.law((ends[:-1] + ends[1:]) / 2)
    below = np.ones((len(ends) - 1, len(ends)))
    below[:, 0] = 0.0
    for place, edge in enumerate(ends[1:-1], start=1):
        below[:, place] = law.cdf(edge)
    return np.diff(below, axis=1)


def read_edges(edges: ArrayLike) -> Floats:
    """Return the ends of the parts of a grid, rising."""
    ends = np.asarray(edges, dtype=np.float64)
    if ends.ndim != 1 or ends.size < 2 or not (np.isfinite(ends).all() and (np.diff(ends) > 0).all()):
        raise InvalidParameter("must be at least two rising numbers", field="edges")
    return ends


def _rows(law: LabelledLaw, channel: ArrayLike) -> Floats:
    rows = np.asarray(channel, dtype=np.float64)
    if rows.shape != (len(law.mass), len(law.mass)):
        raise InvalidParameter(
            f"a channel between {len(law.mass)} places is a square table of that size, got {rows.shape}"
        )
    for row in rows:
        _check_chances("a row of the channel", row)
    return rows


def _check_chances(what: str, chances: Floats) -> None:
    if not ((chances >= 0).all() and abs(float(chances.sum()) - 1) < ROUNDING):
        raise InvalidParameter(f"{what} must be probabilities that sum to 1")


def read_share(field: str, value: float) -> float:
    """Return a number from 0 to 1, or refuse it."""
    share = real(field, value)
    if not 0 <= share <= 1:
        raise InvalidParameter(f"must be from 0 to 1, got {value!r}", field=field)
    return share


def check_same_places(clean: LabelledLaw, noisy: LabelledLaw) -> None:
    """Refuse two laws that are not on the same places."""
    if clean.mass.shape != noisy.mass.shape:
        raise InvalidParameter("the two laws must be on the same places")
