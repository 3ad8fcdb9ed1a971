"""Routes: locations collected one by one, each under local differential privacy, in continuous space."""

from noisewright.trajectory.collection import Collection, read_collection, read_evidence
from noisewright.trajectory.counts import CountRequest, count_all
from noisewright.trajectory.estimates import estimate_routes
from noisewright.trajectory.evaluation import Entry, evaluate_all
from noisewright.trajectory.mechanisms import (
    CellOracle,
    CellReports,
    Choice,
    LocationMechanism,
    OptimalPoints,
    Stepper,
    TraCSC,
    TraCSD,
    choose_tracs,
    perturb_within,
    reports_worth_making,
    with_best_reference,
)
from noisewright.trajectory.perturb import perturb_file
from noisewright.trajectory.perturb_request import PerturbRequest
from noisewright.trajectory.routes import Budget, CellGrid, PointSet, Routes
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

__all__ = [
    "Budget",
    "CellGrid",
    "CellOracle",
    "CellReports",
    "Choice",
    "Collection",
    "CountRequest",
    "Disk",
    "Entry",
    "LocalMap",
    "LocationMechanism",
    "LonLatBox",
    "LonLatPolygon",
    "OptimalPoints",
    "Parallelogram",
    "PerturbRequest",
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
    "count_all",
    "estimate_routes",
    "evaluate_all",
    "perturb_file",
    "perturb_within",
    "read_collection",
    "read_evidence",
    "reports_worth_making",
    "with_best_reference",
]
