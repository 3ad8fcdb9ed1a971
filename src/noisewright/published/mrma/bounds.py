"""How far a classifier learned from reports can fall behind on people: theorems 4 to 6, corrected.

A classifier is trained on records with noise, and used on records without. Its excess risk among people is
bounded by its excess risk among reports plus the distance of the two laws (:class:`Discrepancy`):

    theorem 4   excess + 3/2·variation + drift + certainty_lost            (Qin and Bai 2026; holds)
    theorem 5   excess + 3/2·variation + 2·certainty_lost                  (does not hold)
    mended      excess + 3/2·variation + min(drift, reversed_drift) + certainty_lost
    exact       excess + transfer_gap                                      (the least for all rules)

``variation`` is sup_A |P(A) − Q(A)| = ½Σ|P − Q|, the number of appendix A.4 and figure A.6. Theorem 4 writes
¾ before a distance that is *twice* this; ¾ before the number of figure A.6 is no bound.
``docs/theory/learning.md`` has the proofs and the counterexamples,
``tests/published/mrma/test_bounds.py`` runs them.

**Reversal.** A rule is reversed if fewer than half of its evaluators *report* that it was right. With
accuracy r and randomized response that keeps an answer with probability q, a report is favourable with
probability s = q·r + (1 − q)(1 − r), their number is binomial, and everything follows. The source has r in
place of s, as if no answer were randomized, and a normal law for the binomial one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from noisewright.errors import InvalidParameter
from noisewright.learn.questions.feedback import response
from noisewright.parameters import real, whole
from noisewright.published.mrma.laws import LabelledLaw, check_same_places, read_share


@dataclass(frozen=True)
class Discrepancy:
    """How far the law of reports is from the law of people; each expectation is over people's places.

    Use :meth:`between` for laws on finitely many places, or give numbers from elsewhere (``total_variation``
    for the first).

    Attributes:
        variation: The largest difference in the probability of any set of places.
        drift: The mean of |η − η_noisy|.
        reversed_drift: The same with the reports' labels swapped.
        certainty_lost: The mean of |η − ½| − |η_noisy − ½|, which may be below 0.

    >>> people, reports = LabelledLaw([0.5, 0.5], [1.0, 0.0]), LabelledLaw([0.5, 0.5], [0.6, 0.4])
    >>> Discrepancy.between(people, reports).drift
    0.4
    """

    variation: float
    drift: float
    reversed_drift: float
    certainty_lost: float

    def __post_init__(self) -> None:
        for name in ("variation", "drift", "reversed_drift"):
            read_share(name, getattr(self, name))
        if not -0.5 <= real("certainty_lost", self.certainty_lost) <= 0.5:
            raise InvalidParameter(
                f"must be from -0.5 to 0.5, got {self.certainty_lost!r}", field="certainty_lost"
            )

    @classmethod
    def between(cls, clean: LabelledLaw, noisy: LabelledLaw) -> Discrepancy:
        """Return the discrepancy of two laws on the same places.

        Args:
            clean: The law of people.
            noisy: The law of reports.
        """
        check_same_places(clean, noisy)
        drift, reversed_drift = (np.abs(clean.lean - sign * noisy.lean) @ clean.mass for sign in (1, -1))
        lost = (np.abs(clean.lean) - np.abs(noisy.lean)) @ clean.mass
        variation = np.abs(clean.mass - noisy.mass).sum() / 2
        variation, drift, reversed_drift = np.minimum([variation, drift, reversed_drift], 1.0).tolist()
        return cls(variation, drift, reversed_drift, float(lost))


def transfer_gap(clean: LabelledLaw, noisy: LabelledLaw) -> float:
    """Return the most by which the excess risk of *any* rule among people exceeds that among reports.

    At each place the worse of the two labels counts, with t₊ = max(t, 0):

        Σ_z max( p(1−2η)₊ − q(1−2η_noisy)₊ ,  p(2η−1)₊ − q(2η_noisy−1)₊ ),

    attained by the rule that takes it everywhere. Never above theorem 4's three terms, often far below.

    Args:
        clean: The law of people.
        noisy: The law of reports.

    >>> people, reports = LabelledLaw([0.5, 0.5], [1.0, 0.0]), LabelledLaw([0.5, 0.5], [0.6, 0.4])
    >>> transfer_gap(people, reports)
    0.8
    """
    check_same_places(clean, noisy)
    sides = [
        clean.mass * np.maximum(sign * clean.lean, 0) - noisy.mass * np.maximum(sign * noisy.lean, 0)
        for sign in (-2, 2)
    ]
    return float(np.maximum(*sides).sum())


PRINTED = "As printed this is not a bound: it fails for some laws (docs/theory/learning.md)."
LIMIT = (
    "It is claimed in probability, for ever more weak rules, and does not hold: with a fixed number of "
    "people per rule its condition cannot be met, and the rule that is best overall need not be the best at "
    "each place (docs/theory/learning.md)."
)


@dataclass(frozen=True)
class Bound:
    """A bound on an excess risk as the sum of named terms.

    Attributes:
        name: The theorem.
        terms: The terms by name.
        caveats: What the bound does not promise.

    >>> bound = Bound("theorem 4", {"excess risk among reports": 0.01, "total variation, times 3/2": 0.3})
    >>> print(bound.explain())
    theorem 4: at most 0.3100 = 0.0100 (excess risk among reports) + 0.3000 (total variation, times 3/2).
    """

    name: str
    terms: Mapping[str, float]
    caveats: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", MappingProxyType(dict(self.terms)))

    @property
    def total(self) -> float:
        """The sum of the terms; from 1 on the bound says nothing."""
        return float(sum(self.terms.values()))

    def explain(self) -> str:
        """Return the bound in a sentence, and each caveat in one."""
        parts = " + ".join(f"{value:.4f} ({name})" for name, value in self.terms.items())
        sentences = [f"{self.name}: at most {self.total:.4f} = {parts}."]
        if self.total >= 1:
            sentences.append("It says nothing: no excess risk is larger than 1.")
        return " ".join([*sentences, *self.caveats])


def weak_bound(excess: float, discrepancy: Discrepancy) -> Bound:
    """Return theorem 4's bound on the excess risk of a rule among people.

    Args:
        excess: Its excess risk among reports, 0 to 1.
        discrepancy: The distance of reports from people.

    >>> round(weak_bound(0.02, Discrepancy(0.1, 0.2, 0.5, 0.15)).total, 3)
    0.52
    """
    terms = {**_shared(excess, discrepancy.variation), "drift of the labels": discrepancy.drift}
    return Bound("theorem 4", {**terms, "certainty lost": discrepancy.certainty_lost})


def reversed_bound(excess: float, discrepancy: Discrepancy, *, as_published: bool = False) -> Bound:
    """Return theorem 5, mended: the same for the better one of a rule and its reversal.

    The source replaces the smaller of two expectations, min(E|η − η_noisy|, E|η + η_noisy − 1|), by the
    expectation of the smaller one, which is less. The better one is taken with the probability
    ``reversal_probability``.

    Args:
        excess: The excess risk among reports, 0 to 1.
        discrepancy: The distance of reports from people.
        as_published: Whether to give the printed formula, which is not a bound.

    >>> apart = Discrepancy(0.0, 0.5, 0.5, 0.0)
    >>> reversed_bound(0.0, apart).total, reversed_bound(0.0, apart, as_published=True).total
    (0.5, 0.0)
    """
    shared = _shared(excess, discrepancy.variation)
    if as_published:
        terms = {**shared, "certainty lost, twice": 2 * discrepancy.certainty_lost}
        return Bound("theorem 5 as printed", terms, (PRINTED,))
    drift = min(discrepancy.drift, discrepancy.reversed_drift)
    terms = {**shared, "drift of the labels, kept or swapped": drift}
    return Bound("theorem 5, mended", {**terms, "certainty lost": discrepancy.certainty_lost})


def averaged_bound(excess: float, variation: float, clean: LabelledLaw, best_accuracy: ArrayLike) -> Bound:
    """Return theorem 6 as printed: a mixed rule, if it had the best accuracy of any rule at each place.

    The bounds that do hold for a mixed rule are ``weak_bound`` and ``transfer_gap``: they hold for any rule.

    Args:
        excess: The excess risk of the mixed rule among reports, 0 to 1.
        variation: The total variation between people and reports.
        clean: The law of people.
        best_accuracy: The upper end of the weak rules' accuracies at each place.

    >>> law = LabelledLaw([0.5, 0.5], [0.9, 0.2])
    >>> round(averaged_bound(0.01, 0.1, law, [0.8, 0.8]).total, 3)
    0.26
    """
    best = np.asarray(best_accuracy, dtype=np.float64)
    if best.shape != clean.mass.shape or not ((best >= 0) & (best <= 1)).all():
        raise InvalidParameter(
            f"must be {len(clean.mass)} numbers from 0 to 1, one a place", field="best_accuracy"
        )
    gap = 2 * float(clean.mass @ (np.abs(clean.lean) + 0.5 - best))
    terms = {**_shared(excess, variation), "accuracy missing at the best, twice": gap}
    return Bound("theorem 6 as printed", terms, (LIMIT,))


def _shared(excess: float, variation: float) -> dict[str, float]:
    """Return the terms that all theorems begin with."""
    return {
        "excess risk among reports": read_share("excess", excess),
        "total variation, times 3/2": 1.5 * read_share("variation", variation),
    }


MOST_PEOPLE = 10**9


def reversal_probability(
    accuracy: float, people: int, epsilon: float, *, as_published: bool = False
) -> float:
    """Return the probability that reversal picks the better of a rule and its reversal; 1 for a toss-up.

    Args:
        accuracy: How often the rule is right.
        people: Number of clients who judge it.
        epsilon: What each of them spends.
        as_published: Whether to give Φ(√n·|r − ½| / √(r(1 − r))), which leaves ``epsilon`` out.

    >>> round(reversal_probability(0.6, 51, epsilon=1.0), 3)
    0.747
    >>> round(reversal_probability(0.6, 51, epsilon=1.0, as_published=True), 3)
    0.928
    """
    from scipy.special import betainc, betaincc, ndtr  # noqa: PLC0415  (scipy is slow to load)

    rate, asked = read_share("accuracy", accuracy), whole("people", people, 1, MOST_PEOPLE)
    if rate == 0.5:
        return 1.0
    if as_published:
        spread = math.sqrt(rate * (1 - rate))
        return float(ndtr(math.sqrt(asked) * abs(rate - 0.5) / spread)) if spread else 1.0
    least = (asked + 1) // 2  # with half of the answers favourable a rule is kept: eq. 9 reverses below ½
    tail = betainc if rate > 0.5 else betaincc
    return float(tail(least, asked - least + 1, favourable_rate(rate, epsilon)))


def favourable_rate(accuracy: float, epsilon: float) -> float:
    """Return how often a rule is reported right: its accuracy through the integers of randomized response.

    Args:
        accuracy: How often the rule is right.
        epsilon: What a judge spends.

    >>> round(favourable_rate(0.6, epsilon=1.0), 4)
    0.5462
    """
    keep = response(epsilon).hit
    return keep * accuracy + (1 - keep) * (1 - accuracy)
