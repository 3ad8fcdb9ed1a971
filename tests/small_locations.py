"""TraCS on lattices small enough to enumerate, and the exact laws of its reports."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np

from noisewright.design.allocation import fit_shares
from noisewright.domains import Circle, Interval
from noisewright.mechanisms import OGPM, CircularOGPM
from noisewright.trajectory import Rectangle, TraCSC, TraCSD
from noisewright.trajectory.mechanisms.tracs import DIRECTIONS

SQUARE = Rectangle(0, 0, 1, 1)
TALL = Rectangle(-1, 2, 1, 12)


def small_c(space, epsilon, cells=6, kinds=(OGPM, OGPM)):
    axes = [Interval(axis.low, axis.high, cells=cells) for axis in space.axes]
    pair = tuple(kind(axis, epsilon / 2) for kind, axis in zip(kinds, axes, strict=True))
    return TraCSC(space, epsilon, channel=pair)


def small_d(space, epsilon, cells=6, kinds=(CircularOGPM, OGPM), reference="previous"):
    directions, distances = Circle(DIRECTIONS.period, cells=cells), Interval(0, 1, cells=cells)
    shares = fit_shares(epsilon, [3, 1])
    pair = (kinds[0](directions, shares[0]), kinds[1](distances, shares[1]))
    return TraCSD(space, epsilon, channel=pair, reference=reference)


def locations(space):
    """The corners, the middles of the sides, the centre, and points in between."""
    left, bottom, right, top = space.bounds
    steps = np.linspace(0, 1, 7)
    return np.array(
        [(left + a * (right - left), bottom + b * (top - bottom)) for a, b in product(steps, steps)]
    )


def exact_law(mechanism, reference, location):
    """How many of all random outcomes lead from a location to each reported point."""
    coordinates = mechanism.to_coordinates(reference[None], location[None])
    cells = [int(c.domain.snap(v)[0]) for c, v in zip(mechanism.channels, coordinates, strict=True)]
    counts = [c.word_counts(cell)[0] for c, cell in zip(mechanism.channels, cells, strict=True)]
    (many_first, many_second), reported = map(len, counts), Counter()
    first, second = np.divmod(np.arange(many_first * many_second), many_second)
    points = mechanism.from_coordinates(
        np.repeat(reference[None], first.size, axis=0),
        mechanism.channels[0].reports.centres(first),
        mechanism.channels[1].reports.centres(second),
    )
    for point, a, b in zip(points.tolist(), first, second, strict=True):
        reported[tuple(point)] += counts[0][a] * counts[1][b]
    return reported
