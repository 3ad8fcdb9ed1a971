"""Looking at outputs as they come, chunk by chunk, for what all of them have in common."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.glances import all_empty, any_fraction, keys_of, kinds_of, only
from noisewright.audit.looks import Looks
from noisewright.audit.outputs import Outputs

COMPARED: Final = 50_000
"""Outputs that are compared with each other: more would only cost memory."""


@dataclass(eq=False)
class Sameness:
    """The one output that all runs of an input gave so far; None as soon as two differ."""

    text: str | None = None
    begun: bool = False

    def see(self, outputs: Outputs) -> None:
        """See some more runs."""
        if not len(outputs) or (self.begun and self.text is None):
            return
        text = only(outputs)
        self.text = text if not self.begun or text == self.text else None
        self.begun = True


@dataclass(eq=False)
class Repetition:
    """Whether any output came twice, over both inputs, among so many."""

    found: bool = False
    _keys: list[NDArray[Any]] = field(default_factory=list)
    _count: int = 0

    def see(self, outputs: Outputs) -> None:
        """Compare some more runs, as long as none has come twice and there are not too many."""
        if self.found or self._count >= COMPARED:
            return
        keys = keys_of(outputs[: COMPARED - self._count])
        self.found = len(np.unique(keys)) < len(keys)
        self._keys.append(keys)
        self._count += len(keys)

    @property
    def none(self) -> bool:
        """Whether outputs were compared and all were different."""
        if self.found or not self._count:
            return False
        every = np.concatenate(self._keys)
        return len(np.unique(every)) == len(every)


@dataclass(eq=False)
class Lookout:
    """Sees all outputs of both inputs; facts that are settled are not looked at again."""

    _left: Sameness = field(default_factory=Sameness)
    _right: Sameness = field(default_factory=Sameness)
    _repetition: Repetition = field(default_factory=Repetition)
    _empty: bool = True
    _fractions: bool = False
    _nan: bool = False
    _kinds: Counter[str] = field(default_factory=Counter)

    def see(self, side: str, outputs: Outputs, *, nan: bool) -> None:
        """See some more runs of one input; ``nan`` if one of them was taken as a number and is none."""
        (self._left if side == "left" else self._right).see(outputs)
        self._repetition.see(outputs)
        self._empty = self._empty and all_empty(outputs)
        self._fractions = self._fractions or any_fraction(outputs)
        self._nan = self._nan or nan
        self._kinds += kinds_of(outputs)

    @property
    def looks(self) -> Looks:
        """What the outputs looked like so far."""
        left, right = self._left.text, self._right.text
        constant = left is not None and right is not None
        return Looks(
            identified=constant and left != right,
            same=constant and left == right,
            empty=self._empty and self._left.begun and self._right.begun,
            unrepeated=self._repetition.none,
            fractions=self._fractions,
            nan=self._nan,
            kinds=dict(self._kinds.most_common()),
        )
