"""An exhibit: a mechanism from the literature with its claim, what it really keeps, and what others found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from noisewright.audit.claim import Claim
from noisewright.audit.gallery.mechanism import ShownMechanism

Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Published:
    """Lower bounds on ε (90 %) of DP-Sniper with its two classifiers, from 2 × 10⁸ runs an input in the end.

    They are the bounds in the result files that its authors published (Bichsel et al. 2021).
    """

    logistic: float
    network: float

    @property
    def best(self) -> float:
        """The higher of the two."""
        return max(self.logistic, self.network)


@dataclass(frozen=True)
class Exhibit:
    """One mechanism on show.

    - ``pairs``: neighbouring inputs; on the first one the mechanism is known to be bad, or as bad as it gets
      among the inputs that others tried, and the last is the one that shows most here.
    - ``true_epsilon``: the smallest ε that holds, with the claim's δ, for all neighbours of this length; None
      where it is not known. The first pair may spend less: ``pair_epsilon`` says how much.
    - ``right``: whether the claim is kept. ``note`` says in one sentence why, or what is wrong.
    """

    name: str
    title: str
    source: str
    mechanism: ShownMechanism
    pairs: tuple[Pair, ...]
    claim: Claim
    true_epsilon: float | None
    right: bool
    note: str
    published: Published | None = None

    @property
    def pair_epsilon(self) -> float | None:
        """The smallest ε that holds for the first pair with the claim's δ, where it is known."""
        return self.mechanism.epsilon(*self.pairs[0], self.claim.delta)

    @property
    def sentence(self) -> str:
        """The exhibit in a line, for a list."""
        if self.true_epsilon is None:
            kept = "what it keeps is not known exactly"
        else:
            kept = f"it keeps {'no ε' if math.isinf(self.true_epsilon) else f'ε = {self.true_epsilon:.4g}'}"
        return f"{self.title} claims {self.claim}; {kept}: {self.note}"
