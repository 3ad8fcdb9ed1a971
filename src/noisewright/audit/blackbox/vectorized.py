"""A Python function that gives many outputs a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from noisewright.audit.blackbox.functions import FunctionBox
from noisewright.audit.blackbox.signatures import MANY
from noisewright.audit.outputs import Outputs
from noisewright.errors import BadMechanism


@dataclass(frozen=True, eq=False)
class Vectorized(FunctionBox):
    """``function(data, count)``, an array or a list of independent outputs; ``generator`` as in Calls.

    >>> noisy = lambda data, count, generator: sum(data) + generator.laplace(size=count)
    >>> len(Vectorized(noisy).draw([1, 2], 5, seed=7))
    5
    """

    block: ClassVar[int] = 1 << 16
    together: ClassVar[bool] = True
    quick: ClassVar[bool] = True
    given = MANY

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        with self.calling(seed) as call:  # reading what came may run code of the mechanism, too
            return counted(call(subject, count), count)

    def describe(self) -> Any:
        return "vectorized", self.function


def counted(raw: Any, count: int) -> Outputs:
    """Outputs of one call for many; another number of them than asked for is refused."""
    if hasattr(raw, "__array__") and not isinstance(raw, np.ndarray):  # a column of a frame, a tensor
        raw = np.asarray(raw)
    outputs = Outputs.of(raw)
    if len(outputs) != count:
        raise BadMechanism(
            f"the vectorized mechanism gave {len(outputs)} outputs when asked for {count}; let it return one "
            "for each, or leave out vectorized=True for a function of the data alone"
        )
    return outputs
