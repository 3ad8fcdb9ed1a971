"""Intervals for shares that hold as often as they say, near 0 and 1 as well as between.

A share cannot leave [0, 1], but its unbiased estimate can, and for a rare label it does so half the time. An
interval of two standard errors around the estimate would then lie below 0 or have to be cut to nothing. So
each share is asked by itself whether it could be the truth: the estimates that agree with it better than the
one that was made must not make up more than ``level`` of all that it would lead to. Agreement is measured by

    P[estimate | this share] / P[estimate | the share in [0, 1] that fits best],

as Feldman and Cousins (1998) do, with normal laws of the known variance at *this* share, as in Wilson's
interval (1927). An estimate deep below 0 agrees well with 0, so no interval is empty; one above 0 is measured
from 0 to one side only, so an absent label is found out as early as the level allows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from noisewright.domains import Floats
from noisewright.statistics.intervals import standard_errors

HALVINGS = 36
"""Of the way to the end of an interval: what is left is far below any standard error."""

DUST = 1e-24
"""A variance that is rounding: at a large ε a report of the only label there is hardly ever fails."""

Variance = Callable[[Floats], Floats]
"""From a share for each label to the variance that its estimate would have."""


def share_intervals(
    values: Floats, variance: Variance, level: float, count: int, *, jump: Floats | float = 0.0
) -> tuple[Floats, Floats]:
    """The least and the largest share that each unbiased value leaves possible.

    ``jump`` is by how much the value moves with one report more in support. Values between two jumps cannot
    occur, so a value stands for all within half a jump.

    >>> ends = share_intervals(np.array([-0.02, 0.5]), lambda share: np.full(2, 1e-4), 0.95, 10_000)
    >>> [end.round(4).tolist() for end in ends]
    [[0.0, 0.4804], [0.0062, 0.5196]]
    """
    from scipy.special import ndtr  # noqa: PLC0415  (scipy is slow to load)

    within = 2 * float(ndtr(standard_errors(level, count))) - 1  # for few reports a little above the level
    centre = np.clip(values, 0.0, 1.0)

    def possible(shares: Floats) -> Floats:
        return np.asarray(better_agreement(shares, values, variance(shares), jump) <= within)

    return _last_possible(possible, centre, 0.0), _last_possible(possible, centre, 1.0)


def better_agreement(shares: Floats, values: Floats, variance: Floats, jump: Floats | float = 0.0) -> Floats:
    """The probability, for a true share, of estimates that agree with it better than a value does."""
    from scipy.special import ndtr  # noqa: PLC0415  (scipy is slow to load)

    scale = np.sqrt(np.maximum(variance, DUST))
    below, above = shares / scale, (1 - shares) / scale  # room to 0 and to 1, in standard errors
    off = np.maximum(np.abs(values - shares) - np.asarray(jump) / 2, 0.0) * np.sign(values - shares) / scale
    beyond = off - np.clip(off, -below, above)
    misfit = np.sqrt(np.maximum(off**2 - beyond**2, 0.0))
    return np.asarray(ndtr(_as_far(misfit, above)) - ndtr(-_as_far(misfit, below)))


def _as_far(misfit: Floats, room: Floats) -> Floats:
    """How far off an estimate has such a misfit, on a side where the range of shares ends after some room.

    Beyond the end the best share stays there: (off² − (off − room)²) = misfit².
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(np.where(misfit <= room, misfit, (room**2 + misfit**2) / (2 * room)))


def _last_possible(possible: Callable[[Floats], Floats], centre: Floats, end: float) -> Floats:
    """The last possible share on the way from the centre to an end, by halving; rounded outward."""
    inner, outer = centre, np.full_like(centre, end)
    whole_way = possible(outer)
    for _ in range(HALVINGS):
        middle = (inner + outer) / 2
        inside = possible(middle)
        inner, outer = np.where(inside, middle, inner), np.where(inside, outer, middle)
    return np.asarray(np.where(whole_way, end, outer))
