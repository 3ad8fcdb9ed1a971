"""The values at one place over all learning outputs, and the features that columns are made of."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.outputs import readable
from noisewright.audit.encoding.encoder import TAME
from noisewright.audit.encoding.float_bits import LOOKS, look_name
from noisewright.audit.encoding.paths import Digits, Found, Leaf, Place, split_outputs
from noisewright.domains import Floats

Words = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Sample:
    """Different outputs (JSON texts) and how often either input gave each.

    Both inputs' outputs come in turn, so that the first of them are a smaller sample of the same kind.

    >>> sample = Sample.of(np.array(["1", "1"], object), np.array(["2", "1"], object))
    >>> sample.words, sample.left.tolist(), sample.right.tolist()
    (['1', '2'], [2.0, 0.0], [1.0, 1.0])
    """

    words: Sequence[str]
    left: Floats
    right: Floats

    @classmethod
    def of(cls, left: Words, right: Words) -> Self:
        """Return the runs of both inputs."""
        turns = np.concatenate([np.arange(len(side)) / len(side) for side in (left, right)])
        in_turn = np.concatenate([left, right])[np.argsort(turns, kind="stable")]
        different = list(dict.fromkeys(in_turn))
        counts = Counter(left), Counter(right)
        return cls(different, *(np.array([each[word] for word in different], float) for each in counts))

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, rows: slice) -> Sample:
        return Sample(self.words[rows], self.left[rows], self.right[rows])


Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Column:
    """The values at one place: the ``rows`` of the sample that have one, and which.

    Counts are pairs: how often with the left input, and how often with the right one.
    """

    place: Place
    sample: Sample
    rows: Rows
    found: Found

    @cached_property
    def numbers(self) -> tuple[Rows, Floats]:
        """The rows with numbers, and the numbers."""
        if not self._has_texts:
            return self.rows, np.array(self.found, dtype=np.float64)
        mask = np.fromiter((isinstance(leaf, float) for leaf in self.found), np.bool_, len(self.found))
        return self.rows[mask], np.array([leaf for leaf in self.found if isinstance(leaf, float)])

    @cached_property
    def texts(self) -> dict[str, Floats]:
        """Texts with their counts, the most frequent first."""
        if not self._has_texts:
            return {}
        rows: dict[str, list[int]] = {}
        for row, leaf in zip(self.rows.tolist(), self.found, strict=True):
            if isinstance(leaf, str):
                rows.setdefault(leaf, []).append(row)
        counts = {text: self._counts(np.array(where)) for text, where in rows.items()}
        return dict(sorted(counts.items(), key=lambda item: -item[1].sum()))

    @cached_property
    def present(self) -> Floats:
        """How often the place had a value."""
        return self._counts(self.rows)

    @cached_property
    def absent(self) -> Floats:
        """How often the place was empty."""
        return np.array([self.sample.left.sum(), self.sample.right.sum()]) - self.present

    @cached_property
    def _has_texts(self) -> bool:
        return str in set(map(type, self.found))  # the fastest check; most places hold only numbers

    def _counts(self, rows: Rows) -> Floats:
        return np.array([self.sample.left[rows].sum(), self.sample.right[rows].sum()])


MOST_PLACES = 100_000
"""The most names of places, and digits of one place, that are distinguished: more would fill memory."""


@dataclass(eq=False, slots=True)
class _Met:
    """Every value under one name, and its rows."""

    rows: list[int] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)


def columns(sample: Sample, wanted: Iterable[Place] | None = None) -> Iterator[Column]:
    """Yield what stands at every place of a sample, or at those that are wanted, in the order they were met.

    >>> sample = Sample.of(np.array(["[1.5]"], object), np.array(['["01"]'], object))
    >>> [(column.place.title, column.found) for column in columns(sample)]
    [('place 0', [1.5]), ('bit 0 of place 0', [0.0]), ('bit 1 of place 0', [1.0])]
    """
    known: dict[str, list[Place]] | None = None
    if wanted is not None:
        known = {}
        for place in wanted:
            known.setdefault(place.name, []).append(place)
    for name, met in _met(sample, known).items():
        rows = np.array(met.rows)
        for place in _places(name, met.leaves) if known is None else known[name]:
            found = place.read(met.leaves)
            there = [leaf is not None for leaf in found]
            if any(there):
                yield Column(place, sample, rows[there], list(compress(found, there)))


def _met(sample: Sample, known: Iterable[str] | None) -> dict[str, _Met]:
    """Return the values under each name, or under the known names."""
    found = {name: _Met() for name in known or ()}
    most = MOST_PLACES if known is None else 0
    every = (part for parts in split_outputs(sample.words) for part in parts)
    for row, part in enumerate(every):
        for name, leaf in part.items():
            met = found.get(name)
            if met is None and len(found) < most:
                met = found[name] = _Met()
            if met is not None:
                met.rows.append(row)
                met.leaves.append(leaf)
    return found


def _places(name: str, leaves: Iterable[Leaf]) -> Iterator[Place]:
    """The place of a name, and those of its digits."""
    yield Place(name)
    longest = max((len(leaf.text) for leaf in leaves if isinstance(leaf, Digits)), default=0)
    yield from (Place(name, digit) for digit in range(min(longest, MOST_PLACES)))


# -- traits --------------------------------------------------------------------------------------------


DECIMALS: Final = re.compile(r"(?<=\d\.)\d+")

SHAPES: Final[dict[str, Callable[[str], int]]] = {
    "characters": len,
    "decimals": lambda text: sum(map(len, DECIMALS.findall(text))),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "capitals": lambda text: sum(map(str.isupper, text)),
    "spaces": lambda text: sum(map(str.isspace, text)),
    "marks": lambda text: sum(not (letter.isalnum() or letter.isspace()) for letter in text),
}
"""Classes of characters that are counted in a text."""


@dataclass(frozen=True)
class Trait(ABC):
    """One feature of a place; its value is a number and depends on that output alone."""

    place: Place

    @property
    @abstractmethod
    def column(self) -> str:
        """The name of the column."""

    @abstractmethod
    def values(self, found: Found) -> Floats:
        """Return the values of the feature, from those found at the place."""

    def words(self, value: float) -> str | None:
        """Return words for exactly this value of the feature; None if it does not identify the content."""
        return f"{self.column} is exactly {readable(value)}"


@dataclass(frozen=True)
class Value(Trait):
    """The number itself; ``filling`` if there is none, which means nothing without other traits.

    >>> Value(Place("0"), 1.0).values([2.5, "null", None]).tolist()
    [2.5, 1.0, 1.0]
    """

    filling: float

    @property
    def column(self) -> str:
        return self.place.title

    def values(self, found: Found) -> Floats:
        return np.clip(_numbers(found, self.filling), -TAME, TAME)  # sums would not survive larger ones

    def words(self, value: float) -> str | None:
        return None if value == self.filling else super().words(value)


@dataclass(frozen=True)
class Written(Trait):
    """The binary form of the number; anything else counts like zero and infinity, as a multiple of all.

    >>> Written(Place("0"), "grain").values([0.75, "null"]).tolist()
    [-2.0, 2048.0]
    >>> Written(Place("0"), "grain").column, Written(Place(""), "grain").column
    ('grain of place 0', 'grain of the output where it is a number')
    """

    look: str

    @property
    def column(self) -> str:
        # "grain of the output" is for outputs that are always a number: scores treat them specially
        title = self.place.title if self.place.name else f"{self.place.title} where it is a number"
        return look_name(self.look, title)

    def values(self, found: Found) -> Floats:
        return self.of(_numbers(found, np.nan))

    def of(self, numbers: Floats) -> Floats:
        """Return the binary form of some numbers."""
        return LOOKS[self.look](numbers).astype(np.float64)


@dataclass(frozen=True)
class Text(Trait):
    """Whether the place holds a certain text.

    >>> Text(Place("0"), "null").values([2.5, "null", None]).tolist()
    [0.0, 1.0, 0.0]
    """

    text: str

    @property
    def column(self) -> str:
        return f"{self.place.title} is {self.text}"

    def values(self, found: Found) -> Floats:
        return np.array([leaf == self.text for leaf in found], dtype=np.float64)

    def words(self, value: float) -> str | None:
        return self.column if value else None


@dataclass(frozen=True)
class Shape(Trait):
    """The number of characters of one class in a text, whatever it says; −1 if there is no text.

    A true value may be printed with fewer decimals than a noisy one.

    >>> Shape(Place("0"), "decimals").values(["mean 1.250 of 7", "null", 2.5]).tolist()
    [3.0, 0.0, -1.0]
    >>> Shape(Place("0"), "capitals").words(2.0)
    'the number of capitals in place 0 is 2'
    """

    look: str

    @property
    def column(self) -> str:
        return f"the number of {self.look} in {self.place.title}"

    def values(self, found: Found) -> Floats:
        return self.of([leaf if isinstance(leaf, str) else None for leaf in found])

    def of(self, texts: Iterable[str | None]) -> Floats:
        """Return the counts of some texts."""
        count = SHAPES[self.look]
        return np.array([-1 if text is None else count(text) for text in texts], dtype=np.float64)

    def words(self, value: float) -> str | None:
        return f"{self.column} is {value:g}" if value >= 0 else None


@dataclass(frozen=True)
class Absence(Trait):
    """Whether the place is empty.

    >>> Absence(Place("0")).values([2.5, "null", None]).tolist()
    [0.0, 0.0, 1.0]
    """

    @property
    def column(self) -> str:
        return f"{self.place.title} is absent"

    def values(self, found: Found) -> Floats:
        return np.array([leaf is None for leaf in found], dtype=np.float64)

    def words(self, value: float) -> str | None:
        return self.column if value else None


def _numbers(found: Found, filling: float) -> Floats:
    return np.array([leaf if isinstance(leaf, float) else filling for leaf in found], dtype=np.float64)
