"""Mechanisms for locations: channels of two coordinates, laws for a few public points, oracles for cells."""

from noisewright.trajectory.mechanisms.cells import CellOracle, CellReports
from noisewright.trajectory.mechanisms.choice import Choice, choose_tracs, with_best_reference
from noisewright.trajectory.mechanisms.coordinate import CoordinateMechanism
from noisewright.trajectory.mechanisms.location import LocationMechanism, Stepper
from noisewright.trajectory.mechanisms.optimal_points import OptimalPoints
from noisewright.trajectory.mechanisms.sparse_reports import perturb_within, reports_worth_making
from noisewright.trajectory.mechanisms.tracs import TraCSC, TraCSD

__all__ = [
    "CellOracle",
    "CellReports",
    "Choice",
    "CoordinateMechanism",
    "LocationMechanism",
    "OptimalPoints",
    "Stepper",
    "TraCSC",
    "TraCSD",
    "choose_tracs",
    "perturb_within",
    "reports_worth_making",
    "with_best_reference",
]
