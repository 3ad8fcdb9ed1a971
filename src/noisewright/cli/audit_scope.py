"""How far an audit goes: samples or seconds, the range of ε, the confidence, and what is assumed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.audit.auditing import SAMPLES
from noisewright.audit.bounds.choosing import AIMS
from noisewright.audit.bounds.classes import parse_assumption
from noisewright.audit.coordinates import read_confidence
from noisewright.audit.folds import MOST
from noisewright.audit.neighbours.relative import SAMPLES as SEARCHED
from noisewright.audit.scores import SCORES
from noisewright.cli.numbers import read_ends, read_number
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

CURVE: Final = AIMS[0]
PATIENCE: Final = 60.0
"""Seconds that a command or an endpoint is asked for, where no budget is given: every run takes its time."""

FEW_SEARCHED: Final = 20_000
"""Runs of a search through a command or an endpoint."""

POINTS: Final = 121
HIGHEST: Final = 32.0
RANGE: Final = "--epsilon wants a range such as 0:4"
COUNT: Final = "--samples wants a number of runs over both inputs, such as 2e6"
MOST_SEED: Final = (1 << 62) - 1


@dataclass(frozen=True)
class Scope:
    """Everything about an audit but the mechanism, checked; a budget of None is for the target to choose."""

    confidence: float
    samples: int | None = None
    seconds: float | None = None
    epsilons: Floats | None = None
    score: str = "auto"
    assume: str | None = None
    aim: str = CURVE
    bits: bool = False
    jobs: int | None = None
    keep: str | None = None
    seed: int | None = None

    @classmethod
    def of(cls, samples: str | None, epsilon: str | None, **others: Any) -> Scope:
        """Read the options and refuse what has no meaning, before anything is run."""
        return cls(
            samples=None if samples is None else read_count(samples),
            epsilons=None if epsilon is None else read_range(epsilon),
            **others,
        )

    def __post_init__(self) -> None:
        if self.seconds is not None and not (math.isfinite(self.seconds) and self.seconds > 0):
            raise InvalidParameter(f"--seconds must be above 0; got {self.seconds:g}")
        if self.samples is not None and self.seconds is not None:
            raise InvalidParameter("--samples and --seconds are two budgets; give one of them")
        read_confidence(self.confidence, "--confidence")
        parse_assumption(self.assume)
        _one_of("--aim", self.aim, AIMS)
        _one_of("--score", self.score, ("auto", *SCORES))
        if self.jobs is not None:
            whole("--jobs", self.jobs, 1, 4096)
        if self.seed is not None:
            whole("--seed", self.seed, 0, MOST_SEED)
        if self.keep is not None and Path(self.keep).exists() and not Path(self.keep).is_dir():
            raise InvalidParameter(f"--keep {self.keep} is a file; name a folder for the samples")

    def budget(self, *, patient: bool) -> dict[str, Any]:
        """Samples or seconds, as they were given or as suits the kind of black box."""
        if self.seconds is not None:
            return {"seconds": self.seconds}
        if self.samples is None and patient:
            return {"seconds": PATIENCE}
        return {"samples": SAMPLES if self.samples is None else self.samples}

    def search_samples(self, *, patient: bool) -> int:
        """Runs of a search with its bounds; it cannot be cut short by the clock."""
        if self.seconds is not None:
            raise InvalidParameter(
                "a search of a --database is planned in runs; give --samples, not --seconds"
            )
        usual = FEW_SEARCHED if patient else SEARCHED
        return usual if self.samples is None else self.samples

    def options(self) -> dict[str, Any]:
        """What ``audit`` takes besides a mechanism, inputs and a budget."""
        names = ("epsilons", "confidence", "score", "assume", "aim", "bits", "jobs", "keep", "seed")
        return {name: getattr(self, name) for name in names}


def _one_of(option: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise InvalidParameter(f"{option} is one of {', '.join(names)}; got {name!r}")


def read_count(text: str) -> int:
    """A number of runs, which may have an exponent.

    >>> read_count("2e6"), read_count("4_000")
    (2000000, 4000)
    """
    count = read_number(text, text, COUNT)
    if not (math.isfinite(count) and count == math.floor(count) and 1 <= count <= MOST):
        raise InvalidParameter(f"{COUNT}, and no more than {MOST:.0e}; got {text!r}")
    return int(count)


def read_range(text: str) -> Floats:
    """The grid of ε between two ends.

    >>> read_range("0:4")[[0, 60, -1]].tolist()
    [0.0, 2.0, 4.0]
    """
    low, high = read_ends(text, text, RANGE) if ":" in text else (0.0, read_number(text, text, RANGE))
    if not 0 <= low < high <= HIGHEST:
        raise InvalidParameter(f"{RANGE}, from 0 up to {HIGHEST:g}; got {text!r}")
    return np.linspace(low, high, POINTS)
