"""Two defects of published auditing tools, simulated, beside our way on the same outputs.

*Looking at many thresholds and paying for one*: of the exact bounds on ε at all thresholds the largest is
reported at the level of a single one. Ours chooses on some rows and bounds on others.

*Minimum for maximum*: samples of different sizes, with the Dvoretzky–Kiefer–Wolfowitz distance of the larger
sample used for both. Ours gives each its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from benchmarks.audit.known import LAPLACE, laplace_noise
from noisewright.audit.bounds.event_bounds import Band
from noisewright.domains import Floats

FAILURE: Final = 0.05
ROWS: Final = 2_000
SMALL, LARGE = 1_000, 8_000
TRUE_EPSILON: Final = 1.0


def defects(trials: int, seed: int) -> Iterator[tuple[str, float, float]]:
    """Each defect: its name, the share of false alarms with it, and ours."""
    generators = [np.random.default_rng([seed, number]) for number in range(trials)]
    uncorrected = [uncorrected_bound(generator) > TRUE_EPSILON for generator in generators]
    ours = [
        LAPLACE.audited(2 * ROWS, seed + number).epsilon_lower() > TRUE_EPSILON for number in range(trials)
    ]
    yield "maximum over thresholds, not corrected", float(np.mean(uncorrected)), float(np.mean(ours))
    pairs = [equal_laws(generator) for generator in generators]
    yield (
        "DKW with min for max",
        float(np.mean([minimum_for_maximum(*pair) > 0 for pair in pairs])),
        float(np.mean([each_its_own(*pair) > 0 for pair in pairs])),
    )


def uncorrected_bound(generator: np.random.Generator) -> float:
    """The largest of the 95 % bounds on ε over all thresholds and both directions."""
    left, right = (np.sort(laplace_noise(data, ROWS, generator)) for data in (LAPLACE.left, LAPLACE.right))
    below = [np.searchsorted(part, np.concatenate([left, right]), side="right") for part in (left, right)]
    return max(single_bound(below[0], below[1]), single_bound(ROWS - below[1], ROWS - below[0]))


def single_bound(hits: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """ln(p/q) at least, at each threshold by itself: Clopper–Pearson for both; the largest is reported."""
    low = np.where(hits > 0, beta.ppf(FAILURE / 2, np.maximum(hits, 1), ROWS - hits + 1), 0.0)
    high = np.where(other < ROWS, beta.isf(FAILURE / 2, other + 1, np.maximum(ROWS - other, 1)), 1.0)
    with np.errstate(divide="ignore"):
        return float(np.max(np.log(low) - np.log(high)))


def equal_laws(generator: np.random.Generator) -> tuple[Floats, Floats]:
    """Empirical distribution functions of two samples of one law, at all outputs of the smaller one."""
    small, large = np.sort(generator.random(SMALL)), np.sort(generator.random(LARGE))
    return np.arange(1, SMALL + 1) / SMALL, np.searchsorted(large, small, side="right") / LARGE


def minimum_for_maximum(small: Floats, large: Floats) -> float:
    """A lower bound on δ(0) in which the larger sample speaks for both."""
    reach = np.sqrt(np.log(2 / FAILURE) / (2 * max(SMALL, LARGE)))
    return float((small - large).max() - 2 * reach)


def each_its_own(small: Floats, large: Floats) -> float:
    """The same bound with the distance of each sample."""
    low, high = Band(SMALL, FAILURE / 2).below(small), Band(LARGE, FAILURE / 2).above(large)
    return float((low - high).max())
