"""Domains instead of mechanisms: each column gets the mechanism for what its reports are wanted for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from noisewright.design.purpose import BINS, BOTH, Recommendation, recommend
from noisewright.domains import Domain, NumericDomain
from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.guarantees.rules import round_down
from noisewright.mechanisms import Mechanism
from noisewright.parameters import EPSILON, whole

Bounds = Mapping[str, int | Sequence[float]]
"""Bins of some columns, as edges or as a number of equal ones."""


def split_evenly(epsilon: float, parts: int) -> list[float]:
    """Equal shares of ε whose exact sum never exceeds it, and rounds up to it and not beyond.

    Three times the float next to 1/3 is more than 1, so the shares are rounded down, and as many of them are
    raised by one unit in the last place as there is room for.

    Args:
        epsilon: The budget to share.
        parts: Number of shares, from 1 on.

    >>> split_evenly(2.0, 2), split_evenly(0.3, 3)
    ([1.0, 1.0], [0.09999999999999999, 0.09999999999999999, 0.1])
    >>> sum(map(Fraction, split_evenly(1.0, 3))) <= 1
    True
    """
    total = Fraction(EPSILON.check(epsilon))
    count = whole("the number of columns", parts, 1, 1 << 20)
    share = round_down(total / count)
    more = math.nextafter(share, math.inf)
    raised = int((total - count * Fraction(share)) / (Fraction(more) - Fraction(share)))
    return [share] * (count - raised) + [more] * raised


def recommend_columns(
    domains: Mapping[str, Domain],
    epsilon: float | Mapping[str, float],
    purpose: str | Mapping[str, str] = BOTH,
    bins: Bounds | None = None,
) -> dict[str, Recommendation]:
    """Choose a mechanism for each column by what its reports are wanted for.

    Args:
        domains: where the true values of each column live.
        epsilon: the budget of one row, shared evenly by the columns; or a budget for each.
        purpose: "mean", "distribution", "both", "bins" or "single", for all columns of numbers or for some
            by name; "both" for the others, and "bins" for columns that have some.
        bins: the edges, or the number, of the bins of a column.

    >>> from noisewright import Categories, Interval
    >>> chosen = recommend_columns({"pulse": Interval(40, 200), "smokes": Categories(["no", "yes"])}, 2.0)
    >>> [type(each.mechanism).__name__ for each in chosen.values()]
    ['SW', 'KRR']
    """
    cut = dict(bins or {})
    for what, given in (("bins", cut), ("purpose", purpose), ("epsilon", epsilon)):
        if isinstance(given, Mapping):
            _known(what, given, domains)
    if isinstance(epsilon, Mapping):
        if missing := [name for name in domains if name not in epsilon]:
            raise InvalidParameter(f"column {missing[0]!r} has no epsilon; give one to every column")
        budgets = dict(epsilon)
    else:
        budgets = dict(zip(domains, split_evenly(epsilon, len(domains)), strict=True))
    found = {}
    for name, domain in domains.items():
        numbers = isinstance(domain, NumericDomain)
        wanted = purpose.get(name) if isinstance(purpose, Mapping) else purpose if numbers else None
        wanted = BINS if name in cut and wanted in (None, BOTH) else wanted or BOTH
        try:
            found[name] = recommend(domain, budgets[name], wanted, cut.get(name))
        except NoisewrightError as refusal:
            raise type(refusal)(f"column {name!r}: {refusal}") from None
    return found


def with_mechanisms(
    columns: Mapping[str, Any],
    epsilon: float | Mapping[str, float] | None,
    purpose: str | Mapping[str, str] | None,
    bins: Bounds | None,
) -> dict[str, Mechanism]:
    """Columns with their mechanisms, where some may be given as domains.

    Args:
        columns: a mechanism or a domain for each column.
        epsilon: the budget of all columns that are given as domains, together or one by one; needed if
            there are any.
        purpose: what the reports of those columns are wanted for.
        bins: the bins of those columns that have some.
    """
    domains: dict[str, Domain] = {name: each for name, each in columns.items() if isinstance(each, Domain)}
    if not domains:
        for what, given in (("epsilon", epsilon), ("purpose", purpose), ("bins", bins)):
            if given is not None:
                raise InvalidParameter(
                    f"{what} is for columns that are given as domains, such as Interval(40, 200); here every "
                    "column has its mechanism"
                )
        return dict(columns)
    if epsilon is None:
        raise InvalidParameter("columns that are given as domains need an epsilon, for example epsilon=2")
    chosen = recommend_columns(domains, epsilon, BOTH if purpose is None else purpose, bins)
    return {name: chosen[name].mechanism if name in chosen else each for name, each in columns.items()}


def _known(what: str, given: Mapping[str, object], domains: Mapping[str, Domain]) -> None:
    for name in given:
        if name not in domains:
            raise InvalidParameter(f"{what} names the column {name!r}, which is not given as a domain here")
