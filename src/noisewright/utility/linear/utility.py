"""The exact utility of linear models: the law of the score, from the laws of the reports.

Records with the same reference answer share their half-spaces, and every channel is evaluated once for all of
them. One or two sensitive features are summed over the cells that are reported (``interval``, ``polygon``);
more features need two classes, and their scores are added up on a fine grid (``score_grid``).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.progress import Progress
from noisewright.utility.core.certificate import Certificate
from noisewright.utility.core.channels import Channel
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records
from noisewright.utility.core.workers import on_workers
from noisewright.utility.linear.halfspaces import Halfspaces, Intervals
from noisewright.utility.linear.model import LinearModel
from noisewright.utility.linear.polygons import Polygons
from noisewright.utility.linear.score_grid import EndedScores, Scores
from noisewright.utility.linear.slices import MOST_CELLS, Slices

METHOD = "exact (linear)"

_ROUNDING = 4e-12
"""For each sensitive feature, a bound on the error of a law in doubles against the sampler's integers."""

_AT_ONCE = 1024
"""Number of records with one sensitive feature whose laws are in memory at a time."""

_AT_ONCE_WITH_MORE = 128
"""The same with several sensitive features, which take longer: workers should have equal shares."""

MOST_SLICED = 4_000
"""Pairs of a record and a channel up to which three features and three classes are cut into slices."""

_WORTH_THREADS = 32
"""Number of records from which on threads pay off."""

Measure = Callable[[Channel, Floats], tuple[Floats, Floats]]
"""Lower and upper bounds under one channel, for records in unit coordinates."""


def linear_utility(
    model: LinearModel,
    records: Records,
    references: Cells,
    curve: Curve,
    progress: Progress | None = None,
) -> Certificate | None:
    """Return the probability that each record keeps its reference answer.

    The bounds enclose the probability under the laws of the reports and the model's scores, floating-point
    sums included. With one or two sensitive features they meet to about 10⁻¹¹, unless reports lie on the
    boundary itself; with more see ``score_grid`` and, for three classes or more, ``slices``. None is
    returned for three classes or more with four features or more, or with three and very many records.

    Args:
        model: The scores.
        records: The records to predict.
        references: The answers that should survive, as indices into ``model.classes``.
        curve: The mechanisms and ε.
        progress: Called with the number of finished records and the number of all.

    >>> from noisewright.utility.core.curve import make_curve
    >>> from noisewright.utility.core.records import read_records
    >>> from sklearn.linear_model import LogisticRegression
    >>> from noisewright.utility.linear.model import read_linear
    >>> rows = np.array([[0.1, 0.2], [0.3, 0.6], [0.8, 0.4], [0.9, 0.7]])
    >>> model = read_linear(LogisticRegression(C=100).fit(rows, [0, 0, 1, 1]))
    >>> found = linear_utility(
    ...     model,
    ...     read_records(rows, {0: (0, 1), 1: (0, 1)}, None),
    ...     np.array([0, 0, 1, 1]),
    ...     make_curve(["OGPM"], [1.0, 4.0]),
    ... )
    >>> found.low[:, 0].round(3).tolist(), bool((found.high - found.low).max() < 1e-10)
    ([[0.716, 0.936], [0.72, 0.938], [0.675, 0.928], [0.672, 0.926]], True)
    """
    features = len(records.sensitive)
    # polygons for every slice, record and channel could take longer than sampling the model
    too_many = features > 3 or (features == 3 and len(records) * len(curve.flat()) > MOST_SLICED)
    if len(model.weights) > 1 and too_many:
        return None
    low, high = (np.zeros((len(records), len(curve.flat()))) for _ in range(2))
    at_once = _AT_ONCE if features == 1 else _AT_ONCE_WITH_MORE
    batches = list(_batches(references, len(model.classes), at_once))
    parts = [(records.take(which), int(references[which[0]])) for which in batches]
    solve = partial(_bounds, model, curve)
    results = on_workers(partial(solve, 1), parts) or (solve(os.cpu_count(), *part) for part in parts)
    done = 0
    for which, (lower, upper) in zip(batches, results, strict=True):
        low[which], high[which] = lower, upper
        done += which.size
        if progress is not None:
            progress(done, len(records))
    shape = (len(records), *curve.shape)
    low, high = low.reshape(shape), high.reshape(shape)
    return Certificate((low + high) / 2, low, high, (METHOD,) * len(records))


def _batches(references: Cells, classes: int, at_once: int) -> Iterator[Cells]:
    """Yield records that share their reference; one whose reference is not a class never keeps it."""
    for reference in range(classes):
        which = np.flatnonzero(references == reference)
        yield from (which[at : at + at_once] for at in range(0, which.size, at_once))


def _bounds(
    model: LinearModel, curve: Curve, threads: int | None, records: Records, reference: int
) -> tuple[Floats, Floats]:
    """Return bounds for every record and channel; channels with the same lattice share the geometry."""
    regions, units, channels = Halfspaces.of(model, records, reference), records.units(), curve.flat()
    low, high = (np.zeros((len(units), len(channels))) for _ in range(2))
    weighty = np.flatnonzero(regions.coefficients.any(axis=0))
    for lattice in dict.fromkeys(channel.lattice for channel in channels):
        on_cells = regions.on_cells(lattice)
        always, never = on_cells.sure(lattice.cells)
        rest = np.flatnonzero(~always & ~never)
        places = np.flatnonzero([channel.lattice == lattice for channel in channels])
        low[:, places] = high[:, places] = always[:, None]
        if rest.size:
            open_units = units[np.ix_(rest, weighty)]
            measure = _measure(on_cells.take(rest).on(weighty), lattice.cells, open_units)
            found = _each([channels[place] for place in places], measure, open_units, threads)
            low[np.ix_(rest, places)] = np.maximum(found[:, 0].T - _ROUNDING * weighty.size, 0.0)
            high[np.ix_(rest, places)] = np.minimum(found[:, 1].T + _ROUNDING * weighty.size, 1.0)
    return low, high


def _each(channels: list[Channel], measure: Measure, units: Floats, threads: int | None) -> Floats:
    """Return the bounds under each channel, (channels, 2, records); many records are run in threads."""
    if len(units) < _WORTH_THREADS:
        return np.array([measure(channel, units) for channel in channels])
    with ThreadPoolExecutor(threads) as pool:
        return np.array(list(pool.map(lambda channel: measure(channel, units), channels)))


def _measure(regions: Halfspaces, cells: int, units: Floats) -> Measure:
    """Return the function that bounds the probability of regions, in numbers of cells."""
    planes, features = regions.coefficients.shape
    if features == 0:  # the score is 0 up to rounding, whatever the reports
        return lambda _, units: (np.zeros(len(units)), np.ones(len(units)))
    if features <= 2:
        return (Intervals if features == 1 else Polygons).of(regions, cells).bounds
    if features == 3 and cells <= MOST_CELLS:
        return Slices.of(regions, cells).bounds
    if planes > 1:
        return Slices.thick(regions, cells, units).bounds
    return (EndedScores if features == 3 else Scores).of(regions, cells).bounds
