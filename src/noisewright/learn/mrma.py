"""MRMA: many weak classifiers from noisy records, combined into one by the feedback of other clients.

Qin and Bai (2026, algorithm 1). Some clients send a noisy record each; the server trains weak classifiers on
random subsets of them. All other clients get one weak classifier each and answer, through randomized
response, whether it is right about them. A weak classifier that is more often wrong than right is reversed,
and the average of all is weighted by how often each is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base, find_base
from noisewright.learn.ensemble import Mixing, Plan, make_plan, mrma_procedure
from noisewright.learn.ensemble.confusion import confusion_procedure
from noisewright.learn.ensemble.one_vs_rest import one_vs_rest_procedure
from noisewright.learn.models.private_classifier import PrivateClassifier
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.rounds import Chance, Population, Procedure, simulate
from noisewright.learn.rules import Rule
from noisewright.learn.rules.schema import Schema
from noisewright.learn.scorecard import Scorecard
from noisewright.learn.scorecard.card import check_procedure
from noisewright.parameters import one_of

__all__ = ["MRMA", "Mixing", "Plan", "make_plan", "mrma_procedure"]

MULTICLASS = ("one_vs_rest", "confusion")


class MRMA(PrivateClassifier):
    """A classifier from noisy records and one-bit feedback, each client asked once at ε in total.

    Under heavy noise a fitted intercept follows the class counts and drowns the slopes, so that almost every
    weak classifier answers one class; ``intercept=False`` and ``base="random"`` leave the signal to the
    feedback.

    Fitted: ``rule_``, ``weak_`` (the weak classifiers and their mixture), ``plan_`` (who was asked what),
    ``accuracy_`` (a :class:`Scorecard`, None without ``check``), ``spent_`` (how many clients spent which
    exact total), ``simulated_``, ``classes_``, ``n_features_in_``.

    Args:
        base: The weak learner: "logistic", "svm", "dwd", "gradient"; "moments" or "bayes",
            which remove the noise; "random", untrained directions (all clients give feedback); or a
            scikit-learn classifier.
        epsilon: What every client spends in all.
        domain: Where features live, publicly: a Product, a mapping or list of domains; None squashes numbers
            by tanh.
        classes: The public list of labels; None reads it off ``y``.
        weak: Number of weak classifiers; None follows from the number of clients, as do the next two.
        training: Number of clients who send records.
        subset: Number of records that each weak classifier is trained on.
        cutoff: The accuracy above which a weak classifier counts, from 0 to below 1.
        intercept: Whether weak classifiers have an intercept.
        reversal: Whether a weak classifier that is mostly wrong is reversed.
        averaging: How weak classifiers are weighted: "cutoff" (as published), "shrunken", or "none" (the best
            alone).
        assignment: Which clients judge which: "even", or "halving" for more people about fewer classifiers.
        mechanism: The channel of every column of a record: a name such as "laplace", "PM", "Hybrid",
            "designed".
        label_share: The label's part of ε, between 0 and 1; None is as much as a column has.
        features: Columns that each training client reports; None is all.
        multiclass: How more than two classes are learned: "one_vs_rest" or "confusion".
        check: The share of the clients kept for an honest ``accuracy_``; the published tables have 0.
        out_of_domain: What to do with values outside the domain: "refuse" or "clip".
        random_state: None draws secure noise; a seed or generator repeats it, and then it hides nothing.
        n_jobs: joblib's number of jobs for scikit-learn bases.

    >>> generator = np.random.default_rng(1)
    >>> X = generator.uniform(-1, 1, (4000, 2))
    >>> model = MRMA(epsilon=2.0, intercept=False, random_state=3).fit(X, X[:, 0] > X[:, 1])
    >>> model.score(X, X[:, 0] > X[:, 1]) > 0.9, model.spent_ == {Fraction(2): 4000}
    (True, True)
    """

    rule_: Any
    weak_: Any
    plan_: Plan
    accuracy_: Scorecard | None
    spent_: Counter[Fraction]

    def __init__(
        self,
        base: Any = "logistic",
        *,
        epsilon: float = 1.0,
        domain: Any = None,
        classes: Any = None,
        weak: int | None = None,
        training: int | None = None,
        subset: int | None = None,
        cutoff: float = 0.7,
        intercept: bool = True,
        reversal: bool = True,
        averaging: str = "cutoff",
        assignment: str = "even",
        mechanism: str = "laplace",
        label_share: float | None = None,
        features: int | None = None,
        multiclass: str = "one_vs_rest",
        check: float = 0.1,
        out_of_domain: str = "refuse",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.base = base
        self.epsilon = epsilon
        self.domain = domain
        self.classes = classes
        self.weak = weak
        self.training = training
        self.subset = subset
        self.cutoff = cutoff
        self.intercept = intercept
        self.reversal = reversal
        self.averaging = averaging
        self.assignment = assignment
        self.mechanism = mechanism
        self.label_share = label_share
        self.features = features
        self.multiclass = multiclass
        self.check = check
        self.out_of_domain = out_of_domain
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        population = Population(units, codes, self.epsilon, chance)
        self.plan_ = self.plan(*units.shape)
        rounds = self.procedure(len(units), self.schema_, self.classes_.tolist(), chance.public)
        self.rule_, self.weak_, self.accuracy_ = simulate(rounds, population)
        self.spent_ = population.account.totals()

    def procedure(
        self, people: int, schema: Schema, classes: Sequence[Any], public: np.random.Generator
    ) -> Procedure[tuple[Rule, Any, Scorecard | None]]:
        """Return the rounds of questions; a ``Coordinator`` puts them to people's devices.

        The procedure returns the rule, the weak classifiers with their mixture, and the scorecard of the
        checking clients.

        Args:
            people: Number of clients.
            schema: The features and their domains.
            classes: The labels in order.
            public: Source of public random choices: subsets and directions.
        """
        plan = self.plan(people, schema.width)
        learned = yield from self._learning(plan, schema.width, len(classes), public)
        rule = self._result(learned, public)
        # Scores of a mixture are not log-odds: the bins of its calibration are the predicted classes.
        card = yield from check_procedure(rule, plan.checking, self.epsilon, classes)
        return rule, learned, card

    def _result(self, learned: Any, public: np.random.Generator) -> Rule:
        """Return the final rule."""
        rule: Rule = learned.rule
        return rule

    def _learning(self, plan: Plan, width: int, classes: int, public: np.random.Generator) -> Procedure[Any]:
        base = self._base()
        mixing = Mixing(self.cutoff, self.reversal, self.averaging, self.assignment, not base.trained)
        question = SplitQuestion(self.epsilon, width, self.mechanism, self.label_share, classes)
        if one_of("multiclass", self.multiclass, MULTICLASS) == "confusion" and classes > 2:
            if self.features is not None:
                raise InvalidParameter('features is not for multiclass="confusion"; take one_vs_rest')
            return confusion_procedure(question, plan, base, public)
        learn = mrma_procedure if classes == 2 else one_vs_rest_procedure
        return learn(question, plan, base, mixing, public, features=self.features)

    def _base(self) -> Base:
        return find_base(self.base, self.intercept, self.n_jobs)

    def plan(self, people: int, width: int) -> Plan:
        """Return how many clients train, evaluate and check.

        Args:
            people: Number of clients.
            width: Number of unit columns of a record.
        """
        return make_plan(
            people,
            width,
            weak=self.weak,
            training=self.training,
            subset=self.subset,
            check=self.check,
            trained=self._base().trained,
        )
