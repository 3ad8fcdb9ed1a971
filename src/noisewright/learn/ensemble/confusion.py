"""Several classes by correcting confusion: a weak rule's answer is evidence, whatever it is right about.

For two classes a rule that is mostly wrong is reversed. For K classes the same idea is the *confusion
matrix*: the shares J[p, t] of people whom the rule calls p and who truly are t. A rule that always takes
class 0 for class 1 and class 1 for class 2 is a perfect rule under other names, and its matrix says so. Here
evaluating clients report the pair (p, t). The matrix is estimated without bias, shrunken towards "p and t are
independent" as far as noise could have made the rest, and every rule then counts with its own weight of
evidence:

    score of class t for a person = ln share of t + Σ over rules b of ln( J_b[p, t] / (J_b[p, ·] J_b[·, t]) ),

where p is rule b's answer for the person. A rule that confuses everything has J = product and adds nothing.
Rules are weighed as if they erred independently given t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.learn.bases import Base
from noisewright.learn.ensemble import Plan
from noisewright.learn.ensemble.procedure import collect_records, random_subsets
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.base import choice_channel
from noisewright.learn.questions.choice import MOST_CLASSES, ChoiceQuestion
from noisewright.learn.questions.rounds import Ask, Procedure
from noisewright.learn.rules import ConstantRule, Rule
from noisewright.learn.rules.many_classes import ClassRule, EvidenceRule, comparable
from noisewright.parameters import whole


@dataclass(frozen=True)
class ConfusionQuestion(ChoiceQuestion):
    """Which class a rule gives the client and which is true: one of K² pairs, by randomized response.

    A pair is numbered predicted·K + true. The answer hides both together, at one ε for the whole record.

    >>> from noisewright.learn.rules import ConstantRule
    >>> question = ConfusionQuestion(20.0, ConstantRule(1), classes=3)
    >>> question.answers(np.zeros((2, 1)), np.array([0, 2])).tolist()
    [3, 5]
    """

    rule: Rule
    classes: int
    kind: ClassVar[str] = "confusion"

    def _prepare(self) -> None:
        object.__setattr__(self, "classes", whole("classes", self.classes, 2, MOST_CLASSES))

    @property
    def cells(self) -> int:
        return self.classes**2

    def place(self, units: Floats, labels: Cells) -> Cells:
        # No record may fail where others answer, so classes beyond the question's count as the last one.
        said, true = (np.minimum(codes, self.classes - 1) for codes in (self.rule.predict(units), labels))
        return np.asarray(said * self.classes + true)


LEAST_SHARE = 1e-3
"""A share that is never taken to be smaller: no evidence is certain."""


@dataclass(frozen=True, eq=False)
class Confusion:
    """The result of confusion correction: the rule, the weak rules, and the estimated matrix of each.

    ``raw[b]`` is unbiased and may be negative in places; ``matrices[b]`` is shrunken and a law; ``trust[b]``,
    from 0 to 1, is how much of the difference from independence was left.
    """

    rule: EvidenceRule
    trained: tuple[Rule, ...]
    raw: Floats
    matrices: Floats
    trust: Floats


def confusion_procedure(
    question: SplitQuestion, plan: Plan, base: Base, public: np.random.Generator
) -> Procedure[Confusion]:
    """Ask for records, train weak rules for all classes, ask for confusions, weigh the evidence."""
    ready = base.bound(question)
    reports = yield from collect_records(question, plan.training)
    rules = class_rules(reports, question, plan, ready, public)
    each, over = divmod(plan.evaluation, plan.weak)
    answers = yield tuple(
        Ask(ConfusionQuestion(question.epsilon, rule, question.classes), each + (place < over))
        for place, rule in enumerate(rules)
    )
    return weigh_evidence(rules, answers, question.classes, question.epsilon)


def class_rules(
    reports: Floats, question: SplitQuestion, plan: Plan, base: Base, public: np.random.Generator
) -> list[ClassRule]:
    """Train weak rules for all classes, each from one random subset: every class against the rest in turn."""
    if plan.training and not len(reports):
        return [ClassRule([ConstantRule(0)] * question.classes)] * plan.weak
    subsets = random_subsets(len(reports), min(plan.subset, len(reports)), plan.weak, public)
    units, codes = reports[subsets, :-1], reports[subsets, -1]
    columns = [base.fit_many(units, np.where(codes == t, 1.0, -1.0), public) for t in range(question.classes)]
    return [ClassRule([comparable(rule) for rule in row]) for row in zip(*columns, strict=True)]


def weigh_evidence(
    rules: Sequence[Rule], answers: Sequence[NDArray[Any]], classes: int, epsilon: float
) -> Confusion:
    """Return the rule that corrects confusion, from answers to confusion questions, one array a rule."""
    counts = np.array([np.bincount(answer, minlength=classes**2) for answer in answers], dtype=np.float64)
    raw = confusion_shares(counts, epsilon)
    said, true = raw.sum(axis=2), raw.sum(axis=1)
    apart = said[:, :, None] * true[:, None, :]
    trust = _trust(raw - apart, apart, counts.sum(axis=1), epsilon)
    prior = _law(np.average(true, axis=0, weights=counts.sum(axis=1)) if counts.any() else true.mean(axis=0))
    matrices = np.array([_law(table) for table in apart + trust[:, None, None] * (raw - apart)])
    evidence = np.log(matrices / (matrices.sum(axis=2, keepdims=True) * matrices.sum(axis=1, keepdims=True)))
    return Confusion(EvidenceRule(rules, np.log(prior), evidence), tuple(rules), raw, matrices, trust)


def confusion_shares(counts: Floats, epsilon: float) -> Floats:
    """Return unbiased shares of the pairs (predicted, true), one K × K matrix for each row of counts.

    >>> confusion_shares(np.array([[60.0, 10.0, 10.0, 20.0]]), 2.0).round(2).tolist()
    [[[0.82, 0.01], [0.01, 0.17]]]
    """
    classes = int(np.sqrt(counts.shape[1]))
    channel = choice_channel(classes**2, epsilon)
    asked = np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    shares = (counts / asked - channel.miss) / (channel.hit - channel.miss)
    nobody = counts.sum(axis=1) == 0
    shares[nobody] = 1 / classes**2
    return np.asarray(shares.reshape(-1, classes, classes))


def _trust(lean: Floats, apart: Floats, asked: Floats, epsilon: float) -> Floats:
    """Return each rule's positive-part James–Stein factor: the share of its lean that noise would not make.

    ``lean`` is the difference from independence; its rows and columns sum to zero, which leaves it
    (K − 1)² of K² dimensions of noise.
    """
    classes = lean.shape[1]
    channel = choice_channel(classes**2, epsilon)
    slope = channel.hit - channel.miss
    reported = np.clip(channel.miss + apart * slope, 0, 1)
    variance = (reported * (1 - reported)).sum(axis=(1, 2)) / (np.maximum(asked, 1) * slope**2)
    noise = variance * (1 - 1 / classes) ** 2
    distance = (lean**2).sum(axis=(1, 2))
    return np.asarray(np.where(distance > noise, 1 - noise / np.maximum(distance, noise), 0.0))


def _law(shares: Floats) -> Floats:
    """Return shares as a law: each at least a small floor, and one in sum."""
    kept = np.maximum(shares, LEAST_SHARE)
    return np.asarray(kept / kept.sum())
