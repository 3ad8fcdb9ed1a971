"""Methods side by side: who is best, and what a reader is told."""

from __future__ import annotations

import json
import math

from noisewright.published.routes import BaselineRow, RealGuarantee
from noisewright.published.routes.comparison import RouteComparison
from noisewright.trajectory import Rectangle

SQUARE = Rectangle(0, 0, 1, 1)


def test_a_method_that_spends_more_than_it_says_is_never_best():
    rows = [
        BaselineRow("honest", RealGuarantee(4.0, 4.0, "proved"), 0.5, "units"),
        BaselineRow("broken", RealGuarantee(4.0, math.inf, "it leaks"), 0.1, "units"),
    ]
    table = RouteComparison(tuple(rows), 4.0, SQUARE, 1, 1, 1)
    assert table.best.name == "honest"
    assert rows[1].guarantee.real_words == "∞"
    assert RealGuarantee(4.0, 4.0001, "").real_words == "4.001"  # rounded up, never down to 4
    assert any("broken does not keep its ε: it leaks." in note for note in table.notes)
    json.dumps(table.to_dict(), allow_nan=False)
