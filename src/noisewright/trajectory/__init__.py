"""Routes: locations collected one by one, each under local differential privacy, in continuous space."""

from noisewright.trajectory.budgets import Budget
from noisewright.trajectory.cells import CellOracle, CellReports
from noisewright.trajectory.choice import Choice, choose_tracs
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.optimal_points import OptimalPoints
from noisewright.trajectory.references import with_best_reference
from noisewright.trajectory.rounding import CellGrid, PointSet
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import (
    Disk,
    LocalMap,
    LonLatBox,
    LonLatPolygon,
    Parallelogram,
    Polygon,
    Rectangle,
    Space,
    Sphere,
)
from noisewright.trajectory.stepper import Stepper
from noisewright.trajectory.thinning import perturb_within, reports_worth_making
from noisewright.trajectory.tracs_c import TraCSC
from noisewright.trajectory.tracs_d import TraCSD

__all__ = [
    "Budget",
    "CellGrid",
    "CellOracle",
    "CellReports",
    "Choice",
    "Collection",
    "Disk",
    "LocalMap",
    "LocationMechanism",
    "LonLatBox",
    "LonLatPolygon",
    "OptimalPoints",
    "Parallelogram",
    "PointSet",
    "Polygon",
    "Rectangle",
    "Routes",
    "Space",
    "Sphere",
    "Stepper",
    "TraCSC",
    "TraCSD",
    "choose_tracs",
    "perturb_within",
    "reports_worth_making",
    "with_best_reference",
]
