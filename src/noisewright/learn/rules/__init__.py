"""The classifiers that the server sends to devices: rules that give each person a score.

>>> import numpy as np
>>> rule = LinearRule([1.0, -0.5], 0.25)
>>> rule.predict(np.array([[0.5, 0.5], [-1.0, 0.5]])).tolist()
[1, 0]
>>> Rule.from_dict(rule.to_dict()).weights.tolist()
[1.0, -0.5]
"""

from noisewright.learn.rules.additive import AdditiveRule, Axis
from noisewright.learn.rules.base import ReversedRule, Rule
from noisewright.learn.rules.two_classes import ConstantRule, LinearRule, MixedRule, ModelRule, mixed

__all__ = [
    "AdditiveRule",
    "Axis",
    "ConstantRule",
    "LinearRule",
    "MixedRule",
    "ModelRule",
    "ReversedRule",
    "Rule",
    "mixed",
]
