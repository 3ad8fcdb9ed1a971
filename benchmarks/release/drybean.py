"""Dry Bean, 13,611 × 16 with seven classes: how long its worlds take, and what is left of K-Means and SVMs.

    python -m benchmarks.release drybean --data FOLDER [--worlds 1024] [--jobs 2]

Columns are stretched to [0, 1]; 70 % are the pool, accuracies are on the others. Centroids are moved into the
box after the noise. Published beside it (figures 2 to 4, read off): K-Means close to its .75 from 1 nat on;
SVM C=1 below .5 until 2 nats; SVM C=.005 with small losses from 1/8 on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.release import data
from benchmarks.release.clock import clocked
from benchmarks.release.playing import BUDGET_NAMES, SHAPES, Played
from benchmarks.release.text import Line, needed, numbers, parser, show, status
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.linear_models import LinearSVM

RELEASES = 200
"""On four thousand test records each: accuracies are exact to a few thousandths."""

MINUTES = 5.0
"""Wall time of the worlds of one algorithm that is still "minutes"."""

ALGORITHMS: dict[str, Algorithm] = {
    "K-Means": Clusters(7, bounds=(0.0, 1.0)),
    "SVM C=.005": LinearSVM(C=0.005),
    "SVM C=1": LinearSVM(C=1.0),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    chosen = parser("drybean", __doc__).parse_args(arguments)
    parted = data.beans(needed(chosen.data, "drybean"))
    lines = [
        line
        for name, algorithm in ALGORITHMS.items()
        for line in one(name, algorithm, parted, chosen.worlds, chosen.jobs)
    ]
    title = f"Dry Bean, pool of {len(parted.pool.rows):,}, {chosen.worlds:,} worlds, {chosen.jobs} jobs"
    show(title, ("algorithm", "noise", "no noise", *BUDGET_NAMES, "all worlds took"), lines)
    return status(lines)


def one(name: str, algorithm: Algorithm, parted: data.Parted, worlds: int, jobs: int) -> Iterator[Line]:
    """The accuracies of an algorithm, and what its worlds took."""
    with clocked() as spent:
        played = Played.of(parted, algorithm, worlds, jobs)
    ceiling = played.unnoised()
    for shape in SHAPES:
        cells = (name, shape, *numbers([ceiling, *played.curve(shape, RELEASES)]))
        if shape == "optimal":
            yield Line((*cells, str(spent)), f"≤ {MINUTES:g} minutes", spent.wall <= 60 * MINUTES)
        else:
            yield Line((*cells, ""))
