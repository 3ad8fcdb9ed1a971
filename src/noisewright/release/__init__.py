"""Publishing models and statistics from data you hold, with a PAC-privacy proof.

    >>> import numpy as np
    >>> from sklearn.cluster import KMeans
    >>> from noisewright.release import MutualInformation, Release
    >>> X = np.random.default_rng(0).normal(size=(200, 2)) + np.repeat([[0, 0], [9, 9]], 100, axis=0)
    >>> release = Release(KMeans(2), budget=MutualInformation(1 / 4), worlds=64).fit(X)
    >>> release.model_.cluster_centers_.shape
    (2, 2)

The algorithm is run in many public halves of the data; one half is drawn in secret and its output published
with noise. What is hidden is which half was used, not who is in the data.
"""

from importlib.util import find_spec

from noisewright.errors import MissingExtra

if find_spec("sklearn") is None:
    raise MissingExtra.of("releasing needs scikit-learn", "models")

from noisewright.release.attacks import AttackReport, measured_information
from noisewright.release.budget import MembershipSuccess, MutualInformation
from noisewright.release.card import Card
from noisewright.release.composition import Secret
from noisewright.release.meaning import (
    equivalent_epsilon,
    generalized_prior,
    information_for,
    posterior_success,
)
from noisewright.release.model_file import load, save
from noisewright.release.release import Release
from noisewright.release.search import search
from noisewright.release.unbounded import UnprovedRule
from noisewright.release.unbounded_release import UnboundedRelease
from noisewright.release.worlds import Worlds

__all__ = [
    "AttackReport",
    "Card",
    "MembershipSuccess",
    "MutualInformation",
    "Release",
    "Secret",
    "UnboundedRelease",
    "UnprovedRule",
    "Worlds",
    "equivalent_epsilon",
    "generalized_prior",
    "information_for",
    "load",
    "measured_information",
    "posterior_success",
    "save",
    "search",
]
