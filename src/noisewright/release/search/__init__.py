"""Choice of an algorithm's regularization by its utility after the noise, at no cost in privacy."""

from noisewright.release.search.contest import Planner, search
from noisewright.release.search.grid import Grid, default_grid, expand
from noisewright.release.search.result import Candidate, SearchResult

__all__ = ["Candidate", "Grid", "Planner", "SearchResult", "default_grid", "expand", "search"]
