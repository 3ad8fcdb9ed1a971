"""Prediction of how much a classifier loses when its inputs are randomized, for all mechanisms and ε.

>>> from noisewright.utility import predict_utility
"""

from __future__ import annotations

from noisewright.utility.answers import Asking
from noisewright.utility.core.boxes import Boxes
from noisewright.utility.core.certificate import Band, Certificate
from noisewright.utility.core.curve import Curve, make_curve
from noisewright.utility.core.records import Records, Sensitive
from noisewright.utility.forecast import Forecast, Inquiry
from noisewright.utility.models import open_model
from noisewright.utility.predict import predict_utility
from noisewright.utility.prediction import Prediction, WidthNotReached
from noisewright.utility.region import Region, stable_region
from noisewright.utility.request import ForecastRequest, forecast_file

__all__ = [
    "Asking",
    "Band",
    "Boxes",
    "Certificate",
    "Curve",
    "Forecast",
    "ForecastRequest",
    "Inquiry",
    "Prediction",
    "Records",
    "Region",
    "Sensitive",
    "WidthNotReached",
    "forecast_file",
    "make_curve",
    "open_model",
    "predict_utility",
    "stable_region",
]
