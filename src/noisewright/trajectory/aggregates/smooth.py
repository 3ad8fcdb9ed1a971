"""A second, narrower bracket for a box, which holds if locations are spread evenly within small cells.

The bracket that holds wherever people are (``brackets.py``) must allow for a crowd on the very edge of the
box, and most of its width comes from that. Suppose that the people in each cell of a fine grid, cut at the
edges of the box, are spread evenly over the cell. Then the two functions of a report need to bracket the
indicator only on average over every piece, and not at every place:

    Z·G₋ ≤ ψ ≤ Z·G₊,     Z the average law of the parts of a report (columns) for each piece (rows).

They are functions of both coordinates together. The upper one minimizes the expected excess of its bound
over the truth, fᵀ(Z·G − ψ) + z·se(G), for shares f of the pieces that were fitted to the reports. With
q = fᵀZ, W = diag(1/q) and τ = z/(n·se), the dual is a non-negative least-squares problem,

    λ = argmin over λ ≥ 0 of ½·λᵀ(Z·W·Zᵀ)λ − (1 + τ·ψ)ᵀλ,     G = (W·Zᵀλ − 1)/τ,

in which only pieces where the bound is tight have λ > 0. So it is solved for a few pieces, those with the
largest violations are added, and so on; the last violation is added to G. Whatever f is, G₊ is an upper
function; f only decides how narrow the interval is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.statistics.intervals import standard_errors
from noisewright.trajectory.aggregates.brackets import upper_envelope
from noisewright.trajectory.aggregates.laws import law_of
from noisewright.trajectory.aggregates.regions import Span
from noisewright.trajectory.mechanisms import TraCSC
from noisewright.trajectory.spaces import Flags

FEWEST_CELLS, MOST_CELLS = 16, 40
CELLS_A_WINDOW = 6
"""Cells along each axis: six within the window of its channel, finer than reports can see."""

PARTS = 32
"""Parts of each reported coordinate."""

EVERY = 3
"""Every third piece along an axis is taken first."""

ADDED, TURNS, TIGHT = 96, 16, 2e-3
"""Pieces that are added at a time, the most rounds of it, and the violation at which it ends."""

LOOSE = 0.05
"""Pieces whose bound is looser than this are left out of the next round."""

GUESS = 0.01
"""Where the search for the standard error of a share begins."""

STEPS, MORE_STEPS = 100, 300
"""Steps of EM that fit the shares f, and further ones before a fit is called contradicted."""

SURPRISE = 3.0
"""Standard deviations of Pearson's statistic above which reports contradict the even spread."""


@dataclass(frozen=True)
class Smooth:
    """Sums of the two functions over all reports, their standard errors, and the grid of the assumption."""

    lower: float
    upper: float
    lower_error: float
    upper_error: float
    cells: tuple[int, int]

    @property
    def estimate(self) -> float:
        """The middle of the two sums."""
        return (self.lower + self.upper) / 2

    def interval(self, level: float, count: int) -> tuple[float, float]:
        """Return the least and the largest number inside."""
        reach = standard_errors(level, count)
        low, high = self.lower - reach * self.lower_error, self.upper + reach * self.upper_error
        return max(low, 0.0), min(high, float(count))

    @property
    def assumption(self) -> str:
        """What the interval rests on, in words."""
        columns, rows = self.cells
        return (
            f"if locations are spread evenly within each of {columns} × {rows} cells of the space, cut at "
            "the edges of the region; wrong if people gather at points within a cell, such as a station"
        )


class Axis(NamedTuple):
    """One coordinate: average laws of pieces, which of them are inside, and the parts of the reports."""

    laws: Floats
    inside: Flags
    parts: Cells
    cells: int


def smooth_bracket(
    mechanism: TraCSC, points: Floats, spans: tuple[Span, Span], level: float
) -> Smooth | None:
    """Return the bracket of a box under an even spread, or None if the reports contradict that.

    It is also None if a side of the box is bent or too narrow to average the law over.
    """
    if any(span.outer != span.inner for span in spans):
        return None
    coordinates = mechanism.space.to_axes(points)
    axes = [
        _axis(channel, span, coordinates[:, axis])
        for axis, (channel, span) in enumerate(zip(mechanism.channels, spans, strict=True))
    ]
    if not all(axis.inside.any() for axis in axes):
        return None
    first, second = axes
    seen = np.zeros((first.laws.shape[1], second.laws.shape[1]))
    np.add.at(seen, (first.parts, second.parts), 1.0)
    even = np.full((len(first.laws), len(second.laws)), 1 / (len(first.laws) * len(second.laws)))
    shares = _fit_shares(first.laws, second.laws, seen, even, STEPS)
    closer = _fit_shares(first.laws, second.laws, seen, shares, MORE_STEPS)
    if _contradicts(first.laws.T @ closer @ second.laws, seen):
        return None
    return _solve(axes, seen, shares, standard_errors(level, len(points)))


def _axis(channel: NumericMechanism, span: Span, reported: Floats) -> Axis:
    law = law_of(channel)
    cells, lattice = _cells(channel), channel.domain.lattice
    inside = span.touched(channel.domain, law.places)
    pieces, piece = np.unique(law.places * cells // lattice * 2 + inside, return_inverse=True)
    count = law.ends.size - 1
    into = np.arange(count) * PARTS // count
    merged = np.zeros((law.places.size, PARTS))
    np.add.at(merged.T, into, law.at_places.T)
    laws = np.zeros((pieces.size, PARTS))
    np.add.at(laws, piece, merged)
    laws /= np.bincount(piece)[:, None]
    return Axis(laws, pieces % 2 == 1, into[law.part_of(reported)], cells)


def _cells(channel: NumericMechanism) -> int:
    """Return the number of cells along an axis; it is public, since it depends only on the channel."""
    if not isinstance(channel, WindowMechanism):
        return MOST_CELLS
    wanted = ceil(CELLS_A_WINDOW * channel.window.cells / channel.window.width)
    return min(max(wanted, FEWEST_CELLS), MOST_CELLS)


def _fit_shares(first: Floats, second: Floats, seen: Floats, shares: Floats, steps: int) -> Floats:
    """Return shares of all pairs of pieces after some steps of EM."""
    for _ in range(steps):
        expected = np.maximum(first.T @ shares @ second, 1e-300)
        shares = shares * (first @ (seen / expected) @ second.T) / seen.sum()
    return shares


def _contradicts(expected: Floats, seen: Floats) -> bool:
    """Return whether the reports contradict every even spread, by Pearson's statistic on merged parts.

    Its variance is that of a multinomial law, 2·(k − 1) + (Σ 1/p − k² − 2k + 2)/n, so rare parts do no harm.
    """
    block = 4
    shape = (PARTS // block, block, PARTS // block, block)
    found, chances = (table.reshape(shape).sum(axis=(1, 3)).ravel() for table in (seen, expected))
    n, k, chances = found.sum(), found.size, chances / chances.sum()
    statistic = float(((found - n * chances) ** 2 / (n * chances)).sum())
    variance = 2 * (k - 1) + ((1 / chances).sum() - k * k - 2 * k + 2) / n
    return bool(statistic > k + SURPRISE * np.sqrt(variance))


def _solve(axes: list[Axis], seen: Floats, shares: Floats, reach: float) -> Smooth | None:
    first, second = axes
    expected, count = first.laws.T @ shares @ second.laws, float(seen.sum())
    target = np.outer(first.inside, second.inside).astype(np.float64)
    upper, other = (
        _upper(first.laws, second.laws, expected, wanted, count, reach) for wanted in (target, 1 - target)
    )
    sums = [(float((seen * g).sum()), float((seen * g**2).sum())) for g in (1 - other, upper)]
    low, high = (float(np.sqrt(max(square - total**2 / count, 0.0))) for total, square in sums)
    found = Smooth(sums[0][0], sums[1][0], low, high, (first.cells, second.cells))
    return None if found.lower - reach * low > found.upper + reach * high else found


def _upper(
    first: Floats, second: Floats, expected: Floats, target: Floats, count: float, reach: float
) -> Floats:
    """Return G (parts × parts) with first·G·secondᵀ ≥ target and about the least bound."""
    chosen = np.zeros(target.shape, dtype=np.bool_)
    chosen[::EVERY, ::EVERY] = True
    function, error = np.ones(expected.shape), GUESS
    for _ in range(TURNS):
        rows, columns = np.nonzero(chosen)
        laws = (first[rows][:, :, None] * second[columns][:, None, :]).reshape(rows.size, -1)
        price = count * error / reach
        function = upper_envelope(laws, expected.ravel(), target[chosen], price).reshape(expected.shape)
        short = target - first @ function @ second.T
        chosen &= short > -LOOSE
        if short.max() < TIGHT:
            mean, square = (expected * function).sum(), (expected * function**2).sum()
            found = float(np.sqrt(max(square - mean**2, 0.0) / count))
            if 0.8 * error < found < 1.25 * error:
                break
            error = found
        worst = np.argsort(short, axis=None)[-ADDED:]
        chosen.flat[worst[short.flat[worst] > TIGHT / 4]] = True
    return np.asarray(function + max(float((target - first @ function @ second.T).max()), 0.0))
