"""Which mechanism, by purpose or as the best of all; how to share a budget; what reports will tell."""

from noisewright.design.blind_spots import blind_spots
from noisewright.design.bounds import lower_bound
from noisewright.design.design_table import DesignTable
from noisewright.design.designer import tabulate
from noisewright.design.joint_plan import joint_plan
from noisewright.design.joint_table import JointPlan
from noisewright.design.optimal_law import optimal_law
from noisewright.design.piece_solver import best_pieces, place_pieces
from noisewright.design.pieces import Pieces, least_loss, three_pieces
from noisewright.design.plan import PlannedColumn, PlannedEstimate, plan_column
from noisewright.design.purpose import PURPOSES, Recommendation, recommend
from noisewright.design.sampling import Sampling, sample_or_split, unbiased_variance
from noisewright.design.splits import Column, Split, split, split_polar
from noisewright.design.verify import verify
from noisewright.design.window import best_window

__all__ = [
    "PURPOSES",
    "Column",
    "DesignTable",
    "JointPlan",
    "Pieces",
    "PlannedColumn",
    "PlannedEstimate",
    "Recommendation",
    "Sampling",
    "Split",
    "best_pieces",
    "best_window",
    "blind_spots",
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
