"""Exact utilities of trees, forests and boosted trees: probabilities of boxes with a constant answer.

Reading order: ``ensemble`` holds trees as arrays, and ``readers`` reads scikit-learn's models into it.
``restriction`` has the trees of one record; ``scores`` and ``grid`` find the winner in a cell. ``search``
finds the boxes of a record, ``masses`` their probabilities, and ``utility`` puts it together.
"""

from noisewright.utility.trees.ensemble import TreeEnsemble
from noisewright.utility.trees.readers import read_trees
from noisewright.utility.trees.utility import Effort, tree_regions, tree_utility

__all__ = ["Effort", "TreeEnsemble", "read_trees", "tree_regions", "tree_utility"]
