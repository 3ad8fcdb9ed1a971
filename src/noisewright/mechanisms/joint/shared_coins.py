"""The base class of mechanisms with shared coins: calibrated coins, two privacy numbers, a simulation."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Categories, Cells, FiniteDomain, Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees import JointLDP
from noisewright.mechanisms.basics.base import open_stream
from noisewright.mechanisms.basics.finite import label_cells
from noisewright.mechanisms.categorical.oracle import FrequencyOracle
from noisewright.mechanisms.joint.calibration import calibrate, caps
from noisewright.mechanisms.joint.collusion import Collusion, check_people
from noisewright.mechanisms.joint.exposure import Exposure
from noisewright.mechanisms.joint.group_law import GroupLaw, check_whole_groups, group_size
from noisewright.mechanisms.joint.variances import SharedNoise
from noisewright.mechanisms.joint.words import SIMULATION, sentences
from noisewright.parameters import EPSILON, real
from noisewright.randomness import Source, Stream, uniform_below, uniform_order

Flags = NDArray[np.bool_]
"""Whether each person tells the truth."""


def draw_liars(law: GroupLaw, groups: int, stream: Stream) -> Cells:
    """Draw the number of liars in each of many groups."""
    thresholds = np.array(law.thresholds, dtype=np.uint64)
    return np.searchsorted(thresholds, stream.draw(groups), side="right")


def draw_flags(law: GroupLaw, groups: int, stream: Stream) -> Flags:
    """Draw the flags of many groups, one row each: every choice of the liars is equally likely.

    One member after the other lies with the chance (lies left)/(members left).
    """
    left = draw_liars(law, groups, stream)
    flags = np.empty((groups, law.size), dtype=np.bool_)
    for place in range(law.size):
        flags[:, place] = uniform_below(law.size - place, groups, stream) >= left
        left = left - ~flags[:, place]
    return flags


def draw_grouped(law: GroupLaw, people: int, stream: Stream, rounds: int = 1) -> Flags:
    """Draw ``rounds`` flags for each person, who are put into groups at random."""
    order = uniform_order(people, stream)
    drawn = draw_flags(law, people // law.size * rounds, stream).reshape(-1, rounds, law.size)
    flags = np.empty((people, rounds), dtype=np.bool_)
    flags[order] = drawn.swapaxes(1, 2).reshape(people, rounds)
    return flags


def draw_alone(law: GroupLaw, people: int, stream: Stream) -> Flags:
    """Draw flags of people who answer alone, each with the coins of a whole group and a random place."""
    return uniform_below(law.size, people, stream) >= draw_liars(law, people, stream)


def answer(truth: Cells, flags: Flags, options: int, stream: Stream) -> Cells:
    """Return the truth, or for liars another option: one a random number of places further on."""
    further = np.ones(truth.size, dtype=np.int64)
    if options > 2:  # drawn for everybody, so that time does not reveal who lies
        further += uniform_below(options - 1, truth.size, stream)
    return np.where(flags, truth, (truth + further) % options)


@dataclass(frozen=True)
class SharedCoins(FrequencyOracle):
    """A frequency oracle whose users are grouped and draw the flags of a group from one law.

    The share of true answers is the largest that keeps both caps.

    Attributes:
        epsilon: Cap on the privacy number that is averaged over who the partner is.
        users: Number of people, who fill whole groups.
        colluders: How many of them collude with the collector.
        correlation: Correlation of the flags in a group; negative, so that lies cancel.
        group: Number of people who share coins.
        colluding_cap: Cap on the number given that the partner colludes; None is no cap.
    """

    users: int
    colluders: int = 0
    correlation: float = 0.0
    group: int = 2
    colluding_cap: float | None = None
    domains: ClassVar[tuple[type[FiniteDomain], ...]] = (Categories,)
    designed: ClassVar[bool] = True

    def _prepare(self) -> None:
        set_field = object.__setattr__
        set_field(self, "group", group_size(self.group))
        users, colluders = check_people(self.users, self.colluders, self.group)
        set_field(self, "users", users)
        set_field(self, "colluders", colluders)
        set_field(self, "correlation", real("correlation", self.correlation))
        if self.colluding_cap is not None:
            set_field(self, "colluding_cap", EPSILON.check(self.colluding_cap))
        super()._prepare()  # looks at the coins, which need all of these

    @property
    @abstractmethod
    def exposure(self) -> Exposure:
        """What people who know the others' flags learn."""

    @property
    @abstractmethod
    def noise(self) -> SharedNoise:
        """The moments of a label's support."""

    # -- the promise ---------------------------------------------------------------------------------

    @cached_property
    def coins(self) -> GroupLaw:
        """The calibrated law of a group's flags."""
        limits = caps(self.users, self.colluders, self.group, self.epsilon, self.colluding_cap)
        return calibrate(limits, self.exposure, self.group, self.correlation)

    @cached_property
    def collusion(self) -> Collusion:
        """Both privacy numbers, from the integers of the coins."""
        return Collusion.of(self.coins, self.exposure, self.users, self.colluders)

    @property
    def guarantee(self) -> JointLDP:
        """Both privacy numbers: the cap on the average, and what holds given that the partner colludes."""
        return JointLDP(self.epsilon, self.collusion.epsilon_colluding, self.colluders, self.users)

    def _prove(self) -> float:
        numbers = self.collusion
        if numbers.epsilon_average > self.epsilon:
            raise GuaranteeBroken(f"the coins spend more than epsilon = {self.epsilon} on average")
        if self.colluding_cap is not None and numbers.epsilon_colluding > self.colluding_cap:
            raise GuaranteeBroken(f"the coins spend more than colluding_cap = {self.colluding_cap}")
        return numbers.epsilon_average

    def explain(self) -> list[str]:
        """Return both privacy numbers in words."""
        return sentences(self.collusion)

    # -- drawing -------------------------------------------------------------------------------------

    @property
    def simulation(self) -> str:
        """The warning that must accompany everything that :meth:`perturb` draws."""
        return SIMULATION

    def perturb(
        self,
        values: Any,
        source: Source | None = None,
        *,
        out_of_domain: str = "refuse",
        name: str = "value",
    ) -> NDArray[Any]:
        """SIMULATE one report for each true label, with trusted coins: this program groups people and tosses.

        The values are those of all users, or of some whole groups drawn at random from them: the averaged
        privacy number assumes a grouping of *all* users; among a few, a partner is easier to guess.
        ``perturb_cells`` draws the reports of people who answer alone, which one by one have the same law.
        """
        cells = label_cells(self.domain, values, out_of_domain, name)
        self._check_fits(cells.size, name)
        return self._draw_together(cells, open_stream(source))

    def independent_reports(self, value: Any, count: int, source: Source | None = None) -> NDArray[Any]:
        """Draw reports of one label, each as from a group of its own; ``perturb`` shares coins."""
        return self.perturb_cells(
            np.repeat(label_cells(self.domain, [value], "refuse", "value"), count), source
        )

    @abstractmethod
    def _draw_together(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        """Draw reports of people who are grouped at random and share coins."""

    def _check_fits(self, people: int, name: str) -> None:
        """Refuse people who do not fill whole groups, or exceed the planned users."""
        check_whole_groups(people, self.group, f"entries of {name}")
        if people > self.users:
            raise InvalidParameter(
                f"{name} has {people} entries, but this mechanism is for {self.users} users"
            )

    # -- the law of all reports ----------------------------------------------------------------------

    def count_variance(self, holders: ArrayLike) -> Any:
        """Return the variance of the estimated number of users with a label that ``holders`` of them have."""
        found = self.noise.count_variance(holders, self.users)
        return float(found) if found.ndim == 0 else found

    def share_variance(self, shares: ArrayLike, count: int) -> Floats:
        """Return the variance of an estimated share of ``count`` random people in whole groups."""
        return self.noise.share_variance(shares, count)

    def _turning_points(self) -> list[float]:
        """Return the shares at which the variance, a quadratic function of the share, can be largest."""
        low, middle, high = self.share_variance([0.0, 0.5, 1.0], 1).tolist()
        bend = 2 * (low + high - 2 * middle)
        top = (bend - high + low) / (2 * bend) if bend < 0 else 0.0
        return [0.0, 1.0, min(max(top, 0.0), 1.0)]
