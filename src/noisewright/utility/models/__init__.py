"""Any classifier, asked with checks and limits.

    >>> import numpy as np
    >>> from noisewright.utility.models import BlackBox
    >>> box = BlackBox(lambda rows: np.where(rows[:, 0] > 40, "old", "young"), classes=("young", "old"))
    >>> [box.classes[code] for code in box.ask([[30.0], [50.0]], numbers=[1, 2])]
    ['young', 'old']

:func:`as_classifier` takes a function or a fitted estimator. :func:`open_model` opens a file, an address or
an object in a module. A :class:`BlackBox` asks the model in batches, within a time and a budget, and checks
every answer.
"""

from noisewright.utility.models.blackbox import BlackBox
from noisewright.utility.models.classifier import Classifier, as_classifier, feature_names
from noisewright.utility.models.loader import open_model

__all__ = ["BlackBox", "Classifier", "as_classifier", "feature_names", "open_model"]
