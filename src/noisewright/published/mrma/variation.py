"""How far reports are from people in distribution: the total variation of theorems 4 to 6 (appendix A.4).

    variation(P, Q) = sup_A |P(A) − Q(A)| = ½∫|p − q| = E_P[(1 − q/p)₊]

The last form needs draws from people's law only, and its terms lie between 0 and 1: a plain mean with an
honest interval (:func:`total_variation`), in any dimension. The published way, ½Σ|P̂ − Q̂| over the cells of
a grid (:func:`histogram_variation`), is biased and useless once cells outnumber draws: in ten dimensions it
finds 1 for two samples of the *same* law.

For the published example, people uniform on a box with Laplace noise, no sampling is needed: noise cannot
raise the density above the uniform one, so p ≥ q on the whole box and p = 0 outside, and the variation is the
probability of leaving the box (:func:`box_variation`).

A finite list of people is another matter. Continuous noise never returns to one of finitely many points, so
the variation between the list and its reports is 1 whatever the noise. Only on the parts of a grid does the
question have an answer (:func:`binned_variation`). Merging places can only lower a variation.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate
from noisewright.mechanisms import NumericMechanism
from noisewright.parameters import EPSILON, real, whole
from noisewright.published.mrma.laws import read_edges
from noisewright.statistics.bounded_means import bernstein_reach
from noisewright.statistics.intervals import CONFIDENCE

METHOD = "mean of (1 - q/p)+ over draws from p, with an empirical Bernstein interval (Maurer and Pontil 2009)"
MOST_WIDTH = 10_000
_AT_ONCE = 4096


def total_variation(draws: ArrayLike, ratio: Callable[[Floats], Floats], level: float = 0.95) -> Estimate:
    """Estimate the total variation between two laws, from draws of the first and the ratio of densities.

    The interval holds for every number of draws and every pair of laws.

    Args:
        draws: Rows drawn from people's law.
        ratio: Maps rows to q/p, the density of the reports over that of people.
        level: How often the interval holds the truth.

    >>> z = np.random.default_rng(1).uniform(-1, 1, (20_000, 3))
    >>> estimate = total_variation(z, lambda rows: box_ratio(rows, epsilon=6.0))
    >>> estimate.low < box_variation(3, epsilon=6.0) < estimate.high
    True
    """
    points = np.asarray(draws, dtype=np.float64)
    ratios = np.asarray(ratio(points), dtype=np.float64)
    if ratios.shape != (len(points),) or not (ratios >= 0).all():
        raise InvalidParameter("must give a number from 0 up for each row of draws", field="ratio")
    if len(ratios) < 2:
        raise InvalidParameter("must hold at least two rows", field="draws")
    terms, count = np.maximum(1 - ratios, 0.0), len(ratios)
    mean, variance = float(terms.mean()), float(terms.var(ddof=1))
    # Each end of the interval errs with half of what the level leaves.
    reach = float(bernstein_reach(np.array(variance), count, (1 - CONFIDENCE.check(level)) / 2))
    return Estimate(
        mean, math.sqrt(variance / count), max(mean - reach, 0.0), min(mean + reach, 1.0),
        level=level, count=count, method=METHOD, assumption="draws are independent, and ratio is exact",
    )  # fmt: skip


def box_variation(width: int, epsilon: float) -> float:
    """Return figure A.6 in closed form: people uniform on a box, Laplace noise of scale width·length/ε.

    A coordinate stays inside with probability 1 − (1 − e^(−x))/x for x = ε/width, so the variation is
    1 − (1 − (1 − e^(−x))/x)^width. The length of the sides cancels.

    Args:
        width: Number of columns.
        epsilon: The ε of a whole record.

    >>> [round(box_variation(width, epsilon=1.0), 4) for width in (1, 2, 5, 10)]
    [0.6321, 0.9546, 1.0, 1.0]
    """
    sides = whole("width", width, 1, MOST_WIDTH)
    share = EPSILON.check(epsilon) / sides
    return -math.expm1(sides * math.log1p(math.expm1(-share) / share))


def box_ratio(units: Floats, epsilon: float) -> Floats:
    """Return q/p for people uniform on [−1, 1]^d with Laplace noise: how much of its density a place keeps.

    Args:
        units: Rows in [−1, 1]^d.
        epsilon: The ε of a whole record.

    >>> box_ratio(np.array([[0.0], [1.0]]), epsilon=4.0).round(4).tolist()
    [0.8647, 0.4908]
    """
    rows = np.atleast_2d(np.asarray(units, dtype=np.float64))
    if not (np.abs(rows) <= 1).all():
        raise InvalidParameter("must lie between -1 and 1", field="units")
    scale = 2 * rows.shape[1] / EPSILON.check(epsilon)
    kept = 1 - (np.exp(-(1 + rows) / scale) + np.exp(-(1 - rows) / scale)) / 2
    return np.asarray(kept.prod(axis=1))


def uniform_ratio(mechanism: NumericMechanism, parts: int = 64) -> Callable[[Floats], Floats]:
    """Return q/p for people uniform on a box, each column through a mechanism of the library.

    The ratio is that of the masses of ``parts`` equal parts a column, so the variation found with it is that
    of a coarser view: a lower bound, which rises to the truth with finer parts.

    Args:
        mechanism: The channel of each column.
        parts: Number of equal parts of a column.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import Laplace
    >>> ratio = uniform_ratio(Laplace(Interval(-1, 1), epsilon=1.0))
    >>> middles = np.linspace(-1, 1, 64, endpoint=False)[:, None] + 1 / 64
    >>> round(total_variation(middles, ratio).value, 4)
    0.6321
    """
    count = whole("parts", parts, 1, 1 << 16)
    start, length = mechanism.domain.start, mechanism.domain.length
    ends = start + length * np.arange(count + 1) / count
    law = mechanism.law((ends[:-1] + ends[1:]) / 2)
    kept = count * np.diff([float(np.mean(law.cdf(edge))) for edge in ends])

    def ratio(rows: Floats) -> Floats:
        places = np.floor((np.atleast_2d(rows) - start) / length * count).astype(np.int64)
        return np.asarray(kept[np.clip(places, 0, count - 1)].prod(axis=1))

    return ratio


def binned_variation(points: ArrayLike, mechanism: NumericMechanism, edges: ArrayLike) -> float:
    """Return the variation between people on a line and their reports, as the parts of a grid show it.

    Exact for the given people and the mechanism's own integers: a report's law is the mean of people's laws.
    Reports beyond the ends of the grid count as one part more on either side.

    Args:
        points: The people's values.
        mechanism: The channel that randomizes them.
        edges: The ends of the parts, rising.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import Laplace
    >>> people = np.linspace(-0.99, 0.99, 100)
    >>> round(binned_variation(people, Laplace(Interval(-1, 1), epsilon=1.0), np.linspace(-1, 1, 11)), 2)
    0.63
    """
    values, ends = np.asarray(points, dtype=np.float64).ravel(), read_edges(edges)
    if values.size == 0:
        raise InvalidParameter("must hold at least one person", field="points")
    below = np.zeros(len(ends))
    for at in range(0, values.size, _AT_ONCE):
        law = mechanism.law(values[at : at + _AT_ONCE])
        below += [float(np.sum(law.cdf(edge))) for edge in ends]
    reported = np.diff(below / values.size, prepend=0.0, append=1.0)
    held = np.diff([np.mean(values <= edge) for edge in ends], prepend=0.0, append=1.0)
    return float(np.abs(reported - held).sum() / 2)


def histogram_variation(left: ArrayLike, right: ArrayLike, cell: float = 0.2) -> float:
    """Return the published estimate: ½Σ|P̂ − Q̂| over a common grid of cells with sides of one length.

    Two samples of *one* law already differ: by about √(cells/(π·draws)) while that is small, by up to 1 when
    there are more cells than draws; and cells hide differences within them. It is here to show that.

    Args:
        left: Rows of one sample.
        right: Rows of the other.
        cell: The length of a cell's sides.

    >>> same = np.random.default_rng(1).uniform(-1, 1, (2, 1000, 10))
    >>> histogram_variation(same[0], same[1])
    1.0
    """
    samples = [np.atleast_2d(np.asarray(sample, dtype=np.float64)) for sample in (left, right)]
    if samples[0].shape[1] != samples[1].shape[1] or min(map(len, samples)) == 0:
        raise InvalidParameter("left and right must be rows of the same width, at least one each")
    if not real("cell", cell) > 0:
        raise InvalidParameter(f"must be a length above 0, got {cell!r}", field="cell")
    _, place = np.unique(np.floor(np.concatenate(samples) / cell), axis=0, return_inverse=True)
    parts = np.split(place.ravel(), [len(samples[0])])
    first, second = (np.bincount(part, minlength=place.max() + 1) for part in parts)
    apart = np.abs(first * len(samples[1]) - second * len(samples[0])).sum()
    return float(apart / (2 * len(samples[0]) * len(samples[1])))
