"""Mechanisms: exact channels from true values to reports."""

from noisewright.mechanisms.base import Mechanism
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.piecewise import OGPM, PM, PMC, SW, SWC, CircularOGPM, UnbiasedOGPM

__all__ = ["OGPM", "PM", "PMC", "SW", "SWC", "CircularOGPM", "Law", "Mechanism", "UnbiasedOGPM"]
