"""The sparse vector technique: which queries lie above a threshold, in the forms of the literature.

Noise is added once to the threshold and once to every query. The point of the technique is that "below" costs
nothing, so that only the ``positives`` answers "above" have to be paid for. Four of six published forms got
it wrong; they have the numbers of Lyu, Su & Li 2017.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.claim import Claim
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.published.gallery.exhibit import (
    Exhibit,
    FiniteLaw,
    FiniteMechanism,
    Numbers,
    Pair,
    Published,
    ShownMechanism,
    one_sided,
    pattern,
)
from noisewright.published.gallery.threshold_noise import Threshold

ABOVE, BELOW, STOPPED = 1, 0, -1
"""The answers of a query; STOPPED stands for "not asked any more"."""


@dataclass(frozen=True)
class SparseVector(FiniteMechanism):
    """Answer "above" or "below" for each query, and stop after ``positives`` answers "above".

    ``query_scale=0`` compares the bare queries, ``positives=None`` never stops, ``renewed`` draws a new noisy
    threshold after each "above".

    >>> svt = SparseVector(threshold=1.0, threshold_scale=2.0, query_scale=4.0, positives=1)
    >>> svt([0.0, 0.0, 9.0], 2, np.random.default_rng(3)).tolist()
    [[0, 0, 1], [1, -1, -1]]
    >>> svt.law([0.0, 0.0]).shares.round(3).tolist()  # below twice; below, then above; above at once
    [0.379, 0.203, 0.418]
    """

    threshold: float
    threshold_scale: float
    query_scale: float
    positives: int | None = None
    renewed: bool = False

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> NDArray[np.int8]:
        queries = np.asarray(data, dtype=np.float64)
        noisy = queries + self.query_scale * generator.laplace(size=(count, queries.size))
        lines = self.threshold + self.threshold_scale * generator.laplace(size=(count, self._lines))
        above = renewed_answers(noisy, lines) if self.renewed else noisy >= lines
        return stop(above.astype(np.int8), self.positives)

    @property
    def _lines(self) -> int:
        return self.positives if self.renewed and self.positives else 1

    def law(self, data: Numbers) -> FiniteLaw:
        """The exact law: given the noisy threshold all queries are independent, so one integral is left."""
        queries = np.asarray(data, dtype=np.float64)
        rule = Threshold(self.threshold, self.threshold_scale, self.query_scale, queries)
        found = list(self._paths(rule, (), rule.weights))
        return FiniteLaw(np.array([answers for answers, _ in found]), np.array([share for _, share in found]))

    def _paths(
        self, rule: Threshold, past: tuple[int, ...], weights: Floats
    ) -> Iterator[tuple[tuple[int, ...], float]]:
        """All ways to answer the rest; weights are those of the noisy threshold together with the past."""
        if len(past) == len(rule.queries):
            yield past, float(weights.sum())
        elif self.positives is not None and past.count(ABOVE) == self.positives:
            yield past + (STOPPED,) * (len(rule.queries) - len(past)), float(weights.sum())
        else:
            below, above = rule.below(len(past)), rule.above(len(past))
            yield from self._paths(rule, (*past, BELOW), weights * below)
            hit = weights * above
            yield from self._paths(rule, (*past, ABOVE), hit.sum() * rule.weights if self.renewed else hit)


def renewed_answers(noisy: Floats, lines: Floats) -> NDArray[np.bool_]:
    """Return which queries lie above the line that is in force, the next one after each that does.

    >>> renewed_answers(np.array([[2.0, 2.0, 2.0]]), np.array([[1.0, 3.0]])).tolist()
    [[True, False, False]]
    """
    above, found = np.empty(noisy.shape, dtype=np.bool_), np.zeros(len(noisy), dtype=np.int64)
    for place, column in enumerate(noisy.T):
        in_force = np.minimum(found, lines.shape[1] - 1)[:, None]
        above[:, place] = column >= np.take_along_axis(lines, in_force, axis=1)[:, 0]
        found += above[:, place]
    return above


def stop(answers: NDArray[np.int8], positives: int | None) -> NDArray[np.int8]:
    """Return the answers with everything after the last allowed "above" struck out."""
    if positives is None:
        return answers
    return np.where(seen_before(answers == ABOVE) >= positives, np.int8(STOPPED), answers)


def seen_before(above: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how many queries lay above before each one."""
    return np.cumsum(above, axis=1, dtype=np.int64) - above


def algorithm(number: int, epsilon: float, threshold: float, positives: int = 1) -> SparseVector:
    """Algorithm 1, 2, 4, 5 or 6 of Lyu et al. 2017 for queries of sensitivity 1; 3 publishes numbers.

    Args:
        number: Which of the six forms.
        epsilon: The ε that it claims.
        threshold: What queries are compared with.
        positives: Answers "above" that are paid for.

    >>> algorithm(4, 1.0, 0.0).query_scale
    1.3333333333333333
    """
    half, quarter, rest = epsilon / 2, epsilon / 4, 3 * epsilon / 4
    match number:
        case 1:
            return SparseVector(threshold, 1 / half, 2 * positives / half, positives)
        case 2:
            return SparseVector(threshold, positives / half, 2 * positives / half, positives, renewed=True)
        case 4:
            return SparseVector(threshold, 1 / quarter, 1 / rest, positives)
        case 5:
            return SparseVector(threshold, 1 / half, 0.0)
        case 6:
            return SparseVector(threshold, 1 / half, 1 / half)
    raise InvalidParameter(f"must be 1, 2, 4, 5 or 6, got {number}; 3 is published_values", field="number")


# -- numbers: one form that must not publish them, and one that pays for them --------------------------


NOTHING, ENDED = -math.inf, math.nan
"""In place of a number, for a query that lay below and for one that was not asked any more."""


@dataclass(frozen=True)
class SparseValues(ShownMechanism):
    """Publish a number for each query above the threshold, and stop after ``positives`` of them.

    ``value_scale=None`` publishes the very number that was compared, from which the noisy threshold can be
    bounded (Lyu et al. 2017, algorithm 3); otherwise the number gets noise of its own (Wang et al. 2019).

    >>> svt = SparseValues(threshold=1.0, threshold_scale=0.1, query_scale=0.1, positives=1, value_scale=0.1)
    >>> svt([0.0, 9.0, 9.0], 1, np.random.default_rng(1)).round().tolist()
    [[-inf, 9.0, nan]]
    """

    threshold: float
    threshold_scale: float
    query_scale: float
    positives: int
    value_scale: float | None = None

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        queries = np.asarray(data, dtype=np.float64)
        noisy = queries + self.query_scale * generator.laplace(size=(count, queries.size))
        above = noisy >= self.threshold + self.threshold_scale * generator.laplace(size=(count, 1))
        values = noisy
        if self.value_scale is not None:
            values = queries + self.value_scale * generator.laplace(size=(count, queries.size))
        return np.where(seen_before(above) >= self.positives, ENDED, np.where(above, values, NOTHING))

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        """Known for the published number: if it lies below all queries, so did all answers before it."""
        if delta or self.value_scale is not None:
            return None
        return one_sided(left, right, self.query_scale)


@dataclass(frozen=True)
class Together(ShownMechanism):
    """Several mechanisms on the same data, side by side in one output.

    >>> one = SparseValues(1.0, 0.1, 0.1, positives=1)
    >>> Together((one, one))([0.0, 9.0], 3, np.random.default_rng(1)).shape
    (3, 4)
    """

    parts: tuple[ShownMechanism, ...]

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> NDArray[np.float64]:
        return np.column_stack([part(data, count, generator) for part in self.parts])


def published_values(epsilon: float, threshold: float, positives: int = 1) -> SparseValues:
    """Algorithm 3 of Lyu et al. 2017."""
    return SparseValues(threshold, 2 / epsilon, 2 * positives / epsilon, positives)


def numerical(epsilon: float, threshold: float, positives: int) -> SparseValues:
    """Return the numerical sparse vector technique of Wang et al. 2019: ε/3 for each of its three noises."""
    return SparseValues(
        threshold, 3 / epsilon, 6 * positives / epsilon, positives, value_scale=3 * positives / epsilon
    )


# -- exhibits ------------------------------------------------------------------------------------------


BUDGET, QUERIES = 0.1, 10
HALVES, CROSSED = pattern("half half", QUERIES), pattern("crossed", QUERIES)

RISING: Pair = ((0.0,) * 9 + (10.0,), (1.0,) * 9 + (9.0,))
"""Worse than any pattern for forms 1 and 2, plainer for form 4: nine queries rise, and the last one falls."""

SPENT = {1: 1.0, 2: 1.0, 3: QUERIES / 2, 4: (1 + 6) / 4, 5: math.inf, 6: QUERIES / 2}
"""The ratio of spent to claimed ε of each form, on ``QUERIES`` queries."""

NOTES = {
    1: "half of ε for the threshold, half for the one answer above it.",
    2: "a threshold that is renewed after each answer above it is paid for each time.",
    3: "the noisy query is published, which bounds the threshold, and so every answer below it costs; the ε "
    "is that of ten queries and grows with them without end.",
    4: "the noise of the queries is half of what both directions of change need.",
    5: "queries get no noise, so that one threshold answers all of them and their order shows.",
    6: "it never stops, so every query spends ε/2; the ε is that of ten queries and grows without end.",
}


def _form(
    number: int,
    mechanism: ShownMechanism,
    pairs: tuple[Pair, ...],
    published: Published | None = None,
    *,
    suffix: str = "",
    epsilon: float = BUDGET,
) -> Exhibit:
    """A form of the paper; with a ``suffix`` to its name at another ε."""
    return Exhibit(
        name=f"svt-{number}{suffix}",
        title=f"sparse vector technique {number}" + (f" at ε = {epsilon:g}" if suffix else ""),
        source=f"Lyu, Su & Li 2017, algorithm {number}",
        mechanism=mechanism,
        pairs=pairs,
        claim=Claim(epsilon),
        true_epsilon=SPENT[number] * epsilon,
        note=NOTES[number],
        published=published,
    )


SPARSE = (
    _form(1, algorithm(1, BUDGET, 0.5), (HALVES, RISING), Published(logistic=0.085798, network=0.085782)),
    _form(2, algorithm(2, BUDGET, 1.0), (HALVES, RISING), Published(logistic=0.085934, network=0.085247)),
    _form(3, published_values(BUDGET, 1.0), (CROSSED,), Published(logistic=0.171572, network=0.182168)),
    _form(4, algorithm(4, BUDGET, 1.0), (HALVES, RISING), Published(logistic=0.168683, network=0.169569)),
    _form(5, algorithm(5, BUDGET, 1.0), (HALVES,), Published(logistic=1.761185, network=1.760988)),
    _form(6, algorithm(6, BUDGET, 1.0), (HALVES,), Published(logistic=0.272041, network=0.269827)),
    Exhibit(
        name="svt-numerical",
        title="numerical sparse vector technique",
        source="Wang et al. 2019",
        mechanism=numerical(BUDGET, threshold=1.0, positives=2),
        pairs=(CROSSED,),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        note="numbers are published with noise of their own, and a third of ε pays for it.",
        published=Published(logistic=0.034324, network=0.034501),
    ),
    Exhibit(
        name="svt-3-and-4",
        title="sparse vector techniques 3 and 4 together",
        source="Bichsel et al. 2021",
        mechanism=Together((published_values(BUDGET, 1.0, 2), algorithm(4, BUDGET, 1.0, 2))),
        pairs=(HALVES,),
        claim=Claim(2 * BUDGET),
        true_epsilon=(QUERIES / 4 + (1 + 6 * 2) / 4) * BUDGET,
        note="two wrong forms with two answers above each: their claims add up, and so do their mistakes.",
        published=Published(logistic=0.261038, network=0.261621),
    ),
    _form(1, algorithm(1, 0.5, 0.5), (HALVES,), suffix="-half", epsilon=0.5),
    _form(1, algorithm(1, 1.0, 0.5), (HALVES,), suffix="-large", epsilon=1.0),
    _form(4, algorithm(4, 1.0, 1.0), (HALVES,), suffix="-large", epsilon=1.0),
    _form(5, algorithm(5, 1.0, 1.0), (HALVES,), suffix="-large", epsilon=1.0),
)
