"""A Python function that gives one output a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from noisewright.audit.blackbox.base import BlackBox, check_timeout
from noisewright.audit.blackbox.chance import global_chance, own_generator, wants_generator
from noisewright.audit.blackbox.patience import patiently
from noisewright.audit.outputs import Outputs


@dataclass(frozen=True, eq=False)
class Calls(BlackBox):
    """``function(data)``, asked again and again; a parameter named ``generator`` gets a NumPy generator.

    ``timeout`` holds for every call. An object that carries a random state of its own is never handed to
    workers: it is always this one that is called, so its state goes on from call to call.

    >>> Calls(lambda data, generator: sum(data) + generator.laplace()).draw([1, 2], 3, seed=7).width
    1
    """

    function: Callable[..., Any]
    timeout: float = 60.0
    block: ClassVar[int] = 1024

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))

    @property
    def title(self) -> str:
        return name_of(self.function)

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        options = {"generator": own_generator(seed)} if wants_generator(self.function) else {}
        with global_chance(seed), patiently(self.timeout) as patience:
            raw = [patience.call(self.function, subject, **options) for _ in range(count)]
        return Outputs.of(raw)

    def describe(self) -> Any:
        return "calls", self.function


def name_of(function: Callable[..., Any]) -> str:
    """What to call a function: its own name, or that of the class of a callable object."""
    wrapped = getattr(function, "func", function)  # a partial is named after what it completes
    return str(getattr(wrapped, "__name__", type(wrapped).__name__))
