"""Conformal latitude: the step from the ellipsoid to a sphere that keeps all angles.

Both map projections of this folder take it first, so it is written once. Latitudes go by their tangents,
which lose nothing near the poles (Karney 2011, "Transverse Mercator with an accuracy of a few nanometers",
equations 7 to 9 and 19 to 21).
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.spaces.earth import ECCENTRICITY_SQUARED

ECCENTRICITY = ECCENTRICITY_SQUARED**0.5
NEWTON_STEPS = 4
"""Each doubles the digits and the first guess has five of them; one step is to spare."""


def conformal_tangent(tangent: Floats) -> Floats:
    """Tangents of conformal latitudes, from tangents of latitudes."""
    secant = np.hypot(1.0, tangent)
    stretch = np.sinh(ECCENTRICITY * np.arctanh(ECCENTRICITY * tangent / secant))
    return np.asarray(tangent * np.hypot(1.0, stretch) - stretch * secant)


def geographic_tangent(conformal: Floats) -> Floats:
    """Tangents of latitudes, from tangents of conformal latitudes: Newton's method.

    >>> tangents = np.tan(np.radians([-89.999, -20.0, 0.0, 84.0]))
    >>> bool(np.allclose(geographic_tangent(conformal_tangent(tangents)), tangents, rtol=1e-15, atol=0))
    True
    """
    shrink = 1 - ECCENTRICITY_SQUARED
    tangent = conformal / shrink
    for _ in range(NEWTON_STEPS):
        reached = conformal_tangent(tangent)
        slope = shrink * np.hypot(1.0, tangent) / (1 + shrink * tangent**2)
        tangent = tangent + (conformal - reached) / (slope * np.hypot(1.0, reached))
    return np.asarray(tangent)
