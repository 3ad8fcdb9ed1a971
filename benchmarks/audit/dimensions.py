"""Noise on vectors: a trained score against the analytic curve.

    python -m benchmarks.audit dimensions [--runs 2000000] [--repetitions 2]

The inputs differ in one coordinate or a little in all of them, at Euclidean distance 1 for Gaussian noise and
at L1 distance 1 for Laplace noise. "error" is the largest distance of the estimate from the truth over ε from
0 to 1.5, "band" that of the lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.audit.known import Known, gaussian_vector, laplace_vectors
from benchmarks.audit.measuring import Measured, median_and_worst, parser
from benchmarks.release.text import Line, show, status

ASKED = (
    (gaussian_vector(50, spread=False), 0.005),
    (gaussian_vector(50, spread=True), 0.005),
    (laplace_vectors(20, spread=False), 0.025),
    (laplace_vectors(20, spread=True), 0.025),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print errors and bands."""
    options = parser("dimensions", __doc__)
    options.add_argument("--runs", type=int, default=2_000_000)
    options.add_argument("--repetitions", type=int, default=2)
    chosen = options.parse_args(arguments)
    seeds = range(chosen.seed, chosen.seed + chosen.repetitions)
    names = ("mechanism", "score", "error", "band", "CPU s")
    lines = [compared(known, most, chosen.runs, seeds) for known, most in ASKED]
    show(f"vectors, {chosen.runs:,} runs, median / worst of {chosen.repetitions}", names, lines)
    return status(lines)


def compared(known: Known, most: float, runs: int, seeds: Sequence[int]) -> Line:
    """One mechanism, audited several times."""
    found = [Measured.of(known, runs, seed) for seed in seeds]
    errors, bands = [one.error for one in found], [one.below for one in found]
    seconds = sum(one.processor for one in found) / len(found)
    cells = (known.title, found[0].spectrum.score, median_and_worst(errors), median_and_worst(bands))
    return Line((*cells, f"{seconds:.0f}"), f"error ≤ {most:g}", max(errors) <= most)
