"""Online learning as rounds of questions: reports make new rules, feedback weighs those that there are."""

from __future__ import annotations

from itertools import count

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base
from noisewright.learn.ensemble.procedure import signs_of
from noisewright.learn.online.mixture import OnlineMixture
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.rounds import Ask, Procedure
from noisewright.parameters import whole

MOST_PEOPLE = 1 << 53


def online_procedure(
    mixture: OnlineMixture,
    question: SplitQuestion,
    base: Base,
    batch: int,
    judges: int,
    rounds: int,
    public: np.random.Generator,
) -> Procedure[OnlineMixture]:
    """Keep a mixture up to date: in every round a new rule from new people, and new judges for all rules.

    A round asks ``batch`` clients for their records and ``judges`` others about the rules that the mixture
    holds, as many about one as about another. Their feedback is heard, rules that have fallen behind leave,
    and the rule of the batch joins; it is judged from the next round on, so after the last batch there is one
    more round of judges alone. Every client is asked once: ``batch`` · ``rounds`` train, and up to
    ``judges`` · (``rounds`` + 1) judge, the first of them only if the mixture begins with rules. The mixture
    is changed in place, and usable between rounds (Qin and Bai 2026, section 3.5, online data).

    >>> from noisewright.learn.bases import find_base
    >>> question, public = SplitQuestion(2.0, width=3), np.random.default_rng(1)
    >>> procedure = online_procedure(OnlineMixture(2.0), question, find_base("svm"), 50, 80, 3, public)
    >>> [ask.people for ask in next(procedure)]
    [50]
    >>> reports = np.column_stack([public.normal(size=(50, 3)), np.arange(50) % 2])
    >>> [(ask.question.kind, ask.people) for ask in procedure.send([reports])]
    [('split', 50), ('feedback', 80)]
    """
    _check_sizes(question, batch, judges, rounds)
    ready = base.bound(question)
    for place in range(rounds + 1):
        records = (Ask(question, batch),) if place < rounds else ()
        panel = _panel(mixture, judges)
        answers = yield (*records, *(Ask(mixture.question(name), people) for name, people in panel.items()))
        for name, right in zip(panel, answers[len(records) :], strict=True):
            mixture.hear(name, right)
        mixture.drop_fallen()
        if records:
            _join(mixture, ready, _reports(answers[0], question), public)
    return mixture


def _panel(mixture: OnlineMixture, judges: int) -> dict[str, int]:
    """How many judges each rule gets, equal up to one; the odd ones go to the rules that are known least."""
    names = list(mixture.rules)
    if not names:
        return {}
    each, over = divmod(judges, len(names))
    least_known = np.argsort(mixture.evaluation().asked, kind="stable")
    people = np.full(len(names), each)
    people[least_known[:over]] += 1
    return {name: int(share) for name, share in zip(names, people, strict=True) if share}


def _join(mixture: OnlineMixture, base: Base, reports: Floats, public: np.random.Generator) -> None:
    """Train a rule with a batch and let it join; from no reports there is none."""
    if len(reports):
        taken = mixture.rules
        name = next(name for number in count(1) if (name := f"batch {number}") not in taken)
        mixture.add(name, base.fit(reports[:, :-1], signs_of(reports[:, -1]), public))


def _reports(answers: ArrayLike, question: SplitQuestion) -> Floats:
    return np.asarray(answers, dtype=np.float64).reshape(-1, question.width + 1)


def _check_sizes(question: SplitQuestion, batch: int, judges: int, rounds: int) -> None:
    for name, number in (("batch", batch), ("judges", judges), ("rounds", rounds)):
        whole(name, number, 1, MOST_PEOPLE)
    if question.classes != 2:
        raise InvalidParameter(
            f"a mixture is for two classes, and the question for {question.classes}; ask for one class "
            "against the rest"
        )
