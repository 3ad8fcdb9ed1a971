"""Exact utilities of linear models: the law of the score, from the laws of the reports.

Reading order: ``model`` (scores read out of scikit-learn), ``halfspaces`` (where a record keeps its answer),
``piecewise_laws`` (laws as arrays), the sums for two features (``polygons``), three (``slices``) and more
(``score_grid``), and ``utility``, which chooses among them.
"""

from noisewright.utility.linear.model import LinearModel, read_linear
from noisewright.utility.linear.utility import linear_utility

__all__ = ["LinearModel", "linear_utility", "read_linear"]
