"""How fast worlds run, against the published way: one trial at a time until an estimate stands still.

    python -m benchmarks.release speed [--data FOLDER] [--published]

The published rule (section 7) draws halves one after another, fits K-Means with ten starts in each, looks at
the variances after every ten and stops when none has moved by more than 10⁻⁶. ``--published`` runs it to its
end, some minutes. Otherwise its trials are counted with our own quicker K-Means, whose outputs vary less, so
that it is content sooner, and multiplied with the time of a scikit-learn fit, measured here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from benchmarks.release import data
from benchmarks.release.clock import Spent, clocked
from benchmarks.release.playing import Played
from benchmarks.release.text import Line, parser, show, status
from benchmarks.timing import Row
from noisewright.domains import Floats
from noisewright.release.algorithms.clusters import Clusters, best_clustering, in_reference_order

COUNT, STARTS, WORLDS = 3, 10, 1024
MOST_SECONDS: Final = 10.0
LEAST_PUBLISHED: Final = 100.0
EVERY, PRECISION, MOST_TRIALS = 10, 1e-6, 100_000
SAMPLE = 100
"""Fits that are timed."""

Fit = Callable[[Floats, int], Floats]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print times and ratios."""
    options = parser("speed", __doc__)
    options.add_argument("--published", action="store_true", help="run the published rule to its end")
    chosen = options.parse_args(arguments)
    lines = [
        Line((row.what, row.note, row.against, "" if row.ratio is None else f"{row.ratio:,.1f}×"),
             row.asked, row.kept)
        for row in rows(chosen.data, chosen.published)
    ]  # fmt: skip
    show("K-Means on the pool of 100 irises", ("what", "time", "against", "ratio"), lines)
    return status(lines)


def rows(folder: Path | None = None, published: bool = False) -> list[Row]:
    """The lines of ``make bench`` about releasing."""
    parted = data.iris(folder, split=0)
    with threadpool_limits(1):
        two, one = (worlds_time(parted, jobs) for jobs in (2, 1))
        trials, seconds = published_rule(parted.pool.rows) if published else estimated(parted)
        ours, theirs = (
            seconds_of_fit(fit, parted.pool.rows) for fit in (from_reference(parted), sklearn_one)
        )
    how = "run to its end" if published else "estimated"
    return [
        worlds_row("2 jobs", two),
        worlds_row("1 job", one),
        Row(
            f"{WORLDS:,} worlds, CPU", None, f"published rule, {how}: CPU", seconds / one.processor,
            f"> {LEAST_PUBLISHED:g} s", seconds > LEAST_PUBLISHED,
            f"{seconds:,.0f} s CPU for {trials:,} trials",
        ),
        Row("K-Means of one world", 1 / ours, "KMeans(n_init=1)", theirs / ours, note=f"{1e3 * ours:.2f} ms"),
    ]  # fmt: skip


def worlds_row(jobs: str, spent: Spent) -> Row:
    """All worlds, workers started anew."""
    return Row(
        f"{WORLDS:,} K-Means worlds, {jobs}", WORLDS / spent.wall, "10 s", spent.wall / MOST_SECONDS,
        f"≤ {MOST_SECONDS:g} s", spent.wall <= MOST_SECONDS, str(spent),
    )  # fmt: skip


def worlds_time(parted: data.Parted, jobs: int) -> Spent:
    """What all worlds take."""
    with clocked() as spent:
        Played.of(parted, Clusters(COUNT), WORLDS, jobs)
    return spent


def from_reference(parted: data.Parted) -> Fit:
    """K-Means as our worlds run it."""
    clusters = Clusters(COUNT)
    facts = clusters.facts(parted.pool.rows, parted.pool.labels)
    return lambda rows, seed: clusters.fit(rows, None, seed, facts)


def sklearn_one(rows: Floats, seed: int) -> Floats:
    """scikit-learn's K-Means from one start."""
    return np.asarray(KMeans(COUNT, n_init=1, random_state=seed).fit(rows).cluster_centers_)


def sklearn_many(rows: Floats, seed: int) -> Floats:
    """scikit-learn's K-Means as published, from ten starts."""
    return np.asarray(KMeans(COUNT, n_init=STARTS, random_state=seed).fit(rows).cluster_centers_)


def published_rule(rows: Floats, fit: Fit = sklearn_many) -> tuple[int, float]:
    """Trials, and processor seconds, until the published rule is content."""
    start, trials = time.process_time(), 0
    total = squares = np.zeros(1)
    before = np.full(1, np.inf)
    for centroids in trial_outputs(rows, fit):
        trials += 1
        total, squares = total + centroids, squares + centroids**2
        if trials % EVERY:
            continue
        variances = squares / trials - (total / trials) ** 2
        if (np.abs(variances - before) <= PRECISION).all():
            break
        before = variances
    return trials, time.process_time() - start


def trial_outputs(rows: Floats, fit: Fit) -> Iterator[Floats]:
    """Centroids of independent halves, in the order of the whole pool's."""
    generator, reference = np.random.default_rng(0), best_clustering(rows, COUNT, STARTS, seed=0)
    for seed in range(MOST_TRIALS):
        half = np.sort(generator.permutation(len(rows))[: len(rows) // 2])
        yield in_reference_order(fit(rows[half], seed).reshape(reference.shape), reference).ravel()


def estimated(parted: data.Parted) -> tuple[int, float]:
    """The trials of the published rule on steadier outputs, and their time by that of a few fits."""
    trials, _ = published_rule(parted.pool.rows, from_reference(parted))
    return trials, trials * seconds_of_fit(sklearn_many, parted.pool.rows)


def seconds_of_fit(fit: Fit, rows: Floats) -> float:
    """Processor seconds of a fit to half of the rows, the mean of some."""
    half = rows[::2]
    fit(half, 0)
    start = time.process_time()
    for seed in range(SAMPLE):
        fit(half, seed)
    return (time.process_time() - start) / SAMPLE
