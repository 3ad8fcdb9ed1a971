"""Runs until a false claim falls: watched all the time, and in one audit of a size fixed beforehand.

    python -m benchmarks.audit monitor [--repetitions 41]

A watched audit may be stopped at any moment; it needs no size. "watched" is the median of the runs at which
it refutes the claim. "fixed" is the smallest of sizes in steps of 10 % at which half of all audits refute it,
which nobody could have known before. The last lines watch claims that are true, and count who ever refutes
one; at 95 % one of twenty may.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

import numpy as np
from scipy.stats import binom

from benchmarks.audit.known import GAUSSIAN, LAPLACE, RESPONSE, SIGMA, Known
from benchmarks.audit.measuring import parser
from benchmarks.release.text import Line, show, status
from noisewright.audit import Claim, Experiment, black_box
from noisewright.audit.monitor import watch
from noisewright.audit.truth import gaussian

FALSE: Final = (
    (LAPLACE, Claim(0.8)),
    (LAPLACE, Claim(0.9)),
    (RESPONSE, Claim(0.8)),
    (GAUSSIAN, Claim(0.2, 1e-3)),
)
TRUE: Final = (
    (LAPLACE, Claim(1.0)),
    (RESPONSE, Claim(1.0)),
    (GAUSSIAN, Claim(0.2, float(gaussian(SIGMA, 0.2)))),
)
FIRST, STEP, LAST = 1_000, 1.1, 4_000_000
WATCHED_RUNS: Final = 20_000
WATCHERS: Final = 200
FAILURE, ALARM = 0.05, 1e-3


def main(arguments: Sequence[str] | None = None) -> int:
    """Print runs and ratios."""
    options = parser("monitor", __doc__)
    options.add_argument("--repetitions", type=int, default=41)
    chosen = options.parse_args(arguments)
    seeds = range(chosen.seed, chosen.seed + chosen.repetitions)
    lines = [compared(known, claim, seeds) for known, claim in FALSE]
    show("runs until a false claim falls", ("mechanism", "claim", "watched", "fixed", "ratio"), lines)
    alarms = [
        watched_truth(known, claim, range(chosen.seed, chosen.seed + WATCHERS)) for known, claim in TRUE
    ]
    show(
        f"true claims, watched for {WATCHED_RUNS:,} runs",
        ("mechanism", "claim", f"refuted of {WATCHERS}"),
        alarms,
    )
    return status([*lines, *alarms])


def compared(known: Known, claim: Claim, seeds: Sequence[int]) -> Line:
    """One false claim."""
    watched = float(np.median([stopped_at(known, claim, seed, LAST) for seed in seeds]))
    fixed = smallest_size(known, claim, seeds)
    return Line((known.title, str(claim), f"{watched:,.0f}", f"{fixed:,}", f"{watched / fixed:.2f}"))


def stopped_at(known: Known, claim: Claim, seed: int, most: int) -> float:
    """Runs over both inputs until the monitor refutes; infinite if it does not."""
    experiment = Experiment(
        black_box(known.draw, vectorized=True), known.left, known.right, jobs=1, seed=seed
    )
    for state in watch(experiment, claim, samples=most, seed=seed):
        if state.refuted:
            return state.samples
    return np.inf


def smallest_size(known: Known, claim: Claim, seeds: Sequence[int]) -> int:
    """The smallest audit that refutes the claim more than half of the time."""
    sizes = (2 * round(FIRST * STEP**step / 2) for step in count())
    return next(runs for runs in sizes if refuted_share(known, claim, runs, seeds) > 0.5)


def refuted_share(known: Known, claim: Claim, runs: int, seeds: Sequence[int]) -> float:
    """How many audits of one size refute the claim."""
    return float(np.mean([known.audited(runs, seed, claim=claim).verdict == "false" for seed in seeds]))


def watched_truth(known: Known, claim: Claim, seeds: Sequence[int]) -> Line:
    """How many monitors ever refute a true claim."""
    refuted = sum(np.isfinite(stopped_at(known, claim, seed, WATCHED_RUNS)) for seed in seeds)
    kept = bool(binom.sf(refuted - 1, len(seeds), FAILURE) > ALARM)
    return Line((known.title, str(claim), str(refuted)), "≤ 5 %, exact", kept)
