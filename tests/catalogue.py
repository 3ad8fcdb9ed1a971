"""One entry for every registered mechanism for numbers: what the conformance suite builds it with.

A mechanism joins the suite by being registered; the suite fails if a registered one cannot be built here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from noisewright import Circle, Integers, Interval
from noisewright.domains import NumericDomain
from noisewright.mechanisms import DesignedLaw, Mechanism, NumericMechanism, TunedWindow
from noisewright.mechanisms.basics.tables import to_integers
from noisewright.mechanisms.catalogue import takes_delta
from noisewright.mechanisms.designed import BITS

EPSILONS = (0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0)
DELTA = 1e-3


def kinds() -> Iterator[tuple[type[Mechanism], type[NumericDomain]]]:
    """Every registered mechanism for numbers with every kind of domain that it takes."""
    for kind in Mechanism.registry.values():
        if kind.__module__.startswith("noisewright.") and issubclass(kind, NumericMechanism):
            for domain in kind.domains:
                yield kind, domain


KINDS = list(kinds())
NAMES = [f"{kind.__name__}-{domain.__name__}" for kind, domain in KINDS]

WHOLE_KINDS = [(kind, Integers) for kind, domain in KINDS if domain is Interval]
"""Every mechanism for intervals, on whole numbers."""

WHOLE_NAMES = [f"{kind.__name__}-Integers" for kind, _ in WHOLE_KINDS]


def build(
    kind: type[Mechanism], domain: type[NumericDomain], epsilon: float, cells: int | None = None
) -> Mechanism:
    """A mechanism on [−1, 3], on its whole numbers or on a day's hours, with a small lattice if asked for."""
    lattice: dict[str, Any] = {} if cells is None else {"cells": cells}
    if domain is Integers:  # a lattice has at least as many cells as there are whole numbers
        where: NumericDomain = Integers(-1, max(0, min(3, (cells or 5) - 2)), **lattice)
    else:
        where = Interval(-1, 3, **lattice) if domain is Interval else Circle(24, **lattice)
    extra = extras(kind, where, epsilon)
    if "points" in kind.__dataclass_fields__ and cells is not None:
        extra["points"] = max(2, cells // 2)
    return kind(where, epsilon, **extra)  # type: ignore[call-arg]


def extras(
    kind: type[Mechanism], where: NumericDomain | None = None, epsilon: object = 1.0
) -> dict[str, Any]:
    """What a mechanism takes besides its domain and ε."""
    if issubclass(kind, TunedWindow):
        return {"share": 0.3}
    if issubclass(kind, DesignedLaw):
        return _table(where or Interval(-1, 3), epsilon)
    return {"delta": DELTA} if takes_delta(kind) else {}


def _table(where: NumericDomain, epsilon: object) -> dict[str, Any]:
    """A small designed law: the farther an output, the less likely, within e^ε."""
    usable = epsilon if isinstance(epsilon, float) and 0 < epsilon <= 32 else 1.0
    size = min(6, where.lattice)
    centres = where.start + (np.arange(size) + 0.5) * where.length / size
    distances = where.distance(centres[:, None], centres[None, :])
    law = np.exp(-usable * (1 - 1e-9) * distances / (2 * max(distances.max(), 1e-9)))
    weights = to_integers(law / law.sum(axis=1, keepdims=True), BITS)
    plain = where.as_interval() if isinstance(where, Interval) else where
    reports = replace(plain, cells=size)  # type: ignore[type-var]
    return {
        "report_lattice": reports,
        "outputs": tuple(range(size)),
        "weights": tuple(map(tuple, weights.tolist())),
    }
