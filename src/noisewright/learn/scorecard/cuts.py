"""How finely an ε lets checking clients say where a score lies.

Every further bin makes an answer more random. With k cells the accuracy has the standard error

    √(ρ(1 − ρ)/n) / (hit − miss),    hit − miss = (e^ε − 1)/(e^ε + k − 1),

where ρ is how often a report is "right"; at ε = 1 four bins instead of two cost as much as two thirds of the
clients, at ε = 4 hardly anything.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON, whole

BINS: Final = (2, 4, 6)
"""What is tried: a calibration plot of more points is for public test data."""

DEARER: Final = 1.15
"""By how much the standard error of the accuracy may grow for the sake of the calibration."""

COARSE: Final = 0.12
"""The standard error of a point of the calibration plot beyond which it shows nothing."""

TYPICAL_ACCURACY: Final = 0.75


def cuts_for(epsilon: float, people: int, scores: ArrayLike | None = None) -> tuple[float, ...]:
    """Public cuts of the score for a check of so many people: 2 bins at a small ε, up to 6 at a large one.

    As many bins as keep the standard error of the accuracy within 1.15 times that of two bins, and that of
    each calibration point below 0.12. ``scores`` is a *public* sample of the rule's scores (of made-up
    records, or of randomized ones), whose quantiles on either side of 0 become cuts; without it scores are
    taken for log odds and the cuts are equal steps of the probability.

    >>> cuts_for(1.0, 5000), [round(cut, 2) for cut in cuts_for(5.0, 5000)]
    ((0.0,), [-1.61, -0.69, 0.0, 0.69, 1.61])
    >>> cuts_for(3.5, 5000, scores=[-4, -2, -1, 1, 3, 5])
    (-2.0, 0.0, 3.0)
    """
    asked = whole("people", people, 1, 1 << 53)
    bins = max(bins for bins in BINS if bins == BINS[0] or _affordable(bins, EPSILON.check(epsilon), asked))
    if scores is None:
        return tuple(math.log(step / (bins - step)) for step in range(1, bins))
    return _quantile_cuts(np.asarray(scores, dtype=np.float64), bins)


def accuracy_stderr(bins: int, epsilon: float, people: int, accuracy: float = TYPICAL_ACCURACY) -> float:
    """The standard error of the accuracy of a two-class check with so many bins.

    >>> round(accuracy_stderr(2, 1.0, 1000), 3), round(accuracy_stderr(4, 1.0, 1000), 3)
    (0.052, 0.089)
    """
    slope, miss = _slope_and_miss(2 * bins, epsilon)
    reported = bins * miss + slope * accuracy
    return math.sqrt(reported * (1 - reported) / people) / slope


def _affordable(bins: int, epsilon: float, people: int) -> bool:
    dearer = accuracy_stderr(bins, epsilon, people) / accuracy_stderr(BINS[0], epsilon, people)
    return dearer <= DEARER and _point_stderr(bins, epsilon, people) <= COARSE


def _point_stderr(bins: int, epsilon: float, people: int) -> float:
    """The standard error of the share of class 1 in a bin that holds its part of the people, half of each."""
    slope, miss = _slope_and_miss(2 * bins, epsilon)
    share = 1 / bins
    return math.sqrt((2 * miss + slope * share) / people) / (2 * slope * share)


def _slope_and_miss(cells: int, epsilon: float) -> tuple[float, float]:
    odds = math.exp(epsilon)
    return (odds - 1) / (odds + cells - 1), 1 / (odds + cells - 1)


def _quantile_cuts(scores: Floats, bins: int) -> tuple[float, ...]:
    """0, and on either side of it the quantiles that leave equally many of the sample in each bin."""
    if scores.ndim != 1 or not scores.size or not np.isfinite(scores).all():
        raise InvalidParameter("scores must be a row of finite numbers, a public sample of the rule's scores")
    steps = np.arange(1, bins // 2) / (bins // 2)
    cuts = {0.0}
    for side in (scores[scores < 0], scores[scores > 0]):
        if side.size:
            cuts.update(np.quantile(side, steps).tolist())
    return tuple(sorted(cuts))
