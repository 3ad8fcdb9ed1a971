"""What was learned with what was asked for: the facts that the page, the terminal and JSON all show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noisewright.learn import Schema, Scorecard
from noisewright.learn.choosing import Choice
from noisewright.learn.ensemble.mixing import Mixture
from noisewright.learn.learned_model import LearnedModel
from noisewright.pages.learn_playing import Method, Played


@dataclass(frozen=True)
class Source:
    """Where the clients came from: names as they were given, and columns that nobody was asked about.

    ``listed`` says that the classes came as a public list and were not read off the data.
    """

    data: str
    label: str
    left_out: tuple[str, ...] = ()
    listed: bool = False


@dataclass(frozen=True, eq=False)
class Lesson:
    """Everything that is told: what was learned, from whom, and how good it is.

    ``test`` is the scorecard of other records that were looked at, and ``tested`` the name of their file.
    """

    source: Source
    schema: Schema
    classes: tuple[str, ...]
    epsilon: float
    method: Method
    played: Played
    simulated: bool
    test: Scorecard | None = None
    tested: str | None = None

    @property
    def clients(self) -> int:
        """How many clients there were."""
        return self.played.spent.total()

    @property
    def card(self) -> Scorecard | None:
        """The private scorecard."""
        return self.played.card

    @cached_property
    def model(self) -> LearnedModel:
        """The classifier as it is saved; what a test said of it stays out, for that is not private."""
        asked: Counter[str] = Counter()
        for row in self.played.asked:
            asked[row.purpose] += row.clients
        return LearnedModel(
            schema=self.schema,
            classes=self.classes,
            rule=self.played.rule,
            epsilon=self.epsilon,
            label=self.source.label,
            method=self.method.name,
            asked=dict(asked),
            scorecard=None if self.card is None else self.card.to_dict(),
            simulated=self.simulated,
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it in strict JSON values."""
        rows = [
            {"purpose": row.purpose, "question": row.kind, "clients": row.clients}
            for row in self.played.asked
        ]
        spent = [{"epsilon": str(total), "clients": count} for total, count in self.played.spent.items()]
        return {
            "data": self.source.data,
            "left_out": list(self.source.left_out),
            "clients": self.clients,
            "clients_are_simulated": True,
            "private": not self.simulated,
            "asked": rows,
            "spent": spent,
            "chosen": chosen_facts(self.played.chosen),
            "scorecard": self.card and self.card.to_dict(),
            "test": self.test and {"data": self.tested, **self.test.to_dict()},
            "model": self.model.to_dict(),
        }


def chosen_facts(chosen: Any) -> dict[str, Any]:
    """What was taken among what; of MRMA, what became of the weak classifiers."""
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
