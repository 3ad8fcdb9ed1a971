"""Lower bounds on ε at 90 % beside those that DP-Sniper published, with a tenth of its runs.

    python -m benchmarks.audit sniper [--runs 40000000] [--only svt-4,...]

DP-Sniper (Bichsel et al. 2021) drew 2×10⁸ outputs for each input at the end, and more before; here 2×10⁷ for
each input pay for everything: learning, choosing and bounding. As theirs, our bound is on ε alone, and not on
the whole curve. "theirs" is the better of its two classifiers. Outputs are scored in pieces, so memory stays
small; the last line tells the most that was used.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Sequence
from typing import Final

from benchmarks.audit.gallery import audited, wanted
from benchmarks.audit.measuring import parser
from benchmarks.release.text import Line, show, status
from noisewright.audit.gallery import Exhibit

CONFIDENCE: Final = 0.9
LEAST: Final = 14
MOST_MEMORY: Final = 4.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for every mechanism with a published bound."""
    options = parser("sniper", __doc__)
    options.add_argument("--runs", type=int, default=40_000_000)
    options.add_argument("--only", help="names of exhibits, with commas")
    chosen = options.parse_args(arguments)
    lines = []
    for shown in wanted(chosen.only):
        if shown.published is not None:
            lines.append(compared(shown, chosen.runs, chosen.seed))
            print(*lines[-1].cells, sep="  ", file=sys.stderr, flush=True)
    names = ("mechanism", "pair ε", "theirs", "ours", "at least theirs", "CPU s", "score")
    totals = [reached(lines), memory()]
    show(f"lower bounds on ε at 90 %, {chosen.runs:.0e} runs", names, lines)
    show("in all", ("what", "measured"), totals)
    return status(totals)


def compared(shown: Exhibit, runs: int, seed: int) -> Line:
    """One mechanism."""
    assert shown.published is not None
    found, spent = audited(shown, runs, seed, confidence=CONFIDENCE, aim="epsilon")
    pair = "" if shown.pair_epsilon is None else f"{shown.pair_epsilon:.4f}"
    ours, theirs = found.epsilon_lower(), shown.published.best
    cells = (pair, f"{theirs:.4f}", f"{ours:.4f}", "yes" if ours >= theirs else "no")
    return Line((shown.name, *cells, f"{spent.processor:.0f}", found.score))


def reached(lines: Sequence[Line]) -> Line:
    """How many bounds are at least the published ones."""
    count = sum(line.cells[4] == "yes" for line in lines)
    return Line((f"at least theirs, of {len(lines)}", str(count)), f"≥ {LEAST}", count >= LEAST)


def memory() -> Line:
    """The most memory that this process has held."""
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # in KiB on Linux
    return Line(("memory, GB", f"{held:.2f}"), f"≤ {MOST_MEMORY:g}", held <= MOST_MEMORY)
