"""Estimates of shares that were counted, one or many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from noisewright.estimate import Estimate
from noisewright.estimate.words import SAMPLE

METHOD: Final = "exact binomial (Clopper-Pearson) intervals of the counts, mapped through the channel"


def made(value: Any, stderr: Any, low: Any, high: Any, alpha: float, people: int) -> Estimate:
    """An estimate from counts, with its numbers as floats."""
    numbers = (float(value), float(stderr), float(low), float(high))
    return Estimate(*numbers, level=1 - alpha, count=people, method=METHOD, assumption=SAMPLE)


def stacked(estimates: Sequence[Estimate], shape: tuple[int, ...] = (-1,)) -> Estimate:
    """Estimates from the same reports as one estimate of arrays."""
    names = ("value", "stderr", "low", "high")
    arrays: dict[str, Any] = {
        name: np.array([getattr(each, name) for each in estimates]).reshape(shape) for name in names
    }
    return replace(estimates[0], **arrays)
