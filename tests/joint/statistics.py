"""Tests of laws with a stated level, valid for every sample size."""

from __future__ import annotations

import math

import numpy as np

LEVEL = 1e-9


def chi_square_rejects(counts, weights, level: float = LEVEL) -> bool:
    """Pearson's test of four counts against integer weights; an impossible outcome rejects at once."""
    from scipy.stats import chi2

    counts, weights = np.asarray(counts, dtype=float), np.asarray([float(weight) for weight in weights])
    if counts[weights == 0].any():
        return True
    possible = weights > 0
    expected = counts.sum() * weights[possible] / weights.sum()
    statistic = ((counts[possible] - expected) ** 2 / expected).sum()
    return bool(statistic > chi2.isf(level, possible.sum() - 1))


def pair_counts(first, second) -> list[int]:
    """How often both, only the first, only the second and neither flag is set."""
    return [int((left & right).sum()) for left in (first, ~first) for right in (second, ~second)]


def dependent_features(features, secret, known, level: float = LEVEL) -> np.ndarray:
    """Which columns of ``features`` depend on ``secret`` given ``known``, all booleans by coin.

    Within a stratum of ``known`` the coins with a feature are, if it is independent, a random subset; the number
    of secrets among them is hypergeometric, and Hoeffding's inequality bounds its tail for every size:
    P[|X − E X| ≥ d] ≤ 2·exp(−2·d²/m) with m coins in the smaller of the two groups. Bonferroni over everything.
    """
    found = np.zeros(features.shape[1], dtype=bool)
    bound = math.log(2 * 2 * features.shape[1] / level) / 2
    for stratum in (known, ~known):
        inside, hidden = features[stratum].astype(np.float32), secret[stratum]
        if not 0 < hidden.sum() < hidden.size:
            continue
        joint = hidden.astype(np.float32) @ inside
        expected = inside.sum(axis=0) * hidden.mean()
        group = min(hidden.sum(), hidden.size - hidden.sum())
        found |= (joint - expected) ** 2 > bound * group
    return found
