"""How fast reports become a distribution: against perturbing them in NumPy, and SW + EM as published."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks import rivals
from benchmarks.timing import Row, rate
from noisewright import Interval
from noisewright.domains import Floats
from noisewright.estimate import Tally
from noisewright.estimate.em import fit_smoothly
from noisewright.mechanisms import OGPM, SW, NumericMechanism

REPORTS = 10_000_000
BINS = 1024
EPSILON = 1.0
REFERENCE = 4e4
"""Reports a second, from values to a distribution, of the SW + EM code that its authors published."""


def rows() -> list[Row]:
    """The lines of the table."""
    values = np.random.default_rng(4).beta(2, 5, REPORTS)
    theirs = rate(rivals.numpy_ogpm(values, EPSILON, circular=False), REPORTS, repeats=2)
    table = []
    for kind in (SW, OGPM):
        mechanism = kind(Interval(0, 1), EPSILON)
        reports = mechanism.perturb(values)
        ours = rate(partial(estimate, mechanism, reports), REPORTS, repeats=2)
        whole = rate(partial(perturb_and_estimate, mechanism, values), REPORTS, repeats=2)
        name = f"{kind.__name__}: 10⁷ reports to {BINS} bins"
        table += [
            Row(name, ours, "perturbing them in NumPy", ours / theirs, "> 1×", ours > theirs),
            Row(f"{name}, perturbed, too", whole, "SW + EM as published", whole / REFERENCE, "≥ 20×",
                whole >= 20 * REFERENCE, "4·10⁴ reports a second"),
        ]  # fmt: skip
    return table


def estimate(mechanism: NumericMechanism, reports: Floats) -> object:
    """Count and fit."""
    return fit_smoothly(Tally.of(reports, mechanism), BINS)


def perturb_and_estimate(mechanism: NumericMechanism, values: Floats) -> object:
    """From values to a distribution."""
    return estimate(mechanism, mechanism.perturb(values))
