"""The base of all baselines: a published method, correctly implemented, with the ε that it really spends.

The ε that a method promises and the ε that its sampler keeps are two numbers, often confused in print.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.base import open_stream
from noisewright.mechanisms.basics.tables import Weights
from noisewright.parameters import EPSILON
from noisewright.published.routes.integers import draw_places, integer_rows, real_epsilon
from noisewright.published.routes.places import Places
from noisewright.randomness import Source, Stream
from noisewright.trajectory.mechanisms.location import Reporter
from noisewright.trajectory.spaces import Space


@dataclass(frozen=True)
class RealGuarantee:
    """The ε that a method is named for, beside the ε that its integers spend on one location.

    Attributes:
        nominal: The ε that the method is named for.
        real: The ε that is spent, rounded up; may be infinite.
        reason: Where the difference comes from.
        exact: Whether ``real`` is the ε of the sampler itself, and not a proved upper bound on it.

    >>> print(RealGuarantee(4.0, 4.6052, "group sizes depend on the location").sentence)
    nominal ε = 4, really 4.606: group sizes depend on the location
    >>> RealGuarantee(4.0, math.inf, "some reports exclude some locations").kept
    False
    """

    nominal: float
    real: float
    reason: str
    exact: bool = True

    @property
    def kept(self) -> bool:
        """Whether the sampler spends no more than it promises."""
        return self.real <= self.nominal

    @property
    def real_words(self) -> str:
        """The ε that is really spent, rounded up."""
        return "∞" if math.isinf(self.real) else f"{math.ceil(self.real * 1000) / 1000:g}"

    @property
    def sentence(self) -> str:
        """Both numbers and the reason, in one line."""
        before = "" if self.exact or math.isinf(self.real) else "at most "
        behind = " (no bound at all)" if math.isinf(self.real) else ""
        return f"nominal ε = {self.nominal:g}, really {before}{self.real_words}{behind}: {self.reason}"


class Baseline(Reporter):
    """A method for routes that TraCS is compared with.

    Attributes:
        epsilon: The nominal budget of one location.
    """

    title: ClassVar[str]
    epsilon: float

    @cached_property
    @abstractmethod
    def real_guarantee(self) -> RealGuarantee:
        """The nominal ε of one location beside the real one, which can take seconds to compute."""

    def _checked_reports(
        self, points: Floats, starts: Cells, source: Source | None, place: Callable[[int], str] | None
    ) -> Floats:
        return self._reports(self.area.admit(points, place=place), starts, open_stream(source))

    @abstractmethod
    def _reports(self, truth: Floats, starts: Cells, stream: Stream) -> Floats:
        """Return reports of admitted locations, for routes that begin at ``starts``."""


class PlaceBaseline(Baseline):
    """A baseline whose reports are places of a public list; a true location counts as the nearest of them.

    The map to the nearest place is public, so what holds for any two places holds for any two locations.
    """

    @property
    @abstractmethod
    def places(self) -> Places:
        """The public list of places."""

    @property
    def area(self) -> Space:
        return self.places.space

    def _reports(self, truth: Floats, starts: Cells, stream: Stream) -> Floats:
        return self.places.points[self._report_places(self.places.nearest(truth), starts, stream)]

    @abstractmethod
    def _report_places(self, truth: Cells, starts: Cells, stream: Stream) -> Cells:
        """Return the numbers of the reported places, for those of the true ones."""


class RowBaseline(PlaceBaseline):
    """A baseline that reports every location by itself: one row of integers for each true place."""

    @abstractmethod
    def law(self, rows: Cells) -> Floats:
        """Return the probabilities on paper of all reports (columns) for some true places (rows)."""

    def weights(self, rows: Cells) -> Weights:
        """Return the integers that are sampled, for some true places."""
        return integer_rows(self.law(rows))

    def _spent(self) -> float:
        """Return the ε of the whole table of integers."""
        return real_epsilon(self.weights(rows) for rows in self.places.blocks())

    def _report_places(self, truth: Cells, starts: Cells, stream: Stream) -> Cells:
        return draw_places(self.weights, truth, stream.draw(truth.size))


@dataclass(frozen=True, eq=False)
class ListedPlaces(PlaceBaseline):
    """A baseline that is given its places; without a space they lie in the rectangle around them."""

    points: ArrayLike | Places = field(repr=False)
    epsilon: float
    space: Space | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        object.__setattr__(self, "points", self.places.points)
        object.__setattr__(self, "space", self.places.space)
        self._prepare()

    def _prepare(self) -> None:
        """Check the other fields of a baseline."""

    @cached_property
    def places(self) -> Places:
        return Places.of(self.points, self.space)


def check_flag(what: str, value: object) -> bool:
    """Return a boolean, or refuse anything else and name its purpose."""
    if isinstance(value, bool):
        return value
    raise InvalidParameter(f"{what} must be True or False, got {value!r}")
