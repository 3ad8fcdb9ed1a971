"""The diabetes experiment (section 7.1, table 1): all of its columns beside ours.

Every repetition splits the table anew into clients and test rows and draws all noise anew. The paper's
columns are computed as described there, with Laplace noise on features scaled to their ranges; where no weak
classifier passes the cut-off, which the paper leaves open, the cut-off falls to ½. Columns that should agree
with the published means are marked within or beyond their margin; if one is beyond, the exit status is not 0.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from benchmarks.learning.diabetes_published import MARGINS, published
from benchmarks.learning.diabetes_table import SPLITS, Table, read_diabetes
from benchmarks.learning.diabetes_trial import COLUMNS, repetition
from noisewright.domains import Cells, Floats
from noisewright.parameters import EPSILON, whole

EPSILONS = (0.5, 1.0, 5.0, 10.0)
PUBLISHED_SPLIT = "rows"
AT_ONCE = 10
"""Repetitions of one task: enough to hide what a task costs, few enough to keep two cores busy."""


@dataclass(frozen=True, eq=False)
class Result:
    """Errors of all repetitions at one ε: (repetitions, columns)."""

    epsilon: float
    errors: Floats

    @property
    def mean(self) -> dict[str, float]:
        """The mean of each column in per cent."""
        return dict(zip(COLUMNS, (100 * self.errors.mean(axis=0)).tolist(), strict=True))

    @property
    def deviation(self) -> dict[str, float]:
        """The standard deviation of each column between repetitions, in percentage points."""
        return dict(zip(COLUMNS, (100 * self.errors.std(axis=0)).tolist(), strict=True))

    def within(self, column: str) -> bool | None:
        """Whether a column that should agree with the published mean does; None if none is published."""
        known = published(self.epsilon, column)
        if known is None or column not in MARGINS:
            return None
        return abs(self.mean[column] - known) <= MARGINS[column]

    def beyond(self) -> list[str]:
        """The columns that should agree with the published means and do not."""
        return [column for column in MARGINS if self.within(column) is False]

    def to_dict(self) -> dict[str, Any]:
        """The result for machines."""
        columns = {
            name: {
                "mean": self.mean[name],
                "deviation": self.deviation[name],
                "published": published(self.epsilon, name),
                "within_margin": self.within(name),
            }
            for name in COLUMNS
        }
        return {"epsilon": self.epsilon, "repetitions": len(self.errors), "columns": columns}


@dataclass(frozen=True)
class Settings:
    """How often, how the table is split, and the seed of everything that is drawn."""

    repetitions: int = 500
    split: str = PUBLISHED_SPLIT
    seed: int = 7

    def __post_init__(self) -> None:
        whole("repetitions", self.repetitions, 1, 1 << 20)
        whole("seed", self.seed, 0, 1 << 32)


def run(table: Table, epsilon: float, settings: Settings, jobs: int | None = None) -> Result:
    """All repetitions at one ε, through joblib and the back end that it is set to.

    Every repetition has a seed of its own, so the result is the same for any number of jobs.
    """
    places = np.array_split(np.arange(settings.repetitions), -(-settings.repetitions // AT_ONCE))
    tasks = (delayed(_some)(table, EPSILON.check(epsilon), settings, some) for some in places)
    return Result(epsilon, np.concatenate(Parallel(n_jobs=jobs)(tasks)))


def _some(table: Table, epsilon: float, settings: Settings, places: Cells) -> Floats:
    seeds = [int(np.random.SeedSequence((settings.seed, int(p))).generate_state(1)[0]) for p in places]
    return np.array([repetition(table, settings.split, epsilon, seed) for seed in seeds])


def in_words(result: Result) -> str:
    """One ε as a table."""
    lines = [f"ε = {result.epsilon:g}, {len(result.errors)} repetitions: error in %, (deviation), published"]
    for name in COLUMNS:
        known = published(result.epsilon, name)
        beside = "" if known is None else f"{known:8.2f}  {result.mean[name] - known:+.2f}"
        beside += _verdict(result, name)
        lines.append(f"  {name:<17}{result.mean[name]:6.2f}  ({result.deviation[name]:5.2f}){beside}")
    return "\n".join(lines)


def _verdict(result: Result, column: str) -> str:
    """What is said of a column that should agree with the paper."""
    verdicts = {None: "", True: "  within {:g}", False: "  BEYOND {:g}"}
    return verdicts[result.within(column)].format(MARGINS.get(column))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is asked for and print it; the exit status says whether pinned columns are as published."""
    chosen = _options().parse_args(arguments)
    table = read_diabetes(chosen.data)
    print(f"{len(table):,} rows, {table.distinct} of them distinct; split by {chosen.split}", file=sys.stderr)
    settings = Settings(chosen.repetitions, chosen.split, chosen.seed)
    results = []
    for epsilon in chosen.epsilons:
        started = time.monotonic()
        results.append(run(table, epsilon, settings, chosen.jobs))
        if not chosen.json:
            print(f"{in_words(results[-1])}\n  {time.monotonic() - started:.0f} seconds", flush=True)
    if chosen.json:
        print(json.dumps([result.to_dict() for result in results], indent=2, allow_nan=False))
    if chosen.split == PUBLISHED_SPLIT and any(result.beyond() for result in results):
        sys.exit("some columns lie beyond their margin from the published means")


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="python -m benchmarks.learning diabetes", description=__doc__)
    options.add_argument("--data", type=Path, required=True, help="folder that holds diabetes/")
    options.add_argument("--repetitions", type=int, default=500)
    options.add_argument("--epsilons", type=float, nargs="+", default=list(EPSILONS))
    options.add_argument("--split", choices=SPLITS, default=PUBLISHED_SPLIT)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--jobs", type=int, default=2, help="joblib's n_jobs")
    options.add_argument("--json", action="store_true", help="print strict JSON in place of tables")
    return options
