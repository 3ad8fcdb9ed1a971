"""Choosing an algorithm's regularization by what is left of it after the noise, at no cost in privacy."""

from noisewright.release.search.grid import Grid, default_grid, expand
from noisewright.release.search.result import SearchResult, Tried
from noisewright.release.search.searching import search
from noisewright.release.search.trying import Planner

__all__ = ["Grid", "Planner", "SearchResult", "Tried", "default_grid", "expand", "search"]
