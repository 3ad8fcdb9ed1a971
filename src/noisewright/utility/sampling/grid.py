"""A grid over the sensitive space, finer where the channels of a curve put more of their reports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.core.channels import CellLaw, Lattice

_LEVELS: Floats = (np.arange(64) + 0.5) / 64
_HEAVY = 1 / 512
"""Probability from which on a single cell is a separate part of the grid, such as an end with much noise."""

_STANDING_OUT = 8.0


def axis_edges(laws: Sequence[CellLaw], parts: int) -> Floats:
    """Return the edges of about ``parts`` parts, from the smallest report of any law to the largest.

    The parts hold equal shares of the reports, averaged over all laws. Edges lie between cells of the finest
    lattice, so that rounding does not matter.
    """
    lattice = min((law.lattice for law in laws), key=lambda one: one.pitch)
    quantiles = [
        law.lattice.start + np.interp(_LEVELS, law.cumulative, law.knots) * law.lattice.pitch for law in laws
    ]
    pool = np.sort(np.concatenate(quantiles))
    inner = pool[(np.arange(1, parts) * pool.size) // parts]
    ends = [(law.lattice.start, law.lattice.start + law.lattice.cells * law.lattice.pitch) for law in laws]
    heavy = np.concatenate([_heavy_edges(law) for law in laws])
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    places = np.round((np.concatenate([inner, heavy]) - lattice.start) / lattice.pitch)
    snapped = np.unique(lattice.start + places * lattice.pitch)
    snapped = snapped[(snapped > low + lattice.pitch / 4) & (snapped < high - lattice.pitch / 4)]
    return np.concatenate([[low], snapped, [high]])


def subdivide(edges: Floats, pieces: int) -> Floats:
    """Return the edges of a grid whose parts are each cut into equal pieces."""
    steps = np.arange(pieces) / pieces
    fine = edges[:-1, None] + np.diff(edges)[:, None] * steps
    return np.append(fine.reshape(-1), edges[-1])


def cell_edges(lattice: Lattice, edges: Floats) -> Cells:
    """Return the edges as numbers of cells of a lattice; the outer ones include all cells."""
    places = lattice.count_to(edges)
    places[0], places[-1] = 0, lattice.cells
    return places


def _heavy_edges(law: CellLaw) -> Floats:
    """Return the ends of single cells that are heavy and stand out from both neighbours."""
    heights = np.pad(np.diff(law.cumulative) / np.diff(law.knots), 1)
    beside = np.maximum(heights[:-2], heights[2:])
    alone = (np.diff(law.knots) == 1) & (heights[1:-1] > np.maximum(_HEAVY, _STANDING_OUT * beside))
    cells = law.knots[:-1][alone]
    return np.asarray(law.lattice.start + np.concatenate([cells, cells + 1]) * law.lattice.pitch)
