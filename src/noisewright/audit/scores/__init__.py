"""Scores: one number for each output, high where it looks like coming from the left input.

The events {score > threshold} are what an audit measures. A better score gives larger bounds; a bad one
gives small bounds, and never wrong ones.
"""

from noisewright.audit.scores.score import Score
from noisewright.audit.scores.selection import SCORES, Chosen, check_wanted, choose_score

__all__ = ["SCORES", "Chosen", "Score", "check_wanted", "choose_score"]
