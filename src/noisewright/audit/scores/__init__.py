"""Scores: one number for each output, high if it looks like coming from the left input.

An audit measures the events {score > threshold}. A better score gives larger bounds. A bad one gives small
bounds, and never wrong ones.
"""

from noisewright.audit.scores.score import Score
from noisewright.audit.scores.selection import SCORES, Chosen, check_wanted, choose_score

__all__ = ["SCORES", "Chosen", "Score", "check_wanted", "choose_score"]
