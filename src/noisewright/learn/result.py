"""The result of a simulation of learning: the classifier, who was asked what, and how good it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.learn.bases import NAMES as BASES
from noisewright.learn.ensemble.mixture import Mixture
from noisewright.learn.learners.candidates import Choice, check_learners
from noisewright.learn.models.learned_model import LearnedModel
from noisewright.learn.rules import Rule
from noisewright.learn.rules.schema import Schema
from noisewright.learn.scorecard import Scorecard
from noisewright.report import Report, Reportable

METHODS: Final = ("local", "mrma")
UNTRAINED: Final = "random"


@dataclass(frozen=True)
class Method:
    """How to learn: by the best method that we know, or by MRMA, with options.

    Attributes:
        name: "local" for :class:`LocalClassifier`, "mrma" for :class:`MRMA`.
        learners: Learners that "local" tries side by side: "additive", "moments", "directions".
        default: The class that "local" answers where nothing can be known; None is the first.
        base: The weak classifiers of "mrma"; "random" ones are untrained directions.
        intercept: Whether the weak classifiers of "mrma" have an intercept.
    """

    name: str = "local"
    learners: tuple[str, ...] = ("additive",)
    default: str | None = None
    base: str = "logistic"
    intercept: bool = True

    def check(self, classes: int = 2) -> None:
        """Refuse settings that have no meaning for this number of classes."""
        if self.name not in METHODS:
            raise InvalidParameter(f"must be local or mrma, not {self.name!r}", field="method")
        if self.base not in BASES:
            raise InvalidParameter(f"must be one of {', '.join(BASES)}, not {self.base!r}", field="base")
        check_learners(self.learners, classes)


@dataclass(frozen=True)
class ClientTable:
    """The origin of the clients.

    Attributes:
        data: The name of the table.
        label: The name of its column of labels.
        left_out: Columns that nobody was asked about.
        listed: Whether the classes came as a public list and were not read off the table.
    """

    data: str
    label: str
    left_out: tuple[str, ...] = ()
    listed: bool = False


@dataclass(frozen=True)
class AskedClients:
    """The number of clients who were asked a kind of question, to ``purpose``: learn, choose or check."""

    purpose: str
    kind: str
    clients: int


@dataclass(frozen=True, eq=False)
class LearningResult(Reportable):
    """The learned classifier, the clients behind it, and how good it is.

    Attributes:
        table: The origin of the clients.
        schema: The features and their public domains.
        classes: The classes in order.
        epsilon: What every client spent at most.
        method: How it was learned.
        rule: The classifier by itself.
        chosen: The choice among candidates; of MRMA, the mixture of its weak classifiers.
        scorecard: How good it is by the answers of fresh clients; None if there were too few.
        asked: The questions and their clients, in the order of asking.
        spent: How many clients spent which exact total.
        simulated: Whether the noise came from a seed and hides nothing.
        test: The scorecard of other records that were looked at, which is not private.
        tested: The name of their file.
    """

    table: ClientTable
    schema: Schema
    classes: tuple[str, ...]
    epsilon: float
    method: Method
    rule: Rule
    chosen: Any
    scorecard: Scorecard | None
    asked: tuple[AskedClients, ...]
    spent: Counter[Fraction]
    simulated: bool
    test: Scorecard | None = None
    tested: str | None = None

    @property
    def clients(self) -> int:
        """How many clients there were."""
        return self.spent.total()

    @cached_property
    def model(self) -> LearnedModel:
        """The classifier as it is saved, without the result of a test, which is not private."""
        asked: Counter[str] = Counter()
        for row in self.asked:
            asked[row.purpose] += row.clients
        return LearnedModel(
            schema=self.schema,
            classes=self.classes,
            rule=self.rule,
            epsilon=self.epsilon,
            label=self.table.label,
            method=self.method.name,
            asked=dict(asked),
            scorecard=None if self.scorecard is None else self.scorecard.to_dict(),
            simulated=self.simulated,
        )

    def report(self, saved: str | None = None) -> Report:
        """Describe the result as a document; ``saved`` is the file that holds the classifier."""
        from noisewright.learn.report import learning_report  # noqa: PLC0415  (only a report needs it)

        return learning_report(self, saved)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in strict JSON values."""
        rows = [{"purpose": row.purpose, "question": row.kind, "clients": row.clients} for row in self.asked]
        spent = [{"epsilon": str(total), "clients": count} for total, count in self.spent.items()]
        return {
            "data": self.table.data,
            "left_out": list(self.table.left_out),
            "clients": self.clients,
            "clients_are_simulated": True,
            "private": not self.simulated,
            "asked": rows,
            "spent": spent,
            "chosen": chosen_facts(self.chosen),
            "scorecard": self.scorecard and self.scorecard.to_dict(),
            "test": self.test and {"data": self.tested, **self.test.to_dict()},
            "model": self.model.to_dict(),
        }


def chosen_facts(chosen: Any) -> dict[str, Any]:
    """Return the choice and its candidates; of MRMA, the mixture of its weak classifiers."""
    if isinstance(chosen, Choice):
        pairs = zip(chosen.candidates, chosen.worth.tolist(), strict=True)
        rows = [{"name": each.name, "hope": each.hope, "worth": worth} for each, worth in pairs]
        return {"name": chosen.best.name, "candidates": rows, "notes": list(chosen.notes)}
    mixtures = [chosen] if isinstance(chosen, Mixture) else list(chosen.mixtures)
    return {
        "weak": sum(len(mixture.trained) for mixture in mixtures),
        "reversed": sum(int(mixture.reversed.sum()) for mixture in mixtures),
        "with_weight": sum(int(np.count_nonzero(mixture.weights)) for mixture in mixtures),
        "fallback": any(mixture.fallback for mixture in mixtures),
    }
