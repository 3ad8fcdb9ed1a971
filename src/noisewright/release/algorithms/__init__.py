"""Algorithms that can be released: rows → a vector that gets noise → a model."""

from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.algorithms.catalogue import ALGORITHMS, algorithm_for, describe, rebuild
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.components import Components
from noisewright.release.algorithms.forest import Forest
from noisewright.release.algorithms.function import Function
from noisewright.release.algorithms.histogram import Histogram
from noisewright.release.algorithms.linear_models import LinearSVM, Logistic, Ridge
from noisewright.release.algorithms.naive_bayes import NaiveBayes
from noisewright.release.algorithms.scaled import Scaled
from noisewright.release.algorithms.statistics import Mean, Quantiles

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Clusters",
    "Components",
    "Facts",
    "Forest",
    "Function",
    "Histogram",
    "LinearSVM",
    "Logistic",
    "Mean",
    "NaiveBayes",
    "Quantiles",
    "Ridge",
    "Scaled",
    "algorithm_for",
    "describe",
    "rebuild",
]
