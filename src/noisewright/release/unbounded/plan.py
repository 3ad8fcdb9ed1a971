"""The noise of a release whose variances are only bounded by a limit, in a frame that clips outputs.

**Frame.** A variance can be limited only if the output is bounded. The frame comes from the *pilot*, a first
simulation that is never used again: it is a function of the pool and of public chance, so it reveals nothing
about which world was used. Every output, including the released one, is clipped to the frame.

**Noise.** Let E(c_i²) ≤ u_i for the coordinates c_i of an output in a public frame. Noise of variance e_i
along direction i leaves at most ½ Σ ln(1 + u_i/e_i) nats: the largest entropy at given second moments, and
Hadamard's inequality for coordinates that are correlated. The bounds below are about the integers that are
drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats
from noisewright.errors import BadRelease, InvalidParameter
from noisewright.randomness import Stream
from noisewright.release.noise import NoisePlan, table
from noisewright.release.noise.plan import Spread
from noisewright.release.noise.variances import information_upper, noise_variances

WIDEN = 1.5
"""The reach, in largest distances of the pilot: room for outputs that it did not see."""

NEGLIGIBLE = 1e-10
"""Directions that move less than this part of the largest are rounding; so are axes, next to their centre."""

SMALLEST, LARGEST = 1e-100, 1e100
"""Limits of a reach whose square keeps all its digits."""

FINEST = 2.0**-50
"""The smallest step in units of the reach: cells stay exact as floats and far from the ends of an integer."""

ROUNDING = 1 + 1e-5
"""A bound on how far a coordinate differs when its output is computed again, in a worker or here."""

ATTEMPTS = 8

Box = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Frame:
    """The frame in which outputs are clipped: a centre, directions, and a reach along each.

    The part of an output outside the span of the directions is replaced by that of the centre.

    Attributes:
        centre: Public vector from which outputs are measured, (d,).
        directions: Orthonormal columns into which they are turned, (d, r).
        reach: Largest coordinate along each direction, (r,).
        box: Public range to which outputs are clipped first, (low, high); None for none.

    >>> pilot = np.array([[1.0, 5.0], [3.0, 5.0], [2.0, 5.0]])
    >>> frame = frame_of(pilot)
    >>> abs(frame.coordinates(np.array([[2.5, 9.0], [1e9, 5.0]]))).tolist(), frame.reach.tolist()
    ([[0.5], [1.5]], [1.5])
    """

    centre: Floats
    directions: Floats
    reach: Floats
    box: Box | None = None

    def coordinates(self, outputs: Floats) -> Floats:
        """Return outputs (t, d) in the frame (t, r), within ± reach; NaN becomes the centre."""
        found = self._unclipped(outputs)
        return np.clip(np.where(np.isnan(found), 0.0, found), -self.reach, self.reach)

    def vectors(self, coordinates: Floats) -> Floats:
        """Return coordinates (…, r) back in the space of the outputs (…, d)."""
        return np.asarray(self.centre + coordinates @ self.directions.T)

    def clipped_share(self, outputs: Floats) -> float:
        """Return the share of outputs that the frame clips along at least one direction, or at the box."""
        beyond = (np.abs(self._unclipped(outputs)) > self.reach * (1 + 1e-9)).any(axis=1)
        if self.box is not None:
            beyond |= ((outputs < self.box[0]) | (outputs > self.box[1])).any(axis=1)
        return float(beyond.mean())

    def _unclipped(self, outputs: Floats) -> Floats:
        inside = outputs if self.box is None else np.clip(outputs, *self.box)
        with np.errstate(over="ignore", invalid="ignore"):
            # row by row, so that an output has the same coordinates alone and among others
            return np.array([row @ self.directions for row in inside - self.centre])


def frame_of(pilot: Floats, box: tuple[ArrayLike, ArrayLike] | None = None, *, turned: bool = True) -> Frame:
    """Return the frame of a pilot: its mean, its principal directions, and its largest distances, widened.

    Args:
        pilot: Outputs of the pilot, (t, d).
        box: Public range of the outputs, (low, high), numbers or vectors; the reach is then that of the box,
            and nothing within it is clipped. None for none.
        turned: Whether the directions are the principal ones; otherwise they are the axes of the outputs.
    """
    limits = None if box is None else _read_box(box, pilot.shape[1])
    inside = pilot if limits is None else np.clip(pilot, *limits)
    centre = inside.mean(axis=0)
    directions = np.eye(pilot.shape[1])
    if turned:
        directions = np.linalg.svd(inside - centre, full_matrices=False)[2].T
    seen = np.abs((inside - centre) @ directions).max(axis=0)
    moving = seen > np.maximum(SMALLEST, NEGLIGIBLE * (seen.max() if turned else np.abs(centre)))
    directions = directions[:, moving]
    if limits is None:
        reach = WIDEN * seen[moving]
    else:
        reach = np.maximum(centre - limits[0], limits[1] - centre) @ np.abs(directions)
    if reach.size == 0:
        raise BadRelease(
            "the algorithm returned the same output in every world of the pilot, so there is nothing to "
            "protect; check that it uses the rows it is given, or take a larger pilot"
        )
    if reach.max() > LARGEST:
        raise BadRelease("the outputs are too large to be squared; scale them down, or give a tighter clip")
    return Frame(centre, directions, reach, limits)


def _read_box(box: tuple[ArrayLike, ArrayLike], length: int) -> Box:
    wrong = f"clip must be a pair (low, high) of finite numbers, or of {length} numbers each, with low < high"
    try:
        low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), (length,)) for end in box)
    except (TypeError, ValueError):
        raise InvalidParameter(wrong) from None
    if not bool((np.isfinite(low) & np.isfinite(high) & (low < high)).all()):
        raise InvalidParameter(wrong)
    return low, high


@dataclass(frozen=True, eq=False)
class LimitedPlan:
    """Steps of a lattice along the directions of a frame, and the bound on a release on it.

    Attributes:
        frame: Frame in which outputs are clipped.
        moments: Limits u_i on the mean squares; every bound on the information holds *if they do*.
        steps: Length of a step of the lattice along each direction.
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
        """A bound on the nats of one release about the secret world, if the moments are within limits."""
        return _information(self.moments, self.steps)

    @cached_property
    def information_certain(self) -> float:
        """A bound on the nats of one release by clipping alone, whatever the simulation found."""
        return _information(self.frame.reach**2, self.steps)

    def draw(self, output: Floats, stream: Stream) -> Cells:
        """Draw the lattice cells of one release of an output (d,): clipped, snapped, and noised."""
        cells = np.rint(self.frame.coordinates(output[None])[0] / self.steps).astype(np.int64)
        return np.asarray(cells + table.draw(stream, cells.size))

    def over(self, outputs: Floats) -> NoisePlan:
        """Return the same noise over a list of public worlds, given their outputs: attacks need a list.

        An attacker who knows that the world is one of a list knows more than an observer, so attacks only
        improve.
        """
        coordinates = self.frame.coordinates(outputs)
        weights = np.full(len(outputs), 1 / len(outputs))
        spread = Spread(self.frame.centre, self.frame.directions, coordinates, weights @ coordinates**2)
        return NoisePlan(spread, self.steps, np.rint(coordinates / self.steps).astype(np.int64), weights)

    def vector(self, cells: Cells) -> Floats:
        """Return cells (…, r) as released vectors (…, d)."""
        return self.frame.vectors(cells * self.steps)


def plan_limited(frame: Frame, moments: Floats, nats: float, shape: str = "optimal") -> LimitedPlan:
    """Plan the least noise of a shape whose bound keeps a budget.

    Args:
        frame: Frame in which outputs are clipped.
        moments: Limits on the mean squares of the coordinates.
        nats: Most information that a release may carry.
        shape: "optimal" (least total variance), "paper" or "isotropic".

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
    """Bound the nats of snapped coordinates: snapping moves the root mean square by at most half a step."""
    return information_upper((np.sqrt(moments) / steps * ROUNDING + 0.5) ** 2)  # Minkowski's inequality
