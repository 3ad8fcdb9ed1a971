"""One repetition of an experiment on curves: all columns of figures 2 and 5 from the same clients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.learning.seeds import apart
from noisewright.domains import Cells, Floats
from noisewright.learn.bases import Base
from noisewright.learn.ensemble import Mixing, Plan, mrma_procedure
from noisewright.learn.ensemble.mixture import errors
from noisewright.learn.ensemble.procedure import collect_records, signs_of
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.rounds import Chance, Population, read_chance, simulate
from noisewright.learn.rules import MixedRule, Rule

COLUMNS = ("Weak", "MR", "MA", "MRMA", "Voting", "Averaging", "All data")


@dataclass(frozen=True, eq=False)
class People:
    """Unit coefficients of curves, and their labels 0 and 1."""

    units: Floats
    codes: Cells

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True)
class Design:
    """What is asked of whom: the public settings of an experiment."""

    plan: Plan
    cutoff: float


def trial(clients: People, testing: People, base: Base, design: Design, epsilon: float, seed: int) -> Floats:
    """The error of each column on unrandomized test curves."""
    chance = read_chance(apart(seed))
    question = SplitQuestion(epsilon, clients.units.shape[1])
    with_feedback = _with_feedback(clients, base, design, question, chance)
    every = _without_feedback(clients, base, design.plan.weak, question, chance)
    found = [errors(rules, testing.units, testing.codes).mean() for rules in (*with_feedback, *every)]
    return np.array(found)


def _with_feedback(
    clients: People, base: Base, design: Design, question: SplitQuestion, chance: Chance
) -> list[Sequence[Rule]]:
    """Weak, MR, MA and MRMA: the training clients report, all others give feedback."""
    population = Population(clients.units, clients.codes, question.epsilon, chance)
    procedure = mrma_procedure(question, design.plan, base, Mixing(design.cutoff), chance.public)
    mixture = simulate(procedure, population)
    straight = Mixing(design.cutoff, reversal=False).mix(mixture.trained, mixture.evaluation)
    return [mixture.trained, mixture.kept, [straight.rule], [mixture.rule]]


def _without_feedback(
    clients: People, base: Base, weak: int, question: SplitQuestion, chance: Chance
) -> list[Sequence[Rule]]:
    """Voting, Averaging and All data: every client reports."""
    population = Population(clients.units, clients.codes, question.epsilon, chance)
    reports = simulate(collect_records(question, len(clients)), population)
    share = len(reports) // weak
    parts = reports[: weak * share].reshape(weak, share, -1)
    rules = base.fit_many(parts[:, :, :-1], signs_of(parts[:, :, -1]), chance.public)
    equal = np.full(weak, 1 / weak)
    whole = base.fit(reports[:, :-1], signs_of(reports[:, -1]), chance.public)
    return [[MixedRule(rules, equal, "votes")], [MixedRule(rules, equal)], [whole]]
