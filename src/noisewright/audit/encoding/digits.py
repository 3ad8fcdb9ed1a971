"""Zeros and ones in a row, kept in one piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Digits:
    """A text of zeros and ones, or a whole number that no double holds: each binary digit is a place.

    They stay together because an output may have many thousands of them, of which few are looked at.
    ``number`` is the nearest double of a whole number, whose digits count from the lowest, so that numbers of
    any length are lined up; a text has none, and its digits count from its beginning.

    >>> Digits("0110").at(1), Digits("0110").at(4)
    (1.0, None)
    >>> Digits.of_whole(2**60 + 1).at(0), Digits.of_whole(2**60 + 1).size
    (1.0, 1)
    """

    text: str
    number: float | None = None

    @classmethod
    def of_whole(cls, number: int) -> Self:
        """A whole number; those beyond all doubles stand at the end of them."""
        try:
            double = float(number)
        except OverflowError:
            double = 1e300 if number > 0 else -1e300
        return cls(f"{abs(number):b}"[::-1], double)

    @property
    def size(self) -> int:
        """What it adds to the length of an output: a number is one thing, however many digits it has."""
        return len(self.text) if self.number is None else 1

    def at(self, digit: int) -> float | None:
        """One of the digits; None where there are fewer."""
        if digit >= len(self.text):
            return None
        return 1.0 if self.text[digit] == "1" else 0.0
