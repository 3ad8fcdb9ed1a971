"""An exhibit: a mechanism from the literature with its claim, what it really keeps, and what others found."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.claim import Claim
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

Numbers = Sequence[float]
"""A database as most exhibits see it: the answers of its queries, or the values of its rows."""


class ShownMechanism(ABC):
    """A mechanism of the gallery: its fields are public parameters, and one call gives many outputs.

    Noise is drawn as libraries usually draw it, in doubles. "Right" therefore speaks of the law on paper;
    what floating point gives away besides is for the floating-point auditor to say.
    """

    @abstractmethod
    def __call__(self, data: Any, count: int, generator: np.random.Generator) -> NDArray[Any]:
        """Outputs of ``count`` independent runs on the data, one a row."""

    def epsilon(self, left: Any, right: Any, delta: float = 0.0) -> float | None:
        """The smallest ε with which two inputs are (ε, δ)-indistinguishable; None where it is not known."""
        return None


@dataclass(frozen=True, eq=False)
class FiniteLaw:
    """Every output that can occur, one a row, and how likely each is.

    Attributes:
        outputs: Each possible output.
        shares: Its probability.

    >>> outputs = np.array([[0], [1]])
    >>> left, right = FiniteLaw(outputs, np.array([0.75, 0.25])), FiniteLaw(outputs, np.array([0.25, 0.75]))
    >>> round(math.exp(left.epsilon(right)), 3), round(math.exp(left.epsilon(right, delta=0.25)), 3)
    (3.0, 2.0)
    """

    outputs: NDArray[Any]
    shares: Floats

    def epsilon(self, other: FiniteLaw, delta: float = 0.0) -> float:
        """The smallest ε that holds with δ between two laws on the same outputs, in both directions."""
        return max(_one_way(self.shares, other.shares, delta), _one_way(other.shares, self.shares, delta))


class FiniteMechanism(ShownMechanism):
    """A mechanism whose exact law can be written down, and with it everything it spends."""

    @abstractmethod
    def law(self, data: Any) -> FiniteLaw:
        """Return the law of one output; the outputs stand in the same order for all data."""

    def epsilon(self, left: Any, right: Any, delta: float = 0.0) -> float:
        return self.law(left).epsilon(self.law(right), delta)


def one_sided(left: Numbers, right: Numbers, scale: float) -> float | None:
    """Σ|difference|/scale, what Laplace noise on each number spends at most, where all move the same way.

    >>> one_sided([0.0, 0.0], [1.0, 1.0], 4.0), one_sided([0.0, 0.0], [1.0, -1.0], 4.0)
    (0.5, None)
    """
    moves = np.subtract(right, left)
    return float(np.abs(moves).sum()) / scale if np.all(moves >= 0) or np.all(moves <= 0) else None


def _one_way(first: Floats, second: Floats, delta: float) -> float:
    """The largest ln((P(S) − δ)/Q(S)): the sets that matter take outputs in the order of their ratio."""
    seen = (first > 0) | (second > 0)
    first, second = first[seen], second[seen]
    with np.errstate(divide="ignore"):
        order = np.argsort(-(first / second), kind="stable")
    hits, false_hits = np.cumsum(first[order]) - delta, np.cumsum(second[order])
    if np.any(hits[false_hits == 0] > 0):
        return math.inf
    ratios = hits[false_hits > 0] / false_hits[false_hits > 0]
    return math.log(max(1.0, float(ratios.max())))


# -- exhibits ------------------------------------------------------------------------------------------


Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Published:
    """Lower bounds on ε (90 %) of DP-Sniper with its two classifiers, from 2 × 10⁸ runs an input in the end.

    They are the bounds in the result files that its authors published (Bichsel et al. 2021).

    Attributes:
        logistic: The lower bound on ε with a logistic regression.
        network: The same with a neural network.
    """

    logistic: float
    network: float

    @property
    def best(self) -> float:
        """The larger of the two."""
        return max(self.logistic, self.network)


@dataclass(frozen=True)
class Exhibit:
    """One mechanism on show.

    Attributes:
        name: What it is called on the command line.
        title: What it is called in a sentence.
        source: Where it was published.
        mechanism: What is run.
        pairs: Neighbouring inputs; on the first one the mechanism is known to be bad, or as bad as it
            gets among the inputs that others tried, and the last is the one that shows most here.
        claim: What its authors claim.
        true_epsilon: The smallest ε that holds, with the claim's δ, for all neighbours of this length. The
            first pair may spend less: ``pair_epsilon`` says how much.
        note: What is wrong with it, or why it is right, in a sentence.
        published: What DP-Sniper found, if it looked.
    """

    name: str
    title: str
    source: str
    mechanism: ShownMechanism
    pairs: tuple[Pair, ...]
    claim: Claim
    true_epsilon: float
    note: str
    published: Published | None = None

    @property
    def right(self) -> bool:
        """Whether the claim holds; what differs by rounding alone is the same."""
        return self.true_epsilon <= self.claim.epsilon * (1 + 1e-9)

    @property
    def pair_epsilon(self) -> float | None:
        """The smallest ε that holds for the first pair with the claim's δ, where it is known."""
        return self.mechanism.epsilon(*self.pairs[0], self.claim.delta)

    @property
    def sentence(self) -> str:
        """The exhibit in a line, for a list."""
        kept = "no ε" if math.isinf(self.true_epsilon) else f"ε = {self.true_epsilon:g}"
        return f"{self.title} claims {self.claim}; it keeps {kept}: {self.note}"


# -- the neighbouring inputs that others tried ---------------------------------------------------------


PATTERNS = (
    "one below",
    "one above",
    "one above rest below",
    "one below rest above",
    "half half",
    "all above",
    "all below",
    "crossed",
)


def pattern(name: str, queries: int) -> Pair:
    """Return two lists of query answers that differ by the named pattern.

    >>> pattern("one below", 3), pattern("crossed", 4)
    (((1.0, 1.0, 1.0), (0.0, 1.0, 1.0)), ((1.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 1.0)))
    """
    half, rest = queries // 2, queries - queries // 2
    rights = {
        "one below": (0.0, *[1.0] * (queries - 1)),
        "one above": (2.0, *[1.0] * (queries - 1)),
        "one above rest below": (2.0, *[0.0] * (queries - 1)),
        "one below rest above": (0.0, *[2.0] * (queries - 1)),
        "half half": (*[2.0] * half, *[0.0] * rest),
        "all above": (2.0,) * queries,
        "all below": (0.0,) * queries,
    }
    if name == "crossed":
        return (*[1.0] * half, *[0.0] * rest), (*[0.0] * half, *[1.0] * rest)
    if name not in rights:
        raise InvalidParameter(f"a pattern is one of {', '.join(PATTERNS)}, got {name!r}")
    return (1.0,) * queries, rights[name]
