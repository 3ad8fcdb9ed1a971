"""Many servers that learn from each other, each with clients of its own (Qin and Bai 2026, section 3.6).

Every server trains a rule with its own clients and publishes it. Then it asks its clients about the rules of
the others, as it asked about its own weak ones, and mixes. Nothing but finished rules passes between servers,
and they are made of answers that ε protects already. Servers may differ, even be opposed: a rule that is
wrong here is reversed or ignored.

Clients pay in one of two ways. With ``payment="groups"`` the rules of others are judged by clients who have
not been asked before, at ε. With ``payment="halves"`` the judges of the own weak rules are asked again, at
ε/2 each time. Either way a client spends ε at most. Halves are not free: the own rule is made of noisier
feedback, and where ε is so small that the rules of others cannot be told from coins, a server that shares
ends up worse than one that had kept its whole ε for itself (``python -m benchmarks.learning servers``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.learn.bases import Base
from noisewright.learn.ensemble import Mixing, Mixture, Plan, mrma_procedure
from noisewright.learn.field.messages import read_message, refused
from noisewright.learn.halving import evenly
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.rounds import Population, Procedure, simulate
from noisewright.learn.rules import Rule
from noisewright.learn.servers.transfer import Combined, Transfer

PAYMENTS: Final = ("groups", "halves")

MOST_SERVERS: Final = 10_000


@dataclass(frozen=True)
class Training:
    """How a server makes its own rule: MRMA with these parameters, training reports at the question's ε."""

    question: SplitQuestion
    plan: Plan
    base: Base
    mixing: Mixing = field(default_factory=Mixing)

    def procedure(self, feedback_epsilon: float, public: np.random.Generator) -> Procedure[Mixture]:
        """The rounds of algorithm 1, with judges who pay ``feedback_epsilon``."""
        return mrma_procedure(
            self.question, self.plan, self.base, self.mixing, public, feedback_epsilon=feedback_epsilon
        )


def comparison(
    own: Rule, foreign: Sequence[Rule], people: int, epsilon: float, transfer: Transfer
) -> Procedure[Combined]:
    """Ask clients about a server's own rule and the rules of others, each about one, and mix them."""
    rules = [own, *foreign]
    evaluation = yield from evenly(rules, people, epsilon)
    return transfer.combine(rules, evaluation)


class Clients(Population):
    """Clients who may be asked again while they can pay."""

    def reopen(self, price: PureLDP) -> None:
        """Put everybody who can still pay a price into line once more, in a new public order."""
        self._order = self._chance.public.permutation(self.account.able(price))
        self._asked = 0


class Server:
    """One server: its clients, how it trains, and what it does with the rules of others.

    ``rule`` is its own rule after :meth:`train`; ``combined`` what it has after :meth:`combine`.
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
        if payment not in PAYMENTS:
            raise InvalidParameter(f"payment must be groups or halves, got {payment!r}")
        self.name, self.clients, self.training, self.payment = name, clients, training, payment
        self.transfer = Transfer() if transfer is None else transfer
        self._public = np.random.default_rng() if public is None else public
        self._foreign: dict[str, Rule] = {}
        self.rule: Rule | None = None
        self.combined: Combined | None = None

    @property
    def feedback_epsilon(self) -> float:
        """What a judge pays for one answer; halving a double is exact, so two halves are the whole."""
        whole = self.training.question.epsilon
        return whole / 2 if self.payment == "halves" else whole

    def train(self) -> Rule:
        """Make the own rule with the own clients."""
        procedure = self.training.procedure(self.feedback_epsilon, self._public)
        self.rule = simulate(procedure, self.clients).rule
        return self.rule

    def publish(self) -> str:
        """The own rule as a message to the other servers."""
        return json.dumps({"server": self.name, "rule": self._own().to_dict()}, allow_nan=False)

    def receive(self, message: str | bytes) -> None:
        """Take the rule of another server, if it is one for records like ours; a newer one replaces it."""
        parts = read_message(message, ("server", "rule"))
        with refused("the rule of a server"):
            name, rule = parts["server"], Rule.from_dict(parts["rule"])
            # One score a record, not one for each class: a rule for several classes cannot be mixed.
            fits = rule.scores(np.zeros((1, self.training.question.width))).shape == (1,)
        if not isinstance(name, str) or name == self.name or len(self._foreign) >= MOST_SERVERS:
            raise InvalidParameter("a rule must come from another server, and from a limited number of them")
        if not fits:
            raise InvalidParameter("a rule of another server must tell two classes apart")
        self._foreign[name] = rule

    def combine(self) -> Combined:
        """Ask the own clients about all rules and mix; the own rule is always among the candidates."""
        if self.payment == "halves":
            self.clients.reopen(PureLDP(self.feedback_epsilon))
        own, *foreign = self.candidates
        if self.clients.left < len(foreign) + 1:
            raise InvalidParameter(
                f"{self.clients.left} clients can still be asked about {len(foreign) + 1} rules, and each "
                "judges one; plan fewer clients for the training, or exchange with fewer servers"
            )
        asked = comparison(own, foreign, self.clients.left, self.feedback_epsilon, self.transfer)
        self.combined = simulate(asked, self.clients)
        return self.combined

    def recombined(self, transfer: Transfer) -> Combined:
        """What another way to weigh would have made of the same answers; nobody is asked again."""
        if self.combined is None:
            raise InvalidParameter("the server has asked nobody about the candidates yet; combine first")
        return transfer.combine(self.candidates, self.combined.evaluation)

    @property
    def candidates(self) -> list[Rule]:
        """The own rule first, then those of the others by the names of their servers."""
        return [self._own(), *(self._foreign[name] for name in sorted(self._foreign))]

    def _own(self) -> Rule:
        if self.rule is None:
            raise InvalidParameter("the server has no rule of its own yet; train it first")
        return self.rule


def collaborate(servers: Sequence[Server]) -> dict[str, Rule]:
    """Let all servers train, tell each other their rules, and combine; returns each server's final rule."""
    if len({server.name for server in servers}) < len(servers):
        raise InvalidParameter("servers must have different names")
    for server in servers:
        server.train()
    for server in servers:
        message = server.publish()
        for other in servers:
            if other is not server:
                other.receive(message)
    return {server.name: server.combine().rule for server in servers}
