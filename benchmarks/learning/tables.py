"""LocalClassifier on many tables, beside the constant answer and beside random directions, from small ε on.

    python -m benchmarks.learning tables [--data FOLDER] [--repetitions 100] [--epsilons 0.1 1] [--only wine]

FOLDER holds diabetes/, bank_churn/, stroke/, dry_bean/ and phoneme/; without it the tables that scikit-learn
bundles and the simulated ones are left. Each repetition splits a table into clients and test people. All
three answer about the same test people: LocalClassifier, the clients' most frequent class (it is the public
default, too), and MRMA("random"). Accuracies are in %, differences in points with their standard errors.

The rule: not below the constant answer by more than 0.3 points and two standard errors, not below random
directions by more than 0.5 points and two standard errors. The exit status is 1 if a line breaks it. Where
random directions are better, the lines below say what they do to the same people if labels are shuffled among
them, and if labels are drawn anew with uneven classes: what they gain on one table by hoping they lose on
another that is hard to tell from it at this ε.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from joblib import Parallel, delayed

from benchmarks.learning.functional_trial import People
from benchmarks.learning.local_trial import OURS, THEIRS, standard_error
from benchmarks.learning.seeds import apart
from benchmarks.learning.table_catalogue import SOURCES, BenchTable, from_folder
from noisewright.domains import Cells, Floats, Interval
from noisewright.learn import MRMA, LocalClassifier
from noisewright.parameters import EPSILON, whole

EPSILONS: Final = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 2.0, 4.0, 8.0)
UNIT: Final = Interval(-1, 1)
CONSTANT_SLACK, RANDOM_SLACK = 0.3, 0.5
"""Points by which the mean may lie below the constant answer, and below random directions."""

NOISE: Final = 2.0
"""Standard errors that are allowed beyond."""

UNEVEN, MOST_UNEVEN = 1.5, 0.6
"""The most frequent class of labels drawn anew, in even shares, and its largest share."""


@dataclass(frozen=True, eq=False)
class Compared:
    """Accuracies in % on the test people of each split: LocalClassifier, the constant answer, directions."""

    table: BenchTable
    epsilon: float
    rows: Floats

    @cached_property
    def above(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """By how much LocalClassifier is better than the constant answer, and than random directions."""
        against = [self.rows[:, 0] - self.rows[:, place] for place in (1, 2)]
        first, second = ((float(each.mean()), float(standard_error(each))) for each in against)
        return first, second

    @property
    def verdict(self) -> str:
        """What the rule says."""
        names = ("constant", "random")
        slack = (CONSTANT_SLACK, RANDOM_SLACK)
        below = [
            name
            for name, (mean, error), points in zip(names, self.above, slack, strict=True)
            if mean < -points - NOISE * error
        ]
        return f"below {' and '.join(below)}" if below else "ok"


def compared(table: BenchTable, epsilon: float, repetitions: int, jobs: int | None, seed: int) -> Compared:
    """All splits at one ε; the same for any number of jobs."""
    seeds = range(seed, seed + repetitions)
    rows = Parallel(n_jobs=jobs)(delayed(_once)(table, epsilon, one) for one in seeds)
    return Compared(table, epsilon, 100 * np.array(rows))


def _once(table: BenchTable, epsilon: float, seed: int) -> tuple[float, float, float]:
    clients, testing = table.split(seed)
    model = LocalClassifier(
        epsilon, domain=UNIT, classes=range(table.classes), default=0, random_state=apart(seed, OURS)
    )
    model.fit(clients.units, clients.codes)
    most = int(np.argmax(np.bincount(clients.codes)))
    ours = float(np.mean(model.predict(testing.units) == testing.codes))
    return ours, float(np.mean(testing.codes == most)), _directions(table, clients, testing, epsilon, seed)


def _directions(table: BenchTable, clients: People, testing: People, epsilon: float, seed: int) -> float:
    model = MRMA(
        "random", epsilon=epsilon, domain=UNIT, classes=range(table.classes), random_state=apart(seed, THEIRS)
    )
    return float(np.mean(model.fit(clients.units, clients.codes).predict(testing.units) == testing.codes))


def hoped(table: BenchTable, epsilon: float, repetitions: int, seed: int, uneven: bool = False) -> float:
    """Points that random directions have above the constant answer if features say nothing about labels.

    The labels are shuffled among clients and among test people, or drawn anew, then with ``uneven`` classes.
    """
    found = []
    for one in range(seed, seed + repetitions):
        clients, testing = (
            People(part.units, _meaningless(part.codes, table.classes, apart(one, purpose), uneven))
            for part, purpose in zip(table.split(one), (1, 2), strict=True)
        )
        right = _directions(table, clients, testing, epsilon, one)
        found.append(right - float(np.mean(testing.codes == np.argmax(np.bincount(clients.codes)))))
    return 100 * float(np.mean(found))


def uneven_shares(classes: int) -> Floats:
    """Shares of which the first is half as much again as an even one, but at most 0.6.

    >>> uneven_shares(2).tolist(), uneven_shares(3).tolist()
    ([0.6, 0.4], [0.5, 0.25, 0.25])
    """
    most = min(UNEVEN / classes, MOST_UNEVEN)
    return np.array([most] + [(1 - most) / (classes - 1)] * (classes - 1))


def _meaningless(codes: Cells, classes: int, seed: int, uneven: bool) -> Cells:
    generator = np.random.default_rng(seed)
    if uneven:
        return generator.choice(classes, len(codes), p=uneven_shares(classes))
    return generator.permutation(codes)


def lines(found: Compared) -> Iterator[str]:
    """One ε of one table in numbers."""
    means = found.rows.mean(axis=0)
    cells = "".join(f"{mean:>8.2f}" for mean in means)
    apart_by = "".join(f"{mean:>+9.2f} ± {error:.2f}" for mean, error in found.above)
    yield f"{found.epsilon:>6g}{cells}{apart_by}   {found.verdict}"


def heading(table: BenchTable) -> str:
    """What the table is, and what stands in its columns."""
    size = f"{table.clients:,} clients, {table.people.units.shape[1]} columns"
    names = f"{'ε':>6}{'ours':>8}{'const':>8}{'random':>8}{'above const':>16}{'above random':>16}"
    return f"{table.name}: {size}\n{names}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 if one of their lines breaks the rule."""
    chosen = _options().parse_args(arguments)
    repetitions = whole("repetitions", chosen.repetitions, 2, 1 << 20)
    epsilons = [EPSILON.check(epsilon) for epsilon in chosen.epsilons]
    tables = [table for source in SOURCES for table in source()]
    tables += from_folder(chosen.data) if chosen.data else []
    broken = 0
    for table in tables:
        if chosen.only and not any(table.name.startswith(name) for name in chosen.only):
            continue
        print(heading(table), flush=True)
        for epsilon in epsilons:
            found = compared(table, epsilon, repetitions, chosen.jobs, chosen.seed)
            broken += found.verdict != "ok"
            print("\n".join(lines(found)), flush=True)
            if "random" in found.verdict:
                for uneven, words in ((False, "shuffled labels"), (True, "uneven labels drawn anew")):
                    lost = hoped(table, epsilon, repetitions, chosen.seed, uneven)
                    print(f"{'':>6}  with {words} random directions: {lost:+.2f} above const", flush=True)
    print(f"{broken} lines break the rule" if broken else "the rule is met", flush=True)
    return int(broken > 0)


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning tables",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--data", type=Path, help="folder that holds diabetes/ and others")
    options.add_argument("--only", nargs="+", help="beginnings of names of tables; all by default")
    options.add_argument("--repetitions", type=int, default=100)
    options.add_argument("--epsilons", type=float, nargs="+", default=EPSILONS)
    options.add_argument("--jobs", type=int, default=1, help="joblib's n_jobs")
    options.add_argument("--seed", type=int, default=0, help="of the first repetition")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
