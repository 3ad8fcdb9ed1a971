"""Outputs of any other shape: categories, bit strings, lists with missing parts, lists of any length."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding.atoms import OTHER, few_enough
from noisewright.audit.encoding.encoder import Encoder
from noisewright.audit.encoding.features import Codes, Features
from noisewright.audit.encoding.leaves import leaves
from noisewright.audit.encoding.places import Place, fit_places
from noisewright.audit.encoding.readable import readable
from noisewright.audit.outputs import Outputs
from noisewright.domains import Floats

MOST_COLUMNS = 128
PEEK = 20_000
"""Rows of each input from which the shape of outputs is learned; more would only cost time."""

Words = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class WordEncoder(Encoder):
    """Columns for every place of an output and for its length, and codes where there are few outputs.

    Two outputs have the same code exactly where they are the same text, in which 1 and 1.0 are written alike
    and the two zeros are not.

    >>> answers = Outputs.of([[1.5, None], [2.5], [0.5, None]] * 7)
    >>> WordEncoder.fit(answers.words, answers.words).columns
    ('length', 'place 0', 'place 1 is null', 'place 1 is absent')
    """

    places: tuple[Place, ...]
    known: tuple[str, ...] | None
    """The texts that have a code, in its order."""

    kind = "words"
    exact = True

    @classmethod
    def fit(cls, left: Words, right: Words) -> Self:
        """Learn places and atoms from the fitting rows of both inputs."""
        seen = Counter(left[:PEEK]) + Counter(right[:PEEK])
        parts, counts = [leaves(output) for output in _parsed(seen)], list(seen.values())
        places = fit_places(parts, counts, MOST_COLUMNS - 1)
        columns = ("length", *(name for place in places for name in place.columns))
        known = _known(left, right)
        atoms = None if known is None else (*map(readable, _parsed(known)), OTHER)
        return cls(0, columns, atoms, places, known)

    def features(self, outputs: Outputs) -> Features:
        words = outputs.as_words()
        different = list(dict.fromkeys(words))
        place = {word: row for row, word in enumerate(different)}
        rows = np.fromiter(map(place.__getitem__, words), np.int64, len(words))
        codes = None if self.known is None else _codes(self.known, different)[rows]
        return Features(self._table(_parsed(different))[rows], codes)

    def _table(self, parsed: Sequence[Any]) -> Floats:
        parts = [leaves(output) for output in parsed]
        length = np.array([len(part) for part in parts], dtype=np.float64)
        return np.column_stack([length, *(place.table(parts) for place in self.places)])


def _codes(known: Sequence[str], words: Sequence[str]) -> Codes:
    """The place of each text among those known; one beyond the last for any other."""
    code = {text: row for row, text in enumerate(known)}
    return np.array([code.get(word, len(code)) for word in words], dtype=np.int64)


def _known(left: Words, right: Words) -> tuple[str, ...] | None:
    """Different outputs in the order they were met, if there are few."""
    rows = min(len(left), len(right))
    for some in (PEEK, max(len(left), len(right))):  # a glance first: most of what is not few is endless
        different = dict.fromkeys(left[:some]) | dict.fromkeys(right[:some])
        if not few_enough(len(different), rows):
            return None
    return tuple(different)


def _parsed(words: Iterable[str]) -> list[Any]:
    """Every text read; as one list, which is several times faster than one by one."""
    return list(json.loads(f"[{','.join(words)}]"))
