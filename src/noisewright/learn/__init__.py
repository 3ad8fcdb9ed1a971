"""Learning classifiers from people who never hand over a record: randomized reports and one-bit feedback.

    >>> import numpy as np
    >>> from noisewright import Interval
    >>> from noisewright.learn import LocalClassifier
    >>> generator = np.random.default_rng(0)
    >>> X = generator.uniform(0, 10, size=(4000, 3))
    >>> model = LocalClassifier(epsilon=2, domain=Interval(0, 10)).fit(X, X[:, 1] > 6)
    >>> model.accuracy_.beats_majority
    'yes'

:class:`LocalClassifier` is the one to take; :class:`MRMA` is the published method, and what it can be made to
do. Both play the clients in ``fit``; a :class:`Coordinator` and a :class:`Client` do the same with people's
devices, where nothing but a randomized answer ever leaves.
"""

from importlib.util import find_spec

from noisewright.errors import MissingExtra

if find_spec("sklearn") is None:
    raise MissingExtra.of("learning needs scikit-learn", "models")

from noisewright.learn.advisor import advise
from noisewright.learn.field.client import Client
from noisewright.learn.field.coordinator import Coordinator
from noisewright.learn.functional import FunctionalFeatures
from noisewright.learn.learned_model import LearnedModel
from noisewright.learn.local import LocalClassifier
from noisewright.learn.model_file import load_model, save_model
from noisewright.learn.mrma import MRMA
from noisewright.learn.schema import Schema, read_schema
from noisewright.learn.scorecard import Scorecard
from noisewright.learn.servers import Server, collaborate

__all__ = [
    "MRMA",
    "Client",
    "Coordinator",
    "FunctionalFeatures",
    "LearnedModel",
    "LocalClassifier",
    "Schema",
    "Scorecard",
    "Server",
    "advise",
    "collaborate",
    "load_model",
    "read_schema",
    "save_model",
]
