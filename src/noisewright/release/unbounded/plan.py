"""The noise of a release whose variances are known only up to a limit.

Let E(c_i²) ≤ u_i for the coordinates c_i of an output in a public frame. Noise of variance e_i along
direction i leaves at most ½ Σ ln(1 + u_i/e_i) nats: the largest entropy at given second moments, and
Hadamard's inequality for coordinates that are correlated. The bounds below are those of the whole numbers
that are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.randomness import Stream
from noisewright.release.noise import NoisePlan, table
from noisewright.release.noise.proof import information_upper
from noisewright.release.noise.shapes import noise_variances
from noisewright.release.noise.spread import Spread
from noisewright.release.unbounded.frame import Frame

FINEST = 2.0**-50
"""The smallest step in units of the reach: cells stay exact as floats and far from the ends of an integer."""

ROUNDING = 1 + 1e-5
"""More than a coordinate may differ when its output is computed again, in a worker or here."""

ATTEMPTS = 8


@dataclass(frozen=True, eq=False)
class LimitedPlan:
    """Steps of a lattice along the directions of a frame, and what a release on it carries at most.

    ``moments`` are the limits u_i; every bound on the information holds *if they do*.
    """

    frame: Frame
    moments: Floats
    steps: Floats

    @property
    def variances(self) -> Floats:
        """The variance of the noise along each direction."""
        return np.asarray(table.variance() * self.steps**2)

    @property
    def total_variance(self) -> float:
        """The variance of the noise, summed over all directions."""
        return float(self.variances.sum())

    @cached_property
    def information_upper(self) -> float:
        """Nats that one release carries about the half that was used, if the moments are within limits."""
        return _information(self.moments, self.steps)

    @cached_property
    def information_certain(self) -> float:
        """Nats that one release carries at most whatever the simulation met: clipping alone bounds them."""
        return _information(self.frame.reach**2, self.steps)

    def draw(self, output: Floats, stream: Stream) -> Cells:
        """The lattice cells of one release of an output (d,): clipped, snapped, and noised."""
        cells = np.rint(self.frame.coordinates(output[None])[0] / self.steps).astype(np.int64)
        return np.asarray(cells + table.draw(stream, cells.size))

    def over(self, outputs: Floats) -> NoisePlan:
        """The same noise over a list of public halves, given their outputs: for attacks, which need a list.

        Who knows that the half is one of a list knows more than an observer does, so attacks only get better.
        """
        coordinates = self.frame.coordinates(outputs)
        weights = np.full(len(outputs), 1 / len(outputs))
        spread = Spread(self.frame.centre, self.frame.directions, coordinates, weights @ coordinates**2)
        return NoisePlan(spread, self.steps, np.rint(coordinates / self.steps).astype(np.int64), weights)

    def vector(self, cells: Cells) -> Floats:
        """Cells (…, r) back as released vectors (…, d)."""
        return self.frame.vectors(cells * self.steps)


def plan_limited(frame: Frame, moments: Floats, nats: float, shape: str = "optimal") -> LimitedPlan:
    """The plan whose bound keeps a budget, with the least noise that its shape allows.

    >>> frame = Frame(np.zeros(2), np.eye(2), reach=np.array([4.0, 2.0]))
    >>> plan = plan_limited(frame, moments=np.array([1.0, 0.25]), nats=0.25)
    >>> plan.information_upper <= 0.25, plan.variances.round(3).tolist()
    (True, [2.531, 1.375])
    """
    asked = nats
    for _ in range(ATTEMPTS):  # the lattice and the rounding cost a little more than the formula
        noise = noise_variances(moments, asked, shape)
        steps = np.maximum(np.sqrt(noise / table.variance()), frame.reach * FINEST)
        plan = LimitedPlan(frame, moments, steps)
        if plan.information_upper <= nats:
            return plan
        asked *= nats / plan.information_upper * (1 - 1e-9)
    raise InvalidParameter(
        f"a budget of {nats:g} nats is below what the lattice of {moments.size} directions can account for; "
        f"take a larger one"
    )


def _information(moments: Floats, steps: Floats) -> float:
    """A bound in nats for snapped coordinates: snapping moves the root mean square by at most half a step."""
    return information_upper((np.sqrt(moments) / steps * ROUNDING + 0.5) ** 2)  # Minkowski's inequality
