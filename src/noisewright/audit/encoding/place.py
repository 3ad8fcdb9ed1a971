"""Where something stands in an output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noisewright.audit.encoding.digits import Digits
from noisewright.audit.encoding.leaves import WITHIN, Leaf, Parts

Found = list[float | str | None]
"""What stands at one place of each output: a number, a text, or nothing."""


@dataclass(frozen=True)
class Place:
    """One place of taken-apart outputs; with ``digit``, one binary digit of what stands there.

    >>> Place("0").found([{"0": 2.5}, {"0": "null"}, {"1": 2.5}, {"0": Digits("01")}])
    [2.5, 'null', None, None]
    >>> Place("0", 1).title, Place("0", 1).found([{"0": 2.5}, {"0": Digits("01")}])
    ('bit 1 of place 0', [None, 1.0])
    >>> Place("0#2").title
    'number 2 in place 0'
    """

    name: str
    digit: int | None = None

    @property
    def title(self) -> str:
        """The place in words."""
        name, _, count = self.name.partition(WITHIN)
        whole = f"place {name}" if name else "the output"
        if count:
            whole = f"number {count} in {whole}"
        return whole if self.digit is None else f"bit {self.digit} of {whole}"

    def found(self, parts: Parts) -> Found:
        """What stands here in each output."""
        return self.read([part.get(self.name) for part in parts])

    def read(self, leaves: Sequence[Leaf | None]) -> Found:
        """What stands here, from what stands under its name."""
        if self.digit is None:
            return [leaf.number if isinstance(leaf, Digits) else leaf for leaf in leaves]
        return [leaf.at(self.digit) if isinstance(leaf, Digits) else None for leaf in leaves]
