"""Honest reports on finished classifiers: never an accuracy alone.

>>> import numpy as np
>>> from noisewright.learn.rules import ConstantRule
>>> print(Scorecard.measured(ConstantRule(0), np.zeros((10, 1)), [0] * 7 + [1] * 3).beats_majority)
not shown
"""

from noisewright.learn.scorecard.calibration import Calibration
from noisewright.learn.scorecard.card import Scorecard
from noisewright.learn.scorecard.checking import checking_procedure
from noisewright.learn.scorecard.cuts import cuts_for

__all__ = ["Calibration", "Scorecard", "checking_procedure", "cuts_for"]
