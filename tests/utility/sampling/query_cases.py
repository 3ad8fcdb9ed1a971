"""Small models whose utility is known exactly, and records to ask them about."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from noisewright import Interval
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records, Sensitive
from noisewright.utility.models import BlackBox


def records_of(units: np.ndarray) -> Records:
    """Records all of whose features are sensitive, in unit coordinates."""
    features = units.shape[1]
    sensitive = tuple(Sensitive(f"x{i}", i, Interval(0, 1)) for i in range(features))
    return Records(units, tuple(one.name for one in sensitive), sensitive, np.arange(len(units)) + 1)


def network(features: int, seed: int, steepness: float = 4.0) -> Callable[[np.ndarray], np.ndarray]:
    """A small network with random weights whose two answers are about equally frequent."""
    random = np.random.default_rng(seed)
    first, shift = random.normal(size=(features, 12)) * steepness, random.normal(size=12)
    second = random.normal(size=12)

    def score(rows: np.ndarray) -> np.ndarray:
        return np.tanh((rows - 0.5) @ first + shift) @ second

    middle = np.median(score(random.random((4000, features))))
    return lambda rows: score(rows) > middle


def box_of(model: Callable[[np.ndarray], np.ndarray]) -> BlackBox:
    return BlackBox(model, classes=(False, True))


def true_utility(model: Callable[[np.ndarray], np.ndarray], unit: np.ndarray, curve: Curve) -> np.ndarray:
    """The utility of one record by asking at all points of each channel's lattice (small lattices only)."""
    stays: dict[object, np.ndarray] = {}
    own = model(unit[None])[0]
    result = []
    for channel in curve.flat():
        lattice, features = channel.lattice, unit.size
        assert lattice.cells**features <= 1 << 22, "too many points to ask at all of them"
        if lattice not in stays:
            axes = np.meshgrid(*[lattice.centres(np.arange(lattice.cells))] * features, indexing="ij")
            points = np.stack([axis.reshape(-1) for axis in axes], axis=1)
            stays[lattice] = (model(points) == own).reshape((lattice.cells,) * features).astype(float)
        masses = [channel.law(float(u)).mass(np.arange(lattice.cells)) for u in unit]
        result.append(reduce(lambda table, mass: np.tensordot(mass, table, axes=1), masses, stays[lattice]))
    return np.array(result, dtype=float).reshape(curve.shape)
