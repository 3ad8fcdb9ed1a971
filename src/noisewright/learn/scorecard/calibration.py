"""Calibration of probabilities: of the people given "70 %", seven of ten should be class 1.

A check asks in which bin of the score a client lies, and every further bin makes an answer more random. With
k cells the accuracy has the standard error

    √(ρ(1 − ρ)/n) / (hit − miss),    hit − miss = (e^ε − 1)/(e^ε + k − 1),

where ρ is how often a report is "right"; at ε = 1 four bins instead of two cost as much as two thirds of the
clients, at ε = 4 hardly anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate
from noisewright.learn.scorecard.shares import CellShares, stack_estimates
from noisewright.parameters import EPSILON, whole

CHECK_BINS: Final = (2, 4, 6)
"""Numbers of bins that are tried: a calibration plot of more points is for public test data."""

DEARER: Final = 1.15
"""The factor by which the standard error of the accuracy may grow for the sake of the calibration."""

COARSE: Final = 0.12
"""The standard error of a point of the calibration plot beyond which it shows nothing."""

TYPICAL_ACCURACY: Final = 0.75


def cuts_for(epsilon: float, people: int, scores: ArrayLike | None = None) -> tuple[float, ...]:
    """Return public cuts of the score for a check: 2 bins at a small ε, up to 6 at a large one.

    As many bins as keep the standard error of the accuracy within 1.15 times that of two bins, and that of
    each calibration point below 0.12.

    Args:
        epsilon: What each checking client spends.
        people: Number of checking clients.
        scores: A *public* sample of the rule's scores, of simulated or of randomized records, whose
            quantiles on either side of 0 become cuts; None treats scores as log odds and cuts at equal steps
            of the probability.

    >>> cuts_for(1.0, 5000), [round(cut, 2) for cut in cuts_for(5.0, 5000)]
    ((0.0,), [-1.61, -0.69, 0.0, 0.69, 1.61])
    >>> cuts_for(3.5, 5000, scores=[-4, -2, -1, 1, 3, 5])
    (-2.0, 0.0, 3.0)
    """
    asked = whole("people", people, 1, 1 << 53)
    bins = max(bins for bins in CHECK_BINS if _affordable(bins, EPSILON.check(epsilon), asked))
    if scores is None:
        return tuple(math.log(step / (bins - step)) for step in range(1, bins))
    sample = np.asarray(scores, dtype=np.float64)
    if sample.ndim != 1 or not sample.size or not np.isfinite(sample).all():
        raise InvalidParameter(
            "must be a row of finite numbers, a public sample of the rule's scores", field="scores"
        )
    sides = [side for side in (sample[sample < 0], sample[sample > 0]) if side.size]
    steps = np.arange(1, bins // 2) / (bins // 2)
    return tuple(sorted({0.0, *(cut for side in sides for cut in np.quantile(side, steps).tolist())}))


def accuracy_stderr(bins: int, epsilon: float, people: int, accuracy: float = TYPICAL_ACCURACY) -> float:
    """Return the standard error of the accuracy of a two-class check with this many bins.

    >>> round(accuracy_stderr(2, 1.0, 1000), 3), round(accuracy_stderr(4, 1.0, 1000), 3)
    (0.052, 0.089)
    """
    slope, miss = _slope_and_miss(2 * bins, epsilon)
    reported = bins * miss + slope * accuracy
    return math.sqrt(reported * (1 - reported) / people) / slope


def _affordable(bins: int, epsilon: float, people: int) -> bool:
    """Return whether this many bins leave the accuracy and the points of the calibration precise enough."""
    if bins == CHECK_BINS[0]:
        return True
    dearer = accuracy_stderr(bins, epsilon, people) / accuracy_stderr(CHECK_BINS[0], epsilon, people)
    # For the share of class 1 in a bin that holds its part of the people, half of each class.
    slope, miss = _slope_and_miss(2 * bins, epsilon)
    stderr = math.sqrt((2 * miss + slope / bins) / people) * bins / (2 * slope)
    return dearer <= DEARER and stderr <= COARSE


def _slope_and_miss(cells: int, epsilon: float) -> tuple[float, float]:
    odds = math.exp(epsilon)
    return (odds - 1) / (odds + cells - 1), 1 / (odds + cells - 1)


BINS: Final = 10
"""Equal bins of the probability when test data are looked at; ½ is the end of one."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Bins of the predicted probability of class 1, with the share of people in each and of class 1 there.

    Attributes:
        low: The low end of each bin.
        high: Its high end.
        predicted: The mean prediction in it; NaN where only the bin is known.
        people: The estimated share of all people in it.
        observed: The estimated share of class 1 among those; each interval holds by itself.

    >>> predicted, true = np.array([0.15, 0.15, 0.85, 0.85]), np.array([0, 0, 1, 0])
    >>> found = Calibration.measured(predicted, true, alpha=0.05)
    >>> found.predicted.tolist(), found.observed.value.tolist()
    ([0.15, 0.85], [0.0, 0.5])
    """

    low: Floats
    high: Floats
    predicted: Floats
    people: Estimate
    observed: Estimate

    @classmethod
    def of(cls, cells: CellShares, cuts: Floats, alpha: float) -> Self:
        """Estimate from answers to a check of two classes: scores between cuts, read as log odds."""
        from scipy.special import expit  # noqa: PLC0415  (scipy is slow to load)

        edges = expit(np.concatenate([[-np.inf], cuts, [np.inf]]))
        return cls._of(cells, edges[:-1], edges[1:], np.full(len(edges) - 1, np.nan), alpha)

    @classmethod
    def measured(cls, probabilities: Floats, codes: Cells, alpha: float) -> Self:
        """Measure on test records that may be looked at; empty bins are left out."""
        rows = np.clip(np.ceil(probabilities * BINS).astype(np.int64) - 1, 0, BINS - 1)
        counts = np.bincount(rows * 2 + codes, minlength=2 * BINS).reshape(BINS, 2)
        held = np.flatnonzero(counts.sum(axis=1))
        means = np.bincount(rows, weights=probabilities, minlength=BINS)[held] / counts[held].sum(axis=1)
        return cls._of(CellShares(counts[held]), held / BINS, (held + 1) / BINS, means, alpha)

    @classmethod
    def _of(cls, cells: CellShares, low: Floats, high: Floats, predicted: Floats, alpha: float) -> Self:
        every = np.ones(cells.counts.shape, dtype=bool)
        bins = [every & (np.arange(len(every)) == row)[:, None] for row in range(len(low))]
        people = stack_estimates([cells.share(whole, alpha) for whole in bins])
        observed = stack_estimates([cells.ratio(whole & [False, True], whole, alpha) for whole in bins])
        return cls(low, high, predicted, people, observed)

    @property
    def places(self) -> Floats:
        """The place at which a bin is drawn: its mean prediction, or its middle where that is not known."""
        return np.where(np.isnan(self.predicted), (self.low + self.high) / 2, self.predicted)

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration in plain JSON values."""
        means = [None if np.isnan(mean) else mean for mean in self.predicted.tolist()]
        shares = {"people": self.people.to_dict(), "observed": self.observed.to_dict()}
        return {"low": self.low.tolist(), "high": self.high.tolist(), "predicted": means, **shares}
