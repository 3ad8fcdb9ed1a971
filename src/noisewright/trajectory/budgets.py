"""What a budget protects: each location of a route, or the route as a whole.

By composition a route of n reports spends n times the ε of one. A budget for the whole route is therefore
divided by the number of reports; where that leaves too little for each, fewer points are reported, and those
between them are interpolated (``thinning.py``). One number of reports holds for all routes, so that there is
one mechanism; a route with fewer points spends less.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.guarantees.rules import round_down, round_up
from noisewright.parameters import EPSILON, real, whole
from noisewright.trajectory.words import epsilon_words

LOCATION, ROUTE = "location", "route"

UNPROTECTED = "Only where somebody was is protected: not times, names or the number of points of a route."


@dataclass(frozen=True)
class Budget:
    """A budget ε and what it is for: each "location", or the whole "route".

    ``reports`` is the largest number of reports of one route; without it, all points are reported.

    >>> Budget(4.0, "route", reports=8).of_location
    0.5
    """

    epsilon: float
    unit: str = LOCATION
    reports: int | None = None

    def __post_init__(self) -> None:
        if self.unit not in (LOCATION, ROUTE):
            raise InvalidParameter(
                f'a budget is for each "{LOCATION}" or for the "{ROUTE}", not {self.unit!r}'
            )
        if self.reports is not None:
            object.__setattr__(self, "reports", whole("the reports of a route", self.reports, 1, 1 << 40))
        if self.unit == ROUTE and self.reports is None:
            raise InvalidParameter("a budget for a whole route needs the number of its reports")
        object.__setattr__(self, "epsilon", self._checked())

    def _checked(self) -> float:
        if self.unit == LOCATION:
            return EPSILON.check(self.epsilon)
        budget = real("the budget of a route", self.epsilon)
        if budget <= 0:
            raise InvalidParameter(f"the budget of a route must be above 0, got {self.epsilon!r}")
        return budget

    @property
    def of_location(self) -> float:
        """The ε of one report; of a whole route's budget, its part rounded down, and no more than 32."""
        if self.unit == LOCATION:
            return self.epsilon
        assert self.reports is not None
        return min(round_down(Fraction(self.epsilon) / self.reports), EPSILON.at_most)

    def of_route(self, points: int) -> PureLDP:
        """What a route of so many points costs in total."""
        many = points if self.reports is None else min(points, self.reports)
        return PureLDP(round_up(many * Fraction(self.of_location)))

    def sentence(self, lengths: Cells) -> str:
        """The guarantee of a collection of routes in words."""
        whole = epsilon_words(self.epsilon)
        if self.unit == ROUTE:
            return (
                f"Each route as a whole is protected with ε = {whole}: whoever sees all its reports can "
                "raise their odds between any two routes of as many points by at most a factor of "
                f"e^{whole}. It has at most {self._reports}. {UNPROTECTED}"
            )
        longest = int(lengths.max())
        return (
            f"Each location is protected with ε = {whole}: whoever sees its report can raise their odds "
            f"between any two locations of the space by at most a factor of e^{whole}. A route of n reports "
            f"spends n times as much; the longest here, of {longest} points, spends "
            f"{epsilon_words(self.of_route(longest).epsilon)} in total. {UNPROTECTED}"
        )

    @property
    def _reports(self) -> str:
        each = f"of ε = {epsilon_words(self.of_location)}"
        return f"one report, {each}" if self.reports == 1 else f"{self.reports} reports, {each} each"
