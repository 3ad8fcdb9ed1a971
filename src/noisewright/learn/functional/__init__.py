"""Curves as private features: bases, projection, rescaling, and slope functions.

>>> from noisewright.learn.functional import BSplineBasis, FunctionalFeatures
>>> FunctionalFeatures(BSplineBasis(4)).transform([[0.5] * 11]).round(3).tolist()
[[0.462, 0.462, 0.462, 0.462]]
"""

from noisewright.learn.functional.basis import Basis, BSplineBasis, FourierBasis, MaxAbs, Tanh, find_rescaling
from noisewright.learn.functional.curve_rules import CurveBase, CurveRule, Slope, curve_base, slope_of
from noisewright.learn.functional.features import FunctionalFeatures, Projection, even_grid

__all__ = [
    "BSplineBasis",
    "Basis",
    "CurveBase",
    "CurveRule",
    "FourierBasis",
    "FunctionalFeatures",
    "MaxAbs",
    "Projection",
    "Slope",
    "Tanh",
    "curve_base",
    "even_grid",
    "find_rescaling",
    "slope_of",
]
