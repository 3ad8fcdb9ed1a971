"""How far an audited curve is from the true one, and what it cost."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.audit.known import GRID, Known
from benchmarks.release.clock import clocked
from noisewright.audit import Spectrum


@dataclass(frozen=True)
class Measured:
    """One audit beside the truth: the largest error of the estimate, and distances of the lower bound."""

    spectrum: Spectrum
    error: float
    below: float
    above: float
    processor: float
    wall: float

    @classmethod
    def of(cls, known: Known, samples: int, seed: int, **options: Any) -> Measured:
        """Audit and compare on the grid."""
        with clocked() as spent:
            found = known.audited(samples, seed, **options)
            lower = found.lower
        truth = known.truth(GRID)
        error = float(np.abs(found.estimate - truth).max())
        below, above = float((truth - lower).max()), float((lower - truth).max())
        return cls(found, error, below, above, spent.processor, spent.wall)


def median_and_worst(values: Sequence[float], digits: int = 5) -> str:
    """Two numbers of several repetitions."""
    return f"{np.median(values):.{digits}f} / {max(values):.{digits}f}"


def parser(experiment: str, description: str | None) -> argparse.ArgumentParser:
    """The option that all experiments share."""
    options = argparse.ArgumentParser(
        prog=f"python -m benchmarks.audit {experiment}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--seed", type=int, default=1, help="the first seed")
    return options
