"""Losses of a report: |report − truth|^p.

A law that is fixed over a stretch of true values, with reports at a few places, has its errors in closed
form: the loss |report − truth|^p is averaged by the difference of its antiderivative at the two ends.
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Cells, Circle, Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.parameters import Parameter

NAMES = {"absolute": 1.0, "squared": 2.0}

POWER = Parameter(name="loss", meaning="loss |report − truth|^p", above=0, at_most=16, usual=(1, 2))

Loss = str | float


def power(loss: Loss) -> float:
    """Return the exponent p of a loss: "absolute", "squared", or p itself.

    >>> power("absolute"), power("squared"), power(1.5)
    (1.0, 2.0, 1.5)
    """
    if isinstance(loss, str):
        if loss not in NAMES:
            raise InvalidParameter(f'a loss is "absolute", "squared" or a power p, not {loss!r}')
        return NAMES[loss]
    return POWER.check(loss)


def part_edges(domain: NumericDomain, count: int) -> Floats:
    """Return the ends of the equal parts of a domain, rounded to whole cells of its lattice.

    >>> from noisewright import Interval
    >>> part_edges(Interval(0, 1, cells=4), 2).tolist(), part_edges(Interval(0, 1, cells=4), 3).tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.5, 0.75, 1.0])
    """
    return np.asarray(domain.start + first_cells(domain, count) * domain.pitch)


def first_cells(domain: NumericDomain, count: int) -> Cells:
    """Return the first cell of each part, and the cell after the last."""
    return np.asarray(-(-np.arange(count + 1) * domain.lattice // count))


def losses_at(domain: NumericDomain, values: Floats, places: Floats, exponent: float) -> Floats:
    """Return the loss of every place (last axis) for every true value.

    >>> from noisewright import Interval
    >>> losses_at(Interval(0, 1), np.array([0.25]), np.array([0.0, 1.0]), 2.0).tolist()
    [[0.0625, 0.5625]]
    """
    return np.asarray(domain.distance(values[..., None], places) ** exponent)


def losses_over(domain: NumericDomain, low: Floats, high: Floats, places: Floats, exponent: float) -> Floats:
    """Return the loss of every place (last axis), integrated over the true values from each low to its high.

    >>> from noisewright import Interval
    >>> losses_over(Interval(0, 1), np.array([0.0]), np.array([1.0]), np.array([0.0, 0.5]), 1.0).tolist()
    [[0.5, 0.25]]
    """
    ends = [_antiderivative(domain, end[..., None] - places, exponent + 1) for end in (low, high)]
    return np.asarray(ends[1] - ends[0])


def _antiderivative(domain: NumericDomain, offsets: Floats, power: float) -> Floats:
    """Return ∫ |u|^(power − 1) du from 0 to an offset; on a circle |u| is the shorter way round."""
    if not isinstance(domain, Circle):
        return np.asarray(np.sign(offsets) * np.abs(offsets) ** power / power)
    turns, rest = np.divmod(offsets, domain.period)
    half = (domain.period / 2) ** power / power
    back = 2 * half - (domain.period - rest) ** power / power
    return np.asarray(2 * half * turns + np.where(rest <= domain.period / 2, rest**power / power, back))


def loss_words(loss: Loss) -> str:
    """Name the loss of an error.

    >>> loss_words("absolute"), loss_words(1.5)
    ('expected |error|', 'expected |error|^1.5')
    """
    exponent = power(loss)
    return "expected |error|" + ({1.0: "", 2.0: "²"}.get(exponent, f"^{exponent:g}"))
