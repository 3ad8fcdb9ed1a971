"""One score for the whole curve against a classifier for every ε, in one run: error and processor time.

    python -m benchmarks.audit cost [--runs 2000000] [--published]

Eureka (Lu et al. 2024) trains √n nearest neighbours anew for every ε; its error is measured here at 7 values
of ε from 0 to 1.5 by neighbours found through sorting, which cast the same votes (the table says for how many
of a sample). Its time is that of scikit-learn's neighbours for the same sample of test outputs, scaled to all
of them; ``--published`` runs it to its end at one ε, a quarter of an hour. Our times hold everything,
sampling included, for the curve at 61 values. Ratios are times for a curve at the same 7 values of ε.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.audit.known import GAUSSIAN, LAPLACE, Known
from benchmarks.audit.measuring import Measured, parser
from benchmarks.audit.sorted_neighbours import SortedNeighbours
from benchmarks.release.text import Line, show, status
from benchmarks.timing import Row
from noisewright.published.eureka import eureka_pair
from noisewright.published.eureka.classifiers import odd_root

EPSILONS: Final = np.linspace(0.0, 1.5, 7)
SAMPLE: Final = 4_000
SCORES: Final = {"value": 100.0, "boosting": 10.0, "network": 10.0}
"""Scores, and how many times less processor time than Eureka was asked for."""


@dataclass(frozen=True)
class Rival:
    """Eureka on one mechanism: its largest error, and seconds for all ε, as published and by sorting."""

    error: float
    published: float
    sorting: float
    agreement: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Print errors, times and ratios."""
    options = parser("cost", __doc__)
    options.add_argument("--runs", type=int, default=2_000_000)
    options.add_argument("--published", action="store_true", help="run scikit-learn's neighbours at one ε")
    chosen = options.parse_args(arguments)
    lines = [line for known in (LAPLACE, GAUSSIAN) for line in compared(known, chosen.runs, chosen.seed)]
    names = ("mechanism", "method", "error", "CPU s", "against published", "against sorting")
    show(f"a curve from {chosen.runs:,} runs", names, lines)
    if chosen.published:
        show("as published, one ε", ("mechanism", "ε", "error", "CPU s"), [whole(LAPLACE, chosen.runs)])
    return status(lines)


def rows(runs: int = 2_000_000, seed: int = 1) -> list[Row]:
    """The lines of ``make bench`` about auditing."""
    seconds = measured_rival(LAPLACE, runs, seed).published
    found = {score: Measured.of(LAPLACE, runs, seed, score=score) for score in SCORES}
    return [
        Row(
            f"audit Laplace, {score}", runs / one.processor, "Eureka's neighbours: CPU",
            seconds / one.processor, f"≥ {SCORES[score]:g}×", seconds / one.processor >= SCORES[score],
            f"δ within {one.error:.4f}, all ε, {one.processor:.1f} s CPU; Eureka {seconds:,.0f} s for 7 ε",
        )
        for score, one in found.items()
    ]  # fmt: skip


def compared(known: Known, runs: int, seed: int) -> list[Line]:
    """Eureka, and each of our scores."""
    rival = measured_rival(known, runs, seed)
    same = f"Eureka, votes alike {rival.agreement:.2%}"
    lines = [Line((known.title, same, f"{rival.error:.5f}", f"{rival.published:,.0f}", "", ""))]
    lines += [ours(known, runs, seed, score, least, rival) for score, least in SCORES.items()]
    return lines


def ours(known: Known, runs: int, seed: int, score: str, least: float, rival: Rival) -> Line:
    """One score for all ε."""
    found = Measured.of(known, runs, seed, score=score)
    ratios = rival.published / found.processor, rival.sorting / found.processor
    numbers = (f"{found.error:.5f}", f"{found.processor:.1f}", f"{ratios[0]:,.0f}×", f"{ratios[1]:.1f}×")
    cells = (known.title, f"one score: {score}", *numbers)
    return Line(cells, f"≥ {least:g}× published", ratios[0] >= least)


def measured_rival(known: Known, runs: int, seed: int) -> Rival:
    """The published method: error by sorting, time by a sample of scikit-learn's work."""
    start = time.process_time()
    found = eureka_pair(
        known.draw, known.left, known.right, EPSILONS, samples=runs, vectorized=True, seed=seed, jobs=1,
        classifier=SortedNeighbours(odd_root(runs // 2)),
    )  # fmt: skip
    sorting = time.process_time() - start
    seconds, agreement = neighbours_time(known, runs, seed)
    error = float(np.abs(found.deltas - known.truth(EPSILONS)).max())
    shown = (1 + np.exp(-EPSILONS)) / 2  # of the test outputs, the others are hidden and need no vote
    return Rival(error, seconds * float(shown.sum()), sorting, agreement)


def neighbours_time(known: Known, runs: int, seed: int) -> tuple[float, float]:
    """Processor seconds of scikit-learn's neighbours at ε = 0, and how often sorting casts the same vote."""
    generator = np.random.default_rng(seed)
    half = runs // 2
    labels = generator.integers(0, 2, half)
    ones, zeros = (known.draw(data, half, generator) for data in (known.right, known.left))
    table = np.where(labels == 1, ones, zeros)[:, None]
    asked = known.draw(known.left, SAMPLE, generator)[:, None]
    start = time.process_time()
    model = KNeighborsClassifier(odd_root(runs // 2), algorithm="kd_tree").fit(table, labels)
    fitted = time.process_time()
    votes = model.predict(asked)
    predicted = time.process_time()
    same = votes == SortedNeighbours(odd_root(runs // 2)).fit(table, labels).predict(asked)
    return fitted - start + (predicted - fitted) * half / SAMPLE, float(same.mean())


def whole(known: Known, runs: int) -> Line:
    """The published procedure to its end, at one ε."""
    start = time.process_time()
    found = eureka_pair(
        known.draw, known.left, known.right, [0.5], samples=runs, vectorized=True, seed=1, jobs=1
    )
    error = float(np.abs(found.deltas - known.truth(found.epsilons))[0])
    return Line((known.title, "0.5", f"{error:.5f}", f"{time.process_time() - start:,.0f}"))
