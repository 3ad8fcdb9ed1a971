"""Splitting one budget over several columns of different range, so that the total error is least.

By composition the budgets of the columns of one row add up. The best split is the minimum of a sum of error
curves, one a column; ``allocation.py`` finds it without assuming that the curves are convex, which near ε = 0
they are not.
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
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.mechanisms.piecewise import balanced_share
from noisewright.parameters import EPSILON, real


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
        """The error of the column with a budget, before its weight."""
        error = float((self.error or ogpm_error(self.domain, self.loss))(epsilon))
        if math.isnan(error) or error < 0:
            raise InvalidParameter(f"the error of a column must be a number of at least zero, got {error}")
        return error

    @property
    def blind(self) -> float:
        """The error of the column if nothing of it is collected."""
        if self.unused is not None:
            return real("the error of an unused column", self.unused)
        return math.inf if self.error is not None else blind_error(self.domain, self.loss)


@dataclass(frozen=True)
class Split:
    """A budget split over columns: what each gets and what error that gives.

    Attributes:
        epsilon: The budget.
        epsilons: What each column gets; one with 0 is left out.
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
    """The worst expected loss of OGPM, or of its circular form, as a function of ε.

    >>> round(ogpm_error(Interval(0, 1), "absolute")(2.0), 4)   # 1/(e + 1)
    0.2689
    """
    paper = window_loss(Aim.read(domain), loss)
    scale = domain.length**paper.power
    return lambda epsilon: scale * paper.expected(balanced_share(epsilon), epsilon)


def window_error(domain: NumericDomain, loss: Loss = "squared") -> Curve:
    """The worst expected loss of the best window as a function of ε.

    >>> round(window_error(Interval(0, 1))(4.0), 4)
    0.0406
    """
    paper = window_loss(Aim.read(domain), loss)
    scale = domain.length**paper.power
    return lambda epsilon: scale * paper.expected(paper.best_share(epsilon), epsilon)


def blind_error(domain: NumericDomain, loss: Loss = "squared") -> float:
    """The worst expected loss of a guess without any report: the middle, or a place at random.

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
