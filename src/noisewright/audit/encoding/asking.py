"""All that can be asked of a place."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from noisewright.audit.encoding.candidates import Candidate, ranked
from noisewright.audit.encoding.column import Column
from noisewright.audit.encoding.numeric import TAME
from noisewright.audit.encoding.traits import SHAPES, Absence, Shape, Text, Trait, Value, Written
from noisewright.audit.encoding.written import LOOKS

MOST_TEXTS = 64
"""Texts of one place that are told apart."""

WEIGHED_TEXTS = 1_000
"""Texts of one place, the most frequent ones, of which these are the most promising."""


def traits(column: Column, bits: bool) -> Iterator[Trait]:
    """Traits for the number at a place, for its texts and their shapes, and for whether it is empty.

    >>> from noisewright.audit.encoding.sample import Sample
    >>> from noisewright.audit.encoding.transposing import columns
    >>> sample = Sample.of(np.array(["[1.5]", "[null]"], object), np.array(["[2.5]", "[]"], object))
    >>> [trait.column for column in columns(sample) for trait in traits(column, bits=True)]
    ['place 0', 'grain of place 0', 'exponent of place 0', 'place 0 is null', 'place 0 is absent']
    """
    place = column.place
    _, numbers = column.numbers
    if len(numbers):
        middle = float(np.median(np.clip(numbers, -TAME, TAME)))
        # beside the middle, so that it is no number that stands there; a digit has but two
        yield Value(place, middle if place.digit is not None else math.nextafter(middle, math.inf))
        if bits and place.digit is None:
            yield from (Written(place, look) for look in LOOKS)
    yield from _texts(column)
    if len(column.texts) > MOST_TEXTS:  # fewer are told apart one by one
        yield from _shapes(column)
    if column.absent.any():
        yield Absence(place)


def _shapes(column: Column) -> Iterator[Trait]:
    """Traits for how the texts of a place are written, if not all alike."""
    for look in SHAPES:
        trait = Shape(column.place, look)
        if len(set(trait.of(column.texts).tolist())) > 1:
            yield trait


def _texts(column: Column) -> list[Trait]:
    """A trait for each text, or for the most promising ones."""
    every = [Text(column.place, text) for text in column.texts]
    if len(every) <= MOST_TEXTS:
        return list(every)
    weighed = [Candidate.of(trait, column) for trait in every[:WEIGHED_TEXTS]]
    return [candidate.trait for candidate in ranked(weighed, MOST_TEXTS)[:MOST_TEXTS]]
