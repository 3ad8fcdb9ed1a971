"""What theory promises of learning from noised records, as functions: excess risks, distances, chances.

>>> round(box_variation(width=1, epsilon=1.0), 3)
0.632
"""

from noisewright.learn.bounds.discrepancy import Discrepancy, transfer_gap
from noisewright.learn.bounds.excess import Bound, averaged_bound, reversed_bound, weak_bound
from noisewright.learn.bounds.laws import LabelledLaw, agreement, grid_channel, noise_weights, noised
from noisewright.learn.bounds.reversal_odds import favourable_rate, reversal_probability
from noisewright.learn.bounds.variation import (
    binned_variation,
    box_ratio,
    box_variation,
    histogram_variation,
    total_variation,
    uniform_ratio,
)

__all__ = [
    "Bound",
    "Discrepancy",
    "LabelledLaw",
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
