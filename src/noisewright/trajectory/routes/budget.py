"""The budget of a route, which protects each of its locations or the route as a whole.

By composition a route of n reports spends n times the ε of one. A budget for the whole route is therefore
divided by the number of reports. Where that leaves too little for each, fewer points are reported, and those
between them are interpolated (``mechanisms/sparse_reports.py``). All routes share one number of reports, so
that there is one mechanism; a route with fewer points spends less.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.guarantees.base import round_down, round_up
from noisewright.parameters import EPSILON, real, whole
from noisewright.text import epsilon_words

LOCATION, ROUTE = "location", "route"

DEFENSIBLE = 10.0
"""The ε of a whole route above which only single locations are protected."""

UNPROTECTED = "Only where somebody was is protected: not times, names or the number of points of a route."


@dataclass(frozen=True)
class Budget:
    """A budget ε and what it is for: each location, or the whole route.

    Args:
        epsilon: The budget; at most 32 for a location, and any number above 0 for a route.
        unit: What the budget is for: each "location" (the default), or the whole "route".
        reports: The most reports of one route; by default all points. A budget for a route needs it.

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
            object.__setattr__(self, "reports", whole("reports", self.reports, 1, 1 << 40))
        if self.unit == ROUTE and self.reports is None:
            raise InvalidParameter("a budget for a whole route needs the number of its reports")
        if self.unit == LOCATION:
            object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        elif (budget := real("the budget of a route", self.epsilon)) > 0:
            object.__setattr__(self, "epsilon", budget)
        else:
            raise InvalidParameter(f"the budget of a route must be above 0, got {self.epsilon!r}")

    @property
    def of_location(self) -> float:
        """The ε of one report: of a route's budget, its part rounded down, and no more than 32."""
        if self.unit == LOCATION:
            return self.epsilon
        assert self.reports is not None
        return min(round_down(Fraction(self.epsilon) / self.reports), EPSILON.at_most)

    def check(self, epsilon: float) -> None:
        """Refuse a mechanism that costs more than the budget leaves for one report.

        Args:
            epsilon: What the mechanism spends on one location.
        """
        if epsilon > self.of_location:
            left = f"the budget leaves {self.of_location:.17g} for it"
            raise InvalidParameter(f"a location costs {epsilon:.17g} and {left}")

    def of_route(self, points: int) -> PureLDP:
        """Return the total cost of a route of ``points`` points.

        Args:
            points: The number of points of the route.
        """
        many = points if self.reports is None else min(points, self.reports)
        return PureLDP(round_up(many * Fraction(self.of_location)))

    def sentence(self, lengths: Cells) -> str:
        """Return the guarantee of a collection of routes in words.

        Args:
            lengths: The number of points of every route.
        """
        whole = epsilon_words(self.epsilon)
        if self.unit == ROUTE:
            each = f"of ε = {epsilon_words(self.of_location)}"
            most = f"one report, {each}" if self.reports == 1 else f"{self.reports} reports, {each} each"
            return (
                f"Each route as a whole is protected with ε = {whole}: whoever sees all its reports can "
                "raise their odds between any two routes of as many points by at most a factor of "
                f"e^{whole}. It has at most {most}. {UNPROTECTED}"
            )
        longest = int(lengths.max())
        return (
            f"Each location is protected with ε = {whole}: whoever sees its report can raise their odds "
            f"between any two locations of the space by at most a factor of e^{whole}. A route of n reports "
            f"spends n times as much; the longest here, of {longest} points, spends "
            f"{epsilon_words(self.of_route(longest).epsilon)} in total. {UNPROTECTED}"
        )

    def warning(self, lengths: Cells) -> str | None:
        """Return a warning if a route as a whole is hardly protected; None up to ε = 10.

        Args:
            lengths: The number of points of every route.

        >>> import numpy as np
        >>> Budget(1.0).warning(np.array([10, 3]))
        >>> Budget(1.0).warning(np.array([12, 3]))[:61]
        'the longest route spends ε = 12 in total, and a person with s'
        """
        spent = self.of_route(int(lengths.max())).epsilon
        if spent <= DEFENSIBLE:
            return None
        whole = epsilon_words(spent)
        each = "" if self.unit == ROUTE else "each single location is protected, but "
        remedy = "choose a smaller ε" if self.unit == ROUTE else "give the route one budget by --per route"
        return (
            f"the longest route spends ε = {whole} in total, and a person with several routes the sum of "
            f"all: {each}whoever sees all the reports of a route may raise their odds between two routes by "
            f"a factor of e^{whole}, which does not protect the route or the person as a whole; above "
            f"ε = {DEFENSIBLE:g} do not promise such protection, or {remedy}"
        )
