"""The classification problem whose smallest possible risk is a point of the spectrum.

A fair coin decides whether the mechanism runs on the right input (label 1) or on the left one (label 0); an
output of the left is shown only with chance e^(−ε) and is otherwise replaced by nothing, ⊥. The best
classifier of such pairs errs with chance R, and δ(ε) = 1 − 2·e^ε·R (Lu et al. 2024, def 12 and thm 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.folds import run_count
from noisewright.audit.outputs import Outputs
from noisewright.domains import Cells, Floats

SMALLEST, LARGEST = 100, 1 << 40
"""How few and how many tosses make sense: among 100, both sides of the coin come up."""


class Takes(Protocol):
    """All that is asked of an experiment: outputs of one side, "left" or "right"."""

    def take(self, side: str, count: int) -> Outputs:
        """So many independent outputs."""


@dataclass(frozen=True, eq=False)
class Tosses:
    """Labelled outputs before anything is hidden, and for each the chance number that decides when it is.

    One set serves every ε: at each of them the shown and hidden outputs have exactly the law of definition
    12. Only across different ε are the estimates dependent.
    """

    outputs: Outputs
    labels: Cells
    chances: Floats

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, rows: slice) -> Tosses:
        return Tosses(self.outputs[rows], self.labels[rows], self.chances[rows])

    def shown(self, epsilon: float) -> NDArray[np.bool_]:
        """Which outputs are not replaced by ⊥: all of the right input, a share e^(−ε) of the left one.

        >>> tosses = Tosses(Outputs.of([5.0, 6.0, 7.0]), np.array([1, 0, 0]), np.array([0.9, 0.2, 0.9]))
        >>> tosses.shown(0.0).tolist(), tosses.shown(1.0).tolist()
        ([True, True, True], [True, True, False])
        """
        return np.asarray((self.labels == 1) | (self.chances < np.exp(-epsilon)))


def toss(experiment: Takes, count: int, seed: int | None = None) -> Tosses:
    """Fair coins, and a run of the mechanism for each.

    >>> class Echo:
    ...     def take(self, side, count):
    ...         return Outputs.of(np.full(count, {"left": 4.0, "right": 9.0}[side]))
    >>> tosses = toss(Echo(), 100, seed=3)
    >>> bool(np.all(tosses.outputs.numbers[:, 0] == np.where(tosses.labels == 1, 9.0, 4.0)))
    True
    """
    size = run_count(count, SMALLEST, LARGEST)
    random = np.random.default_rng(seed)
    labels = random.integers(0, 2, size)
    zeros = size - int(labels.sum())
    outputs = Outputs.joined([experiment.take("left", zeros), experiment.take("right", size - zeros)])
    # the next output of the left for every 0, the next of the right for every 1
    place = np.where(labels == 1, zeros + np.cumsum(labels) - 1, np.cumsum(1 - labels) - 1)
    return Tosses(outputs[place], labels, random.random(size))
