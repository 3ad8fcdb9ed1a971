"""Qin and Bai (2026), as published: the rivals of MRMA, and the theory of noised records.

MRMA itself is in :mod:`noisewright.learn`. Theorems 5 and 6 are false as
printed (``docs/theory/learning.md``), and their functions say so.

>>> round(box_variation(width=1, epsilon=1.0), 3)
0.632
"""

from noisewright.published.mrma.baselines import AllData, Averaging, Histogram, Reversed, Voting, Weak
from noisewright.published.mrma.bounds import (
    Bound,
    Discrepancy,
    averaged_bound,
    favourable_rate,
    reversal_probability,
    reversed_bound,
    transfer_gap,
    weak_bound,
)
from noisewright.published.mrma.laws import LabelledLaw, agreement, grid_channel, noise_weights, noised
from noisewright.published.mrma.variation import (
    binned_variation,
    box_ratio,
    box_variation,
    histogram_variation,
    total_variation,
    uniform_ratio,
)

__all__ = [
    "AllData",
    "Averaging",
    "Bound",
    "Discrepancy",
    "Histogram",
    "LabelledLaw",
    "Reversed",
    "Voting",
    "Weak",
    "agreement",
    "averaged_bound",
    "binned_variation",
    "box_ratio",
    "box_variation",
    "favourable_rate",
    "grid_channel",
    "histogram_variation",
    "noise_weights",
    "noised",
    "reversal_probability",
    "reversed_bound",
    "total_variation",
    "transfer_gap",
    "uniform_ratio",
    "weak_bound",
]
