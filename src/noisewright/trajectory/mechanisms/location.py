"""The base of mechanisms for locations: a channel from a location to a report, with a budget for each.

A report may depend on a *reference*: a public point, such as the previous report. ``draw`` is the plain form
of every mechanism; faster forms must agree with it. ``Stepper`` draws one location at a time, in a constant
amount of memory, as a phone needs it.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats
from noisewright.errors import BudgetSpent, InvalidParameter, OutOfDomain
from noisewright.guarantees import PureLDP
from noisewright.guarantees.base import round_up
from noisewright.mechanisms.basics.base import open_stream
from noisewright.parameters import EPSILON, real, shown
from noisewright.randomness import BLOCK, SecureSource, Source, Stream
from noisewright.text import epsilon_words
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.routes.table import repeat_route
from noisewright.trajectory.spaces import Space


class Reporter(ABC):
    """Anything that reports the locations of routes: a mechanism, or a published method."""

    @property
    @abstractmethod
    def area(self) -> Space:
        """Where true locations and reports live."""

    def perturb(self, points: ArrayLike, source: Source | None = None) -> Floats:
        """Return one report for each location of one route, in order.

        Args:
            points: The locations (n × 2), all in the space.
            source: The randomness; default: a fresh secure stream. Seeded streams are for tests.
        """
        truth = self.area.two_columns(points)
        return self._checked_reports(truth, np.array([0, len(truth)]), source, None)

    def perturb_routes(self, routes: Routes, source: Source | None = None) -> Routes:
        """Return one report for each location of many routes; names, times and lengths stay as they are.

        Args:
            routes: The true routes.
            source: The randomness; default: a fresh secure stream. Seeded streams are for tests.
        """
        return routes.with_points(self._checked_reports(routes.points, routes.starts, source, routes.place))

    def independent_reports(self, route: ArrayLike, count: int, source: Source | None = None) -> Floats:
        """Return ``count`` independent reports of one route, or of one location.

        The shape is (count, n, 2) for a route of n locations and (count, 2) for one location.

        Args:
            route: A route (n × 2) or a location (2 numbers).
            count: How often it is reported.
            source: The randomness; default: a fresh secure stream. Seeded streams are for tests.
        """
        walks = repeat_route(self.area.two_columns(np.atleast_2d(route)), count)
        return self._checked_reports(*walks, source, None).reshape(count, *np.shape(route))

    @abstractmethod
    def _checked_reports(
        self, points: Floats, starts: Cells, source: Source | None, place: Callable[[int], str] | None
    ) -> Floats:
        """Return reports of points that lie in the area, for routes that begin at ``starts``."""


@dataclass(frozen=True)
class LocationMechanism(Reporter):
    """A channel for locations of a space, with a budget ε for each location.

    Args:
        space: Where locations lie. It is public and must not come from the data.
        epsilon: The budget of one location, above 0 and at most 32.
    """

    space: Space
    epsilon: float
    registry: ClassVar[dict[str, type[LocationMechanism]]] = {}
    title: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "title" in cls.__dict__:
            LocationMechanism.registry[cls.__name__] = cls

    def __post_init__(self) -> None:
        if not isinstance(self.space, Space):
            raise InvalidParameter(f"{type(self).__name__} needs a space, got {self.space!r}")
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        self._prepare()

    def _prepare(self) -> None:
        """Check the other fields of a mechanism, and prove its guarantee."""

    # -- the promise -------------------------------------------------------------------------------

    @property
    def guarantee(self) -> PureLDP:
        """What one location costs; a route of n locations costs n times as much."""
        return PureLDP(self.epsilon)

    @property
    @abstractmethod
    def epsilon_upper(self) -> float:
        """The ε that the sampler's integers spend on a location, rounded up: never above ``epsilon``."""

    # -- drawing -----------------------------------------------------------------------------------

    @property
    def area(self) -> Space:
        return self.space

    def _checked_reports(
        self, points: Floats, starts: Cells, source: Source | None, place: Callable[[int], str] | None
    ) -> Floats:
        reports = self._reports(points, starts, open_stream(source))
        if reports is None:
            self.space.admit(points, place=place)  # finds the place and refuses
            raise OutOfDomain("a location changed while it was being randomized; nothing is returned")
        return reports

    def _reports(self, points: Floats, starts: Cells, stream: Stream) -> Floats | None:
        """Return reports of points, for routes that begin at ``starts``; None if a point is outside."""
        if not self.space.contains(points).all():
            return None
        if self.follows:
            return follow(self.draw, self.first_reference(), points, starts, stream)
        reports = np.empty_like(points)
        for at in range(0, len(points), BLOCK):
            reports[at : at + BLOCK] = self.draw(self.first_reference(), points[at : at + BLOCK], stream)
        return reports

    @abstractmethod
    def draw(self, references: Floats, points: Floats, stream: Stream) -> Floats:
        """Return reports of points of the space, given their references."""

    # -- references --------------------------------------------------------------------------------

    @property
    def follows(self) -> bool:
        """Whether each report is the reference of the next."""
        return False

    def first_reference(self) -> Floats:
        """Return the public point that the first report of a route refers to."""
        return self.space.centre

    def next_reference(self, report: Floats) -> Floats:
        """Return the public point that the next report refers to, after a report."""
        return report if self.follows else np.broadcast_to(self.first_reference(), report.shape)

    def references(self, reports: Routes) -> Floats:
        """Return the public reference of every report, which an analyst needs as well as the mechanism."""
        first = self.first_reference()
        if not self.follows:
            return np.broadcast_to(first, reports.points.shape)
        before = np.concatenate([first[None], reports.points[:-1]])
        before[reports.starts[:-1]] = first
        return before

    # -- the error ---------------------------------------------------------------------------------

    @abstractmethod
    def expected_error(self, points: ArrayLike | None = None) -> float:
        """Return the expected distance between a location and its report, in the units of the space.

        Args:
            points: Public points among which the location is; by default it is spread evenly over the space.
        """

    # -- description -------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Describe the mechanism in plain JSON values: everything an analyst of its reports needs."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        return {"mechanism": type(self).__name__, **parts, "space": self.space.to_dict()}

    @classmethod
    def _from_parts(cls, parts: dict[str, Any]) -> Self:
        return cls(**{**parts, "space": Space.from_dict(parts.get("space", {}))})

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> LocationMechanism:
        """Rebuild a mechanism from :meth:`to_dict`, proving it again.

        >>> from noisewright.trajectory import Rectangle, TraCSC
        >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), 4.0)
        >>> LocationMechanism.from_dict(mechanism.to_dict()) == mechanism
        True
        """
        if not isinstance(description, Mapping):
            raise InvalidParameter("a location mechanism is described by a mapping with the key 'mechanism'")
        parts = dict(description)
        name = parts.pop("mechanism", None)
        if not isinstance(name, str) or name not in LocationMechanism.registry:
            known = ", ".join(sorted(LocationMechanism.registry))
            raise InvalidParameter(f"unknown mechanism for locations {shown(name)}; known: {known}")
        try:
            return LocationMechanism.registry[name]._from_parts(parts)
        except (TypeError, KeyError) as broken:
            raise InvalidParameter(f"the description of a {name} mechanism is broken: {broken}") from broken


def follow(
    draw: Callable[[Floats, Floats, Stream], Floats],
    first: Floats,
    points: Floats,
    starts: Cells,
    stream: Stream,
) -> Floats:
    """Draw the n-th location of every route at once, then the next: references come out in order."""
    reports, lengths = np.empty_like(points), np.diff(starts)
    references = np.repeat(first[None], lengths.size, axis=0)
    for step in range(int(lengths.max())):
        there = lengths > step
        rows = starts[:-1][there] + step
        references[there] = reports[rows] = draw(references[there], points[rows], stream)
    return reports


# -- one location at a time ------------------------------------------------------------------------


class Stepper:
    """A randomizer for the locations of one route as they come, which counts what they cost.

    It keeps the reference of the next report, which is public, and the number of reports so far. Nothing in
    it grows with the route or could undo a report, since every report has its own key. Threads may share
    this object and its count; copies and forked children may not. A new program starts a new count.

    Args:
        mechanism: The mechanism for one location.
        source: The randomness; by default a fresh secure stream. A seeded one is for tests and simulations.
        at_most: The budget of the whole route, beyond which locations are refused. Default: no limit.

    >>> from noisewright.trajectory import Rectangle, TraCSD
    >>> route = Stepper(TraCSD(Rectangle(0, 0, 1, 1), epsilon=2.0), at_most=4.0)
    >>> reports = [route.report((0.2, 0.3)), route.report((0.25, 0.3))]
    >>> route.spent
    PureLDP(epsilon=4.0)
    >>> route.report((0.3, 0.3))
    Traceback (most recent call last):
    ...
    noisewright.errors.BudgetSpent: the route has spent epsilon = 4 of 4, and a location costs 2
    """

    def __init__(
        self, mechanism: LocationMechanism, source: Source | None = None, *, at_most: float | None = None
    ) -> None:
        self.mechanism = mechanism
        self.at_most = None if at_most is None else real("the budget of a route", at_most)
        self.steps = 0
        self._reference = mechanism.first_reference()
        self._source = source or SecureSource()
        # a seeded route is one stream of words; a private one draws a fresh stream for every report
        self._seeded = None if self._source.private else open_stream(self._source)
        self._lock, self._process = threading.Lock(), os.getpid()

    @property
    def spent(self) -> PureLDP:
        """The total cost of all reports so far."""
        return PureLDP(round_up(self.steps * Fraction(self.mechanism.epsilon)))

    def report(self, location: ArrayLike) -> Floats:
        """Return the report of the next location.

        Args:
            location: Two numbers, a point of the space.
        """
        point = self.mechanism.space.admit(np.atleast_2d(np.asarray(location)))
        with self._lock:
            self._spend()  # before anything is drawn: an interrupted report is spent
            stream = self._seeded or open_stream(self._source)
            report: Floats = self.mechanism.draw(self._reference[None], point, stream)[0]
            self._reference = self.mechanism.next_reference(report)
        return report

    def _spend(self) -> None:
        if self._process != os.getpid():
            raise BudgetSpent(
                "a forked child cannot continue a route: its parent may, and both would spend the budget"
            )
        cost = Fraction(self.mechanism.epsilon)
        if self.at_most is not None and (self.steps + 1) * cost > Fraction(self.at_most):
            raise BudgetSpent(
                f"the route has spent epsilon = {epsilon_words(self.spent.epsilon)} of {self.at_most:g}, "
                f"and a location costs {epsilon_words(self.mechanism.epsilon)}"
            )
        self.steps += 1

    def __reduce__(self) -> NoReturn:
        raise BudgetSpent("a route in progress cannot be copied or pickled: both would spend its budget")
