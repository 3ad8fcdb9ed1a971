"""What an audit knows of a mechanism: give it an input, and outputs come back."""

from __future__ import annotations

import pickle
import random
import sys
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final

import numpy as np
from joblib import wrap_non_picklable_objects

from noisewright.audit.basics.outputs import Outputs


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
        """Return ``count`` outputs for one input; all chance that we govern comes from the seed."""

    @abstractmethod
    def describe(self) -> Any:
        """Return what tells the box from others, for ``noisewright.io.digest``."""


# -- a state of its own --------------------------------------------------------------------------------


GENERATORS: Final = (np.random.Generator, np.random.RandomState, random.Random)


def carries_state(box: BlackBox, subject: Any) -> bool:
    """Whether a draw changes what workers would have; the first call is left out, as it may fill caches.

    That is what they are sent, and the random generators of the module that they import the mechanism from.
    Other states that they import are not seen here.

    Args:
        box: What would be sent to workers.
        subject: An input to try it on, twice.

    >>> from noisewright.audit.blackbox import black_box
    >>> rng = np.random.default_rng(1)
    >>> carries_state(black_box(lambda data, rng=rng: data + rng.normal()), 0.0)
    True
    >>> carries_state(black_box(lambda data, generator: data + generator.normal()), 0.0)
    False
    """
    if box.apart:
        return False
    box.draw(subject, 1, seed=0)
    before = _state(box)
    box.draw(subject, 1, seed=1)
    return before is not None and _state(box) != before


def _state(box: BlackBox) -> bytes | None:
    """All that a worker would begin with; None if it cannot be sent, which sending it will tell."""
    try:
        return pickle.dumps((wrap_non_picklable_objects(box), _imported(box)))
    except Exception:  # pickling runs anybody's code
        return None


def _imported(box: BlackBox) -> list[Any]:
    """Generators beside the functions and the classes of objects that a box holds."""
    held = [getattr(thing, "func", thing) for thing in vars(box).values()]  # a partial completes another
    modules = [sys.modules.get(str(getattr(thing, "__module__", None))) for thing in held]
    beside = [value for module in modules if module for value in vars(module).values()]
    return [value for value in beside if isinstance(value, GENERATORS)]
