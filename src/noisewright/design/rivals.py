"""The mechanisms that a design is set against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from noisewright.design.label_tables import exponential, randomized_response, tight_exponential
from noisewright.design.task import Task
from noisewright.domains import Circle
from noisewright.mechanisms import (
    OGPM,
    PM,
    BoundedLaplace,
    CircularOGPM,
    Duchi,
    Hybrid,
    Laplace,
    Mechanism,
    NumericMechanism,
    Purkayastha,
    Staircase,
    TruncatedLaplace,
)

LAPLACE_FAMILY: tuple[type[NumericMechanism], ...] = (Laplace, TruncatedLaplace, BoundedLaplace, Staircase)
UNBIASED: tuple[type[NumericMechanism], ...] = (PM, Hybrid, Duchi)


@dataclass(frozen=True)
class Rival:
    """A mechanism by name, yet to be built; the first of a list is the one that others are told against."""

    name: str
    build: Callable[[], Mechanism]


def rivals(task: Task) -> list[Rival]:
    """OGPM and the Laplace family where true values are numbers; k-RR and score mechanisms for labels.

    >>> from noisewright import Circle
    >>> [rival.name for rival in rivals(Task(Circle(24), 1.0))]
    ['CircularOGPM', 'Purkayastha']
    """
    if task.finite:
        return _for_labels(task)
    if isinstance(task.domain, Circle):
        kinds: tuple[type[NumericMechanism], ...] = (CircularOGPM, Purkayastha)
    else:
        kinds = (OGPM, *LAPLACE_FAMILY, *(UNBIASED if task.unbiased else ()))
    return [Rival(kind.__name__, partial(kind, task.domain, task.epsilon)) for kind in kinds]


def _for_labels(task: Task) -> list[Rival]:
    domain, epsilon = task.domain, task.epsilon
    return [
        Rival("k-RR", lambda: randomized_response(domain, epsilon)),
        Rival("Exponential", lambda: exponential(domain, epsilon, task.label_losses())),
        Rival("Tight exponential", lambda: tight_exponential(domain, epsilon, task.label_losses())),
    ]
