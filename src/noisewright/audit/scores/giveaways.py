"""Exact values that give an input away: an output that repeats where all others differ is no accident.

Noise that is continuous never gives one number twice. A mechanism that publishes the true value in one run of
a thousand does, and a score that looks at sizes alone never sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.encoding.encoder import float_words
from noisewright.audit.scores.score import MonotoneChances, Score, SingledOut
from noisewright.audit.scores.univariate import MOST
from noisewright.domains import Floats

FEWEST: Final = 3
"""Rows that repeat a value before it is looked at; twice happens by accident where numbers are short."""

ACCIDENTS: Final = 1.0
"""Values that stand out by chance in an audit, on average: they would cost power and never validity."""

TAIL: Final = 0.01
"""The share of rows, at either end, over which the score says how far it can tell inputs apart itself."""

CLEARLY: Final = 1.5
"""How many times the score's own odds those of a giveaway are at least: the score's are measured, too."""

RARE: Final = 0.05
"""The share of rows up to which a value is looked at in a column that mostly holds one other: what a bit or a
code says, the score knows."""

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
        return np.asarray(float_words(table[:, self.column]) == float_words(np.array([self.value])))


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
    def singled_out(self) -> tuple[SingledOut, ...]:
        """The events of the giveaways alone."""
        sides = {one.speaks_for_left for one in self.giveaways}
        ends = SingledOut(True, LARGEST), SingledOut(False, -np.inf)
        return tuple(end for end in ends if end.above in sides)

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
        words = list(dict.fromkeys(one.words for one in self.giveaways if one.speaks_for_left == side))
        return " or ".join(
            [*words[:MOST], *([f"{len(words) - MOST} more such"] if len(words) > MOST else [])]
        )


def with_giveaways(
    score: Score, left: Features, right: Features, encoder: Encoder, held_out: tuple[Features, Features]
) -> Score:
    """Return the score with the giveaways that the fitting rows show, or the score itself if they show none.

    A repeated value is a giveaway if it points to one input more surely than the score does for 98 % of the
    held-out rows.

    Args:
        score: The score that was chosen.
        left: The fitting rows of the left input, in which repeated values are looked for.
        right: Those of the right input.
        encoder: What made the rows of outputs; it has words for their values.
        held_out: Rows of the left and of the right input that the score was not fitted to.
    """
    chances = MonotoneChances.fit(*(score.values(side) for side in held_out))
    every = np.concatenate([chances.at(score.values(side)) for side in held_out])
    lowest, highest = np.quantile(every, [TAIL, 1 - TAIL]).tolist()
    repeated = list(_find_repeated(left, right, encoder))
    times = np.array([one.left for one in repeated]), np.array([one.right for one in repeated])
    for_left, for_right = _stand_out(*times, highest), _stand_out(*times[::-1], 1 - lowest)
    found = tuple(
        Giveaway(one.column, one.value, bool(for_left[place]), one.words)
        for place, one in enumerate(repeated)
        if for_left[place] or for_right[place]
    )
    if not found:
        return score
    return GiveawayScore(score, found, f"{score.title}, and exact values that give an input away")


class _Repeated(NamedTuple):
    """A value that a column repeats, in words, and how often it came with either input."""

    column: int
    value: float
    words: str
    left: int
    right: int


def _find_repeated(left: Features, right: Features, encoder: Encoder) -> Iterator[_Repeated]:
    """Every value that some column repeats, but those that stand for something else."""
    columns = left.table.shape[1]
    rows = min(len(left), len(right), CELLS // (2 * max(columns, 1)))
    for column in range(columns):
        sides = [float_words(side.table[:rows, column]) for side in (left, right)]
        different, counts = np.unique(np.concatenate(sides), return_counts=True)
        often = different[(counts >= FEWEST) & _surprising(different, counts)]
        times = [_count(often, side).tolist() for side in sides]
        for value, *both in zip(often.view(np.float64).tolist(), *times, strict=True):
            words = encoder.value_words(column, value)
            if words is not None:
                yield _Repeated(column, value, words, *both)


def _surprising(different: NDArray[np.uint64], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which values of a column a score does not know.

    All of them where most rows have a value of their own; signed zeros; and rare ones where most rows have
    the same value.
    """
    rows = counts.sum()
    if 2 * np.count_nonzero(counts == 1) >= rows:
        return np.ones(len(counts), dtype=np.bool_)
    zero = different.view(np.float64) == 0
    rare = (counts <= RARE * rows) & (2 * counts.max(initial=0) >= rows)
    return np.asarray(rare | (zero & (np.count_nonzero(zero) == 2)))


def _count(known: NDArray[np.uint64], words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How often each of some words, which rise, stands in a column."""
    if not len(known):
        return np.zeros(0, dtype=np.int64)
    place = np.minimum(np.searchsorted(known, words), len(known) - 1)
    return np.bincount(place[known[place] == words], minlength=len(known))


def _stand_out(own: NDArray[np.int64], other: NDArray[np.int64], chance: float) -> NDArray[np.bool_]:
    """Values that came with one input more often than ``chance`` of the time, not all by accident.

    A value that could not stand out even if all its rows were of one input is no look to pay for (Tarone
    1990).
    """
    total = own + other
    least, looks = np.sort(chance ** total.astype(np.float64)), np.arange(1, len(total) + 1)
    levels = ACCIDENTS / (2 * looks)  # both inputs are looked at
    paid = np.searchsorted(least, levels, side="right") <= looks
    unlikely = binom.sf(own - 1, total, chance) <= levels[paid].max(initial=0.0)
    return np.asarray(unlikely & ((own + 0.5) * (1 - chance) > CLEARLY * (other + 0.5) * chance))
