"""The published framework for classifier utility (Zheng and Hu), faithfully and labelled "as published".

It is kept so that a reader can compare: its numbers are estimates that can exceed the truth
(:data:`CAVEATS`). For bounds that hold, use :func:`noisewright.utility.predict_utility`.
"""

from noisewright.utility.published.caveats import AS_PUBLISHED, CAVEATS
from noisewright.utility.published.concentration import ball_masses, box_masses, interval_masses
from noisewright.utility.published.empirical import empirical_utility
from noisewright.utility.published.framework import published_utility
from noisewright.utility.published.hyperrectangle import find_rectangles
from noisewright.utility.published.mechanisms import PAPER_MECHANISMS
from noisewright.utility.published.radius import find_radii
from noisewright.utility.published.relaxed import (
    PrivacyIndicator,
    feature_delta,
    gaussian_caveats,
    gaussian_guarantee,
)
from noisewright.utility.published.robustness import Prober, Verdicts
from noisewright.utility.published.rules import (
    Rule,
    clopper_pearson_rule,
    coded_rule,
    hoeffding_rule,
    hoeffding_samples,
)
from noisewright.utility.published.utility import Published, ball_utility, rectangle_utility

__all__ = [
    "AS_PUBLISHED",
    "CAVEATS",
    "PAPER_MECHANISMS",
    "PrivacyIndicator",
    "Prober",
    "Published",
    "Rule",
    "Verdicts",
    "ball_masses",
    "ball_utility",
    "box_masses",
    "clopper_pearson_rule",
    "coded_rule",
    "empirical_utility",
    "feature_delta",
    "find_radii",
    "find_rectangles",
    "gaussian_caveats",
    "gaussian_guarantee",
    "hoeffding_rule",
    "hoeffding_samples",
    "interval_masses",
    "published_utility",
    "rectangle_utility",
]
