"""Models and statistics published from data you hold, with a PAC-privacy proof.

    >>> import numpy as np
    >>> from sklearn.cluster import KMeans
    >>> from noisewright.release import MutualInformation, Release
    >>> X = np.random.default_rng(0).normal(size=(200, 2)) + np.repeat([[0, 0], [9, 9]], 100, axis=0)
    >>> release = Release(KMeans(2), budget=MutualInformation(1 / 4), worlds=64).fit(X)
    >>> release.model_.cluster_centers_.shape
    (2, 2)

The algorithm runs in many public *worlds*, each a random half of the records. One world is drawn in secret,
and its output is published with noise. The proof hides which world was used, not who is in the data.

To read the room: ``publication`` is the whole job from a file to a report; ``release`` and
``unbounded_release`` are the entry from Python. Below them lie ``card`` and ``model_file`` (what leaves),
``composition`` (several releases), ``search`` (choice of parameters), ``bounded`` and ``unbounded`` (one
release), ``attacks``, then ``noise`` and ``execution`` (the runs), ``algorithms``, and ``basics`` (pool,
worlds, budgets).
"""

from importlib.util import find_spec

from noisewright.errors import MissingExtra

if find_spec("sklearn") is None:
    raise MissingExtra.of("releasing needs scikit-learn", "models")

from noisewright.release.attacks import AttackReport, measured_information
from noisewright.release.basics.budgets import (
    MembershipSuccess,
    MutualInformation,
    equivalent_epsilon,
    generalized_prior,
    information_for,
    posterior_success,
)
from noisewright.release.basics.worlds import Worlds
from noisewright.release.card import Card
from noisewright.release.composition import Secret
from noisewright.release.model_file import load, save
from noisewright.release.publication import Publication, ReleaseRequest, release_file
from noisewright.release.release import Release
from noisewright.release.search import search
from noisewright.release.unbounded import UnprovedRule
from noisewright.release.unbounded_release import UnboundedRelease

__all__ = [
    "AttackReport",
    "Card",
    "MembershipSuccess",
    "MutualInformation",
    "Publication",
    "Release",
    "ReleaseRequest",
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
    "release_file",
    "save",
    "search",
]
