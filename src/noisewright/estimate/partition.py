"""Bins of true values, zones of values that a mechanism cannot tell apart, and classes of values.

At the ends of an interval OGPM's window lies still: all values nearer to an end than half a window have
the *same* law, so no number of reports shows how people are spread among them. A table has the same law
for all values of one of its cells. Only the share of people in a whole zone can be estimated, and an interval
that claims more is wrong.

Classes are the true values at which a law must be evaluated so that it is known everywhere. A function G
that is constant on parts of the reports has an expectation E[G | x] for every true value x. For
whole numbers there are finitely many x, and each is a class of its own. For a window that slides with x the
expectation is a straight line between *knots*, the values at which an end of the window passes an end of a
part; for a table it is constant along each row. So a claim "E[G | x] is at least ψ(x)" that holds at the
knots, at the ends of rows and where ψ turns holds for every x (``docs/theory/estimates.md``). Only laws that
are smooth in x, like Laplace's, are evaluated on a grid, a thousand times finer than they change.

The parts of the reports are joined from the counted ones: coarse in general, with an end wherever a window of
a value at which ψ turns begins or ends, or does so a few windows further on. There G can change sharply.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats, Integers, NumericDomain
from noisewright.estimate.channel import countable, masses_of_parts
from noisewright.estimate.functional import Functional
from noisewright.estimate.groups import parts_of
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import DesignedLaw, Hybrid, Mechanism
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.mechanisms.tabular import GridMechanism
from noisewright.mechanisms.truncated import Truncated

LOOKS = 1 << 13
"""Values at which the law of a mechanism is evaluated to find its zones."""

ALIKE = 1e-9
"""Telling apart two laws that differ by less in every report takes more reports than there are people."""


def equal_bins(domain: NumericDomain, bins: int) -> Floats:
    """Return the edges of equal bins; bins of whole numbers differ by one number at most.

    >>> from noisewright import Integers
    >>> equal_bins(Integers(0, 9), 4).tolist()
    [-0.5, 1.5, 4.5, 6.5, 9.5]
    """
    if isinstance(domain, Integers):
        bins = min(bins, domain.size)
        return np.asarray(domain.low + np.arange(bins + 1) * domain.size // bins, dtype=np.float64)
    return np.asarray(domain.start + np.arange(bins + 1) * (domain.length / bins), dtype=np.float64)


def flat_zones(mechanism: Any) -> list[tuple[float, float]]:
    """Return the stretches of true values over which a mechanism's law does not change.

    Stretches of whole numbers end halfway to the next number.
    """
    domain = mechanism.domain
    few = isinstance(domain, Integers) and domain.size <= LOOKS
    even = np.unique(np.linspace(0, domain.lattice - 1, LOOKS).astype(np.int64))
    cells = domain.snap(domain.values) if few else even
    if isinstance(mechanism, WindowMechanism):
        same = mechanism.window.begin(cells)
    elif has_rows(mechanism):
        same = _alike(mechanism.table.masses)[mechanism.rows(cells)]
    else:
        return []
    starts = np.flatnonzero(np.diff(same, prepend=same[0] - 1))
    stops = np.append(starts[1:], same.size) - 1
    left = domain.start + (starts if few else cells[starts] * domain.pitch)
    right = domain.start + (stops + 1 if few else (cells[stops] + 1) * domain.pitch)
    long = stops > starts
    return list(zip(left[long].tolist(), right[long].tolist(), strict=True))


def has_rows(mechanism: Any) -> bool:
    """Return whether a mechanism is a table with one law for all values of a row."""
    designed = isinstance(mechanism, DesignedLaw) and not mechanism.dithered
    return designed or isinstance(mechanism, GridMechanism)


def _alike(rows: Floats) -> Any:
    """A number for each row of a table, the same for neighbours with the same law."""
    steps = np.abs(np.diff(rows, axis=0)).max(axis=1) > ALIKE
    return np.concatenate([[0], np.cumsum(steps)])


def common_zones(mechanisms: list[Any]) -> list[tuple[float, float]]:
    """Return the stretches over which no mechanism's law changes."""
    first, *others = (flat_zones(mechanism) for mechanism in mechanisms)
    shared = first
    for other in others:
        meets = [(max(a, c), min(b, d)) for a, b in shared for c, d in other]
        shared = [(low, high) for low, high in meets if low < high]
    return sorted(shared)


PARTS = (64, 128)
"""Parts of the reports for a window that covers many of them, and for a narrow one."""
WIDE = 0.2
"""Of the reports: a window is wide if it covers more."""
ECHOES = 4
"""Number of windows before and after that of a turn at whose ends parts end, too."""

FINE_PARTS, PARTS_A_NUMBER = 512, 4
"""Least number of parts, in all and for each whole number, where more parts do not mean more classes."""

GRID = 1024
"""Steps of the grid on which a law that is smooth in the true value is evaluated."""

SOLVED = 320
"""Classes up to which a program is solved for all; otherwise for a part of them, and the rest are checked."""

SAME = 1e-13
"""Laws whose chances differ by less are the same."""


@dataclass(frozen=True, eq=False)
class Classes:
    """Stretches of true values, each with one law, that stand for all true values.

    ``laws`` has a row for each class and a column for each part of the reports of all mechanisms together; a
    row sums to one. ``parts`` are the counted parts at which those of each mechanism begin,
    ``solved`` the classes among which a best function is sought. ``gap`` is the longest way from one class to
    the next, 0 if there are no values between classes.
    """

    left: Floats
    right: Floats
    laws: Floats
    parts: tuple[Cells, ...]
    solved: NDArray[np.int64]
    gap: float

    @classmethod
    def of(cls, tally: Tally, turns: tuple[float, ...], *, fine: bool = True) -> Classes:
        """Return the classes of a tally for functionals that turn at given values.

        ``fine`` cuts the reports of narrow windows into more parts.
        """
        domain = tally.domain
        fine = fine and len(tally.groups) == 1
        pairs = [(group, _parts(group.mechanism, turns, fine=fine)) for group in tally.groups]
        usual = np.unique(np.concatenate([_places(group.mechanism, parts) for group, parts in pairs]))
        turned = np.empty(0) if countable(domain) else np.unique(turns)
        laws = np.hstack([
            group.count / tally.count * _laws(group.mechanism, usual, turned, parts) for group, parts in pairs
        ])  # fmt: skip
        places = np.concatenate([usual, turned])
        around = max(_blur(group.mechanism) for group in tally.groups)
        order = np.argsort(places, kind="stable")
        found = _merged(places[order], around, laws[order])
        between = float(np.max(found[0][1:] - found[1][:-1], initial=0.0)) + 2 * around
        gap = 0.0 if countable(domain) else between
        return cls(*found, tuple(parts for _, parts in pairs), _chosen(*found[:2], turns), gap)

    def counts(self, tally: Tally) -> tuple[Floats, ...]:
        """Return the number of reports of each mechanism in each part."""
        return tuple(
            np.add.reduceat(group.counts, parts[:-1]).astype(np.float64)
            for group, parts in zip(tally.groups, self.parts, strict=True)
        )

    def ends(self, functional: Functional) -> tuple[Floats, Floats]:
        """Return a functional's least and largest value over each class and on the way to the next."""
        low, high = functional.ends(self.left, self.right)
        sag = functional.bend * self.gap**2 / 8
        return low - sag, high + sag


def _parts(mechanism: Mechanism, turns: tuple[float, ...], *, fine: bool) -> Cells:
    """The counted parts of the reports at which joined parts begin, and the end of the last."""
    counted = parts_of(mechanism.reports)
    window = None if countable(mechanism.domain) else _window(mechanism)
    if window is None:
        numbers = mechanism.domain.size if countable(mechanism.domain) else 0
        return _even(counted, max(FINE_PARTS, PARTS_A_NUMBER * numbers))
    narrow = window[0].width < WIDE * window[0].cells
    even = _even(counted, PARTS[fine and narrow])
    return np.union1d(even, _echoes(mechanism, window, np.array(turns), counted)) if turns else even


def _even(counted: int, wanted: int) -> Cells:
    return np.unique(np.arange(min(wanted, counted) + 1) * counted // min(wanted, counted))


def _window(mechanism: Any) -> tuple[Window, int] | None:
    """The window that slides with the true value, if there is one, and the window's cell of report cell 0."""
    if isinstance(mechanism, WindowMechanism):
        return mechanism.window, 0
    if isinstance(mechanism, Truncated):
        return mechanism.inner.window, mechanism.kept[0]
    if isinstance(mechanism, Hybrid):
        return mechanism.piecewise.window, 0
    return None


def _echoes(mechanism: Any, sliding: tuple[Window, int], turns: Floats, counted: int) -> Cells:
    """The counted parts nearest to the ends of windows of the turns, and of the windows beside those."""
    window, first = sliding
    begins = window.begin(mechanism.domain.snap(turns))[:, None] + window.width * np.arange(
        -ECHOES, ECHOES + 2
    )
    lattice = mechanism.reports.lattice
    cells = (begins - first) % lattice if window.circular else begins - first
    ends = np.rint(cells * (counted / lattice)).astype(np.int64)
    return np.asarray(ends[(ends > 0) & (ends < counted)])


def _places(mechanism: Any, parts: Cells) -> Floats:
    """The true values at which the expectation of a function of the parts bends or jumps."""
    domain = mechanism.domain
    if countable(domain):
        return np.asarray(domain.values)
    sliding = _window(mechanism)
    if sliding is not None:
        cells = _knots(domain, *sliding, _cells_of(mechanism, parts))
    elif has_rows(mechanism):
        rows = mechanism.table.masses.shape[0]
        first = -(-np.arange(rows + 1) * domain.lattice // rows)
        cells = np.concatenate([first[:-1], first[1:] - 1])
    elif isinstance(mechanism, DesignedLaw):
        knots = np.arange(len(mechanism.weights)) * (domain.lattice / (len(mechanism.weights) - 1)) - 0.5
        cells = np.concatenate([np.floor(knots), np.ceil(knots)]).astype(np.int64)
    else:
        cells = np.linspace(0, domain.lattice - 1, min(GRID + 1, domain.lattice)).round().astype(np.int64)
    cells = np.unique(np.clip(np.concatenate([cells, [0, domain.lattice - 1]]), 0, domain.lattice - 1))
    return np.asarray(domain.centres(cells))


def _knots(domain: NumericDomain, window: Window, first: int, ends: Cells) -> Cells:
    """The input cells whose window begins or ends where a part of the reports does."""
    begins = np.concatenate([ends + first, ends + first - window.width])
    if window.circular:
        return (
            np.ceil((begins - window.offset) % window.cells / window.slope).astype(np.int64) % domain.lattice
        )
    begins = begins[(begins >= 0) & (begins <= window.furthest)]
    cells = np.ceil((begins - window.shift) / window.slope).astype(np.int64)
    cells = np.clip(cells, 0, domain.lattice - 1)
    late = (window.begin(cells) > begins) & (cells > 0)  # rounding may be off by a cell
    return np.asarray(cells - late)


def _cells_of(mechanism: Any, parts: Cells) -> Cells:
    """The report cells at which parts begin."""
    lattice = mechanism.reports.lattice
    return np.asarray(-(-parts * lattice // parts_of(mechanism.reports)))


def _laws(mechanism: Any, usual: Floats, turned: Floats, parts: Cells) -> Floats:
    """The chance of each part, one row for each of the usual places and of those where a functional turns."""
    laws = _usual_laws(mechanism, usual.tobytes(), parts.tobytes())
    if not turned.size:
        return laws
    return np.vstack([laws, masses_of_parts(mechanism, turned, _cells_of(mechanism, parts))])


@lru_cache(maxsize=64)
def _usual_laws(mechanism: Any, places: bytes, parts: bytes) -> Floats:
    """Laws at the usual places, which the next functional needs again."""
    where, ends = np.frombuffer(places), np.frombuffer(parts, dtype=np.int64)
    return masses_of_parts(mechanism, where, _cells_of(mechanism, ends))


def _blur(mechanism: Any) -> float:
    """The largest distance of values that a lattice does not tell apart: a window moves by whole cells."""
    if countable(mechanism.domain):
        return 0.0
    sliding = _window(mechanism)
    return float(mechanism.domain.pitch * (1 + 1 / sliding[0].slope if sliding else 1))


def _merged(places: Floats, around: float, laws: Floats) -> tuple[Floats, Floats, Floats]:
    """Neighbours with the same law as one class, from the first to the last of them."""
    new = np.concatenate([[True], np.abs(np.diff(laws, axis=0)).max(axis=1) > SAME])
    first = np.flatnonzero(new)
    left, right = places - around, places + around
    return np.minimum.reduceat(left, first), np.maximum.reduceat(right, first), laws[first]


def _chosen(left: Floats, right: Floats, turns: tuple[float, ...]) -> NDArray[np.int64]:
    """All classes, or of many an even choice and those around the turns."""
    if left.size <= SOLVED:
        return np.arange(left.size)
    near = np.searchsorted(right, np.array(turns))[:, None] + np.arange(-8, 9)
    even = np.linspace(0, left.size - 1, SOLVED // 2).round().astype(np.int64)
    return np.unique(np.clip(np.concatenate([near.reshape(-1), even]), 0, left.size - 1).astype(np.int64))
