"""What an audit knows of a mechanism: give it an input, and outputs come back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final

from noisewright.audit.outputs import Outputs
from noisewright.errors import InvalidParameter
from noisewright.parameters import real

LONGEST: Final = 1e6
"""Seconds that may be waited for one answer: about eleven days."""


class BlackBox(ABC):
    """Something that answers an input with a random output, and that nothing else is known of.

    Boxes can be pickled, so that workers get them. Failures are :class:`~noisewright.errors.BadMechanism`;
    their sentences name the type of an exception at most, as its text may quote the input.
    """

    block: ClassVar[int]
    """Outputs that one call of :meth:`draw` is asked for at most: they share a seed."""

    quick: ClassVar[bool] = False
    """Whether the box works on whole arrays, so that workers are started only on request."""

    together: ClassVar[bool] = False
    """Whether many outputs at once cost little more than one."""

    apart: ClassVar[bool] = False
    """Whether every output is the work of another process, so that the box itself has no state to copy."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What people call it; never the input."""

    @abstractmethod
    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        """So many outputs for one input; all chance that the box lets us govern comes from the seed."""

    @abstractmethod
    def describe(self) -> Any:
        """What tells the box from others, for ``noisewright.engine.digest``."""


def check_timeout(seconds: object) -> float:
    """How long to wait for one answer, in seconds.

    >>> check_timeout(60)
    60.0
    """
    if not 0 < real("timeout", seconds) <= LONGEST:
        raise InvalidParameter(f"timeout must be above 0 and at most {LONGEST:g} seconds, got {seconds}")
    return real("timeout", seconds)
