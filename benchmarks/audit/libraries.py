"""Laplace noise as four libraries draw it, each as a function that the auditor can call."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from noisewright import Interval
from noisewright.domains import Floats
from noisewright.mechanisms import Laplace

Library = Callable[[float, int], Any]


def numpy_laplace(epsilon: float) -> Library:
    """A number plus a double from NumPy, as many programs do it."""
    return lambda data, count: data + np.random.default_rng().laplace(scale=1 / epsilon, size=count)


def diffprivlib_laplace(epsilon: float) -> Library:
    """IBM's library: a difference of two logarithms of four uniform doubles, added to the number."""
    mechanisms = _diffprivlib()
    mechanism = mechanisms.Laplace(epsilon=epsilon, sensitivity=1)
    return lambda data, count: np.array([mechanism.randomise(data) for _ in range(count)])


def opendp_laplace(epsilon: float) -> Library:
    """OpenDP: exact sampling on a lattice."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
    measurement = dp.m.make_laplace(*space, scale=1 / epsilon)
    return lambda data, count: np.array(measurement([float(data)] * count))


def our_laplace(epsilon: float) -> Library:
    """Ours, for numbers from 0 to 1."""
    mechanism = Laplace(Interval(0, 1), epsilon=epsilon)

    def draw(data: float, count: int) -> Floats:
        return np.asarray(mechanism.perturb(np.full(count, data)))

    return draw


LIBRARIES: dict[str, Callable[[float], Library]] = {
    "NumPy": numpy_laplace,
    "diffprivlib": diffprivlib_laplace,
    "OpenDP": opendp_laplace,
    "Noisewright": our_laplace,
}


def _diffprivlib() -> Any:
    """Its mechanisms alone: importing its models fails with newer versions of scikit-learn."""
    sys.modules.setdefault("diffprivlib.models", ModuleType("diffprivlib.models"))
    return import_module("diffprivlib.mechanisms")
