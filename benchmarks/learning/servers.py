"""Figure 3 on simulated curves: what 25 unlike servers gain by telling each other their rules.

    python -m benchmarks.learning servers [--repetitions 20] [--epsilons 0.5 1 2 3 4 5] [--jobs 2]

Ten servers have slopes of one sign, ten of the other, five have slopes that are only noise; nobody knows who
is who. Each has 3,000 clients: 500 report the tanh of four B-spline coefficients, 2,500 judge (Qin and Bai
2026, section 6.2). *Alone*, judges answer once at ε. *Together*, they answer twice at ε/2, about the own weak
classifiers and about the 25 published ones. Errors are means over the servers of groups 1 and 3.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from joblib import Parallel, delayed

from noisewright.domains import Cells, Floats
from noisewright.learn.ensemble import Mixing, Plan
from noisewright.learn.functional import CurveBase, FunctionalFeatures, curve_base
from noisewright.learn.functional.simulation import UNRELATED, server, server_groups
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.rounds import read_chance
from noisewright.learn.rules import Rule
from noisewright.learn.servers import Clients, Server, Training, Transfer, collaborate

EPSILONS: Final = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0)
PLAN: Final = Plan(weak=50, training=500, subset=50, evaluation=2500)
CUTOFF: Final = 0.8
TESTING: Final = 500
WIDTH: Final = 4
BASES: Final = {"logistic": "coefficients", "dwd": "curves"}
"""The learners whose gain the figure shows, and how they see curves (section 5.2)."""

COLUMNS: Final = ("alone", "together, published weights", "together, by evidence")
CELL: Final = max(map(len, COLUMNS))


@dataclass(frozen=True, eq=False)
class Site:
    """One server's people, clients first and then those who only test, and the group of its slope."""

    group: int
    units: Floats
    labels: Cells

    def error(self, rule: Rule) -> float:
        """The share of the testing people whom a rule gets wrong."""
        return float(np.mean(rule.predict(self.units[PLAN.people :]) != self.labels[PLAN.people :]))

    def server(self, name: str, base: CurveBase, epsilon: float, seed: int, payment: str) -> Server:
        """The server of these clients."""
        chance = read_chance(seed)
        clients = Clients(self.units[: PLAN.people], self.labels[: PLAN.people], epsilon, chance)
        training = Training(SplitQuestion(epsilon, WIDTH), PLAN, base, Mixing(cutoff=CUTOFF))
        return Server(name, clients, training, payment=payment, public=chance.public)


def repetition(base: str, epsilon: float, seed: int) -> Floats:
    """The mean errors of one draw of servers, one for each column."""
    features, generator = FunctionalFeatures(), np.random.default_rng(seed)
    sites = [_site(group, features, generator) for group in server_groups()]
    learner = curve_base(base, features, method=BASES[base])
    seeds = generator.integers(1 << 62, size=(2, len(sites))).tolist()
    alone = [
        site.server(str(place), learner, epsilon, seed, "groups").train()
        for place, (site, seed) in enumerate(zip(sites, seeds[0], strict=True))
    ]
    servers = [
        site.server(str(place), learner, epsilon, seed, "halves")
        for place, (site, seed) in enumerate(zip(sites, seeds[1], strict=True))
    ]
    collaborate(servers)
    published = Transfer(cutoff=CUTOFF, weighting="cutoff")
    return np.array([
        _mean_error(sites, alone),
        _mean_error(sites, [each.recombined(published).rule for each in servers]),
        _mean_error(sites, [each.recombined(Transfer()).rule for each in servers]),
    ])  # fmt: skip


def _site(group: int, features: FunctionalFeatures, generator: np.random.Generator) -> Site:
    sample = server(group, generator).draw(PLAN.people + TESTING, generator)
    return Site(group, features.transform(sample.curves), sample.labels)


def _mean_error(sites: Sequence[Site], rules: Sequence[Rule]) -> float:
    pairs = zip(sites, rules, strict=True)
    return float(np.mean([site.error(rule) for site, rule in pairs if site.group != UNRELATED]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the errors of the figure and the gain of telling each other."""
    chosen = _options().parse_args(arguments)
    for base in BASES:
        print(f"{base}: mean error in %, with its standard error over {chosen.repetitions} repetitions")
        print("  ".join(["epsilon", *(name.rjust(CELL) for name in COLUMNS)]))
        for epsilon in chosen.epsilons:
            seeds = range(chosen.seed, chosen.seed + chosen.repetitions)
            jobs = (delayed(repetition)(base, epsilon, seed) for seed in seeds)
            print(_row(epsilon, 100 * np.array(Parallel(n_jobs=chosen.jobs)(jobs))), flush=True)


def _row(epsilon: float, errors: Floats) -> str:
    means, spread = errors.mean(axis=0), errors.std(axis=0, ddof=1) / np.sqrt(len(errors))
    cells = [f"{mean:.2f} ± {each:.2f}" for mean, each in zip(means, spread, strict=True)]
    return "  ".join([f"{epsilon:7g}", *(cell.rjust(CELL) for cell in cells)])


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning servers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--repetitions", type=int, default=20)
    options.add_argument("--epsilons", type=float, nargs="+", default=EPSILONS)
    options.add_argument("--seed", type=int, default=1000, help="of the first repetition")
    options.add_argument("--jobs", type=int, default=2)
    return options
