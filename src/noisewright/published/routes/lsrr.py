"""L-SRR: staircase randomized response, whose probabilities fall in steps from near groups to far ones."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.mechanisms.basics.tables import closest_proved
from noisewright.parameters import is_number
from noisewright.published.routes.base import ListedPlaces, RealGuarantee, RowBaseline, check_flag
from noisewright.published.routes.integers import RETREAT, integer_rows, real_epsilon
from noisewright.statistics import bisect


@dataclass(frozen=True, eq=False)
class LSRR(ListedPlaces, RowBaseline):
    """Report a place of the nearest group, or with falling probability one of a group further away.

    Radii around the true place divide all places into groups. A place of group j of g is reported with a
    probability proportional to c − (j − 1)(c − 1)/(g − 1), where c = e^ε (Wang et al. 2022). The sum that
    normalizes a row depends on how many places its groups hold, so the ratio of two rows exceeds e^ε.

    Args:
        points: The public places (n × 2), 2 to 32,768.
        epsilon: The nominal budget of one location.
        radii: The radii of the groups, rising, as shares of the longer side of the space.
        calibrated: Whether to lower c until the ratio is e^ε at most; no by default, as published.
        space: Where the places lie; by default the rectangle around them.

    >>> corners = [(0, 0), (1, 0), (0, 1), (1, 1), (0.1, 0.1)]
    >>> LSRR(corners, epsilon=1.0).real_guarantee.real > 1.2
    True
    >>> LSRR(corners, epsilon=1.0, calibrated=True).real_guarantee.kept
    True
    """

    radii: Sequence[float] = (0.3, 0.6)
    calibrated: bool = False
    title: ClassVar[str] = "L-SRR"

    def _prepare(self) -> None:
        radii = tuple(self.radii)
        steps = itertools.pairwise((0.0, *radii)) if all(map(is_number, radii)) else ((1.0, 0.0),)
        if not radii or not all(low < high for low, high in steps):
            raise InvalidParameter(
                f"must be rising shares of the longer side, got {self.radii!r}", field="radii"
            )
        object.__setattr__(self, "radii", radii)
        check_flag("calibrated", self.calibrated)

    def groups(self, rows: Cells) -> Cells:
        """Return the group of every place (columns) as seen from some places (rows); 0 is the nearest."""
        edges = np.asarray(self.radii) * self.places.longer_side
        return np.searchsorted(edges, self.places.distances(rows), side="left")

    @cached_property
    def steepness(self) -> float:
        """The logarithm of c: ε itself, or less after calibration."""
        return self._calibrated_steepness() if self.calibrated else self.epsilon * (1 - RETREAT)

    def law(self, rows: Cells) -> Floats:
        return self._law(rows, self.steepness)

    def _law(self, rows: Cells, steepness: float) -> Floats:
        shares = self._levels(steepness)[self.groups(rows)]
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def _levels(self, steepness: float) -> Floats:
        """Return the heights of the steps, in units of the last one."""
        return np.linspace(np.exp(steepness), 1.0, len(self.radii) + 1)

    @cached_property
    def real_guarantee(self) -> RealGuarantee:
        real = self._spent()
        if self.calibrated:
            why = "its steps were lowered until they keep ε with groups of every size"
        elif real > self.epsilon:
            why = "the sizes of the groups depend on the true place, and with them all probabilities"
        else:
            why = "among these places the sizes of the groups do not matter"
        return RealGuarantee(self.epsilon, real, why)

    # -- calibration -------------------------------------------------------------------------------

    def _calibrated_steepness(self) -> float:
        """Return the largest steepness with which the integers keep ε: found in doubles, then proved."""
        low = float(bisect(lambda steep: self._roughly(float(steep)) <= self.epsilon, 0.0, self.epsilon)[0])

        def build(retreat: float) -> float:
            steepness = low * (1 - retreat)
            tables = (integer_rows(self._law(rows, steepness)) for rows in self.places.blocks())
            if real_epsilon(tables) > self.epsilon:
                raise GuaranteeBroken("the integers of the steps spend more than epsilon")
            return steepness

        return closest_proved(build)

    def _roughly(self, steepness: float) -> float:
        """Return the ε of the law on paper, from the extreme row sums for each place and group."""
        levels, (least, most) = self._levels(steepness), self._steps_seen
        step = (levels[0] - 1) / len(self.radii)
        largest = levels / (levels[0] * len(self.places) - step * most)
        smallest = levels / (levels[0] * len(self.places) - step * least)
        return float(np.log((np.nanmax(largest, axis=1) / np.nanmin(smallest, axis=1)).max()))

    @cached_property
    def _steps_seen(self) -> tuple[Floats, Floats]:
        """Return for each place and group the least and the most steps down of all rows with it there.

        A row's sum is c·places − step·(its steps down, over all places), so these decide the extreme ratios
        of a column, whatever c is.
        """
        shape = (len(self.places), len(self.radii) + 1)
        least, most = np.full(shape, np.inf), np.full(shape, -np.inf)
        for rows in self.places.blocks():
            groups = self.groups(rows)
            down = groups.sum(axis=1, dtype=np.float64)[:, None]
            for group in range(shape[1]):
                seen = groups == group
                least[:, group] = np.minimum(least[:, group], np.where(seen, down, np.inf).min(axis=0))
                most[:, group] = np.maximum(most[:, group], np.where(seen, down, -np.inf).max(axis=0))
        absent = np.isinf(least)
        least[absent] = most[absent] = np.nan
        return least, most
