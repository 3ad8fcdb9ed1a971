"""What every encoder offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from noisewright.audit.encoding.features import Features
from noisewright.audit.encoding.left_out import LeftOut
from noisewright.audit.encoding.readable import readable
from noisewright.audit.outputs import Outputs


@dataclass(frozen=True, eq=False)
class Encoder(ABC):
    """Turns outputs into features by rules that were learned on the fitting rows alone.

    ``kind`` says how ("numbers", "words", "bits"), ``columns`` names the columns of the table, ``width`` is 1
    where the first column is the whole output, and ``atoms`` describes every code, the last of which stands
    for any output that was not seen. ``exact`` tells whether a code stands for one whole output; where it
    does not (kinds of doubles), events on codes are valid but say nothing of what a code leaves out.
    """

    kind: ClassVar[str]
    exact: ClassVar[bool]

    width: int
    columns: tuple[str, ...]
    atoms: tuple[str, ...] | None

    @property
    def left_out(self) -> LeftOut:
        """What of the outputs no column tells; nothing, where an encoder says nothing else."""
        return LeftOut()

    def value_words(self, column: int, value: float) -> str | None:
        """Words for outputs with just this value in a column; None where it stands for something else."""
        return f"{self.columns[column]} is exactly {readable(value)}"

    @abstractmethod
    def features(self, outputs: Outputs) -> Features:
        """The features of outputs, row by row."""
