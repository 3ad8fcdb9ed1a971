"""Routes, the budgets they are collected within, and the public grids and points they are rounded to."""

from noisewright.trajectory.routes.budget import Budget
from noisewright.trajectory.routes.grids import CellGrid, PointSet
from noisewright.trajectory.routes.table import Routes

__all__ = ["Budget", "CellGrid", "PointSet", "Routes"]
