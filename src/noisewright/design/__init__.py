"""Designing mechanisms: the best window, the best law of all, and how to share a budget."""

from noisewright.design.bounds import lower_bound
from noisewright.design.optimal_law import optimal_law
from noisewright.design.verify import verify
from noisewright.design.window import best_window

__all__ = ["best_window", "lower_bound", "optimal_law", "verify"]
