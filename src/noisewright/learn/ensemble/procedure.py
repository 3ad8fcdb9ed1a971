"""Algorithm 1 of MRMA as rounds of questions, for a simulation as well as for people's devices.

With ``features`` a training client reports only some columns, each with more of its ε: the clients are dealt
out to groups of columns in which every column stands equally often. A weak rule is trained within one group
and uses its columns only; the feedback of other clients then weighs rules of different groups against each
other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base, LinearBase
from noisewright.learn.ensemble.mixture import Mixing, Mixture
from noisewright.learn.ensemble.plan import Plan
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.rounds import Ask, Procedure, spread
from noisewright.learn.questions.split import SampledQuestion, cyclic
from noisewright.learn.rules import ConstantRule, LinearRule, Rule


@dataclass(frozen=True)
class ColumnGroup:
    """Some columns: their question, and their numbers of clients and weak rules."""

    question: SampledQuestion
    plan: Plan

    def widen(self, rule: Rule) -> Rule:
        """Return a rule on these columns as a rule on whole records; a constant rule is one already."""
        if not isinstance(rule, LinearRule):
            return rule
        weights = np.zeros(self.question.width)
        weights[list(self.question.columns)] = rule.weights
        return LinearRule(weights, rule.intercept, rule.ties)


def column_groups(question: SplitQuestion, plan: Plan, base: Base, features: int) -> list[ColumnGroup]:
    """Return groups of ``features`` columns, the training clients and weak rules spread evenly over them.

    >>> from noisewright.learn.bases import find_base
    >>> plan = Plan(weak=5, training=90, subset=60, evaluation=400)
    >>> groups = column_groups(SplitQuestion(1.0, width=3), plan, find_base("svm"), features=2)
    >>> [(group.question.columns, group.plan.training, group.plan.weak) for group in groups]
    [((0, 1), 30, 2), ((1, 2), 30, 2), ((2, 0), 30, 1)]
    """
    if not isinstance(base, LinearBase):
        raise InvalidParameter("features (columns of a training client) is for linear bases; leave it None")
    every = cyclic(question.width, features)
    count = min(len(every), plan.weak, plan.training)
    # Where there are fewer rules than groups, those taken lie as far apart as they can.
    chosen = [every[place * len(every) // count] for place in range(count)]
    shares = zip(chosen, spread(plan.training, count), spread(plan.weak, count), strict=True)
    return [
        ColumnGroup(
            SampledQuestion(columns=columns, **vars(question)), replace(plan, training=people, weak=rules)
        )
        for columns, people, rules in shares
    ]


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

    The rounds cope with fewer answers than were asked for; without any record the weak rules are constant,
    and feedback alone decides between the classes.

    Args:
        question: The question that training clients are asked.
        plan: Numbers of clients and weak rules.
        base: The weak learner.
        mixing: How the weak rules are combined into one.
        public: Source of public random choices: subsets and directions.
        features: Columns that each training client reports; None is all.
        feedback_epsilon: What a judge pays; None is what the question costs.

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
        reports = yield from collect_records(question, plan.training)
        return weak_rules(reports, plan, ready, public)
    groups = column_groups(question, plan, base, features)
    ready = base.bound(groups[0].question.reported)  # the noise is the same in all groups
    answers = yield tuple(Ask(group.question, group.plan.training) for group in groups)
    rules: list[Rule] = []
    for group, rows in zip(groups, answers, strict=True):
        reports = np.asarray(rows, dtype=np.float64).reshape(-1, features + 1)
        rules += [group.widen(rule) for rule in weak_rules(reports, group.plan, ready, public)]
    return rules


def collect_records(question: SplitQuestion, people: int) -> Procedure[Floats]:
    """Collect noisy records of fresh clients, the reported label's code last; ask nobody for zero people."""
    if not people:
        return np.empty((0, question.width + 1))
    (reports,) = yield (Ask(question, people),)
    return np.asarray(reports, dtype=np.float64).reshape(-1, question.width + 1)


def weak_rules(reports: Floats, plan: Plan, base: Base, public: np.random.Generator) -> list[Rule]:
    """Train one rule on each of some random subsets of the reports."""
    if plan.training and not len(reports):
        return [ConstantRule(1)] * plan.weak
    subsets = random_subsets(len(reports), min(plan.subset, len(reports)), plan.weak, public)
    return base.fit_many(reports[subsets, :-1], signs_of(reports[subsets, -1]), public)


def random_subsets(people: int, size: int, count: int, public: np.random.Generator) -> Cells:
    """Return the places of ``count`` subsets, one a row, each drawn without replacement."""
    return np.array([public.choice(people, size, replace=False) for _ in range(count)])


def signs_of(codes: NDArray[Any]) -> Floats:
    """Return class codes 0 and 1 as −1 and 1."""
    return np.asarray(2.0 * codes - 1.0)
