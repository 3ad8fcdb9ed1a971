"""Linear models, records and the sum over every report that their utilities must equal."""

from __future__ import annotations

import itertools

import numpy as np

from noisewright.utility.core.curve import make_curve
from noisewright.utility.core.records import read_records
from noisewright.utility.linear.model import LinearModel

EVERY_SHAPE = ("OGPM", "PM", "SWC", "TruncatedLaplace", "Exponential", "BinnedKRR")
"""Windows, enlarged report intervals, noise with ends, tables."""


def small_curve(lattice=24, epsilons=(0.5, 5.0), mechanisms=EVERY_SHAPE, points=9):
    return make_curve(list(mechanisms), list(epsilons), points=points, lattice=lattice)


def unit_records(rows, features):
    return read_records(np.asarray(rows, dtype=float), dict.fromkeys(range(features), (0.0, 1.0)), None)


def random_model(generator, classes, columns):
    scores = 1 if classes == 2 else classes
    weights = generator.normal(size=(scores, columns))
    intercept = 0.3 * generator.normal(size=scores) - weights.sum(axis=1) / 2
    return exactly(weights, intercept, classes)


def exactly(weights, intercept, classes=2):
    """A model whose own sums are off by no more than a few last bits."""
    weights, intercept = (
        np.atleast_2d(np.asarray(weights, float)),
        np.atleast_1d(np.asarray(intercept, float)),
    )
    return LinearModel(
        weights, intercept, tuple(range(classes)), 1e-14 * np.abs(weights), 1e-14 * np.abs(intercept)
    )


def enumerated(answer, records, references, curve):
    """The utility as its definition says it: every combination of report cells is shown to the model."""
    units, features = records.units(), len(records.sensitive)
    result = np.zeros((len(records), *curve.shape))
    for record, mechanism, place in itertools.product(*map(range, result.shape)):
        channel = curve.channels[mechanism][place]
        cells = np.indices((channel.lattice.cells,) * features).reshape(features, -1)
        masses = [channel.law(unit).mass(cell) for unit, cell in zip(units[record], cells, strict=True)]
        rows = records.with_values(record, channel.lattice.centres(cells.T))
        kept = answer(rows) == references[record]
        result[record, mechanism, place] = np.prod(masses, axis=0)[kept].sum()
    return result


def by_columns(channel, units, coefficients, constant):
    """P(coefficients·u + constant > 0) for two reports, one column of a million cells after the other."""
    first, second = (channel.law(unit) for unit in units)
    columns = np.arange(channel.lattice.cells)
    at = constant + coefficients[0] * channel.lattice.centres(columns)
    pitch, start = channel.lattice.pitch, channel.lattice.start
    height = (-at / coefficients[1] - start) / pitch - 0.5
    if coefficients[1] > 0:
        kept = 1 - second.below(np.clip(np.floor(height) + 1, 0, channel.lattice.cells))
    else:
        kept = second.below(np.clip(np.ceil(height), 0, channel.lattice.cells))
    return float((first.mass(columns) * kept).sum())
