"""The choice of features that become columns, if outputs have more of them than a score can use.

Only learning runs decide. Bounds hold for any rule of reading one output, good or bad, that was fixed before
the runs they rest on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from noisewright.audit.encoding.encoder import TAME, LeftOut
from noisewright.audit.encoding.float_bits import LOOKS
from noisewright.audit.encoding.paths import Place, length, split_outputs
from noisewright.audit.encoding.traits import (
    SHAPES,
    Absence,
    Column,
    Sample,
    Shape,
    Text,
    Trait,
    Value,
    Written,
    columns,
)
from noisewright.domains import Floats

# -- how clearly counts tell two inputs apart ----------------------------------------------------------


BINS = 16
"""Number of classes of about equally many numbers; enough to see a shift, another spread, or a lump."""


def standardized_chi_squared(left: Floats, right: Floats) -> float:
    """Return how far the counts of some classes are from those of one law, in standard deviations of chance.

    Pearson's χ² (1900), brought to one scale for any number of classes (Wilson and Hilferty 1931).

    >>> round(standardized_chi_squared(np.array([500, 500]), np.array([500, 500])), 1)
    -1.6
    >>> round(standardized_chi_squared(np.array([600, 400]), np.array([500, 500])), 1)
    4.1
    """
    seen = left + right > 0
    left, right = left[seen], right[seen]
    freedom, rows, others = len(left) - 1, left.sum(), right.sum()
    if freedom < 1 or not rows or not others:
        return 0.0
    distance = ((left * others - right * rows) ** 2 / (left + right)).sum() / (rows * others)
    spread = 2 / (9 * freedom)
    return float((math.cbrt(distance / freedom) - 1 + spread) / math.sqrt(spread))


def number_classes(numbers: Floats) -> NDArray[np.int64]:
    """Return the class of each number; a number that comes often enough to be an edge is a class of its own.

    >>> number_classes(np.array([-2.0, 0.0, 0.0, 0.0, 1.0])).tolist()
    [1, 3, 3, 3, 4]
    """
    edges = np.unique(np.quantile(numbers, np.arange(1, BINS) / BINS, method="lower"))
    below = np.searchsorted(edges, numbers, "left") + np.searchsorted(edges, numbers, "right")
    return below.astype(np.int64)


# -- candidates ----------------------------------------------------------------------------------------


ACCIDENTS = 0.5
"""The part of the room that may go to traits which tell by accident; the rest is for traits that tell nothing
by themselves, and may do so together."""

ABSENCES = 0.5
"""The part of the columns for absences: in a list they all show nearly the same, where it ended."""


@dataclass(frozen=True)
class Candidate:
    """A trait, how clearly it alone tells the inputs apart, and how often it departs from its usual value."""

    trait: Trait
    telling: float
    varies: float

    @classmethod
    def of(cls, trait: Trait, column: Column) -> Self:
        """Weigh a trait by the values at its place."""
        counts = _counts(trait, column)
        total = counts.sum(axis=0)
        return cls(trait, standardized_chi_squared(*counts), float(total.sum() - total.max()))

    @property
    def liveliness(self) -> int:
        """How often it varies, to a factor of two: finer differences are accidents."""
        return round(math.log2(1 + self.varies))


def rank_candidates(candidates: Sequence[Candidate], room: int) -> list[Candidate]:
    """Return candidates in order of preference: clear differences first, then those that vary most.

    Those that vary about equally often stay in the order they come in.

    >>> from noisewright.audit.encoding.paths import Place
    >>> names = {"rare": (0.5, 10), "lively": (0, 900), "alike": (0.2, 901), "clear": (9, 50)}
    >>> some = [Candidate(Text(Place(name), "yes"), *promise) for name, promise in names.items()]
    >>> [candidate.trait.place.name for candidate in rank_candidates(some, 1)]
    ['clear', 'lively', 'alike', 'rare']
    """
    clear = float(ndtri(1 - min(ACCIDENTS * room / max(len(candidates), 1), 1.0)))
    order = sorted(candidates, key=lambda one: (max(one.telling, clear), one.liveliness), reverse=True)
    absences = [one for one in order if isinstance(one.trait, Absence)]
    last = set(map(id, absences[int(ABSENCES * room) :]))
    return sorted(order, key=lambda one: id(one) in last)


def _counts(trait: Trait, column: Column) -> Floats:
    """Return how often each value of a trait came with either input, among outputs that have the place."""
    match trait:
        case Absence():
            return np.column_stack([column.absent, column.present])
        case Text():
            hits = column.texts[trait.text]
            return np.column_stack([hits, column.present - hits])
        case Shape():
            found, weights = number_classes(trait.of(column.texts)), np.array(list(column.texts.values()))
            return np.stack([np.bincount(found, side) for side in weights.T])
    rows, numbers = column.numbers
    found = number_classes(trait.of(numbers) if isinstance(trait, Written) else numbers)
    return np.stack([np.bincount(found, side[rows]) for side in (column.sample.left, column.sample.right)])


# -- the features of one place -------------------------------------------------------------------------


MOST_TEXTS = 64
"""The most texts of one place that are distinguished."""

WEIGHED_TEXTS = 1_000
"""The most frequent texts of one place, among which the most promising are chosen."""


def place_traits(column: Column, bits: bool) -> Iterator[Trait]:
    """Traits for the number at a place, for its texts and their shapes, and for whether it is empty.

    >>> from noisewright.audit.encoding.traits import Sample
    >>> from noisewright.audit.encoding.traits import columns
    >>> sample = Sample.of(np.array(["[1.5]", "[null]"], object), np.array(["[2.5]", "[]"], object))
    >>> [trait.column for column in columns(sample) for trait in place_traits(column, bits=True)]
    ['place 0', 'grain of place 0', 'exponent of place 0', 'place 0 is null', 'place 0 is absent']
    """
    place = column.place
    _, numbers = column.numbers
    if len(numbers):
        middle = float(np.median(np.clip(numbers, -TAME, TAME)))
        # beside the middle, so that it differs from all numbers there; a digit has only two values
        yield Value(place, middle if place.digit is not None else math.nextafter(middle, math.inf))
        if bits and place.digit is None:
            yield from (Written(place, look) for look in LOOKS)
    yield from _texts(column)
    if len(column.texts) > MOST_TEXTS:  # fewer are distinguished one by one
        yield from _shapes(column)
    if column.absent.any():
        yield Absence(place)


def _shapes(column: Column) -> Iterator[Trait]:
    """Yield traits for the characters of the texts of a place, if they vary."""
    for look in SHAPES:
        trait = Shape(column.place, look)
        if len(set(trait.of(column.texts).tolist())) > 1:
            yield trait


def _texts(column: Column) -> list[Trait]:
    """Return a trait for each text, or for the most promising ones."""
    every = [Text(column.place, text) for text in column.texts]
    if len(every) <= MOST_TEXTS:
        return list(every)
    weighed = [Candidate.of(trait, column) for trait in every[:WEIGHED_TEXTS]]
    return [candidate.trait for candidate in rank_candidates(weighed, MOST_TEXTS)[:MOST_TEXTS]]


# -- the choice ----------------------------------------------------------------------------------------


CELLS = 5_000_000
"""The most places times outputs of one pass: hundreds of megabytes."""

FIRST_LOOK = 100
"""Outputs that show how many places an output has."""

FURTHER = 4
"""Of this number of places one goes on to the next pass, which examines this factor more outputs."""


@dataclass(frozen=True)
class Choice:
    """Traits in the order of their places, what they leave out, and whether there were numbers."""

    traits: tuple[Trait, ...]
    left_out: LeftOut
    numbers: bool


def choose_traits(sample: Sample, room: int, bits: bool = False) -> Choice:
    """Return all traits if there is room for them, or else those that promise most on the sample.

    Outputs of very many places are looked at in passes: all places in few outputs, then the more promising
    ones in more.
    """
    sizes = [length(part) for parts in split_outputs(sample.words[:FIRST_LOOK]) for part in parts]
    rows = max(FIRST_LOOK, CELLS // (1 + sum(sizes) // max(len(sizes), 1)))  # that the first pass looks at
    met = list(columns(sample[:rows]))
    places = max([len(met), *sizes])
    every = tuple(trait for column in met for trait in place_traits(column, bits))
    numbers = any(isinstance(trait, Value) and trait.place.digit is None for trait in every)
    if len(every) <= room:
        return Choice(every, LeftOut(0, len(_full_places(met)), places), numbers)
    while rows < len(sample) and len(met) > room:
        count = max(len(met) // FURTHER, room)
        order = rank_candidates(_weigh(met, bits), count)
        promising = set(list(dict.fromkeys(one.trait.place for one in order))[:count])
        further = [column.place for column in met if column.place in promising]
        if not further:  # everything is constant
            break
        rows = CELLS // len(further)
        met = list(columns(sample[:rows], further))
    chosen, partly = _best(_weigh(met, bits), room)
    seen = {trait.place for trait in chosen}
    return Choice(
        chosen, LeftOut(places - len(seen), len(seen & (partly | _full_places(met))), places), numbers
    )


def _best(weighed: Sequence[Candidate], room: int) -> tuple[tuple[Trait, ...], set[Place]]:
    """Return as many traits as there is room for, and the places at which numbers or texts are left out."""
    best = {candidate.trait for candidate in rank_candidates(weighed, room)[:room]}
    others = [one.trait for one in weighed if one.trait not in best]
    missed = {trait.place for trait in others if not isinstance(trait, Absence)}
    return tuple(one.trait for one in weighed if one.trait in best), missed


def _weigh(met: Sequence[Column], bits: bool) -> list[Candidate]:
    """Return every trait that varies."""
    every = (Candidate.of(trait, column) for column in met for trait in place_traits(column, bits))
    return [candidate for candidate in every if candidate.varies]


def _full_places(met: Sequence[Column]) -> set[Place]:
    """Return places with more texts than are distinguished."""
    return {column.place for column in met if len(column.texts) > MOST_TEXTS}
