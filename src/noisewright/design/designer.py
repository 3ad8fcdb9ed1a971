"""The designer: every mechanism worth considering for one task, measured exactly and ranked."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from noisewright.design.aims import read_prior
from noisewright.design.bounds import lower_bound
from noisewright.design.design_table import OPTIMAL, RIVAL, TIE, WINDOW, Bound, DesignTable, Row
from noisewright.design.request import LEXICOGRAPHIC, POINT, WORST
from noisewright.design.rivals import rivals
from noisewright.design.task import Task
from noisewright.domains import Domain
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.mechanisms import DesignedLaw, Mechanism, OptimalWindow
from noisewright.mechanisms.certificate import Certificate
from noisewright.parameters import EPSILON
from noisewright.progress import Status

CAP_SLACK = 1e-6
"""How far a mechanism may exceed a limit on the worst case, as a share, since it was rounded to integers."""

NOTICED = 5e-3
"""The smallest difference of errors, as a share, that is worth mentioning."""


def tabulate(
    domain: Domain,
    epsilon: float,
    loss: Any = "absolute",
    objective: str = "worst",
    *,
    prior: ArrayLike | None = None,
    point: Any = None,
    cap_worst: float | None = None,
    worst_at_most: float | None = None,
    unbiased: bool = False,
    inputs: int | None = None,
    progress: Status = lambda _: None,
) -> DesignTable:
    """Return the mechanisms for a task side by side: the error and cost of each, and the bound on all.

    The rows are the optimal law, the best window, OGPM and the Laplace family of the domain; for labels, k-RR
    and the exponential mechanism. All numbers come from exact laws. The average is over the prior, or even.

    Args:
        domain: Where the true values live.
        epsilon: The budget of one report.
        loss: "absolute", "squared" or a power of the distance; for labels also "zero-one" or a matrix.
        objective: What to be best at: "worst", "average", "lexicographic" or "point".
        prior: Weights over equal parts of the domain, or over labels; even by default.
        point: The one true value of the objective "point".
        cap_worst: Largest worst case, as a multiple of the least possible one.
        worst_at_most: Largest worst case, as a loss.
        unbiased: Whether the expected report must equal the true value.
        inputs: Number of equal parts into which an interval or circle is cut; by default, up to 128.
        progress: Called with the mechanism that is being built.

    >>> from noisewright import Circle
    >>> table = tabulate(Circle(24), epsilon=2.0, loss="squared")
    >>> [(row.name, round(row.worst, 2)) for row in table.rows]
    [('Optimal law', 18.88), ('Best window', 18.88), ('CircularOGPM', 19.85), ('Purkayastha', 26.92)]
    """
    weights = None if prior is None else tuple(read_prior(prior).tolist())
    budget = EPSILON.check(epsilon)
    task = Task(domain, budget, loss, objective, weights, point, cap_worst, worst_at_most, unbiased, inputs)
    progress("the optimal law")
    optimum = task.optimum()
    progress("what no mechanism can do")
    limit = limit_of(task, optimum)
    bound = proved_bound(task, optimum, limit)
    rows, absent = _rows(task, optimum, progress)
    judged = [replace(row, admitted=_is_admitted(row, task, limit)) for row in rows]
    table = DesignTable(task, tuple(sorted(judged, key=_rank(judged))), bound, limit, tuple(absent))
    return replace(table, rows=tuple(replace(row, sentence=gives_away(row, table)) for row in table.rows))


def _rows(task: Task, optimum: Mechanism, progress: Status) -> tuple[list[Row], list[str]]:
    """Return all rows in the order in which ties are shown, and the mechanisms that could not be built."""
    optimal, certificate = _row("Optimal law", OPTIMAL, optimum, task), certificate_of(optimum)
    if certificate is not None and not task.looks_at_worst:
        # an average or a single value is exact in the certificate, and taken at many places elsewhere
        optimal = replace(optimal, value=certificate.value)
    rows, absent = [optimal], []
    if (window := task.window()) is not None:
        rows.append(_row("Best window", WINDOW, window, task))
    for rival in rivals(task):
        progress(rival.name)
        try:
            rows.append(_row(rival.name, RIVAL, rival.build(), task))
        except (InvalidParameter, GuaranteeBroken) as refusal:
            absent.append(f"{rival.name}: {refusal}")
    return rows, absent


def _row(name: str, role: str, mechanism: Mechanism, task: Task) -> Row:
    found = task.errors(mechanism)
    return Row(name, role, mechanism, found.worst, found.average, found.value)


def certificate_of(mechanism: Mechanism) -> Certificate | None:
    """Return a mechanism's certificate of optimality, if it has one."""
    found = getattr(mechanism, "certificate", None)
    return found if isinstance(found, Certificate) else None


# -- conditions ------------------------------------------------------------------------------------


def limit_of(task: Task, optimum: Mechanism) -> float | None:
    """Return the largest worst case that the task allows, if it has a limit."""
    certificate = certificate_of(optimum)
    if certificate is None or task.looks_at_worst:
        return task.worst_at_most
    if certificate.ceiling is not None:
        return certificate.ceiling
    if task.objective == POINT:  # a window that is the best of all laws is so at every point
        return certificate.value if isinstance(optimum, OptimalWindow) else None
    return task.worst_at_most if task.cap_worst is None else task.cap_worst * certificate.value


def _is_admitted(row: Row, task: Task, limit: float | None) -> bool:
    if task.unbiased and row.unbiased is False:
        return False
    if row.role == OPTIMAL:  # designed within the limit; between its knots it may lie slightly above
        return True
    return limit is None or row.worst <= limit * (1 + CAP_SLACK)


def _rank(rows: list[Row]) -> Callable[[Row], tuple[bool, float, int]]:
    """Return a sort key: rows that keep the conditions first, then by value; ties keep their order."""
    least = rows[0].value

    def rank(row: Row) -> tuple[bool, float, int]:
        tied = abs(row.value - least) <= TIE * least
        return not row.admitted, least if tied else row.value, rows.index(row)

    return rank


# -- the bound that nothing can beat ---------------------------------------------------------------


def proved_bound(task: Task, optimum: Mechanism, limit: float | None) -> Bound | None:
    """Return the strongest bound that is proved for the task, with the mechanisms it holds for."""
    if task.looks_at_worst and not task.finite and not task.unbiased:
        return Bound(lower_bound(task.domain, task.epsilon, task.loss), "ε-LDP mechanism whatsoever")
    if task.objective == LEXICOGRAPHIC:  # its certificate is about the average
        optimum = replace(task, objective=WORST, prior=None).optimum()
    certificate = certificate_of(optimum)
    return None if certificate is None else Bound(certificate.bound, _whom(task, optimum, limit))


def _whom(task: Task, optimum: Mechanism, limit: float | None) -> str:
    kind = "unbiased ε-LDP" if task.unbiased else "ε-LDP"
    if isinstance(optimum, OptimalWindow):
        whom = f"{kind} mechanism whatsoever"
    elif isinstance(optimum, DesignedLaw):
        parts, places = len(optimum.weights), optimum.reports.lattice
        whom = (
            f"{kind} law of {parts} {'knots' if optimum.dithered else 'parts'} and {places} possible reports"
        )
    else:
        whom = f"{kind} mechanism that reports these labels"
    return whom if limit is None else f"{whom} with a worst case of at most {limit:.6g}"


# -- what a mechanism gives away, in one sentence ---------------------------------------------------


def gives_away(row: Row, table: DesignTable) -> str:
    """Return how far a row is from the best possible, which conditions it breaks, and what else it costs.

    >>> from noisewright import Categories
    >>> from noisewright.design.designer import tabulate
    >>> table = tabulate(Categories("abc"), epsilon=1.0, loss="zero-one")
    >>> [row.sentence for row in table.rows if row.name == "k-RR"]
    ['as good as the best possible']
    """
    if row.admitted:
        first = _distance(row.value, table)
    elif table.task.unbiased and row.unbiased is False:
        first = "biased, which this task rules out"
    else:
        first = f"its worst case of {row.worst:.4g} is above the limit of {table.limit:.4g}"
    if row.role == OPTIMAL:
        return "; ".join([first, *_price(row, table)])
    fewest = table.optimal.bits
    return first if row.bits < fewest + 1 else f"{first}; {row.bits:.0f} bits instead of {fewest:.0f}"


def _distance(value: float, table: DesignTable) -> str:
    best, floor = ("the best of these" if table.bound is None else "the best possible"), table.floor
    excess = value / floor - 1 if floor > 0 else math.inf
    if value <= floor or excess < TIE:
        return f"as good as {best}"
    if floor <= 0:
        return f"{value:.3g}, where nothing above 0 is proved to be the best possible"
    if excess >= 9:
        return f"{value / floor:.3g} times {best}"
    return f"{percent_more(excess)} above {best}"


def _price(row: Row, table: DesignTable) -> list[str]:
    """Return what being best at one number costs in the other, compared with the usual mechanism."""
    usual = table.reference
    if usual is None or not usual.admitted:
        return []
    pairs = {"average": (row.average, usual.average), "worst case": (row.worst, usual.worst)}
    what = "average" if table.task.looks_at_worst else "worst case"
    mine, theirs = pairs[what]
    if theirs <= 0 or mine < theirs * (1 + NOTICED):
        return []
    return [f"its {what} is {percent_more(mine / theirs - 1)} above that of {usual.name}"]


def percent_more(share: float) -> str:
    """Return an excess in per cent, with as many digits as matter.

    >>> percent_more(0.1941), percent_more(1.52), percent_more(0.00071)
    ('19 %', '152 %', '0.071 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"
