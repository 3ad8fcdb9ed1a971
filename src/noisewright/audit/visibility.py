"""What an audit would have seen: the smallest violation of its claim that its events could have shown."""

from __future__ import annotations

import math

import numpy as np

from noisewright.audit.bounds.event_bound import EventBounds
from noisewright.audit.claim import Claim
from noisewright.audit.planning.planner import visible_from
from noisewright.audit.planning.power import Strictness
from noisewright.domains import Floats

POWER = 0.9
"""How often what is called visible would have been found."""


def visible(exact: EventBounds, claim: Claim, rows: int, confidence: float) -> Floats:
    """For each event, the smallest ε against the claim that it would have shown; infinite if none."""
    return np.array([
        _smallest(claim, rows, float(rate), Strictness(confidence, POWER, float(share)))
        for rate, share in zip(exact.hits / exact.count, (1 - confidence) / exact.failures, strict=True)
    ])  # fmt: skip


def _smallest(claim: Claim, rows: int, rate: float, strictness: Strictness) -> float:
    return visible_from(claim, rows, rate, strictness) if rate > claim.delta else math.inf
