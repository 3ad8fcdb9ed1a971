"""Routes: locations collected one by one, each under local differential privacy, in continuous space."""

from noisewright.trajectory.choice import Choice, choose_tracs
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Rectangle, Space
from noisewright.trajectory.stepper import Stepper
from noisewright.trajectory.tracs_c import TraCSC
from noisewright.trajectory.tracs_d import TraCSD

__all__ = [
    "Choice",
    "LocationMechanism",
    "Rectangle",
    "Routes",
    "Space",
    "Stepper",
    "TraCSC",
    "TraCSD",
    "choose_tracs",
]
