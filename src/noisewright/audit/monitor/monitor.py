"""An audit that never has to end: watched while it runs, and stopped at any moment."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import ArrayLike

from noisewright.audit.claim import Claim, Claimed
from noisewright.audit.coordinates import read_confidence
from noisewright.audit.monitor.capital import Capital
from noisewright.audit.monitor.events import Plan
from noisewright.audit.monitor.grid import epsilon_grid
from noisewright.audit.monitor.learning import FIRST, Learner
from noisewright.audit.monitor.state import State
from noisewright.audit.outputs import Outputs
from noisewright.audit.scores import check_wanted
from noisewright.errors import InvalidParameter

GROWTH = 1.25
"""Events and stakes are chosen anew when there are so many times more pairs."""

LARGEST_STEP = 20_000
"""Pairs played at once."""


class Monitor:
    """Takes outputs of two inputs as they come, and says at every moment which claims they refute.

    Outputs are paired in the order of their arrival, and event and stake for a pair are chosen from pairs
    before it (:mod:`~noisewright.audit.monitor.betting` says why that is fair). So looking often costs
    nothing: over an endless run the probability that a true claim is ever refuted, or that ``epsilon_lower``
    ever exceeds the true ε at the claim's δ, is at most 1 − ``confidence`` for both together.

    >>> import numpy as np
    >>> noise = np.random.default_rng(0).laplace(size=(2, 3000))  # ε = 1 for inputs that differ by 1
    >>> state = Monitor("epsilon=0.5", score="value").update(noise[0], noise[1] + 1)
    >>> state.refuted, 0.5 <= state.epsilon_lower < 1
    (True, True)
    """

    def __init__(
        self,
        claim: Claimed,
        *,
        confidence: float = 0.95,
        epsilons: ArrayLike | None = None,
        score: Any = "auto",
        seed: int = 0,
    ) -> None:
        self.claim, self.confidence = _watched(claim), read_confidence(confidence)
        check_wanted(score)
        self.capital = Capital(epsilon_grid(self.claim, epsilons), self.claim.delta, 1 - self.confidence)
        self._learner = Learner(score, seed)
        self._plan: Plan | None = None
        self._plan_at = FIRST
        self._waiting = [Outputs.joined([]), Outputs.joined([])]

    def update(self, left: Any, right: Any) -> State:
        """Take new outputs of both inputs (Outputs, arrays or lists) and say what is known now."""
        for side, fresh in enumerate((left, right)):
            outputs = fresh if isinstance(fresh, Outputs) else Outputs.of(fresh)
            self._waiting[side] = Outputs.joined([self._waiting[side], outputs])
        while min(map(len, self._waiting)):
            self._step()
        return self.state

    def _step(self) -> None:
        """Play the pairs up to the next plan, then plan if it is time."""
        due = self._plan_at - self._learner.pairs
        count = min(due, LARGEST_STEP, *map(len, self._waiting))
        left, right = (outputs[:count] for outputs in self._waiting)
        self._waiting = [outputs[count:] for outputs in self._waiting]
        self._play(left, right)
        if count == due:
            self._learner.study()
            self._plan = Plan.from_past(*self._learner.past(), self.capital.factors, self.claim.delta)
            self._plan_at = math.ceil(self._learner.pairs * GROWTH)

    def _play(self, left: Outputs, right: Outputs) -> None:
        scores = self._learner.observe(left, right)
        if scores is not None and self._plan is not None:
            self.capital.play(self._plan, *scores)

    @property
    def state(self) -> State:
        """What is known now."""
        lower = self.capital.epsilon_lower
        capital = self.capital.against(self.claim.epsilon)
        refuted = capital >= self.capital.log_needed
        waiting = sum(map(len, self._waiting))
        event = self._event() if refuted else None
        seen = 2 * self._learner.pairs
        return State(self.claim, self.confidence, seen, waiting, lower, refuted, capital, event)

    def _event(self) -> str | None:
        """In words, the event that the richer direction now bets on."""
        if self._plan is None or self._learner.score is None:
            return None
        column = int((self.capital.epsilons < self.claim.epsilon).sum())
        above = bool(self.capital.logs[:, 0, column].max() >= self.capital.logs[:, 1, column].max())
        threshold = float(self._plan.thresholds[0 if above else 1, column])
        return self._learner.score.event(threshold, above)


def _watched(claim: Claimed) -> Claim:
    found = Claim.of(claim)
    if found is None:
        raise InvalidParameter('a monitor needs a claim to bet against, such as "epsilon=1,delta=1e-6"')
    return found
