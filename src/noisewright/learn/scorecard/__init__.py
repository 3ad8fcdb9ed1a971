"""Honest reports on finished classifiers: never an accuracy alone.

>>> import numpy as np
>>> from noisewright.learn.rules import ConstantRule
>>> print(Scorecard.measured(ConstantRule(0), np.zeros((10, 1)), [0] * 7 + [1] * 3).beats_majority)
not shown
"""

from noisewright.learn.scorecard.calibration import Calibration, cuts_for
from noisewright.learn.scorecard.card import Scorecard, check_procedure

__all__ = ["Calibration", "Scorecard", "check_procedure", "cuts_for"]
