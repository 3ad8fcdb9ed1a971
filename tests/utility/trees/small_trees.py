"""Small tables, tree models and lattices on which every report can be tried."""

from __future__ import annotations

import numpy as np

from noisewright import Interval
from noisewright.utility.core.records import Records, Sensitive
from noisewright.utility.trees import grid, masses, restriction, search

NAMES = ("share", "age", "score", "other", "more")
DOMAINS = (Interval(0, 1), Interval(0, 100), Interval(-1, 2))


def table(classes=2, rows=300, seed=0):
    """Rows whose values fall on few places, so that thresholds and ties repeat; labels are text."""
    rng = np.random.default_rng(seed)
    values = np.round(rng.uniform(0, 1, (rows, 5)), 2) * [1, 100, 3, 1, 50] - [0, 0, 1, 0, 0]
    score = values[:, 0] + values[:, 1] / 100 * values[:, 2] + rng.normal(0, 0.3, rows)
    return values, np.array(["a", "b", "c"])[
        np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    ]


def records_of(values, axes):
    """Records whose first features are sensitive."""
    sensitive = tuple(Sensitive(NAMES[i], i, DOMAINS[i]) for i in range(axes))
    return Records(values, NAMES[: values.shape[1]], sensitive, np.arange(1, len(values) + 1))


def answers_of(model, records):
    """The model's answers for the true records, as indices into its classes."""
    return np.searchsorted(model.classes_, model.predict(records.values))


def enumerated(model, records, references, curve):
    """Utility by trying every report cell: the model is asked about all of them."""
    result = np.empty((len(records), len(curve.flat())))
    for record, units in enumerate(records.units()):
        kept = {}
        for at, channel in enumerate(curve.flat()):
            lattice = channel.lattice
            if lattice not in kept:
                grid = np.indices((lattice.cells,) * units.size).reshape(units.size, -1).T
                rows = records.with_reports(record, lattice, grid)
                same = model.predict(rows) == model.classes_[references[record]]
                kept[lattice] = same.reshape((lattice.cells,) * units.size)
            share = kept[lattice].astype(float)
            for unit in reversed(units):
                share = share @ channel.law(unit).mass(np.arange(lattice.cells))
            result[record, at] = share
    return result.reshape(len(records), *curve.shape)


def without_loops(monkeypatch):
    """Hide the compiled loops, as on a machine without numba."""
    for module in (grid, masses, restriction, search):
        monkeypatch.setattr(module, "compiled", lambda _: None)
