"""The interface of scores, their quality on unseen rows, and scores for outputs that are one number or code.

The latter are the output itself, its bins and its grain (log-likelihood ratios in steps), and exact counting.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.special import betaln, xlogy
from scipy.stats import rankdata

from noisewright.audit.basics.outputs import in_intervals, list_kinds, list_texts
from noisewright.audit.encoding import Encoder, Features
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter


class SingledOut(NamedTuple):
    """An event that gets a bound of its own, however rare: {score > threshold}, or {score ≤ threshold}."""

    above: bool
    threshold: float


class Score(ABC):
    """A number for each output; higher means that it looks more like coming from the left input.

    Only the order matters: scores need not be probabilities. Each kind has a ``fit`` that learns from the
    fitting rows of both inputs, ``left`` and ``right``, made by ``encoder``, with ``seed`` for randomness.
    ``cheap`` ones are fitted again on all rows once they are chosen.
    """

    title: str
    cheap: ClassVar[bool] = True

    @property
    def base(self) -> Score:
        """The score itself, without the giveaways that were added after it was chosen."""
        return self

    @property
    def singled_out(self) -> tuple[SingledOut, ...]:
        """Events that the fitting rows have singled out already; none by default."""
        return ()

    @abstractmethod
    def values(self, features: Features) -> Floats:
        """Return the score of each row."""

    def event(self, threshold: float, above: bool) -> str:
        """Return {score > threshold}, or {score ≤ threshold}, in words."""
        return f"the trained score ({self.title}) is {'above' if above else 'at most'} {threshold:.6g}"


# -- the quality of a score ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MonotoneChances:
    """The chance of the left input as a rising step function of a score, by isotonic regression.

    Only the order of a score is used, so it is judged by that alone: this gives any order its best chances.

    >>> chances = MonotoneChances.fit(np.array([2.0, 3.0, 4.0]), np.array([0.0, 1.0, 2.5]))
    >>> chances.at(np.array([0.5, 2.2, 9.0])).round(2).tolist()
    [0.17, 0.5, 0.83]
    """

    tops: Floats
    chances: Floats

    @classmethod
    def fit(cls, left: Floats, right: Floats) -> Self:
        """Learn from scores of equally many rows of both inputs."""
        scores, place = np.unique(np.concatenate([left, right]), return_inverse=True)
        rows = np.bincount(place)
        shares = np.bincount(place[: len(left)], minlength=len(scores)) / rows
        found = isotonic_regression(shares, weights=rows)
        level = found.x[found.blocks[:-1]]
        chances = (level * found.weights + 0.5) / (found.weights + 1)  # nothing is certain
        return cls(scores[found.blocks[1:] - 1], chances)

    def at(self, scores: Floats) -> Floats:
        """Return the chance of the left input at each score."""
        return self.chances[np.minimum(np.searchsorted(self.tops, scores), len(self.tops) - 1)]


def log_losses(
    score: Score, calibrating: tuple[Features, Features], judging: tuple[Features, Features]
) -> Floats:
    """Return the log-loss in nats of guessing the input of each judging row (left rows first).

    A blind guess loses ln 2.
    """
    chances = MonotoneChances.fit(*(score.values(side) for side in calibrating))
    left, right = (chances.at(score.values(side)) for side in judging)
    return np.concatenate([-np.log(left), -np.log1p(-right)])


# -- log-likelihood ratios from counts -----------------------------------------------------------------


Counts = NDArray[np.int64]

STRENGTHS = 0.5 * 2.0 ** np.arange(16)
"""Imaginary rows added to a cell on either side; half a row is Jeffreys' rule."""


def log_ratios(left: Counts, right: Counts) -> Floats:
    """Return ln(P/Q) of each cell, shrunk toward 0 as strongly as the cells themselves suggest.

    Rare cells differ mostly by chance, and raw ratios would put the luckiest first. The left input's share
    varies between cells by a Beta law around its mean, with the strength a that makes the counts likeliest.
    The ratio is then ln((left + a)/(right + a)), scaled where one input has more rows.

    >>> log_ratios(np.array([900, 100, 0]), np.array([100, 900, 0])).round(2).tolist()
    [2.19, -2.19, 0.0]
    """
    rows = max(int(left.sum()), 1), max(int(right.sum()), 1)
    share = rows[0] / sum(rows)

    def evidence(strength: float) -> float:
        first, second = 2 * strength * share, 2 * strength * (1 - share)
        return float((betaln(left + first, right + second) - betaln(first, second)).sum())

    strength = max(STRENGTHS, key=evidence)
    ratio = (left + 2 * strength * share) / (right + 2 * strength * (1 - share))
    return np.asarray(np.log(ratio * rows[1] / rows[0]))


# -- edges: where a number line may be cut -------------------------------------------------------------


FEWEST = 8
"""Rows in the outermost bin, over both inputs."""


def candidate_edges(left: Floats, right: Floats, bins: int) -> Floats:
    """Return edges of bins with about equally many rows; bin k is above edge k − 1 and at most edge k.

    Toward both ends bins halve until they hold a few rows only, because rare outputs are where ratios are
    largest. A number that fills a bin gets one of its own. The ends of each input's numbers are edges, too:
    one input may reach where the other never does.

    >>> candidate_edges(np.arange(100.0), np.arange(50, 150.0), 4).tolist()
    [-5e-324, 7.0, 15.0, 31.0, 49.0, 49.99999999999999, 74.0, 99.0, 117.0, 133.0, 141.0, 149.0]
    """
    numbers = np.sort(np.concatenate([left, right]))
    cuts = numbers[_ranks(len(numbers), bins)]
    values, times = np.unique(cuts, return_counts=True)
    starts = np.concatenate([values[times > 1], [left.min(), right.min()]])
    ends = [left.max(), right.max()]
    with np.errstate(over="ignore"):  # below the lowest double there is none
        before = np.nextafter(starts, -np.inf)
    return np.unique(np.concatenate([values, before, ends]))


def _ranks(rows: int, bins: int) -> NDArray[np.int64]:
    even = np.arange(1, bins) * rows // bins
    halves = FEWEST << np.arange(max(int(np.log2(max(rows // bins, 1) / FEWEST)) + 1, 0))
    ranks = np.concatenate([even, halves, rows - halves]) - 1
    return np.unique(np.clip(ranks, 0, rows - 1))


# -- segments: neighbouring bins whose counts do not differ clearly ------------------------------------


def segment_ends(left: Counts, right: Counts) -> Counts:
    """Return the last bin of each segment in the likeliest segmentation; a segment costs ln(bins) nats.

    Within a segment the share of the left input is one number, so a segment's log-likelihood is
    l·ln(l/n) + r·ln(r/n); the best cut is found exactly, from left to right.

    >>> segment_ends(np.array([10, 12, 90, 88]), np.array([90, 89, 10, 11])).tolist()
    [1, 3]
    """
    lefts, rights = (np.concatenate([[0], np.cumsum(side)]) for side in (left, right))
    price = np.log(len(left) + 1)
    best, start = np.zeros(len(lefts)), np.zeros(len(lefts), dtype=np.int64)
    for stop in range(1, len(lefts)):
        some, others = lefts[stop] - lefts[:stop], rights[stop] - rights[:stop]
        likelihood = xlogy(some, some) + xlogy(others, others) - xlogy(some + others, some + others)
        gains = best[:stop] + likelihood - price
        start[stop] = np.argmax(gains)
        best[stop] = gains[start[stop]]
    ends, stop = [], len(start) - 1
    while stop > 0:
        ends.append(stop - 1)
        stop = int(start[stop])
    return np.array(ends[::-1], dtype=np.int64)


# -- steps ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Steps:
    """A step function, ``levels[k]`` above edge k − 1 and up to edge k: the likelier input, and how much.

    >>> steps = Steps.fit(np.array([0.0, 0, 0, 1] * 50), np.array([0.0, 1, 1, 1] * 50), 16)
    >>> steps.edges.tolist(), steps.levels.round(1).tolist()
    ([0.0], [1.1, -1.1])
    """

    edges: Floats
    levels: Floats

    @classmethod
    def fit(cls, left: Floats, right: Floats, bins: int) -> Self:
        """Cut the line where the inputs differ; one level where they do not."""
        edges = candidate_edges(left, right, bins)
        counts = [
            np.bincount(np.searchsorted(edges, side), minlength=len(edges) + 1) for side in (left, right)
        ]
        ends = segment_ends(*counts)
        starts = np.concatenate([[0], ends[:-1] + 1])
        return cls(edges[ends[:-1]], log_ratios(*(np.add.reduceat(side, starts) for side in counts)))

    def scaled(self) -> Self:
        """Return the steps with levels of mean size 1, so that a regression can weigh them beside others."""
        return replace(self, levels=self.levels / np.abs(self.levels).mean())

    def at(self, numbers: Floats) -> Floats:
        """Return the level of each number."""
        return self.levels[np.searchsorted(self.edges, numbers)]


# -- scores of one number or one code an output --------------------------------------------------------


ENOUGH = 50_000
"""Rows of each input that are enough to see which input has larger numbers."""


@dataclass(frozen=True)
class ValueScore(Score):
    """The output itself: the best score if the likelihood ratio rises or falls with the output.

    >>> ValueScore(-1).event(-3.25, above=True)
    'the output is below 3.25'
    """

    sign: int
    title: str = "the output itself"

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        need_one_number(encoder, "value")
        some, others = left.table[:ENOUGH, 0], right.table[:ENOUGH, 0]
        ranks = rankdata(np.concatenate([some, others]))
        left_is_high = ranks[: len(some)].mean() >= ranks[len(some) :].mean()
        return cls(1 if left_is_high else -1)

    def values(self, features: Features) -> Floats:
        column = features.table[:, 0]
        return column if self.sign > 0 else -column

    def event(self, threshold: float, above: bool) -> str:
        words = {(1, True): "above", (1, False): "at most", (-1, True): "below", (-1, False): "at least"}
        return f"the output is {words[self.sign, above]} {self.sign * threshold + 0.0:.6g}"


def need_one_number(encoder: Encoder, name: str) -> None:
    """Refuse outputs that are not one number."""
    if encoder.width != 1:
        raise InvalidParameter(f'score "{name}" needs outputs that are one number each; use score="auto"')


BINS = 256


@dataclass(frozen=True, eq=False)
class BinnedScore(Score):
    """The log ratio of the counts in each bin of the line; it sees windows, gaps and repeated numbers."""

    steps: Steps
    title: str = "bins of the output"

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        need_one_number(encoder, "bins")
        return cls(Steps.fit(left.table[:, 0], right.table[:, 0], BINS))

    def values(self, features: Features) -> Floats:
        return self.steps.at(features.table[:, 0])

    def event(self, threshold: float, above: bool) -> str:
        return in_intervals(self.steps.edges, (self.steps.levels > threshold) == above)


GRAIN_BINS = 256
GRAIN = "grain of the output"


@dataclass(frozen=True, eq=False)
class GrainScore(Score):
    """The finest binary digit of a number, whatever its density (Mironov 2012).

    >>> GrainScore(Steps(np.array([-54.0]), np.array([2.0, -0.1])), 1).event(0.0, above=True)
    'the output is not a whole multiple of 2^-53'
    """

    steps: Steps
    column: int
    title: str = "grain of the output"

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        if GRAIN not in encoder.columns:
            raise InvalidParameter('score "grain" needs single numbers and bits=True; use score="auto"')
        column = encoder.columns.index(GRAIN)
        return cls(Steps.fit(left.table[:, column], right.table[:, column], GRAIN_BINS), column)

    def values(self, features: Features) -> Floats:
        return self.steps.at(features.table[:, self.column])

    def event(self, threshold: float, above: bool) -> str:
        inside = (self.steps.levels > threshold) == above
        changes = np.flatnonzero(np.diff(inside.astype(int)))
        if len(changes) != 1:
            return in_intervals(self.steps.edges, inside, "the exponent of the output's lowest binary digit")
        power = int(np.floor(self.steps.edges[changes[0]])) + 1
        return f"the output is {'not ' if inside[0] else ''}a whole multiple of 2^{power}"


@dataclass(frozen=True, eq=False)
class CountingScore(Score):
    """The log ratio of how often each output occurred; the best score if every output has many rows.

    >>> levels, counts = np.array([1.0, -1.0, 0.0]), np.array([9, 9, 0])
    >>> CountingScore(levels, counts, ("yes", "no", "any other output")).event(0.5, above=True)
    'the output is yes'
    """

    levels: Floats
    counts: Counts
    texts: tuple[str, ...]
    title: str = "exact counting"
    phrase: Callable[[Sequence[str], str], str] = list_texts

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        if encoder.atoms is None or left.atoms is None or right.atoms is None:
            raise InvalidParameter(
                'score "counting" needs outputs of few different values, each seen often; use score="auto"'
            )
        size = len(encoder.atoms)
        counts = np.bincount(left.atoms, minlength=size), np.bincount(right.atoms, minlength=size)
        ratios, total = log_ratios(*counts), counts[0] + counts[1]
        if encoder.exact:
            return cls(ratios, total, encoder.atoms)
        return cls(ratios, total, encoder.atoms, "counting of kinds of numbers", list_kinds)

    def values(self, features: Features) -> Floats:
        assert features.atoms is not None
        return self.levels[features.atoms]

    def event(self, threshold: float, above: bool) -> str:
        inside = (self.levels > threshold) == above
        named = inside if not inside[-1] else ~inside  # the last code has no name of its own
        often = np.argsort(-self.counts, kind="stable")
        texts = [self.texts[code] for code in often if named[code]]
        if not texts:
            return "the output is anything" if inside[-1] else "the output is nothing that was seen"
        return f"the output is {self.phrase(texts, 'not ' if inside[-1] else '')}"
