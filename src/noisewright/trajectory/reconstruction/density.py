"""The density of a whole population behind its reports, by smoothed EM on the grid.

EM is that of ``estimate.em``; each step is followed by a short heat flow along both axes. Held-back reports
decide how long the flow is and whether to use the density at all: it must predict them better than an even
spread. So with few reports or a tiny ε nothing is made up. A crowd in a corner pays for that: until there are
enough reports to distinguish it from an even spread (a few hundred at ε = 1), estimates are drawn to the
middle and may be a few per cent worse than the reports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.estimate.em import Evidence, settle, smoother
from noisewright.trajectory.reconstruction.grid import Grid
from noisewright.trajectory.reconstruction.likelihood import Likelihood

LADDER = (0.16, 0.08, 0.04, 0.02, 0.01, 0.005)
"""Standard deviations of one step's smoothing, in lengths of an axis."""

FEWEST = 30
"""Reports below which no density is learned."""

PATIENCE = 2
"""After this many weaker smoothings in a row that are not worth it, none is tried any more."""

WORTH = 3.0
"""How much better, in log-likelihood, held-back reports must be predicted before a finer density is used."""

TRACE = 1e-12
"""The least share of a cell: EM can raise a small share, but not zero."""

Smoother = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Density:
    """Shares of a population in the cells of a grid over the axes of the space.

    Attributes:
        cells: The shares, which sum to one: rows along the first axis, columns along the second.
        centres: The places of the cells.
        smoothing: The strength of smoothing that was chosen, in lengths of an axis; None where the reports
            did not distinguish the density from an even spread.
    """

    cells: Floats
    centres: Floats
    smoothing: float | None


def learn_density(likelihood: Likelihood, rows: Cells, grid: Grid) -> Density:
    """Return the density that explains the reports of given rows."""
    shares, strength = grid.open / grid.open.sum(), None
    if rows.size >= FEWEST:
        kept, held = likelihood.evidence(rows)
        strength = _choose(kept, held, grid)
        if strength is not None:
            every = Evidence([*kept.channels, *held.channels], [*kept.counts, *held.counts])
            found = _fit(every, _flow(grid, strength), _floor(shares)) * grid.open  # no traces elsewhere
            shares = found / found.sum()
    side = grid.side
    return Density(shares.reshape(side, side), grid.centres.reshape(side, side, 2), strength)


def _choose(kept: Evidence, held: Evidence, grid: Grid) -> float | None:
    """Return the weakest smoothing worth having; None if an even spread predicts as well."""
    start = _floor(grid.open / grid.open.sum())
    best, strength, failures = held.likelihood(start), None, 0
    for candidate in LADDER:
        start = _fit(kept, _flow(grid, candidate), start)  # a smoother fit is a good start
        score = held.likelihood(start)
        if score >= best + WORTH:
            best, strength, failures = score, candidate, 0
        else:
            failures += 1
        if failures == PATIENCE:
            break
    return strength


def _fit(evidence: Evidence, smooth: Smoother, start: Floats) -> Floats:
    return settle(lambda shares: smooth(evidence.step(shares)), start)[0]


def _flow(grid: Grid, strength: float) -> Smoother:
    """Build a heat flow along both axes that stays among the open cells."""
    along = [smoother(grid.side, strength, around=around) for around in grid.around]

    def spread(shares: Floats) -> Floats:
        table = shares.reshape(grid.side, grid.side)
        return np.asarray(along[1](along[0](table).T).T).reshape(-1)

    if grid.open.all():
        return spread
    stays_in = np.maximum(spread(grid.open.astype(np.float64)) * grid.open.sum(), TRACE)
    return lambda shares: _floor(grid.open * spread(shares * grid.open / stays_in))


def _floor(shares: Floats) -> Floats:
    raised = np.maximum(shares, TRACE)
    return np.asarray(raised / raised.sum())
