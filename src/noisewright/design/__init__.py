"""Choose a mechanism by purpose, by comparison or as the best of all; split a budget; plan a collection.

>>> from noisewright import Interval
>>> from noisewright.mechanisms import OGPM, PM
>>> found = compare(Interval(0, 1), [1.0], kinds=[OGPM, PM])   # print(found) shows all of it
>>> [round(entry.worst, 3) for entry in found.entries]
[0.378, 0.96]
"""

from noisewright.design.blind_spots import blind_spots
from noisewright.design.bounds import lower_bound
from noisewright.design.comparison import Comparison, OracleComparison, compare, compare_oracles
from noisewright.design.design_table import DesignTable
from noisewright.design.designer import tabulate
from noisewright.design.explanation import Explanation, OracleExplanation, explain
from noisewright.design.joint_plan import joint_plan
from noisewright.design.joint_table import JointPlan
from noisewright.design.optimal_law import optimal_law
from noisewright.design.piece_solver import best_pieces, place_pieces
from noisewright.design.pieces import Pieces, least_loss, three_pieces
from noisewright.design.plan import PlannedColumn, PlannedEstimate, plan_column
from noisewright.design.purpose import PURPOSES, Recommendation, recommend
from noisewright.design.splits import (
    Column,
    Sampling,
    Split,
    sample_or_split,
    split,
    split_polar,
    unbiased_variance,
)
from noisewright.design.verify import verify
from noisewright.design.window import best_window

__all__ = [
    "PURPOSES",
    "Column",
    "Comparison",
    "DesignTable",
    "Explanation",
    "JointPlan",
    "OracleComparison",
    "OracleExplanation",
    "Pieces",
    "PlannedColumn",
    "PlannedEstimate",
    "Recommendation",
    "Sampling",
    "Split",
    "best_pieces",
    "best_window",
    "blind_spots",
    "compare",
    "compare_oracles",
    "explain",
    "joint_plan",
    "least_loss",
    "lower_bound",
    "optimal_law",
    "place_pieces",
    "plan_column",
    "recommend",
    "sample_or_split",
    "split",
    "split_polar",
    "tabulate",
    "three_pieces",
    "unbiased_variance",
    "verify",
]
