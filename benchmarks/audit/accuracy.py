"""One score for the whole curve: the error of δ(ε) over ε from 0 to 1.5, and the band's distance from it.

    python -m benchmarks.audit accuracy [--repetitions 8]

Laplace noise for ε = 1 and Gaussian noise for (1, 10⁻⁵) on a number, audited with 2×10⁶ runs in all, and with
as many for each input. "error" is the largest of 61 distances between estimate and truth, "band" the largest
by which the lower curve, which holds for all ε together at 95 %, stays below the truth: median / worst of the
repetitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks.audit.known import GAUSSIAN, LAPLACE, Known
from benchmarks.audit.measuring import Measured, median_and_worst, parser
from benchmarks.release.text import Line, show, status

RUNS: Final = 2_000_000
MOST_ERROR: Final = 0.002
MOST_BAND: Final = 0.005


def main(arguments: Sequence[str] | None = None) -> int:
    """Print errors and bands."""
    options = parser("accuracy", __doc__)
    options.add_argument("--repetitions", type=int, default=8)
    chosen = options.parse_args(arguments)
    seeds = range(chosen.seed, chosen.seed + chosen.repetitions)
    lines = [
        line
        for known in (LAPLACE, GAUSSIAN)
        for runs, words in ((RUNS, "2e6 in all"), (2 * RUNS, "2e6 an input"))
        for line in compared(known, runs, words, seeds)
    ]
    title = f"error and band, median / worst of {chosen.repetitions} audits"
    show(title, ("mechanism", "runs", "what", "median / worst", "CPU s"), lines)
    return status(lines)


def compared(known: Known, runs: int, words: str, seeds: Sequence[int]) -> Iterator[Line]:
    """Two lines of the table: the estimate, and the lower bound."""
    found = [Measured.of(known, runs, seed) for seed in seeds]
    seconds = f"{sum(one.processor for one in found) / len(found):.2f}"
    errors, bands = [one.error for one in found], [one.below for one in found]
    yield Line(
        (known.title, words, "error", median_and_worst(errors), seconds),
        f"≤ {MOST_ERROR:g}", max(errors) <= MOST_ERROR,
    )  # fmt: skip
    yield Line(
        (known.title, words, "band", median_and_worst(bands), seconds),
        f"≤ {MOST_BAND:g}", max(bands) <= MOST_BAND,
    )  # fmt: skip
