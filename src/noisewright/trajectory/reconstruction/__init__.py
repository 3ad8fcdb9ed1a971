"""Reconstruction: the posterior of every route, from reports and public facts alone."""

from noisewright.trajectory.reconstruction.density import Density
from noisewright.trajectory.reconstruction.reconstruct import Reconstruction, reconstruct

__all__ = ["Density", "Reconstruction", "reconstruct"]
