"""Planning with known laws: which event would refute a claim soonest, and after how many runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.claim import Claim
from noisewright.audit.planning.power import COMPARISONS, Strictness, runs_needed
from noisewright.audit.truth.finite import read_law
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter


@dataclass(frozen=True)
class BestEvent:
    """Outputs, by their places in the laws, that refute a claim soonest, and the input that they favour."""

    direction: str
    outputs: tuple[int, ...]
    left_rate: float
    right_rate: float
    samples: int


def best_event(
    claim: Claim,
    left: ArrayLike,
    right: ArrayLike,
    *,
    confidence: float = 0.95,
    power: float = 0.9,
    comparisons: float = COMPARISONS,
) -> BestEvent | None:
    """For two laws over the same outputs, the event an ideal audit would bound; None if the claim holds.

    The best events hold the outputs whose likelihood ratio is largest, so only as many as there are outputs
    have to be tried in each direction.

    >>> best_event(Claim(0.5), [0.6, 0.3, 0.1], [0.2, 0.3, 0.5]).outputs
    (2,)
    """
    strictness = Strictness(confidence, power, comparisons)
    p, q = read_law("left", left), read_law("right", right)
    if p.shape != q.shape:
        raise InvalidParameter("left and right must be laws over the same outputs, in the same order")
    found = [*_by_ratio("left", p, q, claim, strictness), *_by_ratio("right", q, p, claim, strictness)]
    return min(found, key=lambda event: event.samples, default=None)


def _by_ratio(direction: str, p: Floats, q: Floats, claim: Claim, strictness: Strictness) -> list[BestEvent]:
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.where(p > 0, p / q, -1.0), kind="stable")
    events = []
    for size, (here, there) in enumerate(zip(np.cumsum(p[order]), np.cumsum(q[order]), strict=True), start=1):
        rates = min(float(here), 1.0), min(float(there), 1.0)
        runs = runs_needed(claim, *rates, strictness)
        if runs is not None:
            outputs = tuple(sorted(order[:size].tolist()))
            events.append(
                BestEvent(direction, outputs, *(rates if direction == "left" else rates[::-1]), runs)
            )
    return events
