"""Two kinds of chance that must not be confused: people's noise, and choices that anybody may know.

Which client is asked what, which reports train which weak classifier and where a random direction points
are public; what is drawn to hide a value is not. A ``random_state`` makes both repeatable, and then the noise
hides nothing: everything made with it says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource, Source

SEEDS = 1 << 63


@dataclass(frozen=True)
class Chance:
    """Where noise comes from (``source``; None is the operating system's cipher), and public choices.

    >>> read_chance(None).simulated, read_chance(7).simulated
    (False, True)
    """

    source: Source | None
    public: np.random.Generator

    @property
    def simulated(self) -> bool:
        """Whether the noise can be repeated by who knows the seed."""
        return self.source is not None and not self.source.private


def read_chance(random_state: Any) -> Chance:
    """Chance as scikit-learn's users ask for it: None is private; a seed or a generator is a simulation."""
    match random_state:
        case None:
            return Chance(None, np.random.default_rng())
        case np.random.Generator():
            return _seeded(int(random_state.integers(SEEDS)))
        case np.random.RandomState():
            return _seeded(int(random_state.randint(SEEDS, dtype=np.int64)))
        case bool():
            raise InvalidParameter("random_state must be None, a whole number or a generator, not a boolean")
        case int() | np.integer() if random_state >= 0:
            return _seeded(int(random_state))
    raise InvalidParameter("random_state must be None, a whole number from 0 on, or a NumPy generator")


def _seeded(seed: int) -> Chance:
    return Chance(SeededSource(seed), np.random.default_rng(seed))
