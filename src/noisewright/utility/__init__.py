"""Predicting what a classifier loses when its inputs are randomized, for every mechanism and ε at once.

>>> from noisewright.utility import predict_utility
"""

from __future__ import annotations

from noisewright.utility.boxes import Boxes
from noisewright.utility.certificate import Band, Certificate
from noisewright.utility.curve import Curve, make_curve
from noisewright.utility.records import Records, Sensitive

__all__ = [
    "Band",
    "Boxes",
    "Certificate",
    "Curve",
    "Records",
    "Sensitive",
    "make_curve",
]
