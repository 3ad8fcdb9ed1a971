"""Mechanisms for locations that randomize two coordinates, each through a channel of its own.

A location becomes two coordinates by a map of public shape, each coordinate goes through its channel, and the
two reports become a location again. By composition the two budgets add up, and everything after the channels
is post-processing: whatever rounding the maps suffer, the guarantee is that of the channels. A channel is
OGPM unless another is asked for, by name or as a mechanism of its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.design.allocation import fit_shares
from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.guarantees.base import round_up
from noisewright.mechanisms import DesignedLaw, Mechanism, NumericMechanism
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.parameters import is_number
from noisewright.randomness import Stream
from noisewright.trajectory.mechanisms.expected_error import best_split, expected_error
from noisewright.trajectory.mechanisms.location import LocationMechanism

Pair = tuple[NumericMechanism, NumericMechanism]

OPTIMAL = "optimal"
"""The name of the channel that :mod:`noisewright.design` finds: the least average distance of all laws."""

BEST = "best"

NAMED_SPLITS = {"even": 0.5, "heuristic": float(np.pi / (np.pi + 1))}  # Zheng 2026, 6.3.1
"""Named shares of the budget for the first channel; "best" is computed."""


@dataclass(frozen=True)
class CoordinateMechanism(LocationMechanism):
    """A mechanism of two channels, one for each coordinate of a location.

    Args:
        space: Where locations lie. It is public and must not come from the data.
        epsilon: The budget of one location, above 0 and at most 32.
        split: The share of ε for the first channel: a number between 0 and 1, "even", "heuristic" (π/(π + 1),
            for a direction) or "best" (the default), which looks for the least expected error in the space.
        channel: The mechanism of both coordinates by name, "optimal" for the least average error, or a pair.
    """

    split: str | float = BEST
    channel: str | Pair = "OGPM"

    def _prepare(self) -> None:
        object.__setattr__(self, "split", self._settled_split())
        if self.channel == OPTIMAL:  # readers of a description should not have to search again
            object.__setattr__(self, "channel", self.channels)
        first, second = (Fraction(channel.epsilon) for channel in self.channels)
        if first + second > Fraction(self.epsilon):
            raise GuaranteeBroken(f"the channels of {type(self).__name__} spend more than {self.epsilon}")

    def _settled_split(self) -> float:
        if not isinstance(self.channel, str):
            first, second = check_channels(self.channel, self.coordinates, self.epsilon)
            return float(first.epsilon / (first.epsilon + second.epsilon))
        if self.split == BEST:
            return best_split(self)
        share = NAMED_SPLITS.get(self.split) if isinstance(self.split, str) else self.split
        if share is None or not is_number(share) or not 0 < share < 1:
            names = ", ".join([BEST, *NAMED_SPLITS])
            raise InvalidParameter(
                f"must be a share between 0 and 1, or {names}; got {self.split!r}", field="split"
            )
        return float(share)

    @property
    def epsilon_upper(self) -> float:
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
            return check_channels(self.channel, self.coordinates, self.epsilon)
        assert not isinstance(self.split, str)
        shares = fit_shares(self.epsilon, [self.split, 1 - self.split])
        built = [
            build_channel(self.channel, domain, share)
            for domain, share in zip(self.coordinates, shares, strict=True)
        ]
        return built[0], built[1]

    @abstractmethod
    def to_coordinates(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        """Return the two coordinates of points."""

    @abstractmethod
    def from_coordinates(self, references: Floats, first: Floats, second: Floats) -> Floats:
        """Return the points of two coordinates, always inside the space."""

    def draw(self, references: Floats, points: Floats, stream: Stream) -> Floats:
        reported = [
            channel.reports.centres(channel._draw_cells(channel.domain.snap(values), stream))
            for channel, values in zip(self.channels, self.to_coordinates(references, points), strict=True)
        ]
        return self.from_coordinates(references, reported[0], reported[1])

    def expected_error(self, points: ArrayLike | None = None) -> float:
        """Return the expected distance between a location and its report, in the units of the space.

        The location is spread evenly over the space, or over public ``points``; the law of the report is
        integrated, not sampled (to about one part in five hundred).
        """
        return expected_error(self, None if points is None else self.space.admit(points, "points"))

    def to_dict(self) -> dict[str, Any]:
        described = super().to_dict()
        if not isinstance(self.channel, str):
            described["channel"] = [channel.to_dict() for channel in self.channel]
        return described

    @classmethod
    def _from_parts(cls, parts: dict[str, Any]) -> Self:
        """Rebuild from settled parts: nothing is searched for on a stranger's behalf."""
        channel = parts.get("channel")
        if isinstance(channel, list | tuple):
            parts = {**parts, "channel": tuple(map(read_channel, channel))}
        elif not isinstance(channel, str) or channel == OPTIMAL:
            raise InvalidParameter("a description names its channel or holds two of them")
        if not is_number(parts.get("split")):
            raise InvalidParameter("a description holds the split as a number")
        return super()._from_parts(parts)


# -- channels of one coordinate --------------------------------------------------------------------

ROUND = {"OGPM": "CircularOGPM", "PM": "PMC", "SW": "SWC", "TPM": "PMC", "TSW": "SWC"}
"""Replacements on a circle for mechanisms that are for intervals only."""

KNOWN = ("OGPM", "CircularOGPM", "PM", "PMC", "SW", "SWC", "TPM", "TSW")
"""Channels by name: windows, which are quick to build on fine lattices and quick to sample."""

MOST_CELLS = 1 << 20
"""Most cells of a channel in a description."""


def build_channel(name: str, domain: NumericDomain, epsilon: float) -> NumericMechanism:
    """Build a channel by the name of its mechanism, in the form it has on an interval or on a circle.

    >>> from noisewright import Circle, Interval
    >>> build_channel("OGPM", Circle(360), 2.0), build_channel("t-sw", Interval(0, 1), 2.0)
    (CircularOGPM(domain=Circle(360.0), epsilon=2.0), TSW(domain=Interval(0.0, 1.0), epsilon=2.0))
    """
    from noisewright.mechanisms import catalogue  # noqa: PLC0415

    if name.casefold() == OPTIMAL:
        from noisewright.design import optimal_law  # noqa: PLC0415  (it loads a solver)

        law = optimal_law(domain, epsilon, "absolute", "average")
        assert isinstance(law, NumericMechanism)
        return law
    kind = catalogue.find(name, field="channel")
    if kind.__name__ not in KNOWN:
        raise InvalidParameter(f"must be one of {', '.join(KNOWN)}, {OPTIMAL}; got {name}", field="channel")
    if isinstance(domain, Circle) and not issubclass(Circle, kind.domains):
        kind = catalogue.find(ROUND[kind.__name__])
    return check_pure(catalogue.build(kind, domain, epsilon))


def check_pure(channel: NumericMechanism) -> NumericMechanism:
    """Refuse a channel whose promise has a δ: locations are composed under pure ε."""
    if not isinstance(channel, NumericMechanism) or type(channel.guarantee) is not PureLDP:
        raise InvalidParameter(f"a channel for a coordinate must keep pure ε; {channel!r} does not")
    return channel


def check_channels(pair: Pair, domains: tuple[NumericDomain, NumericDomain], epsilon: float) -> Pair:
    """Return two given channels if they are for these domains and spend no more than ε together."""
    if len(pair) != 2:
        raise InvalidParameter("a location has two coordinates and takes two channels")
    for channel, domain in zip(pair, domains, strict=True):
        check_pure(channel)
        theirs = channel.domain  # its lattice may differ
        if type(theirs) is not type(domain) or (theirs.start, theirs.length) != (domain.start, domain.length):
            raise InvalidParameter(f"a channel for {domain!r} cannot be one for {theirs!r}")
    if sum(Fraction(channel.epsilon) for channel in pair) > Fraction(epsilon):
        raise InvalidParameter(f"the two channels spend more than epsilon = {epsilon} together")
    return pair[0], pair[1]


def read_channel(description: Mapping[str, Any]) -> NumericMechanism:
    """Rebuild a channel from its description: a window or a designed law, which do not take long to prove."""
    kind = Mechanism.registry.get(str(description["mechanism"]))
    quick = kind is not None and (kind.__name__ in KNOWN or issubclass(kind, WindowMechanism | DesignedLaw))
    light = quick and int(description["domain"]["cells"]) <= MOST_CELLS
    channel = Mechanism.from_dict(description) if light else None
    if not isinstance(channel, NumericMechanism):
        raise InvalidParameter(
            "a description holds channels that are windows or designed laws, of 2²⁰ cells at most"
        )
    return check_pure(channel)
