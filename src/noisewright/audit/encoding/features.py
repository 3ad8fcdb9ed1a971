"""Outputs as a score sees them: rows of numbers, codes where outputs are few, and words for both."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.outputs import Outputs
from noisewright.domains import Floats
from noisewright.text import visible

NOT_FINITE: Final = {"nan": "NaN", "inf": "∞", "-inf": "-∞"}

LONGEST: Final = 60
"""Letters of a text that are shown."""


def readable(output: Any) -> str:
    """Return an output for people: whole numbers without a point, the two zeros apart, texts without escapes.

    >>> readable([3.0, -0.0, None, 1e300, 'say "hi"'])
    '[3, -0.0, null, 1e+300, "say "hi""]'
    >>> readable({"dict": [["alarm", 1.0], ["why", {"float": "nan"}]]}), readable({"set": ["1.0", "2.0"]})
    ('{alarm: 1, why: NaN}', '{1, 2}')
    """
    match output:
        case str():
            return f'"{_shown(output)}"' if output else "an empty text"
        case list():
            return f"[{', '.join(map(readable, output))}]"
        case float() if abs(output) < 1 << 53 and output == int(output):
            minus_zero = output == 0 and math.copysign(1, output) < 0
            return "-0.0" if minus_zero else str(int(output))
        case dict():
            return _named(output)
    return json.dumps(output)


def _named(output: dict[str, Any]) -> str:
    """What JSON has no kind for; it stands under a name (see :func:`canonical`)."""
    match output:
        case {"float": str(name)}:
            return NOT_FINITE[name]
        case {"hex": str(digits)}:
            return f"the bytes {_shown(digits)}" if digits else "no bytes"
        case {"set": list(members)}:
            return "{" + ", ".join(readable(json.loads(member)) for member in members) + "}"
        case {"dict": list(pairs)}:
            return "{" + ", ".join(f"{_key(key)}: {readable(value)}" for key, value in pairs) + "}"
    return json.dumps(output)


def _key(key: Any) -> str:
    return _shown(key) if isinstance(key, str) else readable(key)


def _shown(text: str) -> str:
    """A text on one line, cut where it is long."""
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


# -- features and what makes them ----------------------------------------------------------------------


Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Features:
    """Finite numbers in ``table`` (count, columns), and the code of each output where outputs are few.

    Attributes:
        table: Finite numbers (count, columns).
        atoms: The code of each output, where outputs are few; else None.

    >>> both = Features(np.array([[0.5], [2.0]]), np.array([0, 1]))
    >>> len(both[1:]), both[1:].atoms.tolist()
    (1, [1])
    """

    table: Floats
    atoms: Codes | None = None

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: slice | NDArray[Any]) -> Features:
        return Features(self.table[rows], None if self.atoms is None else self.atoms[rows])


@dataclass(frozen=True)
class LeftOut:
    """Parts of the outputs that no feature column captures.

    Attributes:
        places: Places met while learning that have no column.
        partly: Places of which only some texts or numbers have one.
        met: Places met while learning.
    """

    places: int = 0
    partly: int = 0
    met: int = 0


@dataclass(frozen=True, eq=False)
class Encoder(ABC):
    """Turns outputs into features by rules that were learned on the fitting rows alone.

    ``kind`` says how ("numbers", "words", "bits"). ``exact`` tells whether a code stands for one whole
    output; where it does not (kinds of doubles), events on codes are valid but say nothing of what a code
    leaves out.

    Attributes:
        width: 1 where the first column is the whole output.
        columns: What each column of the table is called.
        atoms: What each code stands for, the last for any output that was not seen; None without codes.
    """

    kind: ClassVar[str]
    exact: ClassVar[bool]

    width: int
    columns: tuple[str, ...]
    atoms: tuple[str, ...] | None

    @property
    def left_out(self) -> LeftOut:
        """Parts of the outputs that no feature column captures; none by default."""
        return LeftOut()

    def value_words(self, column: int, value: float) -> str | None:
        """Words for outputs with just this value in a column; None where it stands for something else."""
        return f"{self.columns[column]} is exactly {readable(value)}"

    @abstractmethod
    def features(self, outputs: Outputs) -> Features:
        """Return the features of outputs, row by row."""
