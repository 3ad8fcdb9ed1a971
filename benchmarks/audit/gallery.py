"""Every exhibit of the gallery: the wrong ones convicted, none of the right ones.

    python -m benchmarks.audit gallery [--only svt-4,...] [--right-runs 2000000]

A wrong mechanism is audited with 2×10⁶, 8×10⁶ and 4×10⁷ runs until it is convicted; the table says which was
enough. A right one is audited once, with ``--right-runs``. Each exhibit has its part of a failure probability
of 5 %, so that with a probability of 95 % no right one is convicted. Where a wrong one is not convicted,
"pair ε" tells how large its violation is on the audited pair, if that is known.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from benchmarks.audit.measuring import parser
from benchmarks.release.clock import Spent, clocked
from benchmarks.release.text import Line, show, status
from noisewright.audit import Spectrum, audit
from noisewright.published.gallery import GALLERY, Exhibit

LADDER: Final = (2_000_000, 8_000_000, 40_000_000)
CONFIDENCE: Final = 1 - 0.05 / len(GALLERY)
"""Of one exhibit: that of the whole gallery is 95 %."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for every exhibit."""
    options = parser("gallery", __doc__)
    options.add_argument("--only", help="names of exhibits, with commas")
    options.add_argument("--right-runs", type=int, default=LADDER[0])
    chosen = options.parse_args(arguments)
    lines = []
    for shown in wanted(chosen.only):
        lines.append(tried(shown, (chosen.right_runs,) if shown.right else LADDER, chosen.seed))
        print(*lines[-1].all_cells(), sep="  ", file=sys.stderr, flush=True)
    names = ("exhibit", "claim", "pair ε", "ε lower", "verdict", "runs", "CPU s", "score")
    show("the gallery, at 95 % together", names, lines)
    return status(lines)


def wanted(only: str | None) -> list[Exhibit]:
    """The named exhibits, or all."""
    return [shown for shown in GALLERY if only is None or shown.name in only.split(",")]


def tried(shown: Exhibit, ladder: Sequence[int], seed: int) -> Line:
    """Audits of an exhibit until it is convicted."""
    for runs in ladder:
        found, spent = audited(shown, runs, seed, claim=shown.claim, confidence=CONFIDENCE)
        if found.verdict == "false":
            break
    lower = found.epsilon_lower(shown.claim.delta)
    pair = "" if shown.pair_epsilon is None else f"{shown.pair_epsilon:.4g}"
    cells = (str(shown.claim), pair, f"{lower:.4g}", found.verdict, f"{runs:.0e}", f"{spent.processor:.0f}")
    asked = "not refuted" if shown.right else "false"
    return Line((shown.name, *cells, found.score), asked, found.verdict == asked)


def audited(shown: Exhibit, runs: int, seed: int, **options: Any) -> tuple[Spectrum, Spent]:
    """An audit of an exhibit's first pair in this process."""
    with clocked() as spent:
        found = audit(
            shown.mechanism, *shown.pairs[0], samples=runs, seed=seed, vectorized=True, jobs=1, **options
        )
        found.epsilon_lower()
    return found, spent
