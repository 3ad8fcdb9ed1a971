"""Refusing what has no meaning before a search has run anything."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from noisewright.audit.auditing import checked_epsilons
from noisewright.audit.bounds.choosing import AIMS
from noisewright.audit.bounds.classes import parse_assumption
from noisewright.audit.scores import check_score
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, shown


def check_asked(
    *, epsilons: ArrayLike | None, confidence: float, score: Any, assume: str | None, aim: str
) -> None:
    """Refuse options of the bounds that come after a search; nothing is run for them."""
    if not 0.5 <= real("confidence", confidence) < 1:
        raise InvalidParameter(f"confidence must be at least 0.5 and below 1, got {confidence:g}")
    if epsilons is not None:
        checked_epsilons(epsilons)
    check_score(score)
    parse_assumption(assume)
    if aim not in AIMS:
        raise InvalidParameter(f"aim must be one of {', '.join(AIMS)}, got {shown(aim)}")
