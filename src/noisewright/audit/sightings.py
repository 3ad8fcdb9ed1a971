"""What is remembered of all runs besides their scores: what an upper bound rests on, and how they look.

An upper bound is over a class of sets that was fixed before any run, so unlike a lower bound it may use the
runs that taught the score, as long as their number was fixed, too, and they did not decide whether there is
an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding import Encoder
from noisewright.audit.encoding.features import Features
from noisewright.audit.encoding.numeric import is_no_number
from noisewright.audit.experiment.turns import SIDES
from noisewright.audit.looking import Lookout
from noisewright.audit.looks import Looks
from noisewright.audit.outputs import Outputs
from noisewright.domains import Floats
from noisewright.errors import BadMechanism


@dataclass(eq=False)
class Sightings:
    """Plain values of one-dimensional outputs if ``keeps_values``, and counts where outputs are few."""

    encoder: Encoder
    keeps_values: bool = False
    _values: dict[str, list[Floats]] = field(default_factory=dict, init=False)
    _counts: dict[str, NDArray[np.int64]] = field(default_factory=dict, init=False)
    _lookout: Lookout = field(default_factory=Lookout, init=False)

    @property
    def counts_outputs(self) -> bool:
        """Whether atoms are whole outputs; bit patterns are coarser, and bound nothing from above."""
        return self.encoder.atoms is not None and self.encoder.exact

    @property
    def looks(self) -> Looks:
        """What the outputs looked like so far."""
        return self._lookout.looks

    def add(self, side: str, outputs: Outputs, features: Features) -> None:
        """See some more runs of one input."""
        no_numbers = self.encoder.width == 1 and bool(is_no_number(features.table[:, 0]).any())
        self._lookout.see(side, outputs, nan=no_numbers)
        if self.keeps_values:
            self._values.setdefault(side, []).append(_one_column(outputs))
        if self.counts_outputs:
            assert self.encoder.atoms is not None
            assert features.atoms is not None
            counts = np.bincount(features.atoms, minlength=len(self.encoder.atoms))
            self._counts[side] = self._counts.get(side, 0) + counts

    def forget(self) -> None:
        """Drop what upper bounds would rest on: these runs had a say in which bounds there are."""
        self._values, self._counts = {}, {}

    def atoms(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """How often each of finitely many outputs came so far, for either input; None if they are many."""
        return (self._counts["left"], self._counts["right"]) if self._counts else None

    def values(self) -> tuple[Floats, Floats]:
        """All plain values so far, of either input."""
        left, right = (np.concatenate(self._values[side]) for side in SIDES)
        return left, right


def _one_column(outputs: Outputs) -> Floats:
    if outputs.width != 1 or outputs.numbers is None:
        raise BadMechanism(
            "an upper bound by half-lines or intervals needs outputs that are single numbers; leave out "
            "assume=..."
        )
    if bool(np.isnan(outputs.numbers).any()):
        raise BadMechanism(
            "an upper bound by half-lines or intervals needs numbers, and NaN is none; leave out assume=..."
        )
    return outputs.numbers[:, 0].copy()
