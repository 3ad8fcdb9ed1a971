"""Table A.1 in short: what projection and rescaling cost before any noise, and how the table was evaluated.

A vector classifier with weights b is trained on rescaled coefficients z*. The paper then turns b into a slope
Σ bₖ φₖ(t) and scores curves with it, which is z on G b and not z* on b; only so its logistic row comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.bases import find_base
from noisewright.learn.functional import BSplineBasis, MaxAbs, Projection, Tanh
from noisewright.learn.functional.curve_rules import curve_rule
from noisewright.learn.functional.simulation import CurveSample, single_server
from noisewright.learn.rules import Rule

TRAINING, TESTING = 50, 500
SIZES = (4, 5, 6)
AS_IT_IS = MaxAbs()
"""Undoes nothing: test curves are scored by their own coefficients."""

ENCODINGS: dict[str, Callable[[Floats], Floats]] = {
    "Coefs": lambda coefficients: coefficients,
    "Tanh": Tanh().shrink,
    "MAN": MaxAbs().shrink,
}
PUBLISHED = {
    4: {"Coefs": 17.81, "Tanh": 12.32, "MAN": 11.68},
    5: {"Coefs": 20.66, "Tanh": 13.55, "MAN": 12.81},
    6: {"Coefs": 23.19, "Tanh": 15.21, "MAN": 13.86},
}
"""The logistic row."""


def encoding_errors(functions: int, repetitions: int, seed: int) -> dict[str, tuple[float, float]]:
    """For each encoding the mean error of the slope as printed, and of the rule on what it was trained on."""
    basis, generator = BSplineBasis(functions), np.random.default_rng(seed)
    found = [_once(basis, generator) for _ in range(repetitions)]
    means = np.mean(found, axis=0)
    return {name: (float(pair[0]), float(pair[1])) for name, pair in zip(ENCODINGS, means, strict=True)}


def _once(basis: BSplineBasis, generator: np.random.Generator) -> list[tuple[float, float]]:
    training, testing = (single_server().draw(count, generator) for count in (TRAINING, TESTING))
    projection = Projection(basis, training.grid)
    known, asked = (projection.coefficients(sample.curves) for sample in (training, testing))
    pairs = []
    for encode in ENCODINGS.values():
        rule = find_base("logistic").fit(encode(known), 2 * training.labels - 1, generator)
        slope = curve_rule(rule, basis, AS_IT_IS, method="coefficients")
        pairs.append((_error(slope, asked, testing), _error(rule, encode(asked), testing)))
    return pairs


def _error(rule: Rule, units: Floats, sample: CurveSample) -> float:
    return float(np.mean(rule.predict(units) != sample.labels))


def encoding_table(repetitions: int, seed: int = 0) -> Iterator[str]:
    """The logistic row of the table for 4, 5 and 6 functions."""
    yield "table A.1, logistic, without noise: error in %"
    yield f"  {'':<20}{'published':>12}{'slope on curve':>16}{'rule on its input':>20}"
    for functions in SIZES:
        for name, (slope, rule) in encoding_errors(functions, repetitions, seed).items():
            title = f"d = {functions}, {name}"
            yield f"  {title:<20}{PUBLISHED[functions][name]:>12.2f}{100 * slope:>16.2f}{100 * rule:>20.2f}"
