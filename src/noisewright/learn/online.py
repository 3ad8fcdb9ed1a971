"""A mixture that keeps learning: rules come and go, and old answers fade as the world moves on.

Answers arrive one by one, each from a client who is asked once. Each makes all earlier ones count a little
less, so that the estimates follow a drift; new rules join at any time, and rules that fall behind are dropped
(Qin and Bai 2026, section 3.5, online data). Processing answers here costs nobody any more budget.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import count
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base
from noisewright.learn.ensemble.procedure import signs_of
from noisewright.learn.ensemble.weights import average, shrunken_weights
from noisewright.learn.questions import FeedbackQuestion, SplitQuestion
from noisewright.learn.questions.feedback import Evaluation
from noisewright.learn.questions.rounds import Ask, Procedure, spread
from noisewright.learn.rules import Rule
from noisewright.learn.servers import fair
from noisewright.parameters import EPSILON, as_float, is_number, real, whole

MOST_RULES: Final = 10_000

FADING: Final = np.array([1.0, 1.0, 2.0])
"""How fast the three sums of a rule fade: weights once, their squares twice."""


class OnlineMixture:
    """Rules by name, the recent feedback on each, and the mixture of them all.

    Every answer that comes makes all earlier ones, about any rule, count e^(−1/memory) times. With weights w
    of the answers about a rule, three sums are kept: Σ w·bit, Σ w and Σ w². The effective number of answers
    is (Σ w)² / Σ w²: a mean of that many equal answers would vary as much.

    Args:
        epsilon: The ε of each answer.
        memory: How many answers, to all rules together, it takes until an old one counts 1/e; by default
            nothing is forgotten.

    >>> from noisewright.learn.rules import LinearRule
    >>> mixture = OnlineMixture(epsilon=2.0, memory=1000)
    >>> mixture.add("up", LinearRule([1.0])), mixture.add("flat", LinearRule([0.0], 1.0))
    (None, None)
    >>> mixture.hear("up", [False] * 150 + [True] * 50)      # wrong more often than right: it counts reversed
    >>> mixture.next_name()
    'flat'
    >>> mixture.hear("flat", [True, False] * 100)
    >>> mixture.rule.predict(np.array([[-0.5], [0.5]])).tolist()
    [1, 0]
    """

    def __init__(self, epsilon: float, memory: float = np.inf) -> None:
        if not is_number(memory) or not as_float(memory) >= 1:
            raise InvalidParameter(
                f"must be a number of answers of at least 1, got {memory!r}", field="memory"
            )
        self.epsilon, self.memory = EPSILON.check(epsilon), as_float(memory)
        self._rules: dict[str, Rule] = {}
        self._sums: dict[str, Floats] = {}

    # -- rules -------------------------------------------------------------------------------------------

    @property
    def rules(self) -> dict[str, Rule]:
        """All rules by name."""
        return dict(self._rules)

    def add(self, name: str, rule: Rule) -> None:
        """Let a rule join; nobody has judged it yet, so at first it has no weight of its own."""
        if not isinstance(name, str) or not isinstance(rule, Rule) or len(self._rules) >= MOST_RULES:
            raise InvalidParameter(f"a rule needs a name, and a mixture holds at most {MOST_RULES:,} of them")
        if name in self._rules:
            raise InvalidParameter(
                "a rule of this name is there already; drop it first, or take another name"
            )
        self._rules[name], self._sums[name] = rule, np.zeros(3)

    def drop(self, name: str) -> None:
        """Let a rule leave, with all feedback on it."""
        self._known(name)
        del self._rules[name], self._sums[name]

    def drop_fallen(self, doubt: float = 3.0, keep: int = 1) -> list[str]:
        """Drop rules that are surely closer to a coin than the best rule; return their names.

        Surely means by ``doubt`` standard errors of the difference. The best ``keep`` rules always stay.
        """
        slack, found = real("doubt", doubt), self.evaluation()
        distance = np.abs(found.value - 0.5)
        order = np.argsort(-distance, kind="stable")
        best = order[0] if len(order) else 0
        names = list(self._rules)
        fallen = [
            names[place]
            for place in order[max(keep, 1) :]
            if distance[best] - distance[place] > slack * np.sqrt(found.variance[[best, place]].sum())
        ]
        for name in fallen:
            self.drop(name)
        return fallen

    # -- answers -----------------------------------------------------------------------------------------

    def next_name(self) -> str:
        """Return the rule that the next client should judge: the one with the fewest recent answers."""
        if not self._rules:
            raise InvalidParameter("there is no rule to ask about; add one first")
        return min(self._rules, key=self._size)

    def question(self, name: str) -> FeedbackQuestion:
        """Return the question that a client is asked about a rule."""
        return FeedbackQuestion(self.epsilon, self._known(name))

    def hear(self, name: str, right: ArrayLike) -> None:
        """Count randomized answers about a rule, the oldest first; earlier answers fade a little."""
        self._known(name)
        bits = np.atleast_1d(np.asarray(right))
        if bits.ndim != 1 or bits.dtype != np.bool_:
            raise InvalidParameter("answers about a rule are true or false, one from each client")
        faded = np.exp(-len(bits) * FADING / self.memory)
        self._sums = {each: sums * faded for each, sums in self._sums.items()}
        weights = np.exp(-np.arange(len(bits))[::-1] / self.memory)
        self._sums[name] += [weights[bits].sum(), weights.sum(), (weights**2).sum()]

    def _size(self, name: str) -> float:
        """Return the effective number of answers about a rule."""
        _, total, squares = self._sums[name]
        return float(total**2 / squares) if squares else 0.0

    def _known(self, name: str) -> Rule:
        if name not in self._rules:
            raise InvalidParameter("there is no rule of this name in the mixture")
        return self._rules[name]

    # -- their result ------------------------------------------------------------------------------------

    def evaluation(self) -> Evaluation:
        """Return the evaluation of each rule by recent answers, in order (Qin and Bai 2026, eq. 8).

        ``asked`` is the effective number of answers, rounded down.
        """
        right, total, _ = np.array(list(self._sums.values())).reshape(-1, 3).T
        share = np.divide(right, total, out=np.full(len(total), 0.5), where=total > 0)
        return Evaluation.of_shares(share, np.array(list(map(self._size, self._sums))), self.epsilon)

    @property
    def weights(self) -> Floats:
        """The weight of each rule now: by shrunken estimates, negative if reversed."""
        return shrunken_weights(self.evaluation()).values

    @property
    def rule(self) -> Rule:
        """The mixture as it stands."""
        if not self._rules:
            raise InvalidParameter("a mixture needs at least one rule; add one first")
        return average([fair(rule) for rule in self._rules.values()], shrunken_weights(self.evaluation()))

    def is_stale(self, cutoff: float) -> bool:
        """Return whether no rule, straight or reversed, seems right as often as ``cutoff``."""
        far = np.abs(self.evaluation().value - 0.5)
        return bool(far.max(initial=0.0) < real("cutoff", cutoff) - 0.5)

    # -- keeping it --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return everything in plain JSON values; an unlimited memory is null."""
        rules = {name: rule.to_dict() for name, rule in self._rules.items()}
        memory = None if math.isinf(self.memory) else self.memory
        sums = {name: sums.tolist() for name, sums in self._sums.items()}
        return {"epsilon": self.epsilon, "rules": rules, "answers": {"memory": memory, "sums": sums}}

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Self:
        """Read the mixture that :meth:`to_dict` described."""
        try:
            memory, sums_of = kept["answers"]["memory"], kept["answers"]["sums"]
            mixture = cls(kept["epsilon"], math.inf if memory is None else memory)
            for name, rule in kept["rules"].items():
                mixture.add(name, Rule.from_dict(rule))
                sums = np.array(sums_of[name], dtype=np.float64)
                if sums.shape != (3,) or not np.isfinite(sums).all() or not 0 <= sums[0] <= sums[1]:
                    raise InvalidParameter("the counts of an online mixture are broken")
                mixture._sums[name] = sums
        except (KeyError, TypeError, AttributeError) as broken:
            raise InvalidParameter("the description of an online mixture is broken") from broken
        return mixture


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
    holds, spread evenly over them. Their feedback is counted, rules that have fallen behind leave,
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
    for name, number in (("batch", batch), ("judges", judges), ("rounds", rounds)):
        whole(name, number, 1, MOST_PEOPLE)
    if question.classes != 2:
        raise InvalidParameter(
            f"a mixture is for two classes, and the question for {question.classes}; ask for one class "
            "against the rest"
        )
    ready = base.bound(question)
    for place in range(rounds + 1):
        records = (Ask(question, batch),) if place < rounds else ()
        panel = _panel(mixture, judges)
        answers = yield (*records, *(Ask(mixture.question(name), people) for name, people in panel.items()))
        for name, right in zip(panel, answers[len(records) :], strict=True):
            mixture.hear(name, right)
        mixture.drop_fallen()
        if records and len(answers[0]):
            reports = np.asarray(answers[0], dtype=np.float64)
            name = next(name for number in count(1) if (name := f"batch {number}") not in mixture.rules)
            mixture.add(name, ready.fit(reports[:, :-1], signs_of(reports[:, -1]), public))
    return mixture


def _panel(mixture: OnlineMixture, judges: int) -> dict[str, int]:
    """Return how many judges each rule gets, equal up to one; the odd ones go to rules known least."""
    names = list(mixture.rules)
    least_known = np.argsort(mixture.evaluation().asked, kind="stable")
    people = dict(zip((names[place] for place in least_known), spread(judges, len(names)), strict=True))
    return {name: people[name] for name in names if people[name]}
