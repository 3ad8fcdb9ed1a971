"""Asking each person for one column with the whole budget, or for all with a part of it each.

For the mean of every column, let each of n people report k of d columns, drawn at random, with ε/k for each.
A column's mean is then the mean of about n·k/d reports, whose noise has variance V(ε/k). And it is the mean
over a part of the people, which differs from the mean over all: with values of standard deviation σ,

    variance of a column's mean = ( (d/k)·V(ε/k) + (d/k − 1)·σ² ) / n.

k = d splits the budget and asks everyone for everything; k = 1 samples. The noise speaks for few columns, as
V falls like 1/ε² for small ε; the spread of the values speaks for many. For PM the best k is about ε/2.5
(Wang et al. 2019).
"""

from __future__ import annotations

from dataclasses import dataclass

from noisewright.design.allocation import Curve
from noisewright.domains import Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Hybrid, NumericMechanism
from noisewright.parameters import EPSILON, real, whole

MOST_COLUMNS = 1024


@dataclass(frozen=True)
class Sampling:
    """The variance of a column's mean, times the number of people, for every number of columns reported.

    Attributes:
        epsilon: The budget of one person.
        variances: ``variances[k − 1]`` belongs to k columns a person.
    """

    epsilon: float
    variances: tuple[float, ...]

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.variances)

    @property
    def best(self) -> int:
        """How many columns each person should report."""
        return min(range(1, self.columns + 1), key=lambda number: self.variances[number - 1])

    @property
    def variance(self) -> float:
        """The least of the variances."""
        return self.variances[self.best - 1]

    @property
    def sentence(self) -> str:
        """What to do, and what it gains over the two extremes."""
        sampled, divided = self.variances[0] / self.variance, self.variances[-1] / self.variance
        each = f"{self.best} of {self.columns} columns with ε = {self.epsilon / self.best:.4g} each"
        return (
            f"Let each person report {each}: splitting ε over all columns makes the variance of a column's "
            f"mean {divided:.3g} times as large, and reporting only one {sampled:.3g} times."
        )


def sample_or_split(
    columns: int,
    epsilon: float,
    domain: Interval | None = None,
    *,
    variance: Curve | None = None,
    spread: float | None = None,
) -> Sampling:
    """Compare reporting 1, 2, … or all of several columns alike, for the means of the columns.

    Args:
        columns: Number of columns.
        epsilon: The budget of one person.
        domain: Where the true values of every column live; by default [−1, 1].
        variance: Noise variance of one unbiased report as a function of ε; by default the worst one of
            :class:`~noisewright.mechanisms.Hybrid`, from its exact law on ``domain``.
        spread: Standard deviation of a column's values; by default half the length of the domain, the
            largest there can be.

    >>> sample_or_split(columns=10, epsilon=1.0).best, sample_or_split(columns=10, epsilon=8.0).best
    (1, 4)
    """
    number, budget = whole("the number of columns", columns, 1, MOST_COLUMNS), EPSILON.check(epsilon)
    where = domain or Interval(-1, 1)
    noise = variance or unbiased_variance(where)
    sigma = where.length / 2 if spread is None else real("the spread", spread)
    if sigma < 0:
        raise InvalidParameter(f"the spread of a column must be at least zero, got {sigma:g}")
    ways = range(1, number + 1)
    return Sampling(budget, tuple(_variance(number, kept, noise(budget / kept), sigma) for kept in ways))


def unbiased_variance(domain: Interval, kind: type[NumericMechanism] = Hybrid) -> Curve:
    """Return the worst noise variance of an unbiased mechanism's report as a function of ε, exactly.

    Args:
        domain: Where the true values live.
        kind: The class of the mechanism.

    >>> from noisewright.mechanisms import Duchi
    >>> round(unbiased_variance(Interval(-1, 1), Duchi)(1.0), 3)   # ((e + 1)/(e − 1))²
    4.683
    """
    return lambda epsilon: kind(domain, epsilon).worst_error("squared")


def _variance(columns: int, kept: int, noise: float, spread: float) -> float:
    return columns / kept * noise + (columns / kept - 1) * spread**2
