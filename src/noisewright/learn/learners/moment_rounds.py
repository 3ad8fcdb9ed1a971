"""Learning a linear classifier in four rounds of moments.

1. How common the classes are, and where people stand on every column: its mean and its spread.
2. How every column goes with the label, on a scale that fits where people stand. That gives a first direction.
3. How every column goes with the score of that direction: what the columns tell twice. Conjugate gradients
   need no more than this product of the covariance matrix and a vector, d numbers instead of d²/2, to find a
   second direction.
4. All moments of the two scores. They set the share of each, the threshold and the length.

Two steps of conjugate gradients are two components of partial least squares, and come near to Fisher's
discriminant on most data. If there are so many people that the whole covariance matrix can be had
(:func:`affordable`), it is asked for instead, and the result tends to Fisher's discriminant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.learners.asking import Asking, Moment, combined, rescaled
from noisewright.learn.learners.linear_moments import column_deviations, linear_from_moments, posterior_means
from noisewright.learn.learners.moments import Measured, Moments, moments_from_raw
from noisewright.learn.rounds import Procedure
from noisewright.learn.rules import LinearRule
from noisewright.learn.schema import Schema

SHARES: Final = {"label": 0.1, "means": 0.1, "squares": 0.1, "ties": 0.35, "second": 0.15, "scores": 0.2}
REACH=2.5
