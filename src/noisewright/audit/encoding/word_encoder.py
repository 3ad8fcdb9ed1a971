"""Outputs of any other shape: categories, bit strings, lists with missing parts, lists of any length."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, groupby
from operator import attrgetter
from typing import Self

import numpy as np

from noisewright.audit.basics.outputs import Outputs, readable
from noisewright.audit.encoding.encoder import (
    OTHER,
    Encoder,
    Features,
    LeftOut,
    few_enough,
)
from noisewright.audit.encoding.feature_selection import Choice, choose_traits
from noisewright.audit.encoding.paths import Parts, length, parse_words, split_outputs
from noisewright.audit.encoding.traits import Sample, Words
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

MOST_COLUMNS = 128
PEEK = 20_000
"""Rows of each input from which the shape of outputs is learned; more would only cost time."""


@dataclass(frozen=True, eq=False)
class WordEncoder(Encoder):
    """Columns for the places of an output and its length, and codes if there are few different outputs.

    Two outputs have the same code exactly where they are the same text, in which 1 and 1.0 are written alike
    and the two zeros are not. With ``bits`` numbers also have columns for how they are written.

    >>> answers = Outputs.of([[1.5, None], [2.5], [0.5, None]] * 7)
    >>> WordEncoder.fit(answers.words, answers.words).columns
    ('length', 'place 0', 'place 1 is null', 'place 1 is absent')
    """

    choice: Choice
    known: tuple[str, ...] | None
    """The texts that have a code, in its order."""

    kind = "words"
    exact = True

    @classmethod
    def fit(cls, left: Words, right: Words, bits: bool = False) -> Self:
        """Learn traits and atoms from the fitting rows of both inputs."""
        choice = choose_traits(Sample.of(left[:PEEK], right[:PEEK]), MOST_COLUMNS - 1, bits)
        if bits and not choice.numbers:
            raise InvalidParameter("bits examines numbers, and these outputs have none; leave it out")
        columns = ("length", *(trait.column for trait in choice.traits))
        known = _few_words(left, right)
        atoms = None if known is None else (*map(readable, parse_words(known)), OTHER)
        return cls(0, columns, atoms, choice, known)

    @property
    def left_out(self) -> LeftOut:
        return self.choice.left_out

    def value_words(self, column: int, value: float) -> str | None:
        if not column:
            return f"the number of things in the output is {value:g}"
        return self.choice.traits[column - 1].words(value)

    def features(self, outputs: Outputs) -> Features:
        words = outputs.as_words()
        different = list(dict.fromkeys(words))
        place = {word: row for row, word in enumerate(different)}
        rows = np.fromiter(map(place.__getitem__, words), np.int64, len(words))
        table, start = np.empty((len(different), len(self.columns))), 0
        for parts in split_outputs(different):  # some rows at a time
            self._fill(table[start : start + len(parts)], parts)
            start += len(parts)
        if self.known is None:
            return Features(table[rows])
        code = {text: number for number, text in enumerate(self.known)}
        codes = np.array([code.get(word, len(code)) for word in different], dtype=np.int64)  # others are last
        return Features(table[rows], codes[rows])

    def _fill(self, table: Floats, parts: Parts) -> None:
        column = count()
        table[:, next(column)] = list(map(length, parts))
        for place, traits in groupby(self.choice.traits, attrgetter("place")):
            found = place.found(parts)
            for trait in traits:
                table[:, next(column)] = trait.values(found)


def _few_words(left: Words, right: Words) -> tuple[str, ...] | None:
    """Return the different outputs in the order they were met, if there are few."""
    rows = min(len(left), len(right))
    for some in (PEEK, max(len(left), len(right))):  # a cheap check first
        different = dict.fromkeys(left[:some]) | dict.fromkeys(right[:some])
        if not few_enough(len(different), rows):
            return None
    return tuple(different)
