"""Probabilistic robustness: whether a model keeps its answer on almost all of a box.

The model is asked at uniform points of the box, and the box is accepted if few enough answers differ. Two
rules accept a box at error ω and tolerance τ: Hoeffding's, which the paper uses, and the exact binomial one
of Clopper and Pearson, which makes the same statement with far fewer points. A third is the rule of the
authors' program.

All of that bounds the failing share of the box's *volume*, which is not the probability that a report fails
(:data:`~noisewright.published.classifier_utility.CAVEATS`).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import Parameter, one_of
from noisewright.randomness import Stream
from noisewright.utility.core.records import Records
from noisewright.utility.models import BlackBox

OMEGA = Parameter("omega", "probability that one test errs", above=0, at_most=0.5, usual=(0.05, 0.01))
TAU = Parameter("tau", "share of a box that may fail", above=0, at_most=0.5, usual=(0.01, 0.02))

_FIRST = 512
"""Number of points in the first part of a test, which suffices to refuse most bad boxes."""

_MOST_FAILURES = 10_000


@dataclass(frozen=True)
class Rule:
    """The rule by which a box is accepted.

    Args:
        samples: Number of points that are drawn from the box.
        allowed: Number of points that may fail.
    """

    samples: int
    allowed: int

    def pieces(self) -> Iterator[int]:
        """Yield the sizes of growing parts of a test, so that a bad box is refused early."""
        done, piece = 0, _FIRST
        while done < self.samples:
            size = min(piece, self.samples - done)
            yield size
            done, piece = done + size, done + size


def hoeffding_samples(omega: float, tau: float) -> int:
    """Return the points needed to know a mean to ±τ with error probability ω: ln(2/ω)/(2τ²) (theorem 1).

    Args:
        omega: Probability of a larger error.
        tau: The error.

    >>> hoeffding_samples(0.05, 0.01)       # example 1 of the paper: τ/2 for τ = 0.02
    18445
    """
    return math.ceil(math.log(2 / omega) / (2 * tau**2))


def hoeffding_rule(omega: float = 0.05, tau: float = 0.01) -> Rule:
    """Return the paper's rule: n(ω, τ/2) points, at most the share τ/2 of which fail.

    Args:
        omega: Probability that one test errs.
        tau: Share of a box that may fail.

    >>> hoeffding_rule(0.05, 0.01)
    Rule(samples=73778, allowed=368)
    """
    samples = hoeffding_samples(OMEGA.check(omega), TAU.check(tau) / 2)
    return Rule(samples, math.floor(samples * tau / 2))


def clopper_pearson_rule(omega: float = 0.05, tau: float = 0.01) -> Rule:
    """Return the exact rule: the fewest points with which a failing share of τ/2 proves a share below τ.

    The upper Clopper–Pearson limit of the failing share is at most τ exactly if the number of failures, or
    fewer, has a probability of at most ω at a true share of τ.

    Args:
        omega: Probability that one test errs.
        tau: Share of a box that may fail.

    >>> clopper_pearson_rule(0.05, 0.01)
    Rule(samples=1182, allowed=6)
    """
    from scipy.stats import binom  # noqa: PLC0415  (scipy.stats is slow to import)

    omega, tau = OMEGA.check(omega), TAU.check(tau)
    for allowed in range(_MOST_FAILURES):
        most = math.floor(2 * allowed / tau)  # with more points, these failures are less than τ/2 of them
        if binom.cdf(allowed, most, tau) <= omega:
            fewest = bisect_left(range(most), True, key=lambda n: binom.cdf(allowed, n, tau) <= omega)
            return Rule(fewest, allowed)
    raise InvalidParameter(
        f"must be larger than {omega:g}: no test of acceptable size has such a small error", field="omega"
    )


def coded_rule(omega: float = 0.05, tau: float = 0.03) -> Rule:
    """Return the rule of the authors' program, laxer than their text: of n(ω, τ) points a share τ may fail.

    It is Hoeffding's rule for twice the tolerance; their τ is 0.03 (stroke), 0.05 (bank) and 0.1 (MNIST).

    Args:
        omega: Probability that one test errs.
        tau: Half the share of a box that may fail.

    >>> coded_rule(0.05, 0.03)
    Rule(samples=2050, allowed=61)
    """
    return hoeffding_rule(omega, 2 * TAU.check(tau))


RULES = {"hoeffding": hoeffding_rule, "clopper-pearson": clopper_pearson_rule, "as coded": coded_rule}


def find_rule(test: str, omega: float, tau: float) -> Rule:
    """Return the rule of a name; refuse an unknown name and list the known ones."""
    return RULES[one_of("test", test, RULES)](omega, tau)


def uniforms(stream: Stream, *shape: int) -> Floats:
    """Return numbers from [0, 1): whole multiples of 2⁻⁵³, all equally likely.

    >>> from noisewright.randomness import SeededSource
    >>> numbers = uniforms(SeededSource(1).stream(), 1000, 2)
    >>> numbers.shape, bool((0 <= numbers.min()) and (numbers.max() < 1))
    ((1000, 2), True)
    """
    words = stream.draw(int(np.prod(shape)))
    return np.asarray((words >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(shape)


_ROWS = 1 << 18
"""Number of rows that are collected before a model is asked."""


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Results of the tests of several boxes.

    Attributes:
        rule: Rule by which a box is accepted.
        failures: Failing points of each box; the test of a refused box may have stopped early.
    """

    rule: Rule
    failures: Cells

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Whether each box kept the answer often enough."""
        return np.asarray(self.failures <= self.rule.allowed)


@dataclass(frozen=True, eq=False)
class Prober:
    """A tester of boxes of records.

    Args:
        box: The model, as a :class:`~noisewright.utility.models.BlackBox`.
        records: The records.
        references: The answers that should hold, as codes of the box.
        rule: Rule by which a box is accepted.
        stream: Random words of the questions.
    """

    box: BlackBox
    records: Records
    references: Cells
    rule: Rule
    stream: Stream

    def test(self, which: Cells, low: Floats, high: Floats) -> Verdicts:
        """Ask at uniform points of one box for each of the chosen records.

        Args:
            which: Places of the records.
            low: Lower corners of their boxes in unit coordinates, one row per record.
            high: Upper corners.
        """
        failures = np.zeros(which.size, dtype=np.int64)
        running = np.arange(which.size)
        for piece in self.rule.pieces():
            running = running[failures[running] <= self.rule.allowed]
            step = max(1, _ROWS // piece)
            for at in range(0, running.size, step):
                some = running[at : at + step]
                failures[some] += self._failures(which[some], low[some], high[some], piece)
        return Verdicts(self.rule, failures)

    def _failures(self, which: Cells, low: Floats, high: Floats, points: int) -> Cells:
        spread = uniforms(self.stream, which.size, points, low.shape[1])
        units = low[:, None, :] + spread * (high - low)[:, None, :]
        rows = [self.records.with_values(int(one), place) for one, place in zip(which, units, strict=True)]
        answers = self.box.ask(np.concatenate(rows), np.repeat(self.records.numbers[which], points))
        kept = answers.reshape(which.size, points) == self.references[which, None]
        return np.asarray((~kept).sum(axis=1), dtype=np.int64)
