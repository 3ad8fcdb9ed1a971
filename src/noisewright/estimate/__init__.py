"""From reports back to people: means, distributions and shares of labels, with intervals that hold.

    >>> import numpy as np
    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import PM
    >>> from noisewright.estimate import mean
    >>> mechanism = PM(Interval(40, 200), epsilon=2.0)
    >>> reports = mechanism.perturb(np.random.default_rng(0).normal(80, 10, 50_000).clip(40, 200))
    >>> estimate = mean(reports, mechanism)
    >>> bool(estimate.low < estimate.value < estimate.high)
    True

Estimates use the law of the mechanism and nothing else about the data. All are computed from a
:class:`Tally`, which can be filled piece by piece and added to others; an array and its mechanism work, too.

Read ``groups.py`` and ``tally.py`` first: they count reports. ``channel.py`` has the law between bins and
parts of the reports, and ``em.py`` fits distributions with it. ``functional.py``, ``partition.py`` and
``sandwich.py`` make intervals. The other files answer the questions.
"""

from noisewright.estimate.distributions import distribution, quantile
from noisewright.estimate.frequencies import frequencies
from noisewright.estimate.moments import mean, variance
from noisewright.estimate.result import Estimate, Frequencies, Histogram
from noisewright.estimate.tally import Tally

__all__ = [
    "Estimate",
    "Frequencies",
    "Histogram",
    "Tally",
    "distribution",
    "frequencies",
    "mean",
    "quantile",
    "variance",
]
