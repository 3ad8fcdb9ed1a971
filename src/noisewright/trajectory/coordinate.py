"""Mechanisms for locations that randomize two coordinates, each through a channel of its own.

A location becomes two coordinates by a map of public shape, each coordinate goes through its channel, and the
two reports become a location again. By composition the two budgets add up, and everything after the channels
is post-processing: whatever rounding the maps suffer, the guarantee is that of the channels.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.design.shares import fit_shares
from noisewright.domains import Floats, NumericDomain
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees.rules import round_up
from noisewright.parameters import is_number
from noisewright.randomness import Stream
from noisewright.trajectory.channels import (
    OPTIMAL,
    Pair,
    build_channel,
    described_channel,
    given_channels,
)
from noisewright.trajectory.expected import expected_error
from noisewright.trajectory.location import LocationMechanism

BEST = "best"
NAMED_SPLITS = {"even": 0.5, "heuristic": float(np.pi / (np.pi + 1))}  # Zheng 2026, 6.3.1
"""Shares of the budget for the first channel that have a name of their own; "best" is worked out."""


@dataclass(frozen=True)
class CoordinateMechanism(LocationMechanism):
    """A mechanism of two channels.

    ``split`` is the share of ε that the first of them gets: a number, "even", "heuristic" (π/(π + 1), for a
    direction) or "best", which looks for the least expected error in the space. ``channel`` is the name of a
    mechanism for both coordinates, or two mechanisms.
    """

    split: str | float = BEST
    channel: str | Pair = "OGPM"

    def _prepare(self) -> None:
        object.__setattr__(self, "split", self._settled_split())
        if self.channel == OPTIMAL:  # whoever reads a description should not have to search again
            object.__setattr__(self, "channel", self.channels)
        first, second = (Fraction(channel.epsilon) for channel in self.channels)
        if first + second > Fraction(self.epsilon):
            raise GuaranteeBroken(f"the channels of {type(self).__name__} spend more than {self.epsilon}")

    def _settled_split(self) -> float:
        if not isinstance(self.channel, str):
            first, second = given_channels(self.channel, self.coordinates, self.epsilon)
            return float(first.epsilon / (first.epsilon + second.epsilon))
        if self.split == BEST:
            from noisewright.trajectory.splitting import best_split  # noqa: PLC0415  (it builds trials of us)

            return best_split(self)
        share = NAMED_SPLITS.get(self.split) if isinstance(self.split, str) else self.split
        if share is None or not is_number(share) or not 0 < share < 1:
            names = ", ".join([BEST, *NAMED_SPLITS])
            raise InvalidParameter(f"split must be a share between 0 and 1, or {names}; got {self.split!r}")
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
            return given_channels(self.channel, self.coordinates, self.epsilon)
        assert not isinstance(self.split, str)
        shares = fit_shares(self.epsilon, [self.split, 1 - self.split])
        built = [
            build_channel(self.channel, domain, share)
            for domain, share in zip(self.coordinates, shares, strict=True)
        ]
        return built[0], built[1]

    @abstractmethod
    def to_coordinates(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        """The two coordinates of points."""

    @abstractmethod
    def from_coordinates(self, references: Floats, first: Floats, second: Floats) -> Floats:
        """The points of two coordinates, always inside the space."""

    def draw(self, references: Floats, points: Floats, stream: Stream) -> Floats:
        reported = [
            channel.reports.centres(channel._draw_cells(channel.domain.snap(values), stream))
            for channel, values in zip(self.channels, self.to_coordinates(references, points), strict=True)
        ]
        return self.from_coordinates(references, reported[0], reported[1])

    def expected_error(self, points: ArrayLike | None = None) -> float:
        """The expected distance between a location and its report, in the units of the space.

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
        """A description holds what was settled: nothing is searched for on a stranger's behalf."""
        channel = parts.get("channel")
        if isinstance(channel, list | tuple):
            parts = {**parts, "channel": tuple(map(described_channel, channel))}
        elif not isinstance(channel, str) or channel == OPTIMAL:
            raise InvalidParameter("a description names its channel or holds two of them")
        if not is_number(parts.get("split")):
            raise InvalidParameter("a description holds the split as a number")
        return super()._from_parts(parts)
