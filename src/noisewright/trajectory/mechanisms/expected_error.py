"""The expected error of a mechanism for locations, by integrating its exact laws; the split that errs least.

The integral runs over the true location and over the quantiles of both channels. Each pair of them is filled
evenly by a low-discrepancy sequence, always the same one, so that two mechanisms are compared on the same
points. Where each report refers to the one before, a route of independent locations is followed until the law
of its references has settled.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Circle, Floats
from noisewright.mechanisms import NumericMechanism
from noisewright.trajectory.spaces.base import spread_square

if TYPE_CHECKING:
    from noisewright.trajectory.mechanisms.coordinate import CoordinateMechanism

PLACES = 1 << 13
"""Points of the integral at each step of the route; the error is about one part in five hundred."""

SETTLING = 8
"""Steps of a route before the error is counted, where reports refer to the ones before."""

STEPS = 4
"""Steps that are counted, each with the points paired anew; twice as many where reports are references."""


def expected_error(
    mechanism: CoordinateMechanism, points: Floats | None = None, places: int = PLACES
) -> float:
    """Return the expected distance of a report from its location, anywhere or at one of the points."""
    references = np.repeat(mechanism.first_reference()[None], places, axis=0)
    counted, settling = [], SETTLING if mechanism.follows else 0
    even = mechanism.space.spread(places)[:places] if points is None else points
    for step in range(2 * STEPS + settling if mechanism.follows else STEPS):
        # in an order independent of other steps'; these are public points of an integral, not noise
        truth = even[np.random.default_rng(step).permutation(places) % len(even)]
        reports = reports_at(mechanism, references, truth, _quantiles(places, step))
        counted.append(float(mechanism.space.distance(truth, reports).mean()))
        references = mechanism.next_reference(reports)
    return float(np.mean(counted[settling:]))


def reports_at(
    mechanism: CoordinateMechanism, references: Floats, truth: Floats, quantiles: Floats
) -> Floats:
    """Return the reports of locations at given quantiles of both channels."""
    coordinates = mechanism.to_coordinates(references, truth)
    drawn = [
        channel_quantiles(channel, values, quantiles[:, side])
        for side, (channel, values) in enumerate(zip(mechanism.channels, coordinates, strict=True))
    ]
    return mechanism.from_coordinates(references, drawn[0], drawn[1])


def channel_quantiles(channel: NumericMechanism, values: Floats, quantiles: Floats) -> Floats:
    """Return the reports of given values at given quantiles of their laws, taken run by run.

    Even quantiles give reports that follow the law, which is how expected errors are integrated.
    """
    law = channel.law(values)
    shape = (values.size, max(law.start.shape[-1], law.count.shape[-1], law.mass_of_run.shape[-1]))
    start, count, mass = (np.broadcast_to(part, shape) for part in (law.start, law.count, law.mass_of_run))
    upto = np.cumsum(mass, axis=1)
    run = np.minimum((quantiles[:, None] * upto[:, -1:] >= upto).sum(axis=1), shape[1] - 1)
    row = np.arange(values.size)
    inside = 1 - (upto[row, run] - quantiles * upto[:, -1]) / mass[row, run]
    width = count[row, run]
    cells = start[row, run] + np.minimum(np.floor(np.clip(inside, 0, 1) * width), width - 1)
    reports = channel.reports
    return reports.centres(cells % reports.lattice if isinstance(reports, Circle) else cells)


@lru_cache(maxsize=16)
def _quantiles(places: int, step: int) -> Floats:
    generator = np.random.default_rng((step, 1))
    return np.asarray(generator.permutation((spread_square(places) + generator.random(2)) % 1.0))


# -- the split that errs least ---------------------------------------------------------------------

COARSE = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Shares that the search starts with and stays within: with less than a tenth of the budget a coordinate says
nothing, and estimates from many reports would have to do without it."""

FINE = 5
"""Halvings of the step of the search around the best coarse share."""

COARSE_PLACES = 1 << 11
"""Points of the integrals that are compared: all of them the same, so that their differences are smooth."""


def best_split(mechanism: CoordinateMechanism) -> float:
    """Return the share of the budget for the first channel with the least expected error, to about 0.005."""
    return _best_split(replace(mechanism, split=0.5))


@lru_cache(maxsize=256)
def _best_split(even: CoordinateMechanism) -> float:

    def error(share: float) -> float:
        return expected_error(replace(even, split=share), places=COARSE_PLACES)

    errors = {share: error(share) for share in COARSE}
    step = 0.1
    for _ in range(FINE):
        best = min(errors, key=errors.__getitem__)
        for share in (best - step, best + step):
            if COARSE[0] <= share <= COARSE[-1] and share not in errors:
                errors[share] = error(share)
        step /= 2
    best = min(errors, key=errors.__getitem__)
    # a square has no longer side: differences due to the integration error alone should not decide
    return 0.5 if errors[best] > (1 - 2e-3) * errors[0.5] else round(best, 4)
