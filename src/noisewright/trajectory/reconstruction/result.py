"""What a reconstruction returns."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isinf
from typing import TYPE_CHECKING

from noisewright.domains import Floats
from noisewright.trajectory.reconstruction.density import Density
from noisewright.trajectory.routes import Routes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """Estimated routes, and how far off each point is likely to be.

    ``routes`` holds the estimate of every point; ``spread`` its expected distance from the truth, in the
    ``units`` of the space; ``density`` is where the whole population is. ``weight`` tells how many reports of
    their own outweigh the density in a person's places, infinite where people do not return to places.
    ``limit_dropped`` tells that a speed limit was given but not used, as the reports are likelier without.
    """

    routes: Routes
    density: Density
    spread: Floats
    units: str = "units"
    weight: float = inf
    limit_dropped: bool = False

    @property
    def sentence(self) -> str:
        """The result in words."""
        points, routes = len(self.routes.points), len(self.routes)
        habits = "" if isinf(self.weight) else " People's repeated places were used."
        limit = " The speed limit was not used: reports are likelier without." if self.limit_dropped else ""
        return (
            f"{_count(points, 'point')} of {_count(routes, 'route')}, each off by about "
            f"{self.spread.mean():.3g} {self.units} on average.{habits}{limit} "
            "Only reports and public facts were used, so this costs no privacy beyond the reports."
        )

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw routes over the density on a map; returns the matplotlib axes."""
        from noisewright.trajectory.map_drawing import plot_reconstruction  # noqa: PLC0415  (matplotlib is an extra)

        return plot_reconstruction(self, axes)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
