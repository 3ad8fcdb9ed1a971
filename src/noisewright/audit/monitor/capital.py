"""What a player has won against every claim on a grid of ε, and which claims that refutes.

For each ε several players start with equal shares of 1: in both directions, with the whole stake of the plan
and with half of it. If the claim holds in both directions, their mean is again a capital that never grows on
average.

Why a grid of ε costs nothing: let ε* be the first grid point whose claim is true. The bound exceeds the truth
only if ε* is refuted, together with all points below it; so only if the capital of this *one* point ever
reaches 1/α.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from noisewright.audit.monitor.betting import log_growth
from noisewright.audit.monitor.events import Plan
from noisewright.domains import Floats

FRACTIONS = (0.5, 1.0)
"""Players who stake this much of the plan: what looked best in the past was also lucky."""


@dataclass
class Capital:
    """Capitals against (ε, δ) for every ε of an increasing grid.

    >>> Capital(np.array([0.0, 1.0]), delta=0.0, failure=0.05).epsilon_lower
    0.0
    """

    epsilons: Floats
    delta: float
    failure: float
    logs: Floats = field(init=False)
    highest: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.logs = np.zeros((len(FRACTIONS), 2, len(self.epsilons)))
        self.highest = np.zeros(len(self.epsilons))

    @property
    def factors(self) -> Floats:
        """e^ε."""
        return np.exp(self.epsilons)

    @property
    def log_needed(self) -> float:
        """The log capital that refutes."""
        return math.log(1 / self.failure)

    def play(self, plan: Plan, left: Floats, right: Floats) -> None:
        """Play the plan on the scores of new pairs; the plan must have been made before they were seen."""
        pairs = plan.count(left, right)
        for player, fraction in enumerate(FRACTIONS):
            self.logs[player] += log_growth(pairs, fraction * plan.stakes, self.factors, self.delta)
        self.highest = np.maximum(self.highest, self.means)

    @property
    def means(self) -> Floats:
        """The logarithm of the players' mean capital now, for every ε."""
        flat = self.logs.reshape(-1, len(self.epsilons))
        return np.asarray(np.logaddexp.reduce(flat, axis=0) - math.log(len(flat)))

    def against(self, epsilon: float) -> float:
        """The log capital that counts against a claim: the least one up to it, each at its highest.

        A claim falls together with all smaller grid points, so that one confidence covers it and the bound.
        """
        return float(self.highest[self.epsilons <= epsilon].min(initial=math.inf))

    @property
    def epsilon_lower(self) -> float:
        """The last grid point that is refuted together with all before it; 0 if the first is not."""
        refuted = np.logical_and.accumulate(self.highest >= self.log_needed)
        return float(self.epsilons[refuted][-1]) if refuted.any() else 0.0
