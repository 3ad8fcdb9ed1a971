"""Families of functions that curves are written in: the public half of a client's encoding.

A basis and its domain are announced by the server before anybody is asked, so that a client can describe its
curve by a few coefficients alone. A basis is a value: it compares, prints and travels as JSON.

Coefficients are rescaled to [−1, 1], so that noise of a known size can hide them. Both ways use one person's
coefficients only. Whatever is lost here is lost to the report alone: a client who *evaluates* a rule does so
on its own curve and undoes the rescaling first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import BSpline

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.learn.rules.base import MOST_BASES
from noisewright.parameters import one_of, real, whole

MOST_FUNCTIONS = 256
MOST_DEGREE = 9


@dataclass(frozen=True)
class Basis(ABC):
    """A number of functions on an interval; their combinations are the curves that can be told apart.

    Attributes:
        functions: Number of functions, 1 to 256.
        domain: The ends of the interval that curves live on.
    """

    functions: int
    domain: tuple[float, float] = (0.0, 1.0)
    kind: ClassVar[str]
    registry: ClassVar[dict[str, type[Basis]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        Basis.registry[cls.kind] = cls

    def __post_init__(self) -> None:
        object.__setattr__(self, "functions", whole("functions", self.functions, 1, MOST_FUNCTIONS))
        match self.domain:
            case (low, high) if real("the domain's low end", low) < real("the domain's high end", high):
                object.__setattr__(self, "domain", (float(low), float(high)))
            case _:
                raise InvalidParameter("the domain of a basis must be two numbers, the low end first")

    @property
    def length(self) -> float:
        """The length of the domain."""
        return self.domain[1] - self.domain[0]

    def values(self, grid: ArrayLike) -> Floats:
        """Return the functions at the points of a grid, one column each; refuse points outside the domain."""
        points = np.asarray(grid, dtype=np.float64)
        low, high = self.domain
        if points.ndim != 1 or not ((points >= low) & (points <= high)).all():
            raise OutOfDomain(
                f"the grid must be a row of points from {low:g} to {high:g}, the basis's domain"
            )
        return self._values(points)

    @abstractmethod
    def _values(self, points: Floats) -> Floats: ...

    @property
    def gram(self) -> Floats:
        """The integrals of all products of two functions, which turn coefficients into ∫ x(t) β(t) dt."""
        return _gram(self)

    @abstractmethod
    def integrals(self) -> Floats:
        """Compute :attr:`gram`, which caches it."""

    def curves(self, coefficients: ArrayLike, grid: ArrayLike) -> Floats:
        """Return the curves Σ zₖ φₖ(t) of rows of coefficients, at the points of a grid.

        From randomized coefficients this is the perturbed curve that the server may train on.

        >>> FourierBasis(3).curves([[2.0, 0.0, 0.0]], [0.0, 0.5]).round(9).tolist()
        [[2.0, 2.0]]
        """
        return np.asarray(np.asarray(coefficients, dtype=np.float64) @ self.values(grid).T)

    def to_dict(self) -> dict[str, Any]:
        """Return the basis in plain JSON values."""
        return {"basis": self.kind, **asdict(self), "domain": list(self.domain)}

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Basis:
        """Read the basis that :meth:`to_dict` wrote.

        >>> Basis.from_dict(BSplineBasis(4).to_dict()) == BSplineBasis(4)
        True
        """
        fields = dict(description) if isinstance(description, Mapping) else {}
        kind = fields.pop("basis", None)
        if not isinstance(kind, str) or kind not in Basis.registry:
            raise InvalidParameter(f"unknown basis; known: {', '.join(sorted(Basis.registry))}")
        try:
            return Basis.registry[kind](**fields)
        except TypeError as broken:
            raise InvalidParameter(
                f"the description of a {kind} basis has missing or unknown fields"
            ) from broken


@dataclass(frozen=True)
class BSplineBasis(Basis):
    """Smooth bumps between equidistant knots, for curves whose shape is local; they add up to 1 everywhere.

    Attributes:
        functions: Number of functions, more than ``degree``.
        domain: The ends of the interval that curves live on.
        degree: The degree of the polynomial pieces, 0 to 9.

    >>> BSplineBasis(4).values([0.0, 0.5]).round(3).tolist()
    [[1.0, 0.0, 0.0, 0.0], [0.125, 0.375, 0.375, 0.125]]
    """

    degree: int = 3
    kind: ClassVar[str] = "b-spline"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "degree", whole("degree", self.degree, 0, MOST_DEGREE))
        if self.functions <= self.degree:
            raise InvalidParameter(
                f"B-splines of degree {self.degree} need at least {self.degree + 1} functions, "
                f"got {self.functions}; take more functions or a lower degree"
            )

    @property
    def breaks(self) -> Floats:
        """The ends of the pieces; between two of them every function is one polynomial."""
        return np.linspace(*self.domain, self.functions - self.degree + 1)

    def _values(self, points: Floats) -> Floats:
        low, high = (np.full(self.degree, end) for end in self.domain)
        knots = np.concatenate([low, self.breaks, high])
        return np.asarray(BSpline.design_matrix(points, knots, self.degree).toarray())

    def integrals(self) -> Floats:
        # A product of two pieces has degree 2·degree; degree + 1 Gauss-Legendre points integrate it exactly.
        nodes, weights = np.polynomial.legendre.leggauss(self.degree + 1)
        half = np.diff(self.breaks)[:, None] / 2
        points = self.breaks[:-1, None] + half * (nodes + 1)
        values = self._values(points.ravel()) * np.sqrt(half * weights).reshape(-1, 1)
        return np.asarray(values.T @ values)


@dataclass(frozen=True)
class FourierBasis(Basis):
    """A constant and waves, for curves that repeat or spread their shape; orthonormal on the domain.

    In order: constant, sine and cosine of one period, of two, and so on; an even number of functions ends
    with a sine.

    Attributes:
        functions: Number of functions.
        domain: The ends of the interval that curves live on.

    >>> FourierBasis(3).values([0.0, 0.25]).round(3).tolist()
    [[1.0, 0.0, 1.414], [1.0, 1.414, 0.0]]
    """

    kind: ClassVar[str] = "fourier"

    def _values(self, points: Floats) -> Floats:
        turns = 2 * np.pi * (points - self.domain[0]) / self.length
        columns = [np.full(points.size, np.sqrt(0.5))]
        for place in range(1, self.functions):
            wave = np.sin if place % 2 else np.cos
            columns.append(wave((place + 1) // 2 * turns))
        return np.asarray(np.sqrt(2 / self.length) * np.column_stack(columns))

    def integrals(self) -> Floats:
        return np.eye(self.functions)


@lru_cache(maxsize=MOST_BASES)
def _gram(basis: Basis) -> Floats:
    # By value: a thousand rules of one basis share one matrix, and strangers' bases evict each other.
    matrix = basis.integrals()
    matrix.flags.writeable = False
    return matrix


LARGEST_UNIT = 1 - 2.0**-53
"""The largest double below 1: tanh(z) beyond z ≈ 18.7 rounds to 1, and the two cannot be told apart."""


@dataclass(frozen=True)
class Rescaling(ABC):
    """A public map from coefficients to [−1, 1], row by row, after division by a public ``scale``."""

    scale: float = 1.0
    name: ClassVar[str]

    def __post_init__(self) -> None:
        if real("scale", self.scale) <= 0:
            raise InvalidParameter(f"must be above 0, got {self.scale!r}", field="scale")

    @abstractmethod
    def shrink(self, coefficients: Floats) -> Floats:
        """Return coefficients as numbers from −1 to 1."""

    @abstractmethod
    def undo(self, units: Floats) -> Floats:
        """Return the coefficients behind unrandomized units, as far as they can be recovered."""


@dataclass(frozen=True)
class Tanh(Rescaling):
    """tanh(zₖ / scale) for each coefficient: keeps order and sign, flattens values far above the scale.

    Attributes:
        scale: The public size that coefficients are divided by.

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

    The size cannot be recovered; ``undo`` gives the curve of size 1. A rule without intercept answers the
    same for both.

    Attributes:
        scale: Not used.

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
    """Return the rescaling of that name.

    Args:
        name: "tanh" or "max-abs".
        scale: The public size that coefficients are divided by.

    >>> find_rescaling("tanh", 2.0)
    Tanh(scale=2.0)
    """
    return RESCALINGS[one_of("rescale", name, RESCALINGS)](scale)
