"""Scores: one number for each output, high where it looks like coming from the left input.

The events {score > threshold} are what an audit measures. A better score gives larger bounds; a bad one
gives small bounds, and never wrong ones.
"""

from noisewright.audit.scores.additive import AdditiveScore
from noisewright.audit.scores.binned import BinnedScore
from noisewright.audit.scores.boosting import BoostingScore
from noisewright.audit.scores.choosing import SCORES, Chosen, check_wanted, choose_score
from noisewright.audit.scores.counting import CountingScore
from noisewright.audit.scores.foreign import ForeignScore
from noisewright.audit.scores.grain import GrainScore
from noisewright.audit.scores.linear import LinearScore
from noisewright.audit.scores.network import NetworkScore
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.value import ValueScore

__all__ = [
    "SCORES",
    "AdditiveScore",
    "BinnedScore",
    "BoostingScore",
    "Chosen",
    "CountingScore",
    "ForeignScore",
    "GrainScore",
    "LinearScore",
    "NetworkScore",
    "Score",
    "ValueScore",
    "check_wanted",
    "choose_score",
]
