"""A mixture that keeps learning: rules come and go, and old answers fade as the world moves on.

Answers arrive one by one, each from a client who is asked once. Each makes all earlier ones count a little
less, so that the estimates follow a drift; new rules join at any time, and rules that fall behind are dropped
(Qin and Bai 2026, section 3.5, online data). Whatever is done here with answers costs nobody anything more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.averaging import average, shrunken_weights
from noisewright.learn.feedback import Evaluation
from noisewright.learn.online.fading import Fading
from noisewright.learn.questions import FeedbackQuestion
from noisewright.learn.rules import Rule
from noisewright.learn.servers.transfer import fair
from noisewright.parameters import EPSILON, real

MOST_RULES: Final = 10_000


class OnlineMixture:
    """Rules by name, what recent clients said of each, and the mixture of them all.

    ``memory`` is how many answers, to all rules together, it takes until an old one counts 1/e; by default
    nothing is forgotten. The answers must have been randomized at ``epsilon``.

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
        self.epsilon = EPSILON.check(epsilon)
        self._rules: dict[str, Rule] = {}
        self._fading = Fading(memory)

    # -- rules -------------------------------------------------------------------------------------------

    @property
    def rules(self) -> dict[str, Rule]:
        """All rules by name."""
        return dict(self._rules)

    def add(self, name: str, rule: Rule) -> None:
        """Let a rule join; nobody has judged it yet, so at first it counts nothing of its own."""
        if not isinstance(name, str) or not isinstance(rule, Rule) or len(self._rules) >= MOST_RULES:
            raise InvalidParameter(f"a rule needs a name, and a mixture holds at most {MOST_RULES:,} of them")
        if name in self._rules:
            raise InvalidParameter(
                "a rule of this name is there already; drop it first, or take another name"
            )
        self._rules[name] = rule
        self._fading.open(name)

    def drop(self, name: str) -> None:
        """Let a rule leave, with everything that was said of it."""
        self._known(name)
        del self._rules[name]
        self._fading.close(name)

    def drop_fallen(self, doubt: float = 3.0, keep: int = 1) -> list[str]:
        """Drop rules whose distance from a coin is surely less than the best rule's; returns their names.

        Surely is by ``doubt`` standard errors of the difference. The best ``keep`` rules always stay.
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
        """The rule that the next client should judge: the one of which recent answers say least."""
        if not self._rules:
            raise InvalidParameter("there is no rule to ask about; add one first")
        return min(self._rules, key=self._fading.size)

    def question(self, name: str) -> FeedbackQuestion:
        """What a client is asked about a rule."""
        return FeedbackQuestion(self.epsilon, self._known(name))

    def hear(self, name: str, right: ArrayLike) -> None:
        """Count randomized answers about a rule, the oldest first; what was heard before fades a little."""
        self._known(name)
        bits = np.atleast_1d(np.asarray(right))
        if bits.ndim != 1 or bits.dtype != np.bool_:
            raise InvalidParameter("answers about a rule are true or false, one from each client")
        self._fading.count(name, bits)

    # -- what they say -----------------------------------------------------------------------------------

    def evaluation(self) -> Evaluation:
        """What recent answers say of each rule, in order; ``asked`` is the effective number, rounded down."""
        return self._fading.evaluation(list(self._rules), self.epsilon)

    @property
    def weights(self) -> Floats:
        """How much each rule counts now: by shrunken estimates, negative if reversed."""
        return shrunken_weights(self.evaluation()).values

    @property
    def rule(self) -> Rule:
        """The mixture as it stands."""
        if not self._rules:
            raise InvalidParameter("a mixture needs at least one rule; add one first")
        return average([fair(rule) for rule in self._rules.values()], shrunken_weights(self.evaluation()))

    def is_stale(self, cutoff: float) -> bool:
        """Whether no rule, straight or reversed, seems right as often as ``cutoff``: time for new rules."""
        far = np.abs(self.evaluation().value - 0.5)
        return bool(far.max(initial=0.0) < real("cutoff", cutoff) - 0.5)

    def _known(self, name: str) -> Rule:
        if name not in self._rules:
            raise InvalidParameter("there is no rule of this name in the mixture")
        return self._rules[name]

    # -- keeping it --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything in plain JSON values."""
        rules = {name: rule.to_dict() for name, rule in self._rules.items()}
        return {"epsilon": self.epsilon, "rules": rules, "answers": self._fading.to_dict()}

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Self:
        """The mixture that :meth:`to_dict` described."""
        try:
            mixture = cls(kept["epsilon"])
            for name, rule in kept["rules"].items():
                mixture.add(name, Rule.from_dict(rule))
            mixture._fading = Fading.from_dict(kept["answers"], list(mixture._rules))
        except (KeyError, TypeError, AttributeError) as broken:
            raise InvalidParameter("the description of an online mixture is broken") from broken
        return mixture
