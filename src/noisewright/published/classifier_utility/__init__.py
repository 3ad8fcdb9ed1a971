"""The published framework for classifier utility (Zheng and Hu), faithfully and labelled "as published".

It is here for comparison: its numbers are estimates that can exceed the truth (:data:`CAVEATS`). For bounds
that hold, use :func:`noisewright.utility.predict_utility`.
"""

from noisewright.published.classifier_utility.framework import (
    PublishedBeside,
    empirical_utility,
    find_radii,
    find_rectangles,
    published_utility,
)
from noisewright.published.classifier_utility.relaxed import (
    PrivacyIndicator,
    feature_delta,
    gaussian_caveats,
    gaussian_guarantee,
)
from noisewright.published.classifier_utility.robustness import (
    Prober,
    Rule,
    Verdicts,
    clopper_pearson_rule,
    coded_rule,
    hoeffding_rule,
    hoeffding_samples,
)
from noisewright.published.classifier_utility.utility import (
    AS_PUBLISHED,
    CAVEATS,
    PAPER_MECHANISMS,
    Published,
    ball_masses,
    ball_utility,
    box_masses,
    interval_masses,
    rectangle_utility,
)

__all__ = [
    "AS_PUBLISHED",
    "CAVEATS",
    "PAPER_MECHANISMS",
    "PrivacyIndicator",
    "Prober",
    "Published",
    "PublishedBeside",
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
