"""How far a classifier learned from reports can fall behind on people: theorems 4 to 6, and what holds.

A classifier is trained where the noise has been, and used where it has not. Its excess risk among people is
bounded by its excess risk among reports plus what separates the two laws (``discrepancy.py``):

    theorem 4   excess + 3/2·variation + drift + certainty_lost            (Qin and Bai 2026; holds)
    theorem 5   excess + 3/2·variation + 2·certainty_lost                  (does not hold)
    mended      excess + 3/2·variation + min(drift, reversed_drift) + certainty_lost
    exact       excess + transfer_gap                                      (the least for all rules)

``variation`` is sup_A |P(A) − Q(A)| = ½Σ|P − Q|, the number of appendix A.4 and figure A.6. Theorem 4 writes
¾ before a distance that is *twice* this; ¾ before the number of figure A.6 is no bound.
``docs/theory/learning.md`` has the proofs and the counterexamples,
``tests/learn/bounds/test_bounds.py`` runs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from noisewright.errors import InvalidParameter
from noisewright.learn.bounds.discrepancy import Discrepancy
from noisewright.learn.bounds.laws import LabelledLaw
from noisewright.parameters import real

PRINTED = "As printed this is no bound: it fails for some laws (docs/theory/learning.md)."
LIMIT = (
    "It is claimed in probability, for ever more weak rules, and does not hold: with a fixed number of "
    "people per rule its condition cannot be met, and the rule that is best overall need not be the best at "
    "each place (docs/theory/learning.md)."
)


@dataclass(frozen=True)
class Bound:
    """A bound on an excess risk as the sum of named terms; ``caveats`` say what it does not promise.

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
        """The bound in a sentence, and each caveat in one."""
        parts = " + ".join(f"{value:.4f} ({name})" for name, value in self.terms.items())
        sentences = [f"{self.name}: at most {self.total:.4f} = {parts}."]
        if self.total >= 1:
            sentences.append("It says nothing: no excess risk is larger than 1.")
        return " ".join([*sentences, *self.caveats])


def weak_bound(excess: float, discrepancy: Discrepancy) -> Bound:
    """Theorem 4: the excess risk among people of a rule whose excess risk among reports is ``excess``.

    >>> round(weak_bound(0.02, Discrepancy(0.1, 0.2, 0.5, 0.15)).total, 3)
    0.52
    """
    terms = {**_shared(excess, discrepancy.variation), "drift of the labels": discrepancy.drift}
    return Bound("theorem 4", {**terms, "certainty lost": discrepancy.certainty_lost})


def reversed_bound(excess: float, discrepancy: Discrepancy, *, as_published: bool = False) -> Bound:
    """Theorem 5, mended: the same for the better one of a rule and its reversal.

    The source replaces the smaller of two expectations, min(E|η − η_noisy|, E|η + η_noisy − 1|), by the
    expectation of the smaller one, which is less. That the better one is taken at all has the probability
    ``reversal_probability``.

    >>> apart = Discrepancy(0.0, 0.5, 0.5, 0.0)
    >>> reversed_bound(0.0, apart).total, reversed_bound(0.0, apart, as_published=True).total
    (0.5, 0.0)
    """
    shared = _shared(excess, discrepancy.variation)
    if as_published:
        terms = {**shared, "certainty lost, twice": 2 * discrepancy.certainty_lost}
        return Bound("theorem 5 as printed", terms, (PRINTED,))
    drift = min(discrepancy.drift, discrepancy.reversed_drift)
    return Bound(
        "theorem 5, mended",
        {
            **shared,
            "drift of the labels, kept or swapped": drift,
            "certainty lost": discrepancy.certainty_lost,
        },
    )


def averaged_bound(excess: float, variation: float, clean: LabelledLaw, best_accuracy: ArrayLike) -> Bound:
    """Theorem 6 as printed: a mixed rule, were its accuracy at each place the best that any rule has there.

    ``excess`` is that of the mixed rule among reports, ``best_accuracy`` the upper end of the weak rules'
    accuracies at each place. What does hold for a mixed rule is ``weak_bound`` and ``transfer_gap``: they
    are about any rule.

    >>> law = LabelledLaw([0.5, 0.5], [0.9, 0.2])
    >>> round(averaged_bound(0.01, 0.1, law, [0.8, 0.8]).total, 3)
    0.26
    """
    best = np.asarray(best_accuracy, dtype=np.float64)
    if best.shape != clean.mass.shape or not ((best >= 0) & (best <= 1)).all():
        raise InvalidParameter(f"best_accuracy must be {len(clean.mass)} numbers from 0 to 1, one a place")
    gap = 2 * float(clean.mass @ (np.abs(clean.lean) + 0.5 - best))
    terms = {**_shared(excess, variation), "accuracy missing at the best, twice": gap}
    return Bound("theorem 6 as printed", terms, (LIMIT,))


def _shared(excess: float, variation: float) -> dict[str, float]:
    """What all theorems begin with."""
    if not 0 <= real("excess", excess) <= 1:
        raise InvalidParameter(f"excess must be from 0 to 1, got {excess!r}")
    if not 0 <= real("variation", variation) <= 1:
        raise InvalidParameter(f"variation must be from 0 to 1, got {variation!r}")
    return {"excess risk among reports": float(excess), "total variation, times 3/2": 1.5 * variation}
