"""The region where a record's answer survives: boxes of sensitive values, as an explanation.

Trees are read, and their boxes are exact. Any other model is sampled, and each box has an upper bound on the
share of its cells that fail. That bounds the utility of every mechanism on the usual lattice from below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.report.plots import new_axes
from noisewright.utility.answers import Asking, ask_records, find_solver, model_columns
from noisewright.utility.core.boxes import Boxes
from noisewright.utility.core.certificate import read_confidence
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records, SensitiveFeatures, read_records
from noisewright.utility.trees.ensemble import TreeEnsemble
from noisewright.utility.trees.utility import tree_regions, tree_utility

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, eq=False)
class Region:
    """A union of disjoint boxes around a record's sensitive values, in unit coordinates.

    Attributes:
        records: The one record.
        boxes: The boxes; unlimited ends are infinite.
        failing_upper: Upper bounds on the share of each box in which the answer fails: 0 for trees.
        bound: Lower bounds on the utility for a curve, from the boxes and the record's unit coordinates.
        confidence: Probability with which all bounds on failing shares hold together; 1 for trees.
    """

    records: Records
    boxes: Boxes
    failing_upper: Floats
    bound: Callable[[Curve, Floats], Floats]
    confidence: float

    def limits(self) -> list[dict[str, tuple[float, float]]]:
        """Return the boxes in the units of the features, clipped to their intervals."""
        low, high = np.clip(self.boxes.low, 0.0, 1.0), np.clip(self.boxes.high, 0.0, 1.0)
        return [
            {
                one.name: tuple(one.domain.low + one.domain.length * end for end in ends)
                for one, ends in zip(self.records.sensitive, zip(below, above, strict=True), strict=True)
            }
            for below, above in zip(low.tolist(), high.tolist(), strict=True)
        ]

    def masses(self, curve: Curve) -> Floats:
        """Return a lower bound of the record's utility for every mechanism and ε, from the boxes alone."""
        return self.bound(curve, self.records.units()[0])

    def plot(self, axes: Any = None) -> Any:
        """Draw the boxes of one or two sensitive features, in their own units, and the record among them.

        Darker boxes have a smaller share that may fail.

        Args:
            axes: Matplotlib axes to draw on; by default, new ones.
        """
        sensitive = self.records.sensitive
        if len(sensitive) > 2:
            raise InvalidParameter(f"only one or two sensitive features can be drawn, not {len(sensitive)}")
        drawn = new_axes() if axes is None else axes
        from matplotlib.patches import Rectangle  # noqa: PLC0415  (matplotlib is an extra)

        for limits, failing in zip(self.limits(), self.failing_upper, strict=True):
            (left, right), (bottom, top) = [*limits.values(), (0.0, 1.0)][:2]
            shade, size = 0.15 + 0.55 * (1 - float(failing)), (right - left, top - bottom)
            drawn.add_patch(Rectangle((left, bottom), *size, color="tab:blue", alpha=shade, linewidth=0.3))
        truth = [self.records.values[0, one.column] for one in sensitive]
        drawn.plot(truth[0], truth[1] if len(truth) == 2 else 0.5, "o", color="black", label="the record")
        for axis, one in zip((drawn.xaxis, drawn.yaxis), sensitive, strict=False):
            axis.set_label_text(one.name)
        drawn.set_xlim(sensitive[0].domain.low, sensitive[0].domain.high)
        drawn.set_ylim(*((sensitive[1].domain.low, sensitive[1].domain.high) if len(truth) == 2 else (0, 1)))
        return drawn


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
    """Return the sensitive values at which a model answers as it does for one record, as boxes.

    Args:
        model: As in :func:`predict_utility`.
        data: True records, as a two-dimensional array or a table with named columns.
        record: The number of the record, counted from 1.
        sensitive: The features that are randomized, by name or index, each with its interval.
        features: The model's columns in its order; None takes those stored at its fit, or all.
        confidence: Probability with which all bounds on failing shares hold together.
        queries: Largest number of rows that a model other than a tree is asked about.
        most_boxes: Largest number of boxes, for models other than trees.
        asking: Batches, time and budget of questions to the model.
        seed: Seed of the random queries; None draws one from the operating system.

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
