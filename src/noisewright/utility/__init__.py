"""Predicting what a classifier loses when its inputs are randomized, for every mechanism and ε at once.

>>> from noisewright.utility import predict_utility
"""

from __future__ import annotations

from noisewright.utility.asking import Asking
from noisewright.utility.boxes import Boxes
from noisewright.utility.certificate import Band, Certificate
from noisewright.utility.curve import Curve, make_curve
from noisewright.utility.models import open_model
from noisewright.utility.predict import predict_utility
from noisewright.utility.prediction import Prediction, WidthNotReached
from noisewright.utility.records import Records, Sensitive
from noisewright.utility.region import Region, stable_region

__all__ = [
    "Asking",
    "Band",
    "Boxes",
    "Certificate",
    "Curve",
    "Prediction",
    "Records",
    "Region",
    "Sensitive",
    "WidthNotReached",
    "make_curve",
    "open_model",
    "predict_utility",
    "stable_region",
]
