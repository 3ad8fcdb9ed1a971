"""Features of one place, a column of the table each: its number, whether it is some text, or nothing."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.audit.encoding.features import readable
from noisewright.audit.encoding.float_bits import LOOKS, look_name
from noisewright.audit.encoding.number_encoder import TAME
from noisewright.audit.encoding.paths import Found, Place
from noisewright.domains import Floats

DECIMALS: Final = re.compile(r"(?<=\d\.)\d+")

SHAPES: Final[dict[str, Callable[[str], int]]] = {
    "characters": len,
    "decimals": lambda text: sum(map(len, DECIMALS.findall(text))),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "capitals": lambda text: sum(map(str.isupper, text)),
    "spaces": lambda text: sum(map(str.isspace, text)),
    "marks": lambda text: sum(not (letter.isalnum() or letter.isspace()) for letter in text),
}
"""What is counted in a text."""


@dataclass(frozen=True)
class Trait(ABC):
    """One question to what stands at a place; the answer is a number and depends on that output alone."""

    place: Place

    @property
    @abstractmethod
    def column(self) -> str:
        """The name of the column."""

    @abstractmethod
    def values(self, found: Found) -> Floats:
        """Return the answers for what was found at the place."""

    def words(self, value: float) -> str | None:
        """Words for an answer that is just this; None where it does not say what stands there."""
        return f"{self.column} is exactly {readable(value)}"


@dataclass(frozen=True)
class Value(Trait):
    """The number itself; ``filling`` where none stands, which means nothing without other traits.

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
    """How the number is written; what is no number counts as zero and infinity do, as a multiple of all.

    >>> Written(Place("0"), "grain").values([0.75, "null"]).tolist()
    [-2.0, 2048.0]
    >>> Written(Place("0"), "grain").column, Written(Place(""), "grain").column
    ('grain of place 0', 'grain of the output where it is a number')
    """

    look: str

    @property
    def column(self) -> str:
        # "grain of the output" is for outputs that are always a number, which scores have their own ways with
        title = self.place.title if self.place.name else f"{self.place.title} where it is a number"
        return look_name(self.look, title)

    def values(self, found: Found) -> Floats:
        return self.of(_numbers(found, np.nan))

    def of(self, numbers: Floats) -> Floats:
        """Return how some numbers are written."""
        return LOOKS[self.look](numbers).astype(np.float64)


@dataclass(frozen=True)
class Text(Trait):
    """Whether a certain text stands there.

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
    """How a text is written, counted in characters of one class, whatever it says; −1 where no text stands.

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
    """Whether nothing stands there.

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
