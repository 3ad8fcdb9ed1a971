"""Ways to ask for what a linear classifier needs: which channel, and how much of a record at once.

    python -m benchmarks.learning channels [--repetitions 20] [--data FOLDER]     # FOLDER holds diabetes/

Every line is a way to ask, every column an ε; the numbers are errors in percent on unrandomized records. All
make Fisher's discriminant from moments with the noise taken out. "all columns" splits ε over the record,
"k columns" asks each client for k of them and the label, "in rounds" is the learner: it asks for products
computed on the device, from ε = 4 on for a column and the label first, and if it pays for moments of scores.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from noisewright.domains import Cells, Floats
from noisewright.learn.learners.moment_rounds import moment_procedure
from noisewright.learn.moments.moments import linear_from_moments
from noisewright.learn.moments.report_moments import report_moments
from noisewright.learn.questions import SampledQuestion
from noisewright.learn.questions.rounds import Ask, Population, Procedure, read_chance, simulate
from noisewright.learn.questions.split import cyclic
from noisewright.learn.rules import ConstantRule, LinearRule, Rule
from noisewright.learn.rules.schema import read_schema

EPSILONS = (0.5, 1.0, 2.0, 5.0, 10.0)
MECHANISMS = ("Laplace", "UnbiasedOGPM", "PM", "Hybrid", "designed")
FEW = 3
TESTED = 0.2


@dataclass(frozen=True, eq=False)
class People:
    """Records in unit columns, and their labels 0 and 1."""

    units: Floats
    labels: Cells

    def parts(self, random: np.random.Generator) -> tuple[People, People]:
        """Clients and, apart from them, records to test on."""
        order = random.permutation(len(self.labels))
        cut = round(TESTED * len(order))
        return self.at(order[cut:]), self.at(order[:cut])

    def at(self, rows: Cells) -> People:
        return People(self.units[rows], self.labels[rows])


Way = Callable[[People, float, int], Rule]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one table for each data set."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning channels",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--repetitions", type=int, default=20)
    options.add_argument("--data", type=Path, help="folder that holds diabetes/")
    options.add_argument("--jobs", type=int, default=None)
    chosen = options.parse_args(arguments)
    for name, people in datasets(chosen.data):
        title = f"{name}: {people.units.shape[1]} columns, {len(people.labels)} people"
        print(f"{title:<46}" + "".join(f"{f'ε = {epsilon:g}':>9}" for epsilon in EPSILONS))
        for way, learn in ways(people.units.shape[1]):
            print(line(way, people, learn, chosen.repetitions, chosen.jobs), flush=True)
        print()


def datasets(folder: Path | None) -> Iterator[tuple[str, People]]:
    """The data sets by name; the domains are the ranges of the columns, taken as publicly known."""
    from sklearn.datasets import load_breast_cancer

    yield "breast cancer", encoded(*load_breast_cancer(return_X_y=True))
    yield "Gaussian simulation", gaussian(20_000, 6)
    if folder is not None:
        from benchmarks.learning.diabetes_table import read_diabetes

        table = read_diabetes(folder)
        yield "diabetes", encoded(table.values, table.codes)


def encoded(values: Floats, labels: Cells) -> People:
    low, high = values.min(axis=0), values.max(axis=0)
    return People(2 * (values - low) / (high - low) - 1, np.asarray(labels, dtype=np.int64))


def gaussian(people: int, width: int) -> People:
    """Correlated columns that fill about half of their domains; Fisher's discriminant is the best rule."""
    random = np.random.default_rng(0)
    mix = np.eye(width) + 0.4 * random.normal(size=(width, width))
    labels = (random.random(people) < 0.4).astype(np.int64)
    columns = random.normal(size=(people, width)) @ mix + np.outer(labels, 0.6 * random.normal(size=width))
    return People(np.clip(columns / 6 + 0.1, -1, 1), labels)


def ways(width: int) -> Iterator[tuple[str, Way]]:
    """Everything that is compared."""
    for mechanism in MECHANISMS:
        for count in sorted({1, FEW, width}):
            some = "all columns" if count == width else f"{count} column{'s' if count > 1 else ''}"
            yield f"{mechanism}, {some}", partial(from_reports, count=count, mechanism=mechanism)
    for mechanism in ("PM", "Hybrid", "designed"):
        yield f"{mechanism}, in rounds", partial(in_rounds, mechanism=mechanism)
    yield "majority class", majority
    yield "Fisher's discriminant without noise", without_noise


def from_reports(people: People, epsilon: float, seed: int, *, count: int, mechanism: str) -> Rule:
    """A rule from reports of so many columns a client."""
    return _simulated(people, epsilon, seed, partial(_reports, count=count, mechanism=mechanism))


def in_rounds(people: People, epsilon: float, seed: int, *, mechanism: str) -> Rule:
    """A rule from rounds of moments."""
    return _simulated(people, epsilon, seed, partial(_rounds, mechanism=mechanism))


def majority(people: People, epsilon: float, seed: int) -> Rule:
    """The more common class, known without noise."""
    return ConstantRule(int(2 * people.labels.sum() > len(people.labels)))


def without_noise(people: People, epsilon: float, seed: int) -> Rule:
    """What there is to reach."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    fitted = LinearDiscriminantAnalysis().fit(people.units, people.labels)
    return LinearRule(fitted.coef_[0], float(fitted.intercept_[0]))


def _simulated(
    people: People, epsilon: float, seed: int, procedure: Callable[[int, int, float], Procedure[Rule]]
) -> Rule:
    clients, width = people.units.shape
    population = Population(people.units, people.labels, epsilon, read_chance(seed))
    return simulate(procedure(width, clients, epsilon), population)


def _reports(width: int, clients: int, epsilon: float, *, count: int, mechanism: str) -> Procedure[Rule]:
    groups = cyclic(width, count)
    questions = [SampledQuestion(epsilon, group, width, mechanism) for group in groups]
    counts = clients // len(groups) + (np.arange(len(groups)) < clients % len(groups))
    answers = yield tuple(Ask(*pair) for pair in zip(questions, counts.tolist(), strict=True))
    return linear_from_moments(report_moments(zip(questions, answers, strict=True)))


def _rounds(width: int, clients: int, epsilon: float, *, mechanism: str) -> Procedure[Rule]:
    return moment_procedure(read_schema(None, width), clients, epsilon, mechanism)


def line(name: str, people: People, learn: Way, repetitions: int, jobs: int | None) -> str:
    """One line of a table."""
    cells = [(epsilon, seed) for epsilon in EPSILONS for seed in range(repetitions)]
    errors = Parallel(n_jobs=jobs)(delayed(trial)(people, learn, *cell) for cell in cells)
    means = np.reshape(errors, (len(EPSILONS), repetitions)).mean(axis=1)
    return f"{name:<46}" + "".join(f"{100 * mean:9.1f}" for mean in means)


def trial(people: People, learn: Way, epsilon: float, seed: int) -> float:
    """The error of one repetition."""
    clients, tested = people.parts(np.random.default_rng(seed))
    rule = learn(clients, epsilon, seed)
    return float((rule.predict(tested.units) != tested.labels).mean())


if __name__ == "__main__":
    main()
