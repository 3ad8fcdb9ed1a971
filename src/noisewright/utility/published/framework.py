"""The published framework from end to end: radius, hyperrectangle, utility."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.base import open_stream
from noisewright.randomness import Source
from noisewright.utility.curve import Curve
from noisewright.utility.published.hyperrectangle import find_rectangles
from noisewright.utility.published.radius import PRECISION, find_radii
from noisewright.utility.published.robustness import Asked, Prober
from noisewright.utility.published.rules import find_rule
from noisewright.utility.published.utility import Published, rectangle_utility
from noisewright.utility.records import Records


def published_utility(
    box: Asked,
    records: Records,
    references: Cells,
    curve: Curve,
    *,
    omega: float = 0.05,
    tau: float = 0.01,
    test: str = "hoeffding",
    conservative: bool = False,
    precision: float = 0.01,
    source: Source | None = None,
) -> Published:
    """What Zheng and Hu's framework claims for every record, mechanism and ε: for comparison, not for trust.

    ``references`` are the codes of the answers that should hold; ``test`` is "hoeffding" (the paper's),
    "clopper-pearson" (the same statement from far fewer questions) or "as coded" (the laxer rule of the
    authors' program). ``conservative`` keeps the factor (1 − ω)(1 − τ), which section 5.1 drops.

    >>> from noisewright import Interval
    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.utility import Records, Sensitive, make_curve
    >>> class Middle:
    ...     queries = 0
    ...     def ask(self, rows, numbers):
    ...         return ((rows[:, 0] >= 0.2) & (rows[:, 0] <= 0.8)).astype(int)
    >>> one = Records(np.array([[0.5]]), ("x",), (Sensitive("x", 0, Interval(0, 1)),), np.array([1]))
    >>> found = published_utility(
    ...     Middle(), one, np.array([1]), make_curve(["OGPM"], [2.0]),
    ...     test="clopper-pearson", source=SeededSource(1),
    ... )
    >>> bool(abs(found.low[0, 0] - 0.2) < 0.02), found.label
    (True, 'as published (Zheng and Hu): an estimate, not a bound')
    """
    if len(references) != len(records):
        raise InvalidParameter(
            f"every record needs one reference answer, got {len(references)} for {len(records)} records"
        )
    precision = PRECISION.check(precision)
    before = box.queries
    rule = find_rule(test, omega, tau)
    prober = Prober(box, records, np.asarray(references), rule, open_stream(source))
    radii = find_radii(prober, precision)
    low, high = find_rectangles(prober, radii, precision)
    rho = rectangle_utility(
        curve, records.units(), low, high, omega=omega, tau=tau, conservative=conservative
    )
    return Published(curve, radii, low, high, rho, test, box.queries - before)
