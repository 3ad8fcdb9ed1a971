"""Algorithm 1 as rounds of questions, for a simulation as well as for people's devices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.learn.bases import Base
from noisewright.learn.ensemble.mixing import Mixing, Mixture
from noisewright.learn.ensemble.plan import Plan
from noisewright.learn.ensemble.sampled import column_groups
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.rounds import Ask, Procedure
from noisewright.learn.rules import ConstantRule, Rule


def mrma_procedure(
    question: SplitQuestion,
    plan: Plan,
    base: Base,
    mixing: Mixing,
    public: np.random.Generator,
    *,
    features: int | None = None,
    feedback_epsilon: float | None = None,
) -> Procedure[Mixture]:
    """Ask for records, train weak rules, ask for feedback, mix (Qin and Bai 2026, algorithm 1).

    With ``features`` a training client reports so many columns instead of all
    (:mod:`~noisewright.learn.ensemble.sampled`). Judges pay ``feedback_epsilon``, or what the question costs.
    The rounds cope with fewer answers than were asked for; without any record the weak rules are constant,
    and feedback alone decides between the classes.

    >>> from noisewright.learn.bases import find_base
    >>> from noisewright.learn.ensemble.plan import make_plan
    >>> rounds = mrma_procedure(
    ...     SplitQuestion(1.0, width=2), make_plan(500, 2), find_base("svm"), Mixing(),
    ...     np.random.default_rng(0),
    ... )
    >>> [ask.people for ask in next(rounds)]
    [100]
    """
    price = question.epsilon if feedback_epsilon is None else feedback_epsilon
    rules = yield from trained_rules(question, plan, base, public, features)
    evaluation = yield from mixing.evaluate(rules, plan.evaluation, price)
    return mixing.mix(rules, evaluation)


def trained_rules(
    question: SplitQuestion, plan: Plan, base: Base, public: np.random.Generator, features: int | None
) -> Procedure[list[Rule]]:
    """Ask for records, or for some columns of each, and train weak rules."""
    if features is None or not plan.training:
        ready = base.bound(question)
        reports = yield from collected(question, plan.training)
        return weak_rules(reports, plan, ready, public)
    groups = column_groups(question, plan, base, features)
    ready = base.bound(groups[0].question.reported)  # the noise is the same in all groups
    answers = yield tuple(Ask(group.question, group.plan.training) for group in groups)
    rules: list[Rule] = []
    for group, rows in zip(groups, answers, strict=True):
        reports = np.asarray(rows, dtype=np.float64).reshape(-1, features + 1)
        rules += [group.widened(rule) for rule in weak_rules(reports, group.plan, ready, public)]
    return rules


def collected(question: SplitQuestion, people: int) -> Procedure[Floats]:
    """Noisy records of fresh clients, the reported label's code last; nobody is asked for none."""
    if not people:
        return np.empty((0, question.width + 1))
    (reports,) = yield (Ask(question, people),)
    return np.asarray(reports, dtype=np.float64).reshape(-1, question.width + 1)


def weak_rules(reports: Floats, plan: Plan, base: Base, public: np.random.Generator) -> list[Rule]:
    """One rule from each of some random subsets of the reports."""
    if plan.training and not len(reports):
        return [ConstantRule(1)] * plan.weak
    subsets = random_subsets(len(reports), min(plan.subset, len(reports)), plan.weak, public)
    return base.fit_many(reports[subsets, :-1], signs_of(reports[subsets, -1]), public)


def random_subsets(people: int, size: int, count: int, public: np.random.Generator) -> Cells:
    """Places of so many subsets, one a row, each drawn without replacement."""
    return np.array([public.choice(people, size, replace=False) for _ in range(count)])


def signs_of(codes: NDArray[Any]) -> Floats:
    """Class codes 0 and 1 as −1 and 1."""
    return np.asarray(2.0 * codes - 1.0)
