"""What scores mean: a class and probabilities, for two classes from one score, for more from one each."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, softmax

from noisewright.domains import Cells, Floats


def class_codes(scores: Floats) -> Cells:
    """The class of each row: the second of two for a score above 0, of more that of the largest score.

    >>> class_codes(np.array([-1.0, 0.0, 2.0])).tolist(), class_codes(np.array([[0.0, 1.0, 0.5]])).tolist()
    ([0, 0, 1], [1])
    """
    return np.asarray(scores > 0 if scores.ndim == 1 else scores.argmax(axis=1), dtype=np.int64)


def probabilities(scores: Floats) -> Floats:
    """Scores read as log-odds, a column for each class: in the order of the scores, not calibrated by itself.

    >>> probabilities(np.array([0.0])).tolist()
    [[0.5, 0.5]]
    """
    if scores.ndim == 2:
        return np.asarray(softmax(scores, axis=1))
    return np.column_stack([expit(-scores), expit(scores)])
