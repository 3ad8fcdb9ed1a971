"""Where true values and reports live: numbers, whole numbers, circles, labels, bins, and products of them.

A numeric domain carries a fixed public lattice of equal cells. A value is *snapped* to the cell that
holds it, a report *is* a cell, and a cell's real value is its centre. Everything that is proved about a
mechanism is proved about cells, so no floating-point rounding can widen a guarantee.

    >>> bpm = Interval(40, 200)
    >>> cells = bpm.snap([40.0, 71.3, 200.0])
    >>> [round(v, 3) for v in bpm.centres(cells).tolist()]
    [40.0, 71.3, 200.0]
"""

from noisewright.domains.base import Cells, Domain, Floats
from noisewright.domains.bins import Bins
from noisewright.domains.codes import BitStrings, Codes, HashedLabels, Places
from noisewright.domains.finite import Categories, FiniteDomain, MetricSpace
from noisewright.domains.integers import Integers
from noisewright.domains.numeric import DEFAULT_CELLS, Circle, Interval, NumericDomain, as_floats
from noisewright.domains.product import Product

__all__ = [
    "DEFAULT_CELLS",
    "Bins",
    "BitStrings",
    "Categories",
    "Cells",
    "Circle",
    "Codes",
    "Domain",
    "FiniteDomain",
    "Floats",
    "HashedLabels",
    "Integers",
    "Interval",
    "MetricSpace",
    "NumericDomain",
    "Places",
    "Product",
    "as_floats",
]
