"""A route under a speed limit: forward–backward over its stays.

The next place is drawn from the prior of that moment, restricted to the cells within reach of the current
one. With a small chance the limit does not hold and only the prior counts, so that a wrong limit or a gap in
the record cannot make a route impossible:

    P(next | now)  =  prior(next) · [(1 − jump) · near(now, next) / Σ prior(·) · near(now, ·)  +  jump].

``near`` applies the limit to each axis by itself. That allows every move within the limit and few others, and
it is a product of two small matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.reconstruction.grid import Grid, Singles

TINY = np.float32(1e-30)


class Reach:
    """Which cells are near each other, for a given distance that can be covered."""

    def __init__(self, grid: Grid) -> None:
        self._side, self._steps, self._around = grid.side, grid.steps, grid.around
        self._known: dict[tuple[int, int], tuple[Singles, Singles]] = {}

    def within(self, distance: float) -> tuple[Singles, Singles] | None:
        """Return nearness along both axes, or None if the whole grid is within reach."""
        spans = [min(distance / step, self._side) for step in self._steps]
        key = round(spans[0] * 8), round(spans[1] * 8)  # to an eighth of a cell
        if min(key) >= 8 * (self._side - 1):
            return None
        if key not in self._known:
            first, second = (
                self._near(eighths / 8, around) for eighths, around in zip(key, self._around, strict=True)
            )
            self._known[key] = first, second
        return self._known[key]

    def _near(self, span: float, around: bool) -> Singles:
        places = np.arange(self._side)
        apart = np.abs(places[:, None] - places)
        if around:
            apart = np.minimum(apart, self._side - apart)
        return np.asarray(np.clip(span + 1 - apart, 0, 1), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Chain:
    """The stays of one route: a prior and a likelihood for each, and the reach between them."""

    priors: Singles
    likelihoods: Singles
    reaches: list[tuple[Singles, Singles] | None]
    jump: float

    def evidence(self) -> float:
        """Return the logarithm of the likelihood of all reports of the route."""
        return float(np.log(self._forward()[1]).sum())

    def posteriors(self) -> Singles:
        """Return the posterior of each stay, given all reports of the route."""
        found, _ = self._forward()
        later = np.ones_like(found[-1])
        for step in range(len(found) - 2, -1, -1):
            later = self._back(step, self.priors[step + 1] * self.likelihoods[step + 1] * later)
            found[step] *= later
            found[step] /= max(found[step].sum(), TINY)
        return found

    def _forward(self) -> tuple[Singles, Floats]:
        """Return the posterior of each stay given the reports up to it, and the likelihood of its own."""
        found = np.empty_like(self.likelihoods)
        surprise = np.empty(len(found))
        ahead = self.priors[0]
        for step, likelihood in enumerate(self.likelihoods):
            if step:
                ahead = self._ahead(step - 1, found[step - 1])
            np.multiply(ahead, likelihood, out=found[step])
            surprise[step] = max(found[step].sum(), TINY)
            found[step] /= np.float32(surprise[step])
        return found, surprise

    def _ahead(self, step: int, now: Singles) -> Singles:
        prior, reach = self.priors[step + 1], self.reaches[step]
        if reach is None:
            return np.asarray(prior)
        moved = _blur(now / self._room(step), reach)
        return np.asarray(prior * ((1 - self.jump) * moved + self.jump), dtype=np.float32)

    def _back(self, step: int, later: Singles) -> Singles:
        reach, total = self.reaches[step], later.sum()
        if reach is None:
            return np.ones_like(later)
        back = (1 - self.jump) * _blur(later, reach) / self._room(step) + self.jump * total
        return np.asarray(back / max(back.max(), TINY), dtype=np.float32)

    def _room(self, step: int) -> Singles:
        """Return how much prior lies within reach of each cell."""
        reach = self.reaches[step]
        assert reach is not None
        return np.maximum(_blur(self.priors[step + 1], reach), TINY)


def _blur(values: Singles, reach: tuple[Singles, Singles]) -> Singles:
    side = len(reach[0])
    return np.asarray((reach[0] @ values.reshape(side, side) @ reach[1]).reshape(-1))
