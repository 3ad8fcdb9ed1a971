"""Exact values that give an input away: an output that repeats where all others differ is no accident.

Noise that is continuous never gives one number twice. A mechanism that publishes the true value in one run of
a thousand does, and a score that looks at sizes alone never sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.encoding.atoms import bits
from noisewright.audit.scores.judging import MonotoneChances
from noisewright.audit.scores.phrases import MOST
from noisewright.audit.scores.score import Apart, Score
from noisewright.domains import Floats

FEWEST: Final = 3
"""Rows that repeat a value before it is looked at; twice happens by accident where numbers are short."""

ACCIDENTS: Final = 0.25
"""Values that stand out by chance in an audit, on average: they would cost power and never validity."""

TAIL: Final = 0.01
"""The share of rows, at either end, over which the score says how far it can tell inputs apart itself."""

CELLS: Final = 20_000_000
"""Numbers of the table in which repeated ones are looked for."""

LARGEST: Final = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Giveaway:
    """A value of one column, compared bit by bit, that speaks for the left input or for the right one."""

    column: int
    value: float
    speaks_for_left: bool
    words: str

    def holds(self, table: Floats) -> NDArray[np.bool_]:
        """In which rows it stands."""
        return np.asarray(_words(table[:, self.column]) == _words(np.array([self.value])))


@dataclass(frozen=True, eq=False)
class GiveawayScore(Score):
    """Another score, with all giveaways beyond its ends: those for left at +∞, those for right at −∞.

    So the giveaways of either input are an event of their own, and every other event has them on the side
    where they belong.
    """

    inner: Score
    giveaways: tuple[Giveaway, ...]
    title: str
    cheap: ClassVar[bool] = False

    @property
    def base(self) -> Score:
        """The score that the giveaways were added to."""
        return self.inner

    @property
    def apart(self) -> tuple[Apart, ...]:
        """The events of the giveaways alone."""
        sides = {one.speaks_for_left for one in self.giveaways}
        return tuple(Apart(above, LARGEST if above else -np.inf) for above in (True, False) if above in sides)

    def values(self, features: Features) -> Floats:
        for_left, for_right = (self._any(features.table, side) for side in (True, False))
        found = np.where(for_left & ~for_right, np.inf, self.inner.values(features))
        return np.where(for_right & ~for_left, -np.inf, found)

    def event(self, threshold: float, above: bool) -> str:
        left, right = (self._words(side) for side in (True, False))
        if threshold == np.inf:
            return "the output is nothing that was seen" if above else "the output is anything"
        if threshold == LARGEST and left:
            return left if above else f"it is not so that {left}"
        if threshold == -np.inf:
            return f"it is not so that {right}" if above else right
        always, never = (left, right) if above else (right, left)
        besides = [f"{how} where {what}" for how, what in (("always", always), ("never", never)) if what]
        return f"{self.inner.event(threshold, above)} ({', '.join(besides)})"

    def _any(self, table: Floats, side: bool) -> NDArray[np.bool_]:
        found = np.zeros(len(table), dtype=np.bool_)
        for one in self.giveaways:
            if one.speaks_for_left == side:
                found |= one.holds(table)
        return found

    def _words(self, side: bool) -> str:
        words = [one.words for one in self.giveaways if one.speaks_for_left == side]
        return " or ".join([*words[:MOST], *([f"{len(words) - MOST} more such"] if len(words) > MOST else [])])


def with_giveaways(
    score: Score, left: Features, right: Features, encoder: Encoder, held_out: tuple[Features, Features]
) -> Score:
    """The score with the giveaways that the fitting rows show, or the score itself if they show none.

    A value is one if the rows that repeat it come from one input more surely than the score tells any of the
    rows ``held_out`` apart, those at its very ends left aside.
    """
    chances = MonotoneChances.fit(*(score.values(side) for side in held_out))
    every = np.concatenate([chances.at(score.values(side)) for side in held_out])
    ends = np.quantile(every, [TAIL, 1 - TAIL])
    found = tuple(_standing_out(list(_repeated(left, right)), ends, encoder))
    if not found:
        return score
    return GiveawayScore(score, found, f"{score.title}, and exact values that give an input away")


@dataclass(frozen=True, eq=False)
class _Repeated:
    """The values that one column repeats, and how often with either input."""

    column: int
    values: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]


def _repeated(left: Features, right: Features) -> Iterator[_Repeated]:
    columns = left.table.shape[1]
    rows = min(len(left), len(right), CELLS // (2 * max(columns, 1)))
    for column in range(columns):
        sides = [_words(side.table[:rows, column]) for side in (left, right)]
        values, counts = np.unique(np.concatenate(sides), return_counts=True)
        often = values[counts >= FEWEST]
        if len(often):
            yield _Repeated(column, often.view(np.float64), *(_counted(often, side) for side in sides))


def _counted(known: NDArray[np.uint64], words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How often each of some words, which rise, stands in a column."""
    place = np.minimum(np.searchsorted(known, words), len(known) - 1)
    return np.bincount(place[known[place] == words], minlength=len(known))


def _standing_out(repeated: Sequence[_Repeated], ends: Floats, encoder: Encoder) -> Iterable[Giveaway]:
    """Values whose rows tell their input better than either end of the score, after so many looks."""
    level = ACCIDENTS / max(2 * sum(len(one.values) for one in repeated), 1)
    for one in repeated:
        total = one.left + one.right
        for_left = binom.sf(one.left - 1, total, ends[1]) <= level
        for_right = binom.sf(one.right - 1, total, 1 - ends[0]) <= level
        for place in np.flatnonzero(for_left | for_right).tolist():
            value = float(one.values[place])
            words = encoder.value_words(one.column, value)
            if words is not None:
                yield Giveaway(one.column, value, bool(for_left[place]), words)


def _words(numbers: Floats) -> NDArray[np.uint64]:
    """The bits of some numbers: the two zeros are two."""
    return np.asarray(bits(numbers))
