"""How many points of a box a model is asked about, and how many of them may fail.

Two rules accept a box at error ω and tolerance τ: Hoeffding's, which the paper uses, and the exact binomial
one of Clopper and Pearson, which says the same from far fewer points. A third is what the authors' program
does.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from noisewright.errors import InvalidParameter
from noisewright.parameters import Parameter

OMEGA = Parameter("omega", "probability that one test errs", above=0, at_most=0.5, usual=(0.05, 0.01))
TAU = Parameter("tau", "share of a box that may fail", above=0, at_most=0.5, usual=(0.01, 0.02))

_FIRST = 512
"""Points of the first piece of a test: most boxes that are refused are refused by it."""

_MOST_FAILURES = 10_000


@dataclass(frozen=True)
class Rule:
    """How many points are drawn from a box, and how many of them may fail."""

    samples: int
    allowed: int

    def pieces(self) -> Iterator[int]:
        """The points in growing pieces, so that a hopeless box is refused early; the verdict is the same."""
        done, piece = 0, _FIRST
        while done < self.samples:
            size = min(piece, self.samples - done)
            yield size
            done, piece = done + size, done + size


def hoeffding_samples(omega: float, tau: float) -> int:
    """The points with which a mean is known to τ but with probability ω: ln(2/ω)/(2τ²) (theorem 1).

    >>> hoeffding_samples(0.05, 0.01)       # example 1 of the paper: τ/2 for τ = 0.02
    18445
    """
    return math.ceil(math.log(2 / omega) / (2 * tau**2))


def hoeffding_rule(omega: float = 0.05, tau: float = 0.01) -> Rule:
    """The paper's rule: n(ω, τ/2) points, at most the share τ/2 of which fail.

    >>> hoeffding_rule(0.05, 0.01)
    Rule(samples=73778, allowed=368)
    """
    samples = hoeffding_samples(OMEGA.check(omega), TAU.check(tau) / 2)
    return Rule(samples, math.floor(samples * tau / 2))


def clopper_pearson_rule(omega: float = 0.05, tau: float = 0.01) -> Rule:
    """The exact rule: the fewest points with which a failing share of τ/2 still shows that it is below τ.

    The upper Clopper–Pearson limit of the failing share is at most τ exactly if so few failures have a
    probability of at most ω where the true share is τ.

    >>> clopper_pearson_rule(0.05, 0.01)
    Rule(samples=1182, allowed=6)
    """
    from scipy.stats import binom  # noqa: PLC0415  (scipy.stats is slow to import)

    omega, tau = OMEGA.check(omega), TAU.check(tau)
    for allowed in range(_MOST_FAILURES):
        most = math.floor(2 * allowed / tau)  # with more points, so many failures are less than τ/2 of them
        if binom.cdf(allowed, most, tau) <= omega:
            fewest = bisect_left(range(most), True, key=lambda n: binom.cdf(allowed, n, tau) <= omega)
            return Rule(fewest, allowed)
    raise InvalidParameter(f"omega must be larger than {omega:g}: no test of a bearable size errs so rarely")


def coded_rule(omega: float = 0.05, tau: float = 0.03) -> Rule:
    """The rule of the authors' program, laxer than their text: n(ω, τ) points, a share τ of which may fail.

    It is Hoeffding's rule for twice the tolerance; their τ is 0.03 (stroke), 0.05 (bank) and 0.1 (MNIST).

    >>> coded_rule(0.05, 0.03)
    Rule(samples=2050, allowed=61)
    """
    return hoeffding_rule(omega, 2 * TAU.check(tau))


RULES = {"hoeffding": hoeffding_rule, "clopper-pearson": clopper_pearson_rule, "as coded": coded_rule}


def find_rule(test: str, omega: float, tau: float) -> Rule:
    """The rule of a name; or a refusal that lists them."""
    if test not in RULES:
        raise InvalidParameter(f"test must be one of {', '.join(RULES)}, got {test!r}")
    return RULES[test](omega, tau)
