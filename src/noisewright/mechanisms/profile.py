"""A law as a picture sees it: a step function, and atoms.

Nearly every law of this package is even over a few runs of cells, which makes a step function. Some laws
also have *atoms*, single reports with a probability of their own: the ends of a truncated law, Duchi's two
reports. As a density an atom would be a spike of 10⁵, so it is kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Circle, Floats
from noisewright.mechanisms.law import Law

FEW_REPORTS = 16
"""A lattice of at most this many cells has no density to speak of: every report is an atom."""

STANDS_OUT = 32.0
"""A single cell this many times as likely as its neighbours is an atom."""

VISIBLE = 5e-4
"""The least probability that gets a stem; also what the view may leave out at either side."""


@dataclass(frozen=True, eq=False)
class Profile:
    """One law as a step function (``edges`` and ``heights``) and atoms (``places`` and ``masses``).

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> profile = Profile.of(OGPM(Interval(0, 1), epsilon=2.0).law(0.5))
    >>> profile.edges.round(3).tolist(), profile.masses.tolist()
    ([0.0, 0.366, 0.634, 1.0], [])
    """

    edges: Floats
    heights: Floats
    places: Floats
    masses: Floats

    @staticmethod
    def of(law: Law, row: int = 0) -> Profile:
        """The profile of the law of one true value, counted through a flattened array of them."""
        edges, inside = _segments(law, row)
        reports = law.reports
        if reports.lattice <= FEW_REPORTS:
            widths = np.diff(edges).astype(np.int64)
            cells = np.repeat(inside, widths)
            kept = cells > 0
            return Profile(np.zeros(1), np.zeros(0), reports.centres(np.flatnonzero(kept)), cells[kept])
        beside = _beside(inside, around=isinstance(reports, Circle))
        atom = (np.diff(edges) == 1) & (inside > STANDS_OUT * beside)
        return Profile(
            edges=reports.start + edges * reports.pitch,
            heights=np.where(atom, beside, inside) / reports.pitch,
            places=reports.centres(edges[:-1][atom]),
            masses=(inside - beside)[atom],
        )


def _segments(law: Law, row: int) -> tuple[Floats, Floats]:
    """Edges, in cells, between which the law is even, and the probability of a cell in each segment."""
    lattice, shape = float(law.reports.lattice), (*law.truth.shape, _runs(law))
    start, count, mass = (
        np.broadcast_to(part, shape).reshape(-1, shape[-1])[row]
        for part in (law.start, law.count, law.mass_of_run)
    )
    start, count, share = start[mass > 0], count[mass > 0], (mass / count)[mass > 0]
    wraps = start + count > lattice  # a run over the end of a circle goes on at its beginning
    begins = np.concatenate([start, np.zeros(int(wraps.sum()))])
    ends = np.concatenate([np.minimum(start + count, lattice), (start + count - lattice)[wraps]])
    shares = np.concatenate([share, share[wraps]])
    edges = np.unique(np.concatenate([begins, ends, [0.0, lattice]]))
    change = np.zeros(edges.size)
    np.add.at(change, np.searchsorted(edges, begins), shares)
    np.add.at(change, np.searchsorted(edges, ends), -shares)
    return edges, np.maximum(np.cumsum(change)[:-1], 0.0)


def _runs(law: Law) -> int:
    return max(int(part.shape[-1]) for part in (law.start, law.count, law.mass_of_run))


def _beside(inside: Floats, *, around: bool) -> Floats:
    """The larger of the two neighbours of each segment; nothing lies beyond the ends of a line."""
    left, right = np.roll(inside, 1), np.roll(inside, -1)
    if not around:
        left[0] = right[-1] = 0.0
    return np.maximum(left, right)


def view(law: Law) -> tuple[float, float]:
    """The part of the line worth looking at: the domain, and all but a thousandth of the reports.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import Laplace
    >>> law = Laplace(Interval(0, 1), epsilon=4.0).law(0.5)
    >>> law.reports.start, [round(end, 2) for end in view(law)]
    (-5.50..., [-1.23, 2.23])
    """
    ends: list[float] = [law.metric.start, law.metric.start + law.metric.length]
    for row in range(law.truth.size):
        profile = Profile.of(law, row)
        below = np.concatenate([[0.0], np.cumsum(profile.heights * np.diff(profile.edges))])
        ends += np.interp([VISIBLE, below[-1] - VISIBLE], below, profile.edges).tolist()
        ends += profile.places[profile.masses >= VISIBLE].tolist()
    return float(min(ends)), float(max(ends))
