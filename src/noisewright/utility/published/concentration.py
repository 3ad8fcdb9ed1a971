"""Concentration: how much of a mechanism's reports fall into a ball or a box around the true value.

The paper's proposition 1 is F(b) − F(a). Here F is the exact law of the cells that a mechanism draws, so
every registered mechanism has it, and no table of a distribution function is rounded on the way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.utility.channels import Channel
from noisewright.utility.curve import Curve

_SLACK = 1e-6
"""Of a cell: a point this near to a cell's centre counts as being at it, as in ``mechanisms.law``."""


def interval_masses(channel: Channel, units: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """P(low ≤ report ≤ high) for true values in unit coordinates; all three broadcast.

    >>> from noisewright.utility.curve import make_curve
    >>> [laplace, window] = make_curve(["Laplace", "OGPM"], [2.0]).flat()
    >>> [round(float(interval_masses(one, 0.5, 0.2, 0.8)), 3) for one in (laplace, window)]
    [0.451, 0.853]
    """
    truth, lattice = np.asarray(units, dtype=np.float64), channel.lattice
    slack = _SLACK * lattice.pitch  # boxes are closed: a report on a side is inside, whatever its rounding
    inside = channel.below(truth, lattice.count_to(np.asarray(high) + slack))
    before = channel.below(truth, lattice.count_to(np.asarray(low) - slack))
    return np.asarray(np.maximum(inside - before, 0.0))


def box_masses(curve: Curve, units: Floats, low: Floats, high: Floats) -> Floats:
    """P(report in its box) for every record, mechanism and ε: a product over the sensitive features.

    ``units``, ``low`` and ``high`` have one row a record and one column a feature.
    """
    masses = [np.prod(interval_masses(channel, units, low, high), axis=1) for channel in curve.flat()]
    return np.stack(masses, axis=1).reshape(len(units), *curve.shape)


def ball_masses(curve: Curve, units: Floats, radii: ArrayLike) -> Floats:
    """P(report within a radius of the truth in every feature) for every record, mechanism and ε."""
    reach = np.broadcast_to(np.asarray(radii, dtype=np.float64), (len(units),))[:, None]
    return box_masses(curve, units, units - reach, units + reach)
