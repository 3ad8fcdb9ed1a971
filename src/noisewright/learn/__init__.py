"""Learning classifiers from people who never hand over a record: randomized reports and one-bit feedback.

    >>> import numpy as np
    >>> from noisewright import Interval
    >>> from noisewright.learn import LocalClassifier
    >>> generator = np.random.default_rng(0)
    >>> X = generator.uniform(0, 10, size=(4000, 3))
    >>> model = LocalClassifier(epsilon=2, domain=Interval(0, 10)).fit(X, X[:, 1] > 6)
    >>> model.accuracy_.beats_majority
    'yes'

:class:`LocalClassifier` is the one to use; :class:`MRMA` is the published method, with options. Both simulate
the clients in ``fit``; a :class:`Coordinator` and a :class:`Client` do the same with people's devices, which
send nothing but randomized answers. :func:`learn_file` does it with the rows of a file, and reports.

To read the room, begin with ``local.py`` and follow its rounds down: ``learners/`` (what is asked and made of
the answers), ``questions/`` (what an answer hides), ``rules/`` (what is learned and sent). ``mrma.py``
goes through ``ensemble/`` and ``bases/`` instead. ``scorecard/`` measures the result, ``devices/`` puts
the same questions to people, ``functional/`` takes curves, and ``simulation.py``, ``result.py`` and
``report.py`` are behind the command.
"""

from importlib.util import find_spec

from noisewright.errors import MissingExtra

if find_spec("sklearn") is None:
    raise MissingExtra.of("learning needs scikit-learn", "models")

from noisewright.learn.advisor import advise
from noisewright.learn.devices.client import Client
from noisewright.learn.devices.coordinator import Coordinator
from noisewright.learn.functional import FunctionalFeatures
from noisewright.learn.local import LocalClassifier
from noisewright.learn.models.learned_model import LearnedModel, load_model, save_model
from noisewright.learn.mrma import MRMA
from noisewright.learn.questions.rounds import read_chance
from noisewright.learn.result import LearningResult, Method
from noisewright.learn.rules.schema import Schema, read_schema
from noisewright.learn.scorecard import Scorecard
from noisewright.learn.servers import Server, collaborate
from noisewright.learn.simulation import LearnRequest, learn_file

__all__ = [
    "MRMA",
    "Client",
    "Coordinator",
    "FunctionalFeatures",
    "LearnRequest",
    "LearnedModel",
    "LearningResult",
    "LocalClassifier",
    "Method",
    "Schema",
    "Scorecard",
    "Server",
    "advise",
    "collaborate",
    "learn_file",
    "load_model",
    "read_chance",
    "read_schema",
    "save_model",
]
