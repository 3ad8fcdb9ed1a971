"""Refusing what has no meaning before a search has run anything."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.bounds.choosing import AIMS
from noisewright.audit.bounds.classes import parse_assumption
from noisewright.audit.claim import LARGEST
from noisewright.audit.scores import SCORES
from noisewright.audit.scores.foreign import is_classifier
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, shown


def check_asked(
    *, epsilons: ArrayLike | None, confidence: float, score: Any, assume: str | None, aim: str
) -> None:
    """Refuse options of the bounds that come after a search; nothing is run for them."""
    if not 0.5 <= real("confidence", confidence) < 1:
        raise InvalidParameter(f"confidence must be at least 0.5 and below 1, got {confidence:g}")
    if epsilons is not None and not _are_epsilons(epsilons):
        raise InvalidParameter(f"epsilons must be numbers from 0 to {LARGEST:g}")
    if not (score in ("auto", *SCORES) if isinstance(score, str) else is_classifier(score)):
        raise InvalidParameter(
            f"score must be auto, {', '.join(SCORES)} or a scikit-learn classifier, got {shown(score)}"
        )
    parse_assumption(assume)
    if aim not in AIMS:
        raise InvalidParameter(f"aim must be one of {', '.join(AIMS)}, got {shown(aim)}")


def _are_epsilons(epsilons: ArrayLike) -> bool:
    try:
        grid = np.asarray(epsilons, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return bool(grid.size and ((grid >= 0) & (grid <= LARGEST)).all())
