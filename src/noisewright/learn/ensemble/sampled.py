"""Weak rules from a few columns of each record: fewer reports of a client, each with more of its ε.

The training clients are dealt out to groups of columns in which every column stands equally often. A weak
rule is trained within one group and knows its columns only; the feedback of other clients then weighs rules
of different groups against each other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base, LinearBase
from noisewright.learn.ensemble.plan import Plan
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.sampled import SampledQuestion, cyclic
from noisewright.learn.rounds import spread
from noisewright.learn.rules import LinearRule, Rule


@dataclass(frozen=True)
class ColumnGroup:
    """Some columns: the question for them, and how many clients and weak rules they get."""

    question: SampledQuestion
    plan: Plan

    def widened(self, rule: Rule) -> Rule:
        """A rule on these columns as a rule on whole records; a constant rule is one already."""
        if not isinstance(rule, LinearRule):
            return rule
        weights = np.zeros(self.question.width)
        weights[list(self.question.columns)] = rule.weights
        return LinearRule(weights, rule.intercept, rule.ties)


def column_groups(question: SplitQuestion, plan: Plan, base: Base, features: int) -> list[ColumnGroup]:
    """Groups of so many columns each, the training clients and weak rules spread evenly over them.

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
        ColumnGroup(_about(question, columns), replace(plan, training=int(people), weak=int(rules)))
        for columns, people, rules in shares
    ]


def _about(question: SplitQuestion, columns: tuple[int, ...]) -> SampledQuestion:
    """The question of these columns only, at the same price."""
    return SampledQuestion(
        question.epsilon, columns, question.width, question.mechanism, question.label_share, question.classes
    )
