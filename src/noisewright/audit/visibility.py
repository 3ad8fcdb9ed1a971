"""What an audit would have seen: the smallest violation of its claim that its events could have shown."""

from __future__ import annotations

import math

from noisewright.audit.bounds.event_bound import EventBounds
from noisewright.audit.claim import Claim
from noisewright.audit.planning.planner import visible_from
from noisewright.audit.planning.power import Strictness

POWER = 0.92
"""How often what is called visible would have been found, with a little for what the choosing runs miss."""


def visible(event: EventBounds, claim: Claim, rows: int, confidence: float) -> float:
    """The smallest ε against the claim that one event would have shown; infinite if none."""
    rate = float(event.hits[0] / event.count[0])
    if rate <= claim.delta:
        return math.inf
    strictness = Strictness(confidence, POWER, float((1 - confidence) / event.failures[0]))
    return visible_from(claim, rows, rate, strictness)
