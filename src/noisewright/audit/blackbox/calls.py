"""A Python function that gives one output a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from noisewright.audit.blackbox.functions import FunctionBox
from noisewright.audit.blackbox.signatures import DATA
from noisewright.audit.outputs import Outputs


@dataclass(frozen=True, eq=False)
class Calls(FunctionBox):
    """``function(data)``, asked again and again; a parameter named ``generator`` gets a NumPy generator.

    An object that carries a random state of its own is never handed to workers: it is always this one that is
    called, so its state goes on from call to call.

    >>> Calls(lambda data, generator: sum(data) + generator.laplace()).draw([1, 2], 3, seed=7).width
    1
    """

    block: ClassVar[int] = 1024
    given = DATA

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        with self.calling(seed) as call:  # reading what came may run code of the mechanism, too
            return Outputs.of([call(subject) for _ in range(count)])

    def describe(self) -> Any:
        return "calls", self.function
