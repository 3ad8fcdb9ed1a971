"""Maps of a record's answer over two sensitive features: exact for trees, a raster for other models."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.classifiers.measured import Measured
from benchmarks.classifiers.results import Map
from benchmarks.classifiers.study import Subject
from noisewright.domains import Floats
from noisewright.utility import Records, stable_region
from noisewright.utility.trees.utility import read_trees

PIXELS = 160
"""Cells along each side of a raster."""


def map_of(subject: Subject, measured: Measured) -> Map:
    """Where the first record's answer is kept, and the published box."""
    records, model = measured.records, subject.trained.model
    exact = read_trees(model) is not None
    across, up = records.units()[0].tolist()
    (left, bottom), (right, top) = (corner[0].tolist() for corner in measured.corners)
    return Map(
        title=f"{subject.trained.kind}, {'exact' if exact else f'raster of {PIXELS} × {PIXELS} answers'}",
        axes=(subject.sensitive[0], subject.sensitive[1]),
        point=(across, up),
        kept=_read(subject, records) if exact else _rastered(subject, records),
        published=((left, bottom), (right, top)),
        exact=exact,
    )


def _read(subject: Subject, records: Records) -> Floats:
    """The boxes of a tree model, without what lies outside the plane."""
    sensitive = dict.fromkeys(subject.sensitive, (0.0, 1.0))
    region = stable_region(
        subject.trained.model, records.values, 1, sensitive=sensitive, features=subject.table.names
    )
    low, high = (np.clip(ends, 0.0, 1.0) for ends in (region.boxes.low, region.boxes.high))
    return np.hstack([low, high])[(low < high).all(axis=1)]


def _rastered(subject: Subject, records: Records) -> Floats:
    """The cells of a raster at whose centres the answer is kept."""
    model, steps = subject.trained.model, (np.arange(PIXELS) + 0.5) / PIXELS
    across, up = np.meshgrid(steps, steps)
    rows = records.with_values(0, np.stack([across.ravel(), up.ravel()], axis=1))
    kept = model.predict(rows) == model.predict(records.values[:1])
    return runs(kept.reshape(PIXELS, PIXELS))


def runs(cells: NDArray[np.bool_]) -> Floats:
    """The true cells of a raster (rows go up) as rectangles of the unit square, one for each run in a row.

    >>> runs(np.array([[True, True], [False, True]])).tolist()
    [[0.0, 0.0, 1.0, 0.5], [0.5, 0.5, 1.0, 1.0]]
    """
    height, width = cells.shape
    steps = np.diff(np.pad(cells.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, start = np.nonzero(steps == 1)
    end = np.nonzero(steps == -1)[1]
    return np.stack([start / width, row / height, end / width, (row + 1) / height], axis=1)
