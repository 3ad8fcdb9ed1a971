"""Exact utilities of linear models: the law of the score, from the laws of the reports.

Reading order: ``model`` reads scores out of scikit-learn. ``halfspaces`` says where a record keeps its
answer, and ``piecewise_laws`` holds laws as arrays. The sums are in ``polygons`` for two features, ``slices``
for three and ``score_grid`` for more. ``utility`` chooses among them.
"""

from noisewright.utility.linear.model import LinearModel, read_linear
from noisewright.utility.linear.utility import linear_utility

__all__ = ["LinearModel", "linear_utility", "read_linear"]
