"""What every mechanism for locations is: two channels, and a way to turn a location into two coordinates.

A location becomes two coordinates by a map of public shape, each coordinate goes through a channel of its
own, and the two reports become a location again. By composition the two budgets add up, and everything after
the channels is post-processing. The map may depend on a *reference*: a public point, such as the report
before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.design.shares import fit_shares
from noisewright.domains import Cells, Floats, NumericDomain
from noisewright.errors import GuaranteeBroken, InvalidParameter, OutOfDomain
from noisewright.guarantees import PureLDP
from noisewright.guarantees.rules import round_up
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.base import open_stream
from noisewright.parameters import EPSILON, is_number
from noisewright.randomness import Source, Stream
from noisewright.trajectory.channels import Pair, build_channel, given_channels
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space

BEST = "best"
NAMED_SPLITS = {"even": 0.5, "heuristic": float(np.pi / (np.pi + 1))}  # Zheng 2026, 6.3.1
"""Shares of the budget for the first channel that have a name of their own; "best" is worked out."""


@dataclass(frozen=True)
class LocationMechanism(ABC):
    """A channel for locations of a space, with a budget ε for each location.

    ``split`` is the share of ε that the first of the two channels gets: a number, "even", "heuristic"
    (π/(π + 1), for a direction) or "best", which looks for the least expected error in the space. ``channel``
    is the name of a mechanism for both coordinates, or two mechanisms.
    """

    space: Space
    epsilon: float
    split: str | float = BEST
    channel: str | Pair = "OGPM"
    registry: ClassVar[dict[str, type[LocationMechanism]]] = {}
    title: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        LocationMechanism.registry[cls.__name__] = cls

    def __post_init__(self) -> None:
        if not isinstance(self.space, Space):
            raise InvalidParameter(f"{type(self).__name__} needs a space, got {self.space!r}")
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        self._prepare()
        object.__setattr__(self, "split", self._settled_split())
        spent = sum(Fraction(channel.epsilon) for channel in self.channels)
        if spent > Fraction(self.epsilon):
            raise GuaranteeBroken(f"the channels of {type(self).__name__} spend more than {self.epsilon}")

    def _prepare(self) -> None:  # noqa: B027  (TraCS-C has nothing more to check)
        """Check what else a mechanism has for fields."""

    def _settled_split(self) -> float:
        if not isinstance(self.channel, str):
            return float(self.channel[0].epsilon / sum(channel.epsilon for channel in self.channel))
        if self.split == BEST:
            from noisewright.trajectory.splitting import best_split  # noqa: PLC0415  (it builds trials of us)

            return best_split(self)
        share = NAMED_SPLITS.get(self.split) if isinstance(self.split, str) else self.split
        if share is None or not is_number(share) or not 0 < share < 1:
            names = ", ".join([BEST, *NAMED_SPLITS])
            raise InvalidParameter(f"split must be a share between 0 and 1, or {names}; got {self.split!r}")
        return float(share)

    # -- the promise -------------------------------------------------------------------------------

    @property
    def guarantee(self) -> PureLDP:
        """What one location costs; a route of n locations costs n times as much."""
        return PureLDP(self.epsilon)

    @property
    def epsilon_upper(self) -> float:
        """The ε that the integers of both channels spend together, rounded up: never above ``epsilon``."""
        first, second = (Fraction(channel.epsilon_upper) for channel in self.channels)
        return min(round_up(first + second), self.epsilon)

    @property
    @abstractmethod
    def coordinates(self) -> tuple[NumericDomain, NumericDomain]:
        """The domains of the two coordinates that are randomized."""

    @cached_property
    def channels(self) -> Pair:
        """The two channels, each with its part of the budget."""
        if not isinstance(self.channel, str):
            return given_channels(self.channel, self.coordinates, self.epsilon)
        assert not isinstance(self.split, str)
        shares = fit_shares(self.epsilon, [self.split, 1 - self.split])
        built = [
            build_channel(self.channel, domain, share)
            for domain, share in zip(self.coordinates, shares, strict=True)
        ]
        return built[0], built[1]

    # -- drawing -----------------------------------------------------------------------------------

    def perturb(self, points: ArrayLike, source: Source | None = None) -> Floats:
        """One report for each location of one route, in order (n × 2 in, n × 2 out)."""
        truth = self.space.two_columns(points)
        return self._checked_reports(truth, np.array([0, len(truth)]), source, None)

    def perturb_routes(self, routes: Routes, source: Source | None = None) -> Routes:
        """One report for each location of many routes; names, times and lengths stay as they are."""
        return routes.with_points(self._checked_reports(routes.points, routes.starts, source, routes.place))

    def _checked_reports(
        self, points: Floats, starts: Cells, source: Source | None, place: Callable[[int], str] | None
    ) -> Floats:
        reports = self._reports(points, starts, open_stream(source))
        if reports is None:
            self.space.admit(points, place=place)  # finds the place and refuses
            raise OutOfDomain("a location changed while it was being randomized; nothing is returned")
        return reports

    @abstractmethod
    def _reports(self, points: Floats, starts: Cells, stream: Stream) -> Floats | None:
        """Reports of points, for routes that begin at ``starts``; nothing if a point is outside."""

    @property
    def follows(self) -> bool:
        """Whether each report is the reference of the next."""
        return False

    @abstractmethod
    def first_reference(self) -> Floats:
        """The public point that the first report of a route refers to."""

    @abstractmethod
    def next_reference(self, report: Floats) -> Floats:
        """The public point that the next report refers to, after a report."""

    @abstractmethod
    def to_coordinates(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        """The two coordinates of points."""

    @abstractmethod
    def from_coordinates(self, references: Floats, first: Floats, second: Floats) -> Floats:
        """The points of two coordinates, always inside the space."""

    def draw(self, references: Floats, points: Floats, stream: Stream) -> Floats:
        """Reports of points, given their references: the plain form of every faster loop."""
        reported = [
            channel.reports.centres(channel._draw_cells(channel.domain.snap(values), stream))
            for channel, values in zip(self.channels, self.to_coordinates(references, points), strict=True)
        ]
        return self.from_coordinates(references, reported[0], reported[1])

    # -- the error ---------------------------------------------------------------------------------

    def expected_error(self, points: ArrayLike | None = None) -> float:
        """The expected distance between a location and its report, in the units of the space.

        The location is spread evenly over the space, or over public ``points``; the law of the report is
        integrated, not sampled (to about one part in five hundred).
        """
        from noisewright.trajectory.expected import expected_error  # noqa: PLC0415  (scipy is slow to load)

        return expected_error(self, None if points is None else self.space.admit(points, "points"))

    # -- description -------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Describe the mechanism in plain JSON values: all that an analyst of its reports needs."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        parts["space"] = self.space.to_dict()
        if not isinstance(self.channel, str):
            parts["channel"] = [channel.to_dict() for channel in self.channel]
        return {"mechanism": type(self).__name__, **parts}

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> LocationMechanism:
        """Rebuild a mechanism from :meth:`to_dict`, proving its channels again.

        >>> from noisewright.trajectory import Rectangle, TraCSC
        >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), 4.0)
        >>> LocationMechanism.from_dict(mechanism.to_dict()) == mechanism
        True
        """
        if not isinstance(description, Mapping):
            raise InvalidParameter("a mechanism for locations is described by a mapping with 'mechanism'")
        parts = dict(description)
        name = parts.pop("mechanism", None)
        if not isinstance(name, str) or name not in LocationMechanism.registry:
            known = ", ".join(sorted(LocationMechanism.registry))
            raise InvalidParameter(f"unknown mechanism for locations {name!r}; known: {known}")
        channel = parts.get("channel", "OGPM")
        if not isinstance(channel, str):
            parts["channel"] = tuple(Mechanism.from_dict(part) for part in channel)
        try:
            return LocationMechanism.registry[name](
                **{**parts, "space": Space.from_dict(parts.get("space", {}))}
            )
        except TypeError as broken:
            raise InvalidParameter(f"the description of a {name} mechanism is broken: {broken}") from broken
