"""A Python function that gives many outputs a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from noisewright.audit.blackbox.base import BlackBox, check_timeout
from noisewright.audit.blackbox.calls import name_of
from noisewright.audit.blackbox.chance import global_chance, own_generator, wants_generator
from noisewright.audit.blackbox.patience import patiently
from noisewright.audit.outputs import Outputs
from noisewright.errors import BadMechanism


@dataclass(frozen=True, eq=False)
class Vectorized(BlackBox):
    """``function(data, count)``, an array or a list of independent outputs; ``generator`` as in Calls.

    >>> noisy = lambda data, count, generator: sum(data) + generator.laplace(size=count)
    >>> len(Vectorized(noisy).draw([1, 2], 5, seed=7))
    5
    """

    function: Callable[..., Any]
    timeout: float = 60.0
    block: ClassVar[int] = 1 << 16
    together: ClassVar[bool] = True
    quick: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))

    @property
    def title(self) -> str:
        return name_of(self.function)

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        options = {"generator": own_generator(seed)} if wants_generator(self.function) else {}
        with global_chance(seed), patiently(self.timeout) as patience:
            raw = patience.call(self.function, subject, count, **options)
        return counted(raw, count)

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
            "for each, or leave out vectorized for a function of the data alone"
        )
    return outputs
