"""The base of all spaces: a public area of locations, with the two decompositions that TraCS randomizes.

A location is two coordinates, and a mechanism that randomizes both protects it. There are two choices:

    axes    two fixed coordinates, such as x and y or longitude and latitude (TraCS-C);
    polar   the direction from a public reference, and the share of the way to the boundary (TraCS-D).

Both are maps of public shape. However they round, a report is a function of randomized cells and public
numbers, so no guarantee depends on their arithmetic.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Floats, Interval, NumericDomain, as_floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.parameters import shown
from noisewright.text import short

if TYPE_CHECKING:
    from noisewright.trajectory.spaces.rectangle import Rectangle

Flags = NDArray[np.bool_]
TURN = 2 * np.pi

LOOKS = 33
"""Coordinates along each side at which a chart is tested."""


@dataclass(frozen=True)
class Space(ABC):
    """A public area in which locations live; arrays of points have two columns."""

    kinds: ClassVar[dict[str, type[Space]]] = {}
    kind: ClassVar[str]
    units: ClassVar[str] = "units"
    """The unit of :meth:`distance`."""
    names: ClassVar[tuple[str, str]] = ("x", "y")
    """The names of the two columns of points."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "kind" in cls.__dict__:
            Space.kinds[cls.kind] = cls

    # -- the area ----------------------------------------------------------------------------------

    @abstractmethod
    def contains(self, points: ArrayLike) -> Flags:
        """Return which points belong to the space; NaN and infinities never do."""

    @abstractmethod
    def project(self, points: Floats) -> Floats:
        """Move points outside to a near point of the space, and leave those inside alone."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of a map of the space."""

    @property
    @abstractmethod
    def centre(self) -> Floats:
        """A public point well inside the space."""

    @property
    @abstractmethod
    def diameter(self) -> float:
        """The largest distance between two of its points."""

    @abstractmethod
    def spread(self, count: int) -> Floats:
        """Return at least about ``count`` points, spread evenly over the area; always the same ones."""

    def distance(self, first: ArrayLike, second: ArrayLike) -> Floats:
        """Return the distance between pairs of points, in ``units``."""
        gap = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
        return np.asarray(np.hypot(gap[..., 0], gap[..., 1]))

    def embed(self, points: Floats) -> Floats:
        """Return points in a flat space, of any dimension, that preserves nearest neighbours."""
        return points

    # -- the decompositions ------------------------------------------------------------------------

    @cached_property
    def axes(self) -> tuple[NumericDomain, NumericDomain]:
        """The domains of the two fixed coordinates: by default the sides of the map."""
        left, bottom, right, top = self.bounds
        return Interval(left, right), Interval(bottom, top)

    @property
    def upright(self) -> bool:
        """Whether the axes are the two columns themselves, and every pair of values on them is a point."""
        return False

    def to_axes(self, points: Floats) -> Floats:
        """Return the fixed coordinates of points of the space."""
        return points

    def from_axes(self, coordinates: Floats) -> Floats:
        """Return the points of fixed coordinates, moved into the space where they lie outside."""
        return self.project(coordinates)

    @abstractmethod
    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        """Return the direction of points from references, in [0, 2π), and the share of the way to the border.

        A point equal to its reference has share 0 and a direction that means nothing.
        """

    @abstractmethod
    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        """Return the points in given directions, at given shares of the way from references to the border."""

    # -- a flat chart ------------------------------------------------------------------------------

    @property
    def plane(self) -> Rectangle | None:
        """The rectangle in which polar coordinates are taken, if the space is one up to a change of units."""
        return None

    def to_plane(self, points: Floats) -> Floats:
        """Return points of the space in the coordinates of ``plane``."""
        return points

    def from_plane(self, points: Floats) -> Floats:
        """Return points of ``plane`` in the coordinates of the space."""
        return points

    # -- admission ---------------------------------------------------------------------------------

    def admit(
        self, points: ArrayLike, name: str = "location", place: Callable[[int], str] | None = None
    ) -> Floats:
        """Return points of the space as an n × 2 array, or refuse with the place of the first one outside.

        The message reveals no coordinate: it may be somebody's home.

        Args:
            points: Pairs of coordinates, one for each row.
            name: The word for a point in the message.
            place: Words for the number of a row, from 0; by default the name and the number.
        """
        array = self.two_columns(points, name)
        bad = ~self.contains(array)
        if bad.any():
            where = (place or f"{name}[{{}}]".format)(int(np.argmax(bad)))
            raise OutOfDomain(self._refusal(array, bad, where))
        return array

    def two_columns(self, points: ArrayLike, name: str = "location") -> Floats:
        """Return points as an n × 2 array of doubles, wherever they lie.

        Args:
            points: Pairs of coordinates, one for each row.
            name: The word for a point in a refusal.
        """
        array = as_floats(points, name)
        if array.ndim != 2 or array.shape[1] != 2:
            raise OutOfDomain(f"{name} must be an array of two columns: {' and '.join(self.names)}")
        return np.ascontiguousarray(array)

    def _refusal(self, points: Floats, bad: Flags, where: str) -> str:
        also = f" (and {bad.sum() - 1} more)" if bad.sum() > 1 else ""
        if not np.isfinite(points[np.argmax(bad)]).all():
            return f"{where} has a missing or infinite coordinate{also}; drop such points first"
        hint = self._hint(points, bad) or "widen the space or leave such points out"
        left, bottom, right, top = self.bounds
        right -= 360.0 * (right > 180 and self.names[0] == "longitude")  # across the antimeridian
        span = f"from {left:.10g}, {bottom:.10g} to {right:.10g}, {top:.10g}"
        return f"{where} lies outside the space, which reaches {span}{also}; {hint}"

    def _hint(self, points: Floats, bad: Flags) -> str | None:
        """Return what may have gone wrong, if the points as a whole suggest it."""
        swapped = self.contains(points[:, ::-1])
        if 2 * int(swapped.sum()) > len(points) and swapped.sum() > (~bad).sum():
            first, second = self.names
            order = f"{first} comes first and {second} second"
            return f"the columns, or the sides of the space, look swapped: {order}"
        return None

    # -- description -------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Describe the space in plain JSON values."""
        return {"kind": self.kind, **{field.name: getattr(self, field.name) for field in fields(self)}}

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Space:
        """Rebuild a space from :meth:`to_dict`.

        >>> from noisewright.trajectory import Rectangle
        >>> Space.from_dict(Rectangle(0, 0, 2, 10).to_dict())
        Rectangle(left=0.0, bottom=0.0, right=2.0, top=10.0)
        """
        if not isinstance(description, Mapping):
            raise InvalidParameter("a space is described by a mapping with the key 'kind'")
        parts = dict(description)
        kind = parts.pop("kind", None)
        if not isinstance(kind, str) or kind not in Space.kinds:
            raise InvalidParameter(
                f"unknown kind of space {shown(kind)}; known: {', '.join(sorted(Space.kinds))}"
            )
        try:
            return Space.kinds[kind](**parts)
        except TypeError as broken:
            raise InvalidParameter(f"the description of a {kind} space is broken: {broken}") from broken


def interval_of(values: Floats, domain: NumericDomain, count: int) -> NDArray[np.int64]:
    """Return which of ``count`` equal intervals of a domain holds each value, or is nearest to it."""
    place = ((values - domain.start) * (count / domain.length)).astype(np.int64)
    return np.clip(place, 0, count - 1)


def spread_square(count: int) -> Floats:
    """Return points that fill the unit square evenly, however many: a Kronecker sequence."""
    steps = np.array([0.7548776662466927, 0.5698402909980532])  # powers of 1/ρ with ρ³ = ρ + 1
    return np.asarray((0.5 + np.arange(1, count + 1)[:, None] * steps) % 1.0)


def spread_inside(count: int, spread: Callable[[int], Floats], inside: Callable[[Floats], Flags]) -> Floats:
    """Return the first ``count`` points inside an area, of a sequence that fills a larger one evenly."""
    tries = 2 * count + 64
    while True:
        points = spread(tries)
        found = points[inside(points)]
        if len(found) >= count:
            return np.asarray(found[:count])
        tries *= 2


def angle_of(steps: Floats) -> Floats:
    """Return the direction of steps in [0, 2π); 0 for a step of length 0."""
    angles = np.arctan2(steps[..., 1], steps[..., 0])
    turned = np.where(angles < 0, angles + TURN, angles)
    return np.where(turned >= TURN, 0.0, turned)


def unit(angles: Floats) -> Floats:
    """Return steps of length 1 in given directions."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


@dataclass(frozen=True)
class Chart:
    """Two coordinates of a space in which regions are boxes: its axes, or those of its plane.

    Args:
        space: The space.
        flat: Whether the coordinates are those of the plane in which directions are taken (TraCS-D), and not
            the axes (TraCS-C).
    """

    space: Space
    flat: bool

    @property
    def domains(self) -> tuple[NumericDomain, NumericDomain]:
        """The domains of the two coordinates."""
        plane = self.space.plane if self.flat else None
        return plane.axes if plane is not None else self.space.axes

    def to(self, points: Floats) -> Floats:
        """Return the coordinates of points."""
        return self.space.to_plane(points) if self.flat else self.space.to_axes(points)

    def back(self, coordinates: Floats) -> Floats:
        """Return the points of coordinates."""
        return self.space.from_plane(coordinates) if self.flat else self.space.from_axes(coordinates)

    @property
    def whole(self) -> bool:
        """Whether reports can lie anywhere in the chart, so that none was moved."""
        sides = [d.centres(np.linspace(0, d.lattice - 1, LOOKS).round()) for d in self.domains]
        tried = np.stack(np.meshgrid(*sides), axis=-1)
        sizes = np.array([domain.length for domain in self.domains])
        return bool((np.abs(self.to(self.back(tried)) - tried) < 1e-6 * sizes).all())


def distance_words(distance: float, units: str) -> str:
    """Return a distance in words, to three digits.

    Args:
        distance: The distance, in the units of a space.
        units: The unit, "metres" or "units" (``Space.units``).

    >>> distance_words(8312.4, "metres"), distance_words(412.3, "metres"), distance_words(0.279, "units")
    ('8.31 km', '412 m', '0.279')
    >>> distance_words(5_613_000, "metres")
    '5,613 km'
    """
    if units != "metres":
        return short(distance, 3)
    return f"{short(distance / 1000, 3)} km" if distance >= 1000 else f"{short(distance, 3)} m"
