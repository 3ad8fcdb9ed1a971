"""Where a record's answer survives: boxes of sensitive values, for whoever wants to see the reason.

Trees are read, and their boxes are exact. Any other model is asked, and each box comes with an upper bound of
the share of its cells that fail; that bounds the utility of every mechanism on the usual lattice from below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.parameters import whole
from noisewright.utility.asking import Asking, ask_records, model_columns
from noisewright.utility.boxes import Boxes
from noisewright.utility.curve import Curve
from noisewright.utility.exact.ensembles import TreeEnsemble
from noisewright.utility.exact.trees import tree_regions, tree_utility
from noisewright.utility.predict import read_confidence
from noisewright.utility.reading import SensitiveFeatures, read_records
from noisewright.utility.records import Records
from noisewright.utility.solving import find_solver


@dataclass(frozen=True, eq=False)
class Region:
    """A union of disjoint boxes around a record's sensitive values, in unit coordinates.

    Ends are infinite where nothing limits a box. ``failing_upper`` bounds the share of each box in which the
    answer fails: 0 for trees, which are read; for other models all bounds hold together with probability
    ``confidence``.
    """

    records: Records
    boxes: Boxes
    failing_upper: Floats
    bound: Callable[[Curve, Floats], Floats]
    confidence: float

    def limits(self) -> list[dict[str, tuple[float, float]]]:
        """The boxes in the units of the features, cut off at the ends of their intervals."""
        low, high = np.clip(self.boxes.low, 0.0, 1.0), np.clip(self.boxes.high, 0.0, 1.0)
        return [
            {
                one.name: tuple(one.domain.low + one.domain.length * end for end in ends)
                for one, ends in zip(self.records.sensitive, zip(below, above, strict=True), strict=True)
            }
            for below, above in zip(low.tolist(), high.tolist(), strict=True)
        ]

    def masses(self, curve: Curve) -> Floats:
        """A lower bound of the record's utility for every mechanism and ε, from the boxes alone."""
        return self.bound(curve, self.records.units()[0])

    def plot(self, axes: Any = None) -> Any:
        """Draw the boxes of one or two sensitive features; returns the matplotlib axes."""
        from noisewright.utility.region_drawing import plot_region  # noqa: PLC0415  (matplotlib is an extra)

        return plot_region(self, axes)


def stable_region(
    model: Any,
    data: Any,
    record: int,
    *,
    sensitive: SensitiveFeatures,
    features: Sequence[str] | None = None,
    confidence: float = 0.99,
    queries: int = 100_000,
    most_boxes: int = 64,
    asking: Asking = Asking(),  # noqa: B008  (frozen)
    seed: int | None = None,
) -> Region:
    """The sensitive values at which a model answers as it does for one record, counted from 1, as boxes.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> rows = np.array([[10.0], [30.0], [50.0], [90.0]])
    >>> tree = DecisionTreeClassifier().fit(rows, [0, 0, 1, 1])
    >>> [limits] = stable_region(tree, rows, 1, sensitive={0: (0, 100)}).limits()
    >>> [round(end, 3) for end in limits["x0"]]
    [0.0, 40.0]
    """
    box = asking.box(model)
    there = read_records(data, sensitive, model_columns(box.classifier, features))
    place = whole("record", record, 1, len(there)) - 1
    one, known = ask_records(box, there, np.array([place]))
    solver = find_solver(box, one, known.own)
    if solver is not None and isinstance(solver[1], TreeEnsemble):
        ((stable, _),) = tree_regions(solver[1], one, known.own)

        def bound(curve: Curve, _: Floats) -> Floats:
            return np.asarray(tree_utility(solver[1], one, known.own, curve).low[0])

        return Region(one, stable, np.zeros(len(stable)), bound, 1.0)
    from noisewright.utility.sampling import stable_boxes  # noqa: PLC0415  (scipy is slow to load)

    sure = read_confidence(confidence)
    boxes = stable_boxes(
        box, one, 0, int(known.own[0]),
        alpha=1 - sure, queries=whole("queries", queries, 2, 1 << 40), most_boxes=most_boxes, source=seed,
    )  # fmt: skip
    return Region(one, boxes.boxes, boxes.failing_upper, boxes.masses, sure)
