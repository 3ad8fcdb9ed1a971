"""Where outputs are clipped before anything is said about them: a centre, directions, and a reach along each.

A limit on a variance is possible only for what is bounded. The frame is made of the *pilot*, a first
simulation that is never used again: it is a function of the pool and of public chance, so it tells nothing
about which half was used. Every output, the released one too, is what the frame leaves of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import BadRelease, InvalidParameter

WIDEN = 1.5
"""The reach, in largest distances that the pilot saw: room for what it did not see."""

NEGLIGIBLE = 1e-10
"""Directions that move less than this part of the largest are rounding; so are axes, beside their centre."""

SMALLEST, LARGEST = 1e-100, 1e100
"""A reach whose square is still a number with all its digits."""

Box = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Frame:
    """Outputs are moved by ``centre``, turned into ``directions`` (orthonormal columns) and cut at ``reach``.

    What an output has outside the span of the directions is dropped, and the centre stands in its place.

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
        """The outputs (t, d) in the frame (t, r), within ± reach; what is no number becomes the centre."""
        found = self._turned(outputs)
        return np.clip(np.where(np.isnan(found), 0.0, found), -self.reach, self.reach)

    def vectors(self, coordinates: Floats) -> Floats:
        """Coordinates (…, r) back in the space of the outputs (…, d)."""
        return np.asarray(self.centre + coordinates @ self.directions.T)

    def clipped_share(self, outputs: Floats) -> float:
        """The share of outputs that the frame cuts along at least one direction, or at the box."""
        beyond = (np.abs(self._turned(outputs)) > self.reach * (1 + 1e-9)).any(axis=1)
        if self.box is not None:
            beyond |= ((outputs < self.box[0]) | (outputs > self.box[1])).any(axis=1)
        return float(beyond.mean())

    def _turned(self, outputs: Floats) -> Floats:
        inside = outputs if self.box is None else np.clip(outputs, *self.box)
        with np.errstate(over="ignore", invalid="ignore"):
            # row by row: an output has the same coordinates alone and among others
            return np.array([row @ self.directions for row in inside - self.centre])


def frame_of(pilot: Floats, box: tuple[ArrayLike, ArrayLike] | None = None, *, turned: bool = True) -> Frame:
    """The frame of a pilot (t, d): its mean, its principal directions, and its largest distances, widened.

    ``box`` is a public range of the outputs, (low, high), numbers or vectors; the reach is then that of the
    box and nothing within it is cut. With ``turned=False`` the directions are the axes of the outputs.
    """
    limits = None if box is None else _checked_box(box, pilot.shape[1])
    inside = pilot if limits is None else np.clip(pilot, *limits)
    centre = inside.mean(axis=0)
    directions = _principal(inside - centre) if turned else np.eye(pilot.shape[1])
    seen = np.abs((inside - centre) @ directions).max(axis=0)
    moving = seen > np.maximum(SMALLEST, NEGLIGIBLE * (seen.max() if turned else np.abs(centre)))
    directions = directions[:, moving]
    if limits is None:
        reach = WIDEN * seen[moving]
    else:
        reach = np.maximum(centre - limits[0], limits[1] - centre) @ np.abs(directions)
    _check_scale(reach)
    return Frame(centre, directions, reach, limits)


def _principal(deviations: Floats) -> Floats:
    return np.asarray(np.linalg.svd(deviations, full_matrices=False)[2].T)


def _check_scale(reach: Floats) -> None:
    if reach.size == 0:
        raise BadRelease(
            "the algorithm gave the same output on every half of the pilot: nothing seems to depend on which "
            "half is used; check that it uses the rows it is given, or take more pilot halves"
        )
    if reach.max() > LARGEST:
        raise BadRelease("the outputs are too large to be squared; scale them down, or give a tighter clip")


def _checked_box(box: tuple[ArrayLike, ArrayLike], length: int) -> Box:
    wrong = f"clip must be a pair (low, high) of finite numbers, or of {length} numbers each, with low < high"
    try:
        low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), (length,)) for end in box)
    except (TypeError, ValueError):
        raise InvalidParameter(wrong) from None
    if not bool((np.isfinite(low) & np.isfinite(high) & (low < high)).all()):
        raise InvalidParameter(wrong)
    return low, high
