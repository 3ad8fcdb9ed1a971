"""What every weak learner is: data of a subset in, a rule out, and many subsets at once.

A *sample* is what the server holds of some clients after noise: ``units``, one row per client and one
column per encoded feature, and ``signs``, −1 or 1 for each client. MRMA fits dozens of equally large
samples in one go, so a base works on a stack of them: units (B, n, d) and signs (B, n).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.split import SplitQuestion
from noisewright.learn.rules import ConstantRule, LinearRule, Rule


@dataclass(frozen=True)
class Base(ABC):
    """A way to turn samples into rules; the fields are public settings, never data."""

    @property
    def trained(self) -> bool:
        """Whether its rules depend on the samples; if not, nobody needs to report for them."""
        return True

    @abstractmethod
    def fit_many(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> list[Rule]:
        """One rule for each of B samples, from units (B, n, d) and signs (B, n).

        A sample of one class only yields that class for everybody (:class:`ConstantRule`): there is no
        boundary to find, and a weak learner that stops the whole procedure would help nobody.
        """

    def bound(self, question: SplitQuestion) -> Base:
        """The same base for reports that answer this question: only a base that knows the noise differs."""
        return self

    def fit(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> Rule:
        """The rule of one sample, from units (n, d) and signs (n,)."""
        return self.fit_many(np.asarray(units)[None], np.asarray(signs)[None], generator)[0]


@dataclass(frozen=True)
class LinearBase(Base):
    """A base whose rules are hyperplanes, found for all samples together.

    With ``intercept=False`` the hyperplanes pass through the origin. Under heavy noise that is often the
    better choice: a fitted intercept follows the class counts and outweighs slopes that the noise has
    shrunk, so the rule answers one class for nearly everybody and its feedback says nothing of the slopes.
    """

    intercept: bool = True

    def fit_many(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> list[Rule]:
        stacked, answers = read_samples(units, signs)
        return fit_mixed(stacked, answers, self._hyperplanes)

    @abstractmethod
    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        """Weights (B, d) and intercepts (B,) of samples that all hold both classes."""

    def _hyperplanes(self, units: Floats, signs: Floats) -> list[Rule]:
        weights, intercepts = self.coefficients(units, signs)
        return [LinearRule(row, float(level)) for row, level in zip(weights, intercepts, strict=True)]


def read_samples(units: ArrayLike, signs: ArrayLike) -> tuple[Floats, Floats]:
    """A stack of samples as floats, or a refusal that says what is wrong with its shape or entries."""
    stacked, answers = np.asarray(units, dtype=np.float64), np.asarray(signs, dtype=np.float64)
    if stacked.ndim != 3 or stacked.shape[:2] != answers.shape or 0 in stacked.shape[1:]:
        raise InvalidParameter(
            "units must have shape (samples, clients, columns) and signs (samples, clients), neither empty; "
            f"got shapes {stacked.shape} and {answers.shape}"
        )
    if not np.isfinite(stacked).all():
        raise InvalidParameter("units must be finite numbers; encode the features before a base sees them")
    if not (np.abs(answers) == 1).all():
        raise InvalidParameter("signs must be -1 or 1; class codes 0 and 1 become signs as 2 * code - 1")
    return stacked, answers


def fit_mixed(units: Floats, signs: Floats, fit: Callable[[Floats, Floats], list[Rule]]) -> list[Rule]:
    """The rules of a stack: ``fit`` where a sample holds both classes, the constant rule elsewhere."""
    mixed = np.abs(signs.sum(axis=1)) < signs.shape[1]
    if mixed.all():
        return fit(units, signs)
    fitted = iter(fit(units[mixed], signs[mixed])) if mixed.any() else iter(())
    return [
        next(fitted) if both else ConstantRule(int(first > 0))
        for both, first in zip(mixed, signs[:, 0], strict=True)
    ]
