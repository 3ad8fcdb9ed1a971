"""The published rule for when a simulation has seen enough, kept under its name only.

"The estimates moved by no more than 10⁻⁶ since the last look" says how slowly an average moves, not how far
it is from the truth: after t trials it moves by about 1/t of its own spread whatever it tends to. When the
rule is content the variance is as likely too small as too large, and more often too small where large values
are rare: measured in 50 % of runs for K-Means and for normal outputs, in 70 % for outputs that are seldom
large. No bound follows from it, so no guarantee is given with it.
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

PRECISION = 1e-6
EVERY = 10


class UnprovedRule(UserWarning):
    """Noise was chosen by a rule from which no bound follows; nothing is guaranteed."""


UNPROVED = (
    'rule="paper" stops when the variance estimates move by less than 1e-6: that proves nothing, and leaves '
    "too little noise in about 60 % of runs (50 to 70 %, depending on the outputs), so this release has no "
    "guarantee; leave out rule to get one"
)


def stopped_variances(
    outputs: Floats, precision: float = PRECISION, every: int = EVERY
) -> tuple[Floats, int]:
    """The variance of each column when the published rule is content, and after how many trials that is.

    >>> variances, trials = stopped_variances(np.random.default_rng(1).normal(0, 0.01, (2000, 1)))
    >>> trials, variances.round(6).tolist()
    (90, [7.1e-05])
    """
    looks = np.arange(every, len(outputs) + 1, every)
    centred = outputs - outputs[0]  # keeps the sums of squares exact where the spread is small
    sums, squares = np.cumsum(centred, axis=0)[looks - 1], np.cumsum(centred**2, axis=0)[looks - 1]
    estimates = np.maximum(squares - sums**2 / looks[:, None], 0.0) / (looks[:, None] - 1)
    calm = (np.abs(np.diff(estimates, axis=0)) <= precision).all(axis=1)
    if not calm.any():
        raise InvalidParameter(
            f"the published rule is not content after {len(outputs):,} trials; allow more of them with trials"
        )
    look = int(np.argmax(calm)) + 1  # Sridhar et al. 2024, sec. 7
    return estimates[look], int(looks[look])
