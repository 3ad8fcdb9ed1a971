"""Weak classifiers: how the server turns randomized reports into rules that clients then judge."""

from noisewright.learn.bases.base import Base, LinearBase
from noisewright.learn.bases.dwd import DistanceWeighted
from noisewright.learn.bases.estimator import EstimatorBase
from noisewright.learn.bases.find import find_base
from noisewright.learn.bases.gradient import ConjugateGradient
from noisewright.learn.bases.logistic import Logistic
from noisewright.learn.bases.naive_bayes import NaiveBayes
from noisewright.learn.bases.random_directions import RandomDirections
from noisewright.learn.bases.reports import ReportBase, ReportMoments
from noisewright.learn.bases.svm import SupportVector

__all__ = [
    "Base",
    "ConjugateGradient",
    "DistanceWeighted",
    "EstimatorBase",
    "LinearBase",
    "Logistic",
    "NaiveBayes",
    "RandomDirections",
    "ReportBase",
    "ReportMoments",
    "SupportVector",
    "find_base",
]
