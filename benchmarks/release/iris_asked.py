"""What was asked of the accuracies on iris, at the budgets 1/64, 1/16, 1/4, 1 and 4 nats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.linear_models import LinearSVM


@dataclass(frozen=True)
class Asked:
    """Figures to be met within a margin, or to be reached at least."""

    figures: tuple[float, ...]
    margin: float | None = None

    def kept(self, found: Sequence[float]) -> bool:
        """Whether every figure was met."""
        gaps = np.asarray(found) - np.asarray(self.figures)
        return bool((gaps >= 0).all() if self.margin is None else (np.abs(gaps) <= self.margin).all())

    def __str__(self) -> str:
        figures = " ".join(f"{figure:g}".lstrip("0") for figure in self.figures)
        return f"≥ {figures}" if self.margin is None else f"{figures} ± {self.margin:g}".replace("0.", ".")


KMEANS = Clusters(3, bounds=(-1.0, 1.0))
SVM, UNREGULARIZED = LinearSVM(C=0.05), LinearSVM(C=1.0)
ALGORITHMS: dict[str, Algorithm] = {"K-Means": KMEANS, "SVM C=.05": SVM, "SVM C=1": UNREGULARIZED}

CURVES = {
    ("K-Means", "paper"): Asked((0.75, 0.88, 0.945, 0.95, 0.95), margin=0.02),
    ("SVM C=.05", "paper"): Asked((0.49, 0.62, 0.75, 0.82, 0.84), margin=0.02),
    ("SVM C=1", "optimal"): Asked((0.46, 0.59, 0.76, 0.89, 0.94)),
}
"""Accuracies at the five budgets."""

SUCCESS = 0.588
CALIBRATED = {"K-Means": Asked((0.945,)), "SVM C=.05": Asked((0.77,))}
"""Accuracies where no attack is right about any record more often than SUCCESS."""

VARIANCE_SHARE = 0.78
"""Total variance of the default noise for K-Means, in that of the paper, for each budget up to 1/4."""
