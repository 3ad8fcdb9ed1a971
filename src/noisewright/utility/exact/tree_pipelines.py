"""Reading a tree model, with or without scalers before it."""

from __future__ import annotations

from typing import Any

from noisewright.utility.exact.ensembles import TreeEnsemble
from noisewright.utility.exact.scalers import is_exactly, scaler_moves
from noisewright.utility.exact.tree_columns import Columns
from noisewright.utility.exact.tree_readers import find_reader


def read_trees(model: Any) -> TreeEnsemble | None:
    """A fitted scikit-learn model as a sum of trees, or nothing if it is not one that is known to be.

    Known are decision trees, forests, extra trees, bagged and boosted trees and histogram boosting without
    categorical splits; each may stand at the end of a pipeline of scalers that treat columns one by one.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> ensemble = read_trees(DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"]))
    >>> ensemble.classes, float(ensemble.threshold[0])
    (('no', 'yes'), 0.5)
    >>> read_trees(lambda rows: rows) is None
    True
    """
    steps, final = _unfolded(model)
    reader = find_reader(final)
    if reader is None or not hasattr(final, "n_features_in_"):
        return None
    ensemble = reader(final)
    if ensemble is None:
        return None
    columns = Columns(single=ensemble.columns.single)
    for step in steps:
        after = _scaled(columns, step)
        if after is None:
            return None
        columns = after
    return ensemble.through(columns)


def _unfolded(model: Any) -> tuple[list[Any], Any]:
    """The steps of a pipeline and its last; a model alone has no steps."""
    if not is_exactly(model, "Pipeline"):
        return [], model
    steps = [step for _, step in model.steps]
    return [step for step in steps[:-1] if step is not None and step != "passthrough"], steps[-1]


def _scaled(columns: Columns, step: Any) -> Columns | None:
    """The columns after a scaler as well; nothing if it turns a column round, or is none."""
    moves = scaler_moves(step)
    if moves is None or any(name in ("divide", "multiply") and not (by > 0).all() for name, by in moves):
        return None  # a column that is turned round would go right where it went left
    for name, by in moves:
        columns = columns.after(name, by)
    return columns
