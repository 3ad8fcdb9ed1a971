"""Made-up samples for the tests of the weak classifiers."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.rules import Rule


def noisy_samples(seed: int, *, samples: int = 6, people: int = 60, columns: int = 4, noise: float = 1.0):
    """Units and signs of a logistic model on [-1, 1], Laplace noise added to the units."""
    generator = np.random.default_rng(seed)
    truth = generator.uniform(-1, 1, (samples, people, columns))
    slopes = 2.0 * (-0.7) ** np.arange(columns)
    chance = 1 / (1 + np.exp(-0.3 - truth @ slopes))
    signs = np.where(generator.random((samples, people)) < chance, 1, -1)
    return truth + generator.laplace(scale=noise, size=truth.shape), signs


def vectors(rules: list[Rule]) -> Floats:
    """Weights and intercept of linear rules, one row each."""
    return np.array([[*rule.weights, rule.intercept] for rule in rules])
