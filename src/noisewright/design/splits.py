"""Split one budget over several columns of different range for the least total error.

By composition the budgets of the columns of one row add up. The best split is the minimum of a sum of error
curves, one a column. ``allocation.py`` finds it even though the curves are not convex near ε = 0.

Alternatively each person reports only some of the columns, with a larger part of the budget for each. For the
mean of every column, let each of n people report k of d columns, drawn at random, with ε/k for each. A
column's mean is then the mean of about n·k/d reports, whose noise has variance V(ε/k). And it is the mean
over a part of the people, which differs from the mean over all: with values of standard deviation σ,

    variance of a column's mean = ( (d/k)·V(ε/k) + (d/k − 1)·σ² ) / n.

k = d splits the budget and asks everyone for everything; k = 1 samples. The noise favours few columns, since
V falls like 1/ε² for small ε; the spread of the values favours many. For PM the best k is about ε/2.5 (Wang
et al. 2019).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from noisewright.design.aims import Aim
from noisewright.design.allocation import Curve, allocate, fit_shares
from noisewright.design.window import window_loss
from noisewright.domains import Circle, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Hybrid, NumericMechanism
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.mechanisms.piecewise import balanced_share
from noisewright.parameters import EPSILON, real, whole


@dataclass(frozen=True)
class Column:
    """A column that takes part in a split.

    Attributes:
        domain: Where its true values live.
        loss: "absolute", "squared" or the power of |report − truth|.
        weight: How much its error counts, above 0.
        error: Its error as a function of ε; by default the worst expected loss of OGPM.
        unused: Its error if it is left out of the split; by default that of guessing the middle (on a circle,
            of guessing at random). A column with an ``error`` of its own is left out only if this is given.
    """

    domain: NumericDomain
    loss: Loss = "squared"
    weight: float = 1.0
    error: Curve | None = None
    unused: float | None = None

    def __post_init__(self) -> None:
        power(self.loss)
        if real("the weight of a column", self.weight) <= 0:
            raise InvalidParameter(f"the weight of a column must be above zero, got {self.weight}")

    def curve(self, epsilon: float) -> float:
        """Return the error of the column with a budget, before its weight."""
        error = float((self.error or ogpm_error(self.domain, self.loss))(epsilon))
        if math.isnan(error) or error < 0:
            raise InvalidParameter(f"the error of a column must be a number of at least zero, got {error}")
        return error

    @property
    def blind(self) -> float:
        """The error of the column if it is not collected."""
        if self.unused is not None:
            return real("the error of an unused column", self.unused)
        return math.inf if self.error is not None else blind_error(self.domain, self.loss)


@dataclass(frozen=True)
class Split:
    """A budget split over columns: what each gets and what error that gives.

    Attributes:
        epsilon: The budget.
        epsilons: The budget of each column; one with 0 is left out.
        errors: The error of each column, before its weight.
        total: The sum of weight × error.
        even: That sum for an even split over all columns.
        leanest: That sum for the best split in which columns may be left out.
    """

    epsilon: float
    epsilons: Mapping[str, float]
    errors: Mapping[str, float]
    total: float
    even: float
    leanest: float

    @property
    def left_out(self) -> list[str]:
        """The columns that get nothing."""
        return [name for name, share in self.epsilons.items() if share == 0]

    @property
    def sentence(self) -> str:
        """The split in words."""
        gets = [f"{name} ε = {share:.4g}" for name, share in self.epsilons.items() if share > 0]
        skips = f" and leave out {', '.join(self.left_out)}" if self.left_out else ""
        better = f"{100 * (1 - self.total / self.even):.0f} % below an even split"
        text = f"Give {', '.join(gets)}{skips}: the total error is {self.total:.4g}, {better}."
        if self.leanest < self.total * (1 - 1e-6):
            text += f" Leaving columns out and guessing them would bring it to {self.leanest:.4g}."
        return text


def split(columns: Mapping[str, Column], epsilon: float, *, leave_out: bool = False) -> Split:
    """Return the split of ε over columns with the least total of weight × error.

    The exact sum of the shares never exceeds ε.

    Args:
        columns: The columns by name.
        epsilon: The budget to split.
        leave_out: Whether a column may be left out where its budget does more good elsewhere; by default
            every column gets at least a small share.

    >>> found = split({"pulse": Column(Interval(40, 200)), "age": Column(Interval(0, 110))}, epsilon=4.0)
    >>> {name: round(share, 2) for name, share in found.epsilons.items()}
    {'pulse': 2.9, 'age': 1.1}
    """
    if not columns:
        raise InvalidParameter("a split needs at least one column")
    budget = EPSILON.check(epsilon)
    full = lean = _best(columns, budget, leave_out=False)
    if any(math.isfinite(column.blind) for column in columns.values()):
        lean = _best(columns, budget, leave_out=True)
    shares = lean if leave_out else full
    return Split(
        budget,
        dict(zip(columns, shares, strict=True)),
        _errors(columns, shares),
        total=_total(columns, shares),
        even=_total(columns, fit_shares(budget, [1] * len(columns))),
        leanest=_total(columns, lean),
    )


def split_polar(
    epsilon: float, radius: float = 1.0, loss: Loss = "squared", *, leave_out: bool = False
) -> Split:
    """Return the split between the distance and the direction of a point in polar coordinates.

    The total is the worst expected loss of the distance plus that of the angle in radians.

    Args:
        epsilon: The budget to split.
        radius: The largest distance.
        loss: "absolute", "squared" or the power of |report − truth|.
        leave_out: Whether one of the two may be left out.

    >>> found = split_polar(1 + 2 * math.pi)   # Zheng 2026, C.2.6 has 1.32 and 5.69, which sum to 7.01
    >>> [round(share, 4) for share in found.epsilons.values()]
    [1.2985, 5.9846]
    """
    columns = {"distance": Column(Interval(0, radius), loss), "angle": Column(Circle(2 * math.pi), loss)}
    return split(columns, epsilon, leave_out=leave_out)


def ogpm_error(domain: NumericDomain, loss: Loss = "squared") -> Curve:
    """Return the worst expected loss of OGPM, or of its circular form, as a function of ε.

    >>> round(ogpm_error(Interval(0, 1), "absolute")(2.0), 4)   # 1/(e + 1)
    0.2689
    """
    paper = window_loss(Aim.read(domain), loss)
    scale = domain.length**paper.power
    return lambda epsilon: scale * paper.expected(balanced_share(epsilon), epsilon)


def blind_error(domain: NumericDomain, loss: Loss = "squared") -> float:
    """Return the worst expected loss of a guess without any report: the middle, or a place at random.

    >>> blind_error(Interval(0, 1)), round(blind_error(Circle(1.0)), 4)
    (0.25, 0.0833)
    """
    exponent = power(loss)
    if isinstance(domain, Circle):
        return float((domain.length / 2) ** exponent / (exponent + 1))
    return float(domain.length**exponent * min(0.5**exponent, 1 / (exponent + 1)))


def _best(columns: Mapping[str, Column], budget: float, *, leave_out: bool) -> list[float]:
    curves = [lambda share, column=column: column.weight * column.curve(share) for column in columns.values()]
    unused = [column.weight * column.blind if leave_out else math.inf for column in columns.values()]
    return fit_shares(budget, allocate(curves, budget, unused))


def _errors(columns: Mapping[str, Column], shares: list[float]) -> dict[str, float]:
    return {
        name: column.curve(share) if share > 0 else column.blind
        for (name, column), share in zip(columns.items(), shares, strict=True)
    }


def _total(columns: Mapping[str, Column], shares: list[float]) -> float:
    errors = _errors(columns, shares)
    return sum(column.weight * errors[name] for name, column in columns.items())


# -- sampling columns instead ----------------------------------------------------------------------------

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
        """The number of columns."""
        return len(self.variances)

    @property
    def best(self) -> int:
        """The number of columns that each person should report."""
        return min(range(1, self.columns + 1), key=lambda number: self.variances[number - 1])

    @property
    def variance(self) -> float:
        """The least of the variances."""
        return self.variances[self.best - 1]

    @property
    def sentence(self) -> str:
        """The advice in words, and its gain over the two extremes."""
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
        spread: Standard deviation of a column's values; by default the largest, half the domain's length.

    >>> sample_or_split(columns=10, epsilon=1.0).best, sample_or_split(columns=10, epsilon=8.0).best
    (1, 4)
    """
    number, budget = whole("the number of columns", columns, 1, MOST_COLUMNS), EPSILON.check(epsilon)
    where = domain or Interval(-1, 1)
    noise = variance or unbiased_variance(where)
    sigma = where.length / 2 if spread is None else real("the spread", spread)
    if sigma < 0:
        raise InvalidParameter(f"the spread of a column must be at least zero, got {sigma:g}")
    parts = [(number / kept, noise(budget / kept)) for kept in range(1, number + 1)]
    return Sampling(budget, tuple(part * own + (part - 1) * sigma**2 for part, own in parts))


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
