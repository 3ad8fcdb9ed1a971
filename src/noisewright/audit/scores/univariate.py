"""Scores of one number or one code an output: the output itself, its bins, its grain, exact counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.stats import rankdata

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.score import Counts, Score, Steps, log_ratios
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

ENOUGH = 50_000
"""Rows of each input that settle on which side the larger numbers are."""


# -- sets of outputs in words --------------------------------------------------------------------------


MOST = 5
LONGEST = 60
CLOSING = {"[": "]", "{": "}", '"': '"'}


def list_texts(texts: Sequence[str], negation: str = "") -> str:
    """Return a few texts in a row, and how many more there are.

    >>> list_texts(["a"]), list_texts(["a", "b"]), list_texts(list("abcdefg"), "not ")
    ('a', 'one of a, b', 'not one of a, b, c, d, e and 2 more')
    """
    shown = ", ".join(map(shorten, texts[:MOST]))
    more = f" and {len(texts) - MOST:,} more" if len(texts) > MOST else ""
    return f"{negation}{'one of ' if len(texts) > 1 else ''}{shown}{more}"


def list_kinds(texts: Sequence[str], negation: str = "") -> str:
    """Kinds of outputs that each take several words: two of them, and how many there are.

    >>> list_kinds(["an odd number", "a square", "zero"])
    'any of 3 kinds of numbers, such as an odd number, or a square'
    >>> list_kinds(["an odd number"], "not ")
    'not an odd number'
    """
    if len(texts) < 3:
        return negation + f", {'nor' if negation else 'or'} ".join(texts)
    return f"{negation}any of {len(texts):,} kinds of numbers, such as {texts[0]}, or {texts[1]}"


def shorten(text: str) -> str:
    """Return a text that is not too long, with its closing bracket.

    >>> shorten(f"[{'1, ' * 100}2]")[-7:]
    '1, 1,…]'
    """
    if len(text) <= LONGEST + len('"…"'):
        return text
    return f"{text[:LONGEST]}…{CLOSING.get(text[0], '')}"


def in_intervals(edges: Floats, inside: Sequence[bool], what: str = "the output") -> str:
    """Return a union of bins in words; bin k holds what is above edge k − 1 and at most edge k.

    >>> in_intervals(np.array([0.0, 1.0, 2.0]), [False, True, True, True])
    'the output is above 0'
    >>> in_intervals(np.array([0.0, 1.0, 2.0]), [True, False, True, False])
    'the output is at most 0, or above 1 and at most 2'
    """
    ends = np.concatenate([[-np.inf], edges, [np.inf]])
    changes = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
    pairs = [(ends[start], ends[stop]) for start, stop in changes.reshape(-1, 2)]
    if not pairs:
        return f"{what} is nothing that was seen"
    more = f" and {len(pairs) - MOST} more intervals" if len(pairs) > MOST else ""
    return f"{what} is {', or '.join(_interval(*pair) for pair in pairs[:MOST])}{more}"


def _interval(low: float, high: float) -> str:
    if np.isinf(low):
        return "anything" if np.isinf(high) else f"at most {high:.6g}"
    if np.isinf(high):
        return f"above {low:.6g}"
    if high <= np.nextafter(low, np.inf):
        return f"exactly {high:.17g}"
    return f"above {low:.6g} and at most {high:.6g}"


# -- scores ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ValueScore(Score):
    """The best of all scores where the likelihood ratio rises or falls with the output, and free of charge.

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
    """Sees windows, gaps and repeated numbers: the log ratio of the counts in each bin of the number line."""

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
    """Tells inputs apart by the finest binary digit of a number, whatever its density (Mironov 2012).

    >>> GrainScore(Steps(np.array([-54.0]), np.array([2.0, -0.1])), 1).event(0.0, above=True)
    'the output is no whole multiple of 2^-53'
    """

    steps: Steps
    column: int
    title: str = "grain of the output"

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        if GRAIN not in encoder.columns:
            raise InvalidParameter('score "grain" needs one number an output and bits=True; use score="auto"')
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
        return f"the output is {'no' if inside[0] else 'a'} whole multiple of 2^{power}"


@dataclass(frozen=True, eq=False)
class CountingScore(Score):
    """The log ratio of how often each output occurred; the best possible with many rows for every output.

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
