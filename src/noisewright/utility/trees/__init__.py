"""Exact utilities of trees, forests and boosted trees: probabilities of boxes with a constant answer.

Reading order: ``ensemble`` (trees as arrays) and ``readers`` (scikit-learn's models as such), ``restriction``
(the trees of one record), ``scores`` and ``grid`` (who wins in a cell), ``search`` (the boxes of a record),
``masses`` (their probabilities), and ``utility``, which puts it together.
"""

from noisewright.utility.trees.ensemble import TreeEnsemble
from noisewright.utility.trees.readers import read_trees
from noisewright.utility.trees.utility import Effort, tree_regions, tree_utility

__all__ = ["Effort", "TreeEnsemble", "read_trees", "tree_regions", "tree_utility"]
