"""Grids of few points: ask at every point, and every channel on the grid is known exactly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from noisewright.domains import Floats
from noisewright.utility.channels import Lattice
from noisewright.utility.sampling.asking import Ask
from noisewright.utility.sampling.axis_laws import AxisLaws
from noisewright.utility.sampling.tally import Tally, exactly


def enumerate_points(ask: Ask, lattice: Lattice, laws: Sequence[AxisLaws]) -> Tally:
    """The exact failure probability of all channels of a family: Σ over all points of P(point)·failed."""
    shape = (lattice.cells,) * len(laws)
    places = np.stack(np.unravel_index(np.arange(lattice.cells ** len(laws)), shape), axis=1)
    fails = ask.at(lattice, places).reshape(shape).astype(np.float64)
    edges = np.arange(lattice.cells + 1)
    masses = [np.diff(law.below(edges), axis=1) for law in laws]
    rows = range(len(masses[0]))
    return exactly(np.array([_total(fails, [mass[row] for mass in masses]) for row in rows]), fails.size)


def _total(fails: Floats, masses: Sequence[Floats]) -> float:
    """The sum over a table, weighted along each axis."""
    return float(reduce(lambda table, mass: np.tensordot(mass, table, axes=1), masses, fails))
