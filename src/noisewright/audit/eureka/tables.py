"""Outputs as rows of numbers that a classifier can take."""

from __future__ import annotations

import numpy as np

from noisewright.audit.encoding import fit_encoder
from noisewright.audit.eureka.problem import Tosses
from noisewright.domains import Floats


def tables(train: Tosses, test: Tosses) -> tuple[Floats, Floats]:
    """Both halves as tables: finite numbers as they are, anything else by an encoder fitted on ``train``.

    >>> from noisewright.audit.outputs import Outputs
    >>> half = Tosses(Outputs.of([5.0, 6.0]), np.array([0, 1]), np.zeros(2))
    >>> tables(half, half)[0].tolist()
    [[5.0], [6.0]]
    """
    known, asked = train.outputs.numbers, test.outputs.numbers
    if known is not None and asked is not None and np.isfinite(known).all() and np.isfinite(asked).all():
        return known, asked
    encoder = fit_encoder(train.outputs[train.labels == 0], train.outputs[train.labels == 1])
    return encoder.features(train.outputs).table, encoder.features(test.outputs).table
