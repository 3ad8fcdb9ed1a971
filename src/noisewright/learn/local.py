"""The best classifier that we know for people who hand over nothing, under a budget of ε each.

Most clients answer one question each about one feature and their label. Their answers give a naive Bayes
classifier that knows the noise (:mod:`noisewright.learn.learners.additive`), if they show that features
matter. Where there are clients enough, others compare it with the constant answer. The last ones
measure the result. Everybody is asked once and spends exactly ε.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.learners.candidates import (
    ADDITIVE,
    Choice,
    LearningTask,
    check_learners,
    choice_procedure,
    learn_all,
)
from noisewright.learn.models.private_classifier import PrivateClassifier
from noisewright.learn.questions.choice import least_doubt
from noisewright.learn.questions.rounds import Chance, Population, Procedure, simulate
from noisewright.learn.rules import Rule
from noisewright.learn.rules.schema import Schema
from noisewright.learn.scorecard import Scorecard
from noisewright.learn.scorecard.card import check_procedure
from noisewright.parameters import real

COMBINE: Final = ("pick", "mix")

CHOOSE_ONE: Final = 0.05
CHOOSE_MANY: Final = 0.2
"""The default shares of the clients who choose; between several learners these alone decide."""

COARSE: Final = 0.15
"""A standard error of the gain above which nobody chooses between one learner and the constant answer. Such
answers would be too uncertain, so these clients learn instead."""

LEAST_CLIENTS: Final = 10
"""With fewer clients there is nothing to learn, and nobody to check it."""


class LocalClassifier(PrivateClassifier):
    """A classifier learned from one randomized answer of each client, with an honest account of itself.

    A rule is taken only on evidence: of the additive learner's own answers, and of the comparisons. Without
    it everybody is given the most frequent class, or ``default`` where that is unknown, too. ``fit``
    simulates the clients; :meth:`procedure` is the same for a ``Coordinator`` and people's devices.

    Fitted: ``rule_``, ``choice_`` (with its candidates), ``accuracy_`` (a :class:`Scorecard`: private
    accuracy with its interval, the majority-class rate and balanced accuracy beside it, calibration),
    ``spent_`` (how many clients spent which exact total), ``simulated_``, ``classes_``, ``schema_``.

    Args:
        epsilon: What every client spends in all.
        domain: Where features live, publicly: a Product, a mapping or list of domains; None squashes numbers
            by tanh.
        classes: The public list of labels; None reads it off ``y``.
        default: The label to predict where nothing can be known; None is the first of ``classes``.
        learners: Learners tried side by side, each on a share of the clients: "additive", "moments",
            "directions".
        combine: How their results are combined: "pick" the best, or "mix" all by votes (two classes).
        choose: The share of the clients who compare candidates with the constant answer, 0 to 0.5. None is
            0.2 for several learners or one that is not additive; else 0.05, or nobody where that is too few
            to be certain.
        check: The share of the clients who measure the result, 0 to 0.5.
        out_of_domain: What to do with values outside the domain: "refuse" or "clip".
        random_state: None draws secure noise; a seed or generator repeats it, and then it hides nothing.

    >>> from noisewright import Interval
    >>> generator = np.random.default_rng(1)
    >>> X = generator.normal(size=(5000, 2)).clip(-4, 4)
    >>> y = np.where(X[:, 0] + X[:, 1] > 0.5, "ill", "well")
    >>> model = LocalClassifier(epsilon=2, domain=Interval(-4, 4), random_state=1).fit(X, y)
    >>> model.score(X, y) > 0.85, model.spent_ == {Fraction(2): 5000}
    (True, True)
    """

    rule_: Rule
    choice_: Choice
    accuracy_: Scorecard | None
    spent_: Counter[Fraction]

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        domain: Any = None,
        classes: Any = None,
        default: Any = None,
        learners: Sequence[str] = ("additive",),
        combine: str = "pick",
        choose: float | None = None,
        check: float = 0.1,
        out_of_domain: str = "refuse",
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.domain = domain
        self.classes = classes
        self.default = default
        self.learners = learners
        self.combine = combine
        self.choose = choose
        self.check = check
        self.out_of_domain = out_of_domain
        self.random_state = random_state

    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        population = Population(units, codes, self.epsilon, chance)
        names = self.classes_.tolist()
        rounds = self.procedure(len(units), self.schema_, names, chance.public)
        self.rule_, self.choice_, self.accuracy_ = simulate(rounds, population)
        self.spent_ = population.account.totals()

    def procedure(
        self, people: int, schema: Schema, classes: Sequence[Any], public: np.random.Generator
    ) -> Procedure[tuple[Rule, Choice, Scorecard | None]]:
        """Return the rounds of questions, whose result is the rule, the choice behind it, and its scorecard.

        Args:
            people: Number of clients, at least 10.
            schema: The features and their domains.
            classes: The labels in order.
            public: Source of public random choices: simulated people and directions.
        """
        if people < LEAST_CLIENTS:
            raise InvalidParameter(
                f"LocalClassifier needs at least {LEAST_CLIENTS} clients (n_samples), got n_samples={people}"
            )
        self._check_learning(len(classes))  # before anybody pays
        check, choose = self.set_apart(people)
        task = LearningTask(
            schema, people - check - choose, self.epsilon, len(classes), self._default(classes), public
        )
        learned = yield from learn_all(self.learners, task)
        choice = yield from choice_procedure(learned.candidates, choose, self.epsilon, learned.notes)
        alone = self.combine == "pick" or choice.best is choice.candidates[-1]
        rule = choice.best.rule if alone else choice.vote()
        card = yield from check_procedure(rule, check, self.epsilon, classes, learned.sample)
        return rule, choice, card

    def _check_learning(self, classes: int) -> None:
        check_learners(self.learners, classes)
        if self.combine not in COMBINE:
            raise InvalidParameter(f"must be pick or mix, got {self.combine!r}", field="combine")
        if self.combine == "mix" and classes > 2:
            raise InvalidParameter('combine="mix" is for two classes; take "pick"')

    def set_apart(self, people: int) -> tuple[int, int]:
        """Return how many clients check the result, and how many choose; too few to choose learn instead.

        Args:
            people: Number of clients.
        """
        names = check_learners(self.learners, classes=2)
        single = names == (ADDITIVE,)
        share = (CHOOSE_ONE if single else CHOOSE_MANY) if self.choose is None else self.choose
        choose = round(people * _share("choose", share))
        if self.choose is None and single and least_doubt(choose, self.epsilon) > COARSE:
            choose = 0
        candidates = len(names) + 1
        return round(people * _share("check", self.check)), choose if choose >= candidates else 0

    def _default(self, classes: Sequence[Any]) -> int:
        """Return the place of the class to predict where nothing can be known."""
        if self.default is None:
            return 0 if self.classes is None else list(classes).index(next(iter(self.classes)))
        if self.default not in classes:
            raise InvalidParameter(f"must be one of the classes, got {self.default!r}", field="default")
        return list(classes).index(self.default)


def _share(name: str, value: Any) -> float:
    share = real(name, value)
    if not 0 <= share <= 0.5:
        raise InvalidParameter(f"{name} is a share of the clients from 0 to 0.5, got {share!r}")
    return share
