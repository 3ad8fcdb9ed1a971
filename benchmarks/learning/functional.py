"""Figure 2 on simulated curves: what feedback makes of weak classifiers of curves; and table A.1 in short.

    python -m benchmarks.learning functional [--repetitions 100] [--epsilons 0.5 1 2 5] [--jobs 2]

Of 3,000 clients 500 report the tanh of four B-spline coefficients, each 50 of the other 2,500 judge one of 50
weak classifiers; the cut-off is 0.8 (Qin and Bai 2026, section 6.1). Every learner is run as published, with
an intercept, and without one; random directions look at no report at all.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from benchmarks.learning.functional_encoding import encoding_table
from benchmarks.learning.functional_text import error_table, ordering
from benchmarks.learning.functional_trial import Design, People, trial
from noisewright.domains import Floats
from noisewright.learn.ensemble import Plan
from noisewright.learn.functional import CurveBase, FunctionalFeatures, curve_base
from noisewright.learn.functional.simulation import single_server

EPSILONS = (0.5, 1.0, 2.0, 5.0)
DESIGN = Design(Plan(weak=50, training=500, subset=50, evaluation=2500), cutoff=0.8)
TESTING = 500


@dataclass(frozen=True)
class Learner:
    """A base, the method by which it sees curves, and whether it fits an intercept."""

    base: str
    method: str
    intercept: bool = True

    @property
    def name(self) -> str:
        """How the table calls it."""
        return self.base if self.intercept or self.base == "random" else f"{self.base}, no intercept"

    def on(self, features: FunctionalFeatures) -> CurveBase:
        """The learner for clients who report these features."""
        return curve_base(self.base, features, method=self.method, intercept=self.intercept)


# Section 5.2: vector classifiers by method I, functional ones by method II.
AS_PUBLISHED = tuple(
    Learner(base, method)
    for base, method in (
        ("logistic", "coefficients"), ("svm", "coefficients"), ("dwd", "curves"), ("gradient", "curves")
    )
)  # fmt: skip
LEARNERS = (
    *AS_PUBLISHED,
    *(Learner(learner.base, learner.method, intercept=False) for learner in AS_PUBLISHED),
    Learner("random", "coefficients"),
)


def repetition(epsilons: Sequence[float], seed: int, learners: Sequence[Learner] = LEARNERS) -> Floats:
    """The errors of one draw of people, (ε, learners, columns)."""
    features, generator = FunctionalFeatures(), np.random.default_rng(seed)
    clients, testing = (_people(count, features, generator) for count in (DESIGN.plan.people, TESTING))
    rows = [
        [trial(clients, testing, learner.on(features), DESIGN, epsilon, seed) for learner in learners]
        for epsilon in epsilons
    ]
    return np.array(rows)


def _people(count: int, features: FunctionalFeatures, generator: np.random.Generator) -> People:
    sample = single_server().draw(count, generator)
    return People(features.transform(sample.curves), sample.labels)


def figure_two(
    repetitions: int, epsilons: Sequence[float] = EPSILONS, jobs: int = 1, seed: int = 0
) -> Floats:
    """All errors, (ε, learners, repetitions, columns)."""
    seeds = range(seed, seed + repetitions)
    found = Parallel(n_jobs=jobs)(delayed(repetition)(epsilons, one) for one in seeds)
    return np.moveaxis(np.array(found), 0, 2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning functional",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--repetitions", type=int, default=100)
    options.add_argument("--epsilons", type=float, nargs="+", default=list(EPSILONS))
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args(arguments)
    print("\n".join(encoding_table(chosen.repetitions, chosen.seed)), flush=True)
    found = figure_two(chosen.repetitions, chosen.epsilons, chosen.jobs, chosen.seed)
    names = [learner.name for learner in LEARNERS]
    for epsilon, errors in zip(chosen.epsilons, found, strict=True):
        print("\n".join(["", *error_table(f"figure 2, ε = {epsilon:g}", names, errors)]))
        print("  against the best of Weak, Voting, Averaging and All data, in points:")
        print("\n".join(ordering(name, rows) for name, rows in zip(names, errors, strict=True)))


if __name__ == "__main__":
    main()
