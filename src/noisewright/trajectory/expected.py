"""The expected error of a mechanism for locations, by integrating its exact laws.

The integral runs over the true location and over the quantiles of both channels. Each pair of them is filled
evenly by a low-discrepancy sequence, always the same one, so that two mechanisms are compared on the same
points. Where each report refers to the one before, a route of independent locations is followed until the law
of its references has settled.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.channels import at_quantiles
from noisewright.trajectory.spaces.base import spread_square

if TYPE_CHECKING:
    from noisewright.trajectory.coordinate import CoordinateMechanism

PLACES = 1 << 13
"""Points of the integral at a step of the route; the error is about one part in five hundred."""

SETTLING = 8
"""Steps of a route before the error is counted, where reports refer to the ones before."""

STEPS = 4
"""Steps that are counted, each with the points paired anew; twice as many where reports are references."""


def expected_error(
    mechanism: CoordinateMechanism, points: Floats | None = None, places: int = PLACES
) -> float:
    """The expected distance of a report from its location, anywhere in the space or at one of the points."""
    references = np.repeat(mechanism.first_reference()[None], places, axis=0)
    counted, settling = [], SETTLING if mechanism.follows else 0
    for step in range(2 * STEPS + settling if mechanism.follows else STEPS):
        truth = locations(mechanism, points, places, step)
        reports = reports_at(mechanism, references, truth, _quantiles(places, step))
        counted.append(float(mechanism.space.distance(truth, reports).mean()))
        references = mechanism.next_reference(reports)
    return float(np.mean(counted[settling:]))


def locations(mechanism: CoordinateMechanism, points: Floats | None, places: int, step: int) -> Floats:
    """Locations that stand for all of them, in an order that has nothing to do with any other step's."""
    even = mechanism.space.spread(places)[:places] if points is None else points
    order = np.random.default_rng(step).permutation(places)  # public numbers of an integral, no noise
    return even[order % len(even)]


def reports_at(
    mechanism: CoordinateMechanism, references: Floats, truth: Floats, quantiles: Floats
) -> Floats:
    """The reports of locations at given quantiles of both channels."""
    coordinates = mechanism.to_coordinates(references, truth)
    drawn = [
        at_quantiles(channel, values, quantiles[:, side])
        for side, (channel, values) in enumerate(zip(mechanism.channels, coordinates, strict=True))
    ]
    return mechanism.from_coordinates(references, drawn[0], drawn[1])


@lru_cache(maxsize=16)
def _quantiles(places: int, step: int) -> Floats:
    generator = np.random.default_rng((step, 1))
    return np.asarray(generator.permutation((spread_square(places) + generator.random(2)) % 1.0))
