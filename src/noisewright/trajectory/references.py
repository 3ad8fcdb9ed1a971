"""Choosing a public reference for TraCS-D where the locations of interest are a public set of points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.trajectory.channels import Pair
from noisewright.trajectory.coordinate import BEST
from noisewright.trajectory.expected import expected_error
from noisewright.trajectory.spaces import Space
from noisewright.trajectory.tracs_d import CENTRE, PREVIOUS, TraCSD

ACROSS = 5
"""References tried along each axis of the space, besides the middle of the points."""

PLACES = 1 << 11


def with_best_reference(
    space: Space,
    epsilon: float,
    points: ArrayLike,
    *,
    split: str | float = BEST,
    channel: str | Pair = "OGPM",
) -> TraCSD:
    """TraCS-D with the reference that errs least on a public set of points.

    A good reference has the points in a narrow range of directions, or near the boundary where the way is
    short (Zheng 2026, 6.2.4); which of the two counts more, the expected error decides. References on a grid,
    the middle of the points, the centre and the report before are tried, with the heuristic split if the best
    one is asked for, which is then found for the reference that won.

    >>> from noisewright.trajectory import Rectangle
    >>> mechanism = with_best_reference(Rectangle(0, 0, 1, 1), 4.0, [(0.9, 0.8), (0.95, 0.9), (0.8, 0.85)])
    >>> mechanism.reference == "previous"
    False
    """
    public = space.admit(points, "points")
    trial = TraCSD(space, epsilon, "heuristic" if split == BEST else split, channel)
    tried: list[str | tuple[float, float]] = [PREVIOUS, CENTRE, *_candidates(space, public)]
    errors = [expected_error(replace(trial, reference=reference), public, PLACES) for reference in tried]
    return TraCSD(space, epsilon, split, channel, reference=tried[int(np.argmin(errors))])


def _candidates(space: Space, points: Floats) -> list[tuple[float, float]]:
    left, bottom, right, top = space.bounds
    steps = (np.arange(ACROSS) + 0.5) / ACROSS
    grid = np.stack(np.meshgrid(left + steps * (right - left), bottom + steps * (top - bottom)), axis=-1)
    middle = space.from_axes(np.median(space.to_axes(points), axis=0)[None])
    places = space.project(np.concatenate([middle, grid.reshape(-1, 2)]))
    return [(float(x), float(y)) for x, y in np.unique(places, axis=0)]
