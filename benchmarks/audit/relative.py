"""The most exposed person in a database of 1,000 rows whose mean is released, found by screening.

    python -m benchmarks.audit relative [--runs 2000000]

The mean of incomes clipped to [0, 100], with Laplace noise for ε = 1 over the whole range. Almost everybody
lies close to the mean, so removing them moves it little; one outlier lies at the upper end. An audit of every
neighbour with 2×10⁶ runs would take a thousand times an audit of a pair; screening spends a cheap budget on
each and the rest on the one that looked worst, whose bound is from fresh runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from benchmarks.audit.measuring import parser
from benchmarks.release.clock import clocked
from benchmarks.release.text import Line, show, status
from noisewright.audit import audit_relative
from noisewright.domains import Floats

ROWS: Final = 1000
MOST: Final = 100.0
SCALE: Final = MOST / ROWS
MOST_SECONDS: Final = 300.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print who was found, the bound, and the time."""
    options = parser("relative", __doc__)
    options.add_argument("--runs", type=int, default=2_000_000)
    chosen = options.parse_args(arguments)
    incomes = database(chosen.seed)
    worst, true = worst_off(incomes)
    with clocked() as spent:
        found = audit_relative(mean_release, incomes, samples=chosen.runs, vectorized=True, seed=chosen.seed)
        lower = found.epsilon_lower()
    lines = [
        Line(("worst off", found.worst), f"row {worst}", f"row {worst} removed" in found.worst),
        Line(("true ε of the worst", f"{true:.4f}")),
        Line(("ε lower", f"{lower:.4f}"), "> 0 and ≤ the true", 0 < lower <= true),
        Line(("runs", f"{found.samples:,}")),
        Line(("time", str(spent)), f"≤ {MOST_SECONDS:g} s", spent.wall <= MOST_SECONDS),
    ]
    show(f"the mean of {ROWS:,} rows", ("what", "measured"), lines)
    return status(lines)


def database(seed: int) -> Floats:
    """Incomes around 40, and one at the upper end in a random row."""
    generator = np.random.default_rng([seed, 7])
    incomes = np.clip(generator.normal(40.0, 5.0, ROWS), 0.0, 60.0)
    incomes[generator.integers(ROWS)] = MOST
    return np.asarray(incomes)


def mean_release(data: Floats, count: int, generator: np.random.Generator) -> Floats:
    """The mean with Laplace noise of scale range/rows: about what removing a row can move it by."""
    clipped = np.clip(data, 0.0, MOST)
    return np.asarray(clipped.mean() + generator.laplace(scale=SCALE, size=count))


def worst_off(incomes: Floats) -> tuple[int, float]:
    """The row whose removal moves the mean most, and the ε that this is worth."""
    moves = np.abs((incomes.sum() - incomes) / (incomes.size - 1) - incomes.mean())
    return int(np.argmax(moves)), float(moves.max() / SCALE)
