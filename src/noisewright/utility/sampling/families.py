"""Which channels can be judged by the same queries: those whose reports lie on the same points.

An answer at one point says nothing about the next, as far as anything is proved about a black box. So
queries are shared by channels whose lattices have the same pitch and are shifted by whole cells: window
mechanisms and noise on the domain's own lattice; mechanisms on a grid of few points. A channel whose lattice
depends on ε (PM, SW, T-PM, T-SW) is a family of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells
from noisewright.utility.channels import Channel, Lattice

_SAME = 1e-4
"""Of a cell: lattices that agree so well over their whole length are equal but for rounding."""


@dataclass(frozen=True, eq=False)
class Family:
    """Channels on one lattice: their places in the curve, and where each one's own cells begin."""

    lattice: Lattice
    members: Cells
    offsets: Cells

    def __len__(self) -> int:
        return self.members.size


def find_families(channels: Sequence[Channel]) -> list[Family]:
    """All channels, sorted into families.

    >>> from noisewright.utility.curve import make_curve
    >>> curve = make_curve(["OGPM", "Laplace", "Exponential", "PM"], [1.0, 2.0])
    >>> [family.members.tolist() for family in find_families(curve.flat())]
    [[0, 1, 2, 3], [4, 5], [6], [7]]
    """
    groups: list[list[int]] = []
    for place, channel in enumerate(channels):
        home = next((g for g in groups if aligned(channels[g[0]].lattice, channel.lattice)), None)
        if home is None:
            groups.append([place])
        else:
            home.append(place)
    return [_family(channels, group) for group in groups]


def aligned(left: Lattice, right: Lattice) -> bool:
    """Whether the cells of two lattices fall on each other."""
    shift = (right.start - left.start) / left.pitch
    stretch = abs(right.pitch / left.pitch - 1) * max(left.cells, right.cells)
    return stretch < _SAME and abs(shift - round(shift)) < _SAME


def _family(channels: Sequence[Channel], members: list[int]) -> Family:
    lattices = [channels[member].lattice for member in members]
    first = min(lattices, key=lambda lattice: lattice.start)
    offsets = [round((lattice.start - first.start) / first.pitch) for lattice in lattices]
    cells = max(offset + lattice.cells for offset, lattice in zip(offsets, lattices, strict=True))
    return Family(Lattice(first.start, first.pitch, cells), np.array(members), np.array(offsets))
