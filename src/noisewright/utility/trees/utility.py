"""Exact utility of trees, forests and boosted trees.

With the other features of a record fixed, an ensemble's answer is constant on the cells of a grid in the
sensitive space. Cells that keep the reference are joined into boxes, and the utility under any mechanism and
ε is the probability of a report in one of them: a closed-form sum, without queries or randomness.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from noisewright.domains import Cells, Floats, Interval
from noisewright.errors import InvalidParameter
from noisewright.progress import Progress
from noisewright.utility.core.boxes import Boxes
from noisewright.utility.core.certificate import Certificate
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records
from noisewright.utility.core.workers import on_workers
from noisewright.utility.trees.ensemble import TreeEnsemble
from noisewright.utility.trees.grid import Contest
from noisewright.utility.trees.masses import EdgeLaws
from noisewright.utility.trees.readers import read_trees
from noisewright.utility.trees.restriction import CutTrees
from noisewright.utility.trees.scores import STABLE, UNDECIDED, Scores
from noisewright.utility.trees.search import Effort, LabelledBoxes, label_space

__all__ = ["Effort", "read_trees", "tree_regions", "tree_utility"]

METHOD = "exact (trees)"

FEW_BOXES = 200_000
"""Boxes of a record with more than three sensitive features; the undecided rest widens its interval."""

AT_ONCE = 32
"""Records that a worker gets at once, which take longer than preparing the trees for them."""


@dataclass(frozen=True, eq=False)
class _Task:
    """An ensemble, cut by the sensitive features of records, and the answers to compare with."""

    trees: CutTrees
    scores: Scores
    prepared: Floats
    references: Cells
    domains: tuple[Interval, ...]

    @classmethod
    def of(cls, ensemble: TreeEnsemble, records: Records, references: Cells) -> _Task:
        if records.values.shape[1] != ensemble.features:
            raise InvalidParameter(
                f"the model was fitted on {ensemble.features} features, but records have "
                f"{records.values.shape[1]}; give the columns that the model was fitted on"
            )
        prepared = ensemble.columns.prepare(records.values)
        trees, domains = (
            CutTrees.of(ensemble, records.sensitive),
            tuple(one.domain for one in records.sensitive),
        )
        return cls(trees, Scores.of(ensemble), prepared, references, domains)

    def volumes(self) -> list[Floats]:
        """Return the part of each sensitive interval below every edge."""
        return [np.clip(known, 0.0, 1.0) for known in self.unit_edges]

    @cached_property
    def unit_edges(self) -> list[Floats]:
        """The edges in unit coordinates."""
        pairs = zip(self.trees.edges, self.domains, strict=True)
        return [(known - domain.low) / domain.length for known, domain in pairs]

    def boxes(self, record: int, weights: list[Floats], effort: Effort) -> LabelledBoxes:
        reference = int(self.references[record])
        contest = Contest.of(self.trees, self.prepared[record], self.scores, reference)
        return label_space(contest, weights, effort)


def tree_regions(
    ensemble: TreeEnsemble, records: Records, references: Cells, effort: Effort | None = None
) -> Iterator[tuple[Boxes, Boxes]]:
    """Yield for each record the boxes in which its answer is surely the reference, and those left undecided.

    Args:
        ensemble: The trees.
        records: The records to predict.
        references: The answers that should survive, as indices into ``ensemble.classes``.
        effort: Limits on the work for a record; None allows less with more than three sensitive features.
    """
    task = _Task.of(ensemble, records, references)
    weights, limits = task.volumes(), effort or _usual_effort(records)
    for record in range(len(records)):
        found = task.boxes(record, weights, limits)
        yield _in_units(found, task.unit_edges, STABLE), _in_units(found, task.unit_edges, UNDECIDED)


def tree_utility(
    ensemble: TreeEnsemble,
    records: Records,
    references: Cells,
    curve: Curve,
    progress: Progress | None = None,
    effort: Effort | None = None,
) -> Certificate:
    """Return the utility of each record for every mechanism and ε: exact, unless boxes were left undecided.

    Boxes with the largest weight, averaged over the curve, are decided first. Undecided boxes count as
    failing in ``low`` and as stable in ``high``; the estimate is then the middle.

    Args:
        ensemble: The trees.
        records: The records to predict.
        references: The answers that should survive, as indices into ``ensemble.classes``.
        curve: The mechanisms and ε.
        progress: Called with the number of finished records and the number of all.
        effort: Limits on the work for a record; None allows less with more than three sensitive features.
    """
    solve = partial(_bounds, ensemble, curve, effort or _usual_effort(records))
    places = np.split(np.arange(len(records)), range(AT_ONCE, len(records), AT_ONCE))
    parts = on_workers(partial(solve, 1), [(records.take(some), references[some]) for some in places])
    if parts is None:
        low, high = solve(os.cpu_count(), records, references, progress)
    else:
        low, high = np.empty((2, len(records), *curve.shape))
        for some, part in zip(places, parts, strict=True):
            low[some], high[some] = part
            if progress is not None:
                progress(int(some[-1]) + 1, len(records))
    return Certificate((low + high) / 2, low, high, (METHOD,) * len(records))


def _bounds(
    ensemble: TreeEnsemble,
    curve: Curve,
    effort: Effort,
    threads: int | None,
    records: Records,
    references: Cells,
    progress: Progress | None = None,
) -> tuple[Floats, Floats]:
    """Return lower and upper bounds on the utility of each record."""
    task = _Task.of(ensemble, records, references)
    laws = EdgeLaws(curve, task.trees.edges, records.units(), task.domains)
    flat = task.volumes()
    low, high = np.empty((2, len(records), *curve.shape))

    def weigh(record: int) -> None:
        weights = laws.weights(record) if len(flat) > 2 else flat  # a plane is labelled in one step
        found = task.boxes(record, weights, effort)
        stable, open_ = laws.masses(record, found.low, found.high, found.label - STABLE, 2)
        low[record], high[record] = np.clip(stable, 0, 1), np.clip(stable + open_, 0, 1)

    with ThreadPoolExecutor(threads) as pool:
        for done, _ in enumerate(pool.map(weigh, range(len(records))), start=1):
            if progress is not None:
                progress(done, len(records))
    return low, high


def _usual_effort(records: Records) -> Effort:
    return Effort() if len(records.sensitive) <= 3 else Effort(boxes=FEW_BOXES)


def _in_units(found: LabelledBoxes, edges: Sequence[Floats], label: int) -> Boxes:
    """Return the boxes of one label in unit coordinates."""
    mine = found.label == label
    low, high = (
        np.stack([known[side[mine, axis]] for axis, known in enumerate(edges)], axis=1)
        for side in (found.low, found.high)
    )
    return Boxes(low, high)
