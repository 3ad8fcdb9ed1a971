"""How coefficients are brought between −1 and 1, so that noise of a known size can hide them.

Both ways use one person's coefficients only. Whatever is lost here is lost to the report alone: a client who
*evaluates* a rule does so on its own curve and undoes the rescaling first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real

LARGEST_UNIT = 1 - 2.0**-53
"""The largest double below 1: tanh(z) beyond z ≈ 18.7 rounds to 1 and cannot be told from it."""


@dataclass(frozen=True)
class Rescaling(ABC):
    """A public map from coefficients to [−1, 1], row by row, after division by a public ``scale``."""

    scale: float = 1.0
    name: ClassVar[str]

    def __post_init__(self) -> None:
        if real("scale", self.scale) <= 0:
            raise InvalidParameter(f"scale must be above 0, got {self.scale!r}")

    @abstractmethod
    def shrink(self, coefficients: Floats) -> Floats:
        """Coefficients as numbers from −1 to 1."""

    @abstractmethod
    def undo(self, units: Floats) -> Floats:
        """The coefficients behind unrandomized units, as far as they can be known again."""


@dataclass(frozen=True)
class Tanh(Rescaling):
    """tanh(zₖ / scale) for each coefficient: keeps order and sign, flattens what is far above the scale.

    >>> Tanh().undo(Tanh().shrink(np.array([[0.5, -2.0]]))).round(12).tolist()
    [[0.5, -2.0]]
    """

    name: ClassVar[str] = "tanh"

    def shrink(self, coefficients: Floats) -> Floats:
        return np.tanh(coefficients / self.scale)

    def undo(self, units: Floats) -> Floats:
        return np.asarray(self.scale * np.arctanh(np.clip(units, -LARGEST_UNIT, LARGEST_UNIT)))


@dataclass(frozen=True)
class MaxAbs(Rescaling):
    """z / max |zₖ|: keeps the shape of a curve and drops its size, so it needs no scale.

    The size cannot be known again; ``undo`` gives the curve of size 1. A rule without intercept answers the
    same for both.

    >>> MaxAbs().shrink(np.array([[1.0, -4.0], [0.0, 0.0]])).tolist()
    [[0.25, -1.0], [0.0, 0.0]]
    """

    name: ClassVar[str] = "max-abs"

    def shrink(self, coefficients: Floats) -> Floats:
        largest = np.abs(coefficients).max(axis=1, keepdims=True)
        shrunk = np.divide(coefficients, largest, out=np.zeros_like(coefficients), where=largest > 0)
        return np.asarray(shrunk)

    def undo(self, units: Floats) -> Floats:
        return units


RESCALINGS: dict[str, type[Rescaling]] = {kind.name: kind for kind in (Tanh, MaxAbs)}


def find_rescaling(name: Any, scale: float = 1.0) -> Rescaling:
    """The rescaling of that name.

    >>> find_rescaling("tanh", 2.0)
    Tanh(scale=2.0)
    """
    if not isinstance(name, str) or name not in RESCALINGS:
        raise InvalidParameter(f"rescale must be one of {', '.join(RESCALINGS)}, got {name!r}")
    return RESCALINGS[name](scale)
