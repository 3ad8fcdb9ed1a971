"""How the clients of MRMA are shared out: who trains, who evaluates, who checks the result."""

from __future__ import annotations

from dataclasses import dataclass

from noisewright.errors import InvalidParameter
from noisewright.learn.questions.rounds import spread
from noisewright.parameters import real, whole

TRAINING_SHARE = 5
"""One client in this many trains: feedback is worth more than noisy records (Qin and Bai 2026, 3.3)."""

USUAL_SUBSET = 60
USUAL_PER_RULE = 50
MOST_WEAK = 50
"""Records and evaluating clients of each weak classifier, and the most classifiers, by default."""


@dataclass(frozen=True)
class Plan:
    """Numbers of clients and weak classifiers of MRMA.

    Attributes:
        weak: Number of weak classifiers.
        training: Number of clients who send noisy records; 0 if the weak classifiers are untrained.
        subset: Number of records that each weak classifier is trained on.
        evaluation: Number of clients who give feedback.
        checking: Number of clients who judge the result.

    >>> make_plan(2214, width=8, weak=30, training=414, subset=60)
    Plan(weak=30, training=414, subset=60, evaluation=1800, checking=0)
    """

    weak: int
    training: int
    subset: int
    evaluation: int
    checking: int = 0

    @property
    def people(self) -> int:
        """All clients of the plan."""
        return self.training + self.evaluation + self.checking

    def split(self, parts: int) -> list[Plan]:
        """Split the learning clients and the weak rules into equal parts, up to one client: a problem each.

        >>> [part.evaluation for part in Plan(weak=4, training=9, subset=3, evaluation=31).split(3)]
        [11, 10, 10]
        """
        if self.evaluation < parts or 0 < self.training < parts:
            raise InvalidParameter(f"{self.people} clients are too few for {parts} classes; ask more clients")
        shares = zip(spread(self.training, parts), spread(self.evaluation, parts), strict=True)
        weak = max(self.weak // parts, 1)
        return [
            Plan(min(weak, judges), training, min(self.subset, training), judges)
            for training, judges in shares
        ]


def make_plan(
    people: int,
    width: int,
    *,
    weak: int | None = None,
    training: int | None = None,
    subset: int | None = None,
    check: float = 0.0,
    trained: bool = True,
) -> Plan:
    """Share out the clients; arguments left None follow from the number of clients.

    By default one client in five trains (but up to half of them until there are 60), every weak classifier
    sees 60 records, or five a coefficient, and is judged by about 50 clients; there are at most 50 of them.
    Only public numbers decide.

    Args:
        people: Number of clients.
        width: Number of unit columns of a record.
        weak: Number of weak classifiers; None is one for every 50 judges, at most 50.
        training: Number of clients who send records; None is a fifth of them.
        subset: Records of each weak classifier; None is 60, or five a coefficient.
        check: The share of the clients who check the result, from 0 to below 1.
        trained: Whether the weak classifiers are trained at all.

    >>> make_plan(40, width=2)
    Plan(weak=1, training=20, subset=20, evaluation=20, checking=0)
    >>> make_plan(40, width=2, weak=30)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: 40 clients are fewer than two for each of 30 weak classifiers; ...
    """
    if not 0 <= real("check", check) < 1:
        raise InvalidParameter(
            f"must be a share of the clients from 0 to below 1, got {check!r}", field="check"
        )
    checking = round(check * people)
    rest = people - checking
    trainers = max(min(rest // 2, USUAL_SUBSET), rest // TRAINING_SHARE) if trained else 0
    if training is not None and trained:
        trainers = whole("training (clients who send records)", training, 1, max(rest - 1, 1))
    judges = rest - trainers
    rules = min(max(judges // USUAL_PER_RULE, 1), MOST_WEAK)
    if weak is not None:
        rules = whole("weak", weak, 1, 10_000)
    if rest < 2 * rules:
        raise InvalidParameter(
            f"{rest} clients are fewer than two for each of {rules} weak classifiers; take weak="
            f"{max(rest // 2, 1)} or fewer, or ask more clients"
        )
    if judges < rules:
        raise InvalidParameter(
            f"{judges} evaluating clients are fewer than the {rules} weak classifiers; take fewer of these, "
            "or fewer training clients"
        )
    records = min(trainers, max(USUAL_SUBSET, 5 * (width + 1)))
    if subset is not None and trained:
        records = whole("subset (records of a weak classifier)", subset, 1, max(trainers, 1))
    return Plan(rules, trainers, records, judges, checking)
