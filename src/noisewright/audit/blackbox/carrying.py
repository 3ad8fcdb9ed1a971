"""Does a box carry a state of its own? Then workers, who get copies, would all draw the same chance."""

from __future__ import annotations

import pickle
from typing import Any

from joblib import wrap_non_picklable_objects

from noisewright.audit.blackbox.base import BlackBox


def carries_state(box: BlackBox, subject: Any) -> bool:
    """Whether a draw changes what workers would be sent; the first call is left out, as it may fill caches.

    What a worker imports for itself is not sent, and not seen here.

    >>> import numpy as np
    >>> from noisewright.audit.blackbox import black_box
    >>> rng = np.random.default_rng(1)
    >>> carries_state(black_box(lambda data, rng=rng: data + rng.normal()), 0.0)
    True
    >>> carries_state(black_box(lambda data, generator: data + generator.normal()), 0.0)
    False
    """
    if box.apart:
        return False
    box.draw(subject, 1, seed=0)
    before = _sent(box)
    box.draw(subject, 1, seed=1)
    return before is not None and _sent(box) != before


def _sent(box: BlackBox) -> bytes | None:
    """The box as workers get it; None if it cannot be sent, which sending it will tell."""
    try:
        return pickle.dumps(wrap_non_picklable_objects(box))
    except Exception:  # pickling runs anybody's code
        return None
