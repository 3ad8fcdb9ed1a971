"""Reconstruction: the posterior of every route, from reports and public facts alone."""

from noisewright.trajectory.reconstruction.density import Density
from noisewright.trajectory.reconstruction.reconstruct import reconstruct
from noisewright.trajectory.reconstruction.result import Reconstruction

__all__ = ["Density", "Reconstruction", "reconstruct"]
