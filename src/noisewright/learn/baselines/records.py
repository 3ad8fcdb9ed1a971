"""Classifiers for which every client sends a noisy record: all of them at once, voting, averaging."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base, find_base
from noisewright.learn.chance import Chance
from noisewright.learn.ensemble.procedure import collected, signs_of
from noisewright.learn.estimator import PrivateClassifier
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.rounds import Population, simulate
from noisewright.learn.rules import Rule, mixed
from noisewright.parameters import whole

MOST_PARTS = 10_000


def fit_all(reports: Floats, base: Base, public: np.random.Generator) -> Rule:
    """One rule from all noisy records, the reported label last in each row."""
    return base.fit(reports[:, :-1], signs_of(reports[:, -1]), public)


def fit_parts(reports: Floats, parts: int, base: Base, public: np.random.Generator) -> list[Rule]:
    """One rule from each of so many equal parts of the noisy records; what is left over is not used.

    There are no more parts than records.
    """
    count = min(whole("weak (parts of the records)", parts, 1, MOST_PARTS), len(reports))
    size = len(reports) // count
    stack = reports[: size * count].reshape(count, size, -1)
    return base.fit_many(stack[:, :, :-1], signs_of(stack[:, :, -1]), public)


class RecordClassifier(PrivateClassifier):
    """What baselines share that ask every client for a record; two classes only."""

    spent_: Counter[Fraction]

    def __init__(
        self,
        base: Any = "logistic",
        *,
        epsilon: float = 1.0,
        domain: Any = None,
        classes: Any = None,
        weak: int = 30,
        intercept: bool = True,
        mechanism: str = "laplace",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.base = base
        self.epsilon = epsilon
        self.domain = domain
        self.classes = classes
        self.weak = weak
        self.intercept = intercept
        self.mechanism = mechanism
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        refuse_many(self.classes_)
        population = Population(units, codes, self.epsilon, chance)
        question = SplitQuestion(self.epsilon, units.shape[1], self.mechanism)
        base = find_base(self.base, self.intercept, self.n_jobs).bound(question)
        reports = simulate(collected(question, len(units)), population)
        self.rule_ = self._fitted(reports, base, chance.public)
        self.spent_ = population.account.totals()

    @abstractmethod
    def _fitted(self, reports: Floats, base: Base, public: np.random.Generator) -> Rule:
        """The rule of all reports."""

    def __sklearn_tags__(self) -> Any:
        return two_classes(super().__sklearn_tags__())


class AllData(RecordClassifier):
    """One classifier from the noisy records of all clients; ``weak`` is not used.

    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> AllData(epsilon=30.0, random_state=1).fit(X, X[:, 0] > 0).score(X, X[:, 0] > 0) > 0.9
    True
    """

    def _fitted(self, reports: Floats, base: Base, public: np.random.Generator) -> Rule:
        return fit_all(reports, base, public)


class Voting(RecordClassifier):
    """One classifier from each of ``weak`` parts of the noisy records; the majority decides.

    With fewer clients than parts, every record is a part.
    """

    def _fitted(self, reports: Floats, base: Base, public: np.random.Generator) -> Rule:
        rules = fit_parts(reports, self.weak, base, public)
        return mixed(rules, np.ones(len(rules)), "votes")


class Averaging(RecordClassifier):
    """The same parts as for :class:`Voting`; the mean of their scores decides."""

    def _fitted(self, reports: Floats, base: Base, public: np.random.Generator) -> Rule:
        rules = fit_parts(reports, self.weak, base, public)
        return mixed(rules, np.full(len(rules), 1 / len(rules)))


def refuse_many(classes: Any) -> None:
    """Refuse more than two classes."""
    if len(classes) > 2:
        raise InvalidParameter(
            f"Only binary classification is supported: y has {len(classes)} classes; MRMA takes more"
        )


def two_classes(tags: Any) -> Any:
    """scikit-learn's tags of a classifier for two classes only."""
    tags.classifier_tags.multi_class = False
    return tags
