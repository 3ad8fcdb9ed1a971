"""The request for a law, and the one or two programs that answer it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from noisewright.design.certificate import certified_bound
from noisewright.design.program import Program, Solution
from noisewright.design.solver import Infeasible, solve
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import Parameter
from noisewright.text import epsilon_words

WORST, AVERAGE, POINT, LEXICOGRAPHIC = "worst", "average", "point", "lexicographic"
OBJECTIVES = (WORST, AVERAGE, POINT, LEXICOGRAPHIC)

CAP = Parameter(
    name="cap_worst",
    meaning="how many times the least possible worst case a law may have",
    above=1 - 1e-12,
    at_most=1e6,
    usual=(1.05, 1.1, 1.5),
)
AT_MOST = Parameter(
    name="worst_at_most", meaning="the largest worst case of a law", above=0, at_most=1e300, usual=(0.1, 1)
)

TIE = 1e-9
"""Share of the best worst case that "lexicographic" gives away for a better average."""


@dataclass(frozen=True)
class Request:
    """An objective with its limit on the worst case."""

    objective: str
    cap_worst: float | None = None
    worst_at_most: float | None = None

    @classmethod
    def read(cls, objective: str, cap_worst: float | None, worst_at_most: float | None) -> Self:
        """Check an objective and its limits on the worst case."""
        if objective not in OBJECTIVES:
            known = ", ".join(f'"{name}"' for name in OBJECTIVES)
            raise InvalidParameter(f"must be one of {known}, not {objective!r}", field="objective")
        capped = [limit for limit in (cap_worst, worst_at_most) if limit is not None]
        if capped and objective not in (AVERAGE, POINT):
            raise InvalidParameter('cap_worst and worst_at_most go with objective="average" or "point"')
        if len(capped) > 1:
            raise InvalidParameter("cap_worst is a factor and worst_at_most a loss; pass one of them")
        return cls(
            objective,
            None if cap_worst is None else CAP.check(cap_worst),
            None if worst_at_most is None else AT_MOST.check(worst_at_most),
        )

    @property
    def capped(self) -> bool:
        """Whether a limit on the worst case was asked for."""
        return self.cap_worst is not None or self.worst_at_most is not None


@dataclass(frozen=True, eq=False)
class Answer:
    """The program that was solved last, and its solution."""

    program: Program
    solution: Solution


def answer(request: Request, program: Program, average: Floats | None) -> Answer:
    """Solve a worst-case program for a request; ``average`` holds the charges of other objectives."""
    if request.objective == WORST:
        return Answer(program, solve(program))
    asked = replace(program, average=average, ceiling=_ceiling(request, program))
    try:
        return Answer(asked, solve(asked))
    except Infeasible as refused:
        if request.worst_at_most is None:
            raise
        raise Infeasible(
            f"no law with epsilon = {epsilon_words(program.epsilon)} has a worst case of at most "
            f"{request.worst_at_most:.6g} here; the least possible is {least_worst(program):.6g}"
        ) from refused


def _ceiling(request: Request, program: Program) -> float | None:
    if request.objective == LEXICOGRAPHIC:
        return least_worst(program) * (1 + TIE)
    if request.cap_worst is not None:
        return least_worst(program) * max(request.cap_worst, 1 + TIE)
    return request.worst_at_most


def least_worst(program: Program) -> float:
    """Return the least worst case that any law of a program has."""
    found = solve(program)
    return max(program.value(found.law), certified_bound(program, found.multipliers))
