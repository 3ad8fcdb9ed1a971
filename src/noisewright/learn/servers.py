"""Many servers that learn from each other, each with clients of its own (Qin and Bai 2026, section 3.6).

Every server trains a rule with its own clients and publishes it. Then it asks its clients about the rules of
the others, as it asked about its own weak ones, and mixes. Only finished rules pass between servers, and
they are made of answers that ε protects already. Servers may differ, even be opposed: a rule that is
wrong here is reversed or ignored.

Clients pay in one of two ways. With ``payment="groups"`` the rules of others are judged by clients who have
not been asked before, at ε. With ``payment="halves"`` the judges of the own weak rules are asked again, at
ε/2 each time. Either way a client spends ε at most. Halves are not free: the own rule is made of noisier
feedback. Where ε is so small that the rules of others cannot be told apart from coins, a server that shares
ends up worse than one that keeps its whole ε for itself (``python -m benchmarks.learning servers``).

**How much the rules of others count.** Another server's rule may be the best there is, useless, wrong, or
meant to harm. Three things keep harm out. A rule counts only by the feedback of this server's clients. While
their answers about all foreign rules together look like answers about coins, none of them counts. And every
rule's scores are brought into [−1, 1] first, so that nobody gains weight by sending large numbers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.learn.bases import Base
from noisewright.learn.devices.messages import read_message, refuse_broken
from noisewright.learn.ensemble import Mixing, Plan, mrma_procedure
from noisewright.learn.ensemble.successive_halving import even_assignment
from noisewright.learn.ensemble.weights import Weights, average, cutoff_weights, shrunken_accuracies
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.feedback import Evaluation
from noisewright.learn.questions.rounds import Population, simulate
from noisewright.learn.rules import ConstantRule, LinearRule, MixedRule, Rule
from noisewright.parameters import one_of, real

WEIGHTINGS = ("evidence", "cutoff")


@dataclass(frozen=True, eq=False)
class Combined:
    """A server's rule after the exchange.

    ``evaluation`` is its clients' feedback on the candidates, its own rule first; ``weights`` are negative
    for reversed candidates. How often the mixture is right, only fresh clients can show.
    """

    rule: Rule
    evaluation: Evaluation
    weights: Floats


@dataclass(frozen=True)
class Transfer:
    """How candidates, a server's own rule first, become its final rule.

    "cutoff" is the published way: reverse, then weigh by the excess over ``cutoff`` (section 3.6, eq. 10). It
    treats the own rule like any other, so that at small ε luck decides. "evidence" first asks, by a χ² test
    at ``level``, whether the foreign rules are anything but coins. If not, the own rule stands alone; else

        weight_b ∝ a_b · |a_b|,   a_b = 2 E[r_b | answers] − 1,

    the shrunken lean of each rule, squared so that many weak rules do not drown a few good ones. Its sign is
    kept, so that a rule which is mostly wrong here counts reversed.

    >>> rules = [LinearRule([1.0, 0.0]), LinearRule([0.0, 9.0])]
    >>> doubtful = Evaluation(np.array([0.5, 0.7]), np.full(2, 0.16), np.full(2, 100))
    >>> Transfer().combine(rules, doubtful).weights.tolist()
    [1.0, 0.0]
    """

    cutoff: float = 0.8
    weighting: str = "evidence"
    level: float = 0.01

    def __post_init__(self) -> None:
        one_of("weighting", self.weighting, WEIGHTINGS)
        if not 0.5 < real("cutoff", self.cutoff) < 1:
            raise InvalidParameter(
                f"must be an accuracy between 0.5 and 1, got {self.cutoff!r}", field="cutoff"
            )
        if not 0 < real("level", self.level) < 1:
            raise InvalidParameter(
                f"must be a probability between 0 and 1, got {self.level!r}", field="level"
            )

    def combine(self, rules: Sequence[Rule], evaluation: Evaluation) -> Combined:
        """Combine the candidates into one rule, by the clients' feedback on them."""
        foreign = Evaluation(evaluation.value[1:], evaluation.variance[1:], evaluation.asked[1:])
        if self.weighting == "cutoff":
            below = evaluation.value < 0.5
            weights = np.where(below, -1, 1) * cutoff_weights(evaluation.reversed(below), self.cutoff).values
        elif not_all_coins(foreign, self.level):
            lean = 2 * shrunken_accuracies(evaluation) - 1
            weights = lean * np.abs(lean) / (lean**2).sum()
        else:
            weights = np.asarray(np.arange(len(evaluation)) == 0, dtype=np.float64)
        return Combined(average([fair(rule) for rule in rules], Weights(weights)), evaluation, weights)


def not_all_coins(evaluation: Evaluation, level: float) -> bool:
    """Return whether estimated accuracies scatter about ½ more than those of coins do.

    Σ (r̃ − ½)²/s² against the χ² law with as many degrees of freedom as rules were judged, where s² is the
    variance that the estimate of a coin has: ((n − 1)·variance + (r̃ − ½)²)/n for n judges. An estimated
    variance would be too small just where an estimate is far off, and let coins pass.

    >>> not_all_coins(Evaluation.of(right=[70, 30], asked=[100, 100], epsilon=1.0), level=0.01)
    True
    """
    from scipy.special import gammaincc  # noqa: PLC0415  (scipy is slow to load)

    judged = evaluation.asked > 0
    value, variance, asked = evaluation.value[judged], evaluation.variance[judged], evaluation.asked[judged]
    far = (value - 0.5) ** 2
    distance = float((far * asked / ((asked - 1) * variance + far)).sum()) if far.any() else 0.0
    return bool(judged.any() and gammaincc(len(far) / 2, distance / 2) < level)


def fair(rule: Rule) -> Rule:
    """Return a rule with the same classes and scores within [−1, 1]: large numbers gain no weight.

    A linear rule is divided by the largest score it can give, |intercept| + Σ |weight|; others give their
    vote.

    >>> fair(LinearRule([3e9, 0.0], -1e9)).scores(np.array([[1.0, 0.0]])).tolist()
    [0.5]
    """
    if isinstance(rule, ConstantRule):
        return rule
    if not isinstance(rule, LinearRule):
        return MixedRule([rule], np.ones(1), "votes")
    largest = abs(rule.intercept) + float(np.abs(rule.weights).sum())
    return LinearRule(rule.weights / largest, rule.intercept / largest, rule.ties) if largest else rule


PAYMENTS: Final = ("groups", "halves")

MOST_SERVERS: Final = 10_000


@dataclass(frozen=True)
class Training:
    """How a server makes its own rule: MRMA with these parameters, training reports at the question's ε."""

    question: SplitQuestion
    plan: Plan
    base: Base
    mixing: Mixing = field(default_factory=Mixing)


class Clients(Population):
    """Clients who may be asked again while they can pay."""

    def reopen(self, price: PureLDP) -> None:
        """Let everybody who can still pay a price be asked once more, in a new public order."""
        self._order = self._chance.public.permutation(self.account.able(price))
        self._asked = 0


class Server:
    """One server: its clients, how it trains, and what it does with the rules of others.

    ``rule`` is its own rule after :meth:`train`; ``combined`` the mixture after :meth:`combine`.

    Args:
        name: The name by which other servers know it.
        clients: Its clients.
        training: How it makes its own rule.
        payment: "halves" asks judges twice at ε/2, "groups" asks new judges at ε.
        transfer: How much the rules of others count; None is by evidence.
        public: Source of public random choices; None takes a fresh generator.
    """

    def __init__(
        self,
        name: str,
        clients: Clients,
        training: Training,
        *,
        payment: str = "halves",
        transfer: Transfer | None = None,
        public: np.random.Generator | None = None,
    ) -> None:
        self.payment = one_of("payment", payment, PAYMENTS)
        self.name, self.clients, self.training = name, clients, training
        self.transfer = Transfer() if transfer is None else transfer
        self._public = np.random.default_rng() if public is None else public
        self._foreign: dict[str, Rule] = {}
        self.rule: Rule | None = None
        self.combined: Combined | None = None

    @property
    def feedback_epsilon(self) -> float:
        """The cost of one judge's answer; halving a double is exact, so two halves are the whole."""
        whole = self.training.question.epsilon
        return whole / 2 if self.payment == "halves" else whole

    def train(self) -> Rule:
        """Train the own rule with the own clients."""
        how = self.training
        rounds = mrma_procedure(
            how.question, how.plan, how.base, how.mixing, self._public, feedback_epsilon=self.feedback_epsilon
        )
        self.rule = simulate(rounds, self.clients).rule
        return self.rule

    def publish(self) -> str:
        """Return the own rule as a message to the other servers."""
        return json.dumps({"server": self.name, "rule": self._own().to_dict()}, allow_nan=False)

    def receive(self, message: str | bytes) -> None:
        """Take the rule of another server, if it is for the same records; a newer one replaces it."""
        parts = read_message(message, ("server", "rule"))
        with refuse_broken("the rule of a server"):
            name, rule = parts["server"], Rule.from_dict(parts["rule"])
            # One score a record, not one for each class: a rule for several classes cannot be mixed.
            fits = rule.scores(np.zeros((1, self.training.question.width))).shape == (1,)
        if not isinstance(name, str) or name == self.name or len(self._foreign) >= MOST_SERVERS:
            raise InvalidParameter("a rule must come from another server, and from a limited number of them")
        if not fits:
            raise InvalidParameter("a rule of another server must be for two classes")
        self._foreign[name] = rule

    def combine(self) -> Combined:
        """Ask the own clients about all rules and mix; the own rule is always among the candidates."""
        if self.payment == "halves":
            self.clients.reopen(PureLDP(self.feedback_epsilon))
        rules = self.candidates
        if self.clients.left < len(rules):
            raise InvalidParameter(
                f"{self.clients.left} clients can still be asked about {len(rules)} rules, and each "
                "judges one; plan fewer clients for the training, or exchange with fewer servers"
            )
        rounds = even_assignment(rules, self.clients.left, self.feedback_epsilon)
        self.combined = self.transfer.combine(rules, simulate(rounds, self.clients))
        return self.combined

    def recombined(self, transfer: Transfer) -> Combined:
        """Return what another transfer would have made of the same answers; nobody is asked again."""
        if self.combined is None:
            raise InvalidParameter("the server has asked nobody about the candidates yet; combine first")
        return transfer.combine(self.candidates, self.combined.evaluation)

    @property
    def candidates(self) -> list[Rule]:
        """Return the own rule first, then those of the others by the names of their servers."""
        return [self._own(), *(self._foreign[name] for name in sorted(self._foreign))]

    def _own(self) -> Rule:
        if self.rule is None:
            raise InvalidParameter("the server has no rule of its own yet; train it first")
        return self.rule


def collaborate(servers: Sequence[Server]) -> dict[str, Rule]:
    """Let all servers train, exchange their rules, and combine; return each server's final rule.

    Args:
        servers: Servers with different names.
    """
    if len({server.name for server in servers}) < len(servers):
        raise InvalidParameter("must have different names", field="servers")
    for server in servers:
        server.train()
    for server in servers:
        message = server.publish()
        for other in servers:
            if other is not server:
                other.receive(message)
    return {server.name: server.combine().rule for server in servers}
