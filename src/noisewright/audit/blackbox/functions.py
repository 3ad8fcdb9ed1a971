"""What all Python functions under audit share: a time limit, a name, a fitting signature, chance."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from noisewright.audit.blackbox.base import BlackBox, check_timeout
from noisewright.audit.blackbox.chance import global_chance, own_generator
from noisewright.audit.blackbox.patience import patiently
from noisewright.audit.blackbox.signatures import GENERATOR, check_signature, wants_generator


@dataclass(frozen=True, eq=False)
class FunctionBox(BlackBox):
    """A Python function that is called with what ``given`` names; ``timeout`` holds for every call.

    A parameter named ``generator`` gets a NumPy generator. A function that cannot be called so is refused at
    once, where its signature tells; otherwise its first call will.
    """

    function: Callable[..., Any]
    timeout: float = 60.0
    given: ClassVar[Sequence[str]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))
        check_signature(self.function, self.given)

    @property
    def title(self) -> str:
        return name_of(self.function)

    @contextmanager
    def calling(self, seed: int) -> Generator[Callable[..., Any]]:
        """The function with its chance from the seed, its patience, and its failures told in sentences."""
        options = {GENERATOR: own_generator(seed)} if wants_generator(self.function) else {}
        with global_chance(seed), patiently(self.timeout) as patience:
            yield partial(patience.call, self.function, **options)


def name_of(function: Callable[..., Any]) -> str:
    """What to call a function: its own name, or that of the class of a callable object."""
    wrapped = getattr(function, "func", function)  # a partial is named after what it completes
    return str(getattr(wrapped, "__name__", type(wrapped).__name__))
