"""A thousand audits of each of some mechanisms with known spectra: how often a bound is wrong somewhere.

    python -m benchmarks.audit validity [--audits 1000] [--runs 4000]

An audit counts as wrong if its lower curve lies above the true one at any of 241 values of ε from 0 to 3, or
its bound on ε above the true ε; for upper curves, if it lies below the truth at any of them (at 13 of them
for unions of intervals, which take longer). At 95 % both together may fail in one of twenty audits; "up to"
is the exact 99 % upper limit of the share. The second table does to simulated outputs what two published
tools do, and what we do instead.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from scipy.stats import beta, binom

from benchmarks.audit.defects import defects
from benchmarks.audit.known import EXPONENTIAL, GAUSSIAN, LAPLACE, RESPONSE, Known
from benchmarks.audit.measuring import parser
from benchmarks.release.text import Line, show, status

GRID: Final = np.linspace(0.0, 3.0, 241)
FAILURE: Final = 0.05
ROUNDING: Final = 1e-12
ALARM: Final = 1e-3
"""How often bounds that are wrong in exactly one of twenty audits would be accused by a line."""

KINDS: Final[tuple[tuple[Known, dict[str, Any]], ...]] = (
    (LAPLACE, {"assume": "monotone"}),
    (LAPLACE, {"assume": "intervals:2", "epsilons": GRID[::20]}),
    (LAPLACE, {"score": "boosting"}),
    (GAUSSIAN, {"assume": "monotone"}),
    (RESPONSE, {}),
    (RESPONSE, {"aim": "epsilon"}),
    (EXPONENTIAL, {}),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print shares of wrong bounds."""
    options = parser("validity", __doc__)
    options.add_argument("--audits", type=int, default=1000)
    options.add_argument("--runs", type=int, default=4000)
    chosen = options.parse_args(arguments)
    lines: list[Line] = []
    for known, settings in KINDS:
        lines += judged(known, settings, chosen.audits, chosen.runs, chosen.seed)
        print(*lines[-1].all_cells(), sep="  ", file=sys.stderr, flush=True)
    title = f"{chosen.audits:,} audits of {chosen.runs:,} runs at 95 %"
    show(title, ("mechanism", "setting", "bound", "wrong", "share", "up to"), lines)
    shown = [
        Line((name, f"{share:.1%}", f"{ours:.1%}"), "ours ≤ 5 %", ours <= FAILURE)
        for name, share, ours in defects(chosen.audits, chosen.seed)
    ]
    show("false alarms at a nominal 5 %", ("defect", "theirs", "ours"), shown)
    return status([*lines, *shown])


def judged(known: Known, settings: dict[str, Any], audits: int, runs: int, seed: int) -> Iterator[Line]:
    """Many audits of one mechanism."""
    most = true_epsilon(known)
    wrong = np.zeros(2, dtype=np.int64)
    for number in range(audits):
        found = known.audited(runs, seed * 1_000_003 + number, **{"epsilons": GRID, **settings})
        below = np.any(found.delta_lower(GRID) > known.truth(GRID) + ROUNDING) or found.epsilon_lower() > most
        above = found.upper is not None and np.any(found.upper < known.truth(found.epsilons) - ROUNDING)
        wrong += (bool(below), bool(above))
    words = (
        ", ".join(f"{name} {value}" for name, value in settings.items() if name != "epsilons") or "default"
    )
    yield counted((known.title, words, "lower"), int(wrong[0]), audits)
    if found.upper is not None:
        yield counted((known.title, words, "upper"), int(wrong[1]), audits)


def true_epsilon(known: Known) -> float:
    """Where the true curve reaches 0, which is on the grid for all mechanisms here; infinite if nowhere."""
    truth = known.truth(GRID)
    return math.inf if truth[-1] > 0 else float(GRID[np.argmax(truth <= ROUNDING)])


def counted(cells: tuple[str, ...], wrong: int, audits: int) -> Line:
    """Wrong audits, and whether so many can be chance if one of twenty is."""
    limit = float(beta.ppf(0.99, wrong + 1, audits - wrong)) if wrong < audits else 1.0
    kept = bool(binom.sf(wrong - 1, audits, FAILURE) > ALARM)
    return Line((*cells, str(wrong), f"{wrong / audits:.2%}", f"{limit:.2%}"), "≤ 5 %, exact", kept)
