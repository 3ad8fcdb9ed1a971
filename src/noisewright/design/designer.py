"""The designer: for one task, every mechanism worth a thought, measured exactly and put in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from noisewright.design.bounds import lower_bound
from noisewright.design.design_table import OPTIMAL, RIVAL, TIE, WINDOW, Bound, DesignTable, Row
from noisewright.design.giving_away import gives_away
from noisewright.design.request import LEXICOGRAPHIC, POINT, WORST
from noisewright.design.rivals import rivals
from noisewright.design.task import Task
from noisewright.domains import Domain
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.mechanisms import DesignedLaw, Mechanism, OptimalWindow
from noisewright.mechanisms.certificate import Certificate

Progress = Callable[[str], None]
"""Called with what is being worked on."""

CAP_SLACK = 1e-6
"""Of a limit on the worst case: how far a mechanism may be above it, for it was rounded to integers."""


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
    progress: Progress = lambda _: None,
) -> DesignTable:
    """The mechanisms for a task side by side: what each achieves, what it costs, and what none can do.

    The arguments are those of :func:`~noisewright.design.optimal_law`. The rows are the optimal law, the best
    window, OGPM and the Laplace family of the domain; for labels, k-RR and the exponential mechanism. All
    numbers come from exact laws. The average is over the prior if there is one, and even otherwise.

    >>> from noisewright import Circle
    >>> table = tabulate(Circle(24), epsilon=2.0, loss="squared")
    >>> [(row.name, round(row.worst, 2)) for row in table.rows]
    [('Optimal law', 18.88), ('Best window', 18.88), ('CircularOGPM', 19.85), ('Purkayastha', 26.92)]
    """
    task = Task.read(
        domain, epsilon, loss, objective, prior=prior, point=point, cap_worst=cap_worst,
        worst_at_most=worst_at_most, unbiased=unbiased, inputs=inputs,
    )  # fmt: skip
    progress("the optimal law")
    optimum = task.optimum()
    progress("what no mechanism can do")
    limit = limit_of(task, optimum)
    bound = proved_bound(task, optimum, limit)
    rows, absent = _rows(task, optimum, progress)
    judged = [replace(row, admitted=_admitted(row, task, limit)) for row in rows]
    table = DesignTable(task, tuple(sorted(judged, key=_rank(judged))), bound, limit, tuple(absent))
    return replace(table, rows=tuple(replace(row, sentence=gives_away(row, table)) for row in table.rows))


def _rows(task: Task, optimum: Mechanism, progress: Progress) -> tuple[list[Row], list[str]]:
    """All rows in the order in which ties are shown, and what could not be built."""
    rows, absent = [_optimal_row(task, optimum)], []
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


def _optimal_row(task: Task, optimum: Mechanism) -> Row:
    row = _row("Optimal law", OPTIMAL, optimum, task)
    certificate = certificate_of(optimum)
    # an average or a single value is exact in the certificate, and taken at many places elsewhere
    return row if certificate is None or task.looks_at_worst else replace(row, value=certificate.value)


def certificate_of(mechanism: Mechanism) -> Certificate | None:
    """What a mechanism says of its own optimality, if anything."""
    found = getattr(mechanism, "certificate", None)
    return found if isinstance(found, Certificate) else None


# -- conditions ------------------------------------------------------------------------------------


def limit_of(task: Task, optimum: Mechanism) -> float | None:
    """The largest worst case that the task allows, if it does not allow all."""
    certificate = certificate_of(optimum)
    if certificate is None or task.looks_at_worst:
        return task.worst_at_most
    if certificate.ceiling is not None:
        return certificate.ceiling
    if task.objective == POINT:  # a window that is the best of all laws is so at every point
        return certificate.value if isinstance(optimum, OptimalWindow) else None
    return task.worst_at_most if task.cap_worst is None else task.cap_worst * certificate.value


def _admitted(row: Row, task: Task, limit: float | None) -> bool:
    if task.unbiased and row.unbiased is False:
        return False
    if row.role == OPTIMAL:  # designed within the limit; between its knots it may lie a hair above
        return True
    return limit is None or row.worst <= limit * (1 + CAP_SLACK)


def _rank(rows: list[Row]) -> Callable[[Row], tuple[bool, float, int]]:
    """Who keeps the conditions first, then by value; what is as good as the optimum stays in its order."""
    least = rows[0].value

    def rank(row: Row) -> tuple[bool, float, int]:
        tied = abs(row.value - least) <= TIE * least
        return not row.admitted, least if tied else row.value, rows.index(row)

    return rank


# -- what nothing can do better than ---------------------------------------------------------------


def proved_bound(task: Task, optimum: Mechanism, limit: float | None) -> Bound | None:
    """The strongest bound that is proved for the task, and for which mechanisms it is."""
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
