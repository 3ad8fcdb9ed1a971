"""One algorithm of every kind that can be released, small enough to be fitted in a moment."""

from noisewright.release.algorithms import (
    Clusters,
    Components,
    Forest,
    Histogram,
    LinearSVM,
    Logistic,
    Mean,
    NaiveBayes,
    Quantiles,
    Ridge,
    Scaled,
)

ALGORITHMS = (
    Mean(), Clusters(2), Components(2), Forest(trees=2, depth=2), Histogram(4, 0, 1), Quantiles((0.25, 0.5)),
    LinearSVM(), Logistic(), NaiveBayes(), Ridge(), Scaled(Clusters(2)), Scaled(LinearSVM(), "standard"),
)  # fmt: skip
