"""Lower bounds on ε at 90 % beside those that DP-Sniper published, with a tenth of its runs.

    python -m benchmarks.audit sniper [--runs 40000000] [--only svt-4,...] [--first]

DP-Sniper (Bichsel et al. 2021) drew 2×10⁸ outputs for each input at the end, and more before; here 2×10⁷ for
each input pay for everything: learning, choosing and bounding. The pair is the gallery's last of a mechanism,
which for five of them is another than they tried; with --first it is the first, which they tried, too.
As theirs, our bound is on ε alone, and not on the whole curve. They published bounds by two classifiers.
Outputs are scored in pieces, so memory stays small; the last line tells the most that was used.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Sequence
from typing import Final

from benchmarks.audit.gallery import wanted
from benchmarks.audit.measuring import parser
from benchmarks.release.clock import clocked
from benchmarks.release.text import Line, show, status
from noisewright.audit import audit
from noisewright.published.gallery import Exhibit
from noisewright.published.gallery.exhibit import Pair

CONFIDENCE: Final = 0.9
LEAST: Final = 14
MOST_MEMORY: Final = 4.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for every mechanism with a published bound."""
    options = parser("sniper", __doc__)
    options.add_argument("--runs", type=int, default=40_000_000)
    options.add_argument("--only", help="names of exhibits, with commas")
    options.add_argument("--first", action="store_true", help="the first pair of each, not the last")
    chosen = options.parse_args(arguments)
    lines = []
    for shown in wanted(chosen.only):
        if shown.published is not None:
            pair = shown.pairs[0 if chosen.first else -1]
            lines.append(compared(shown, pair, chosen.runs, chosen.seed))
            print(*lines[-1].cells, sep="  ", file=sys.stderr, flush=True)
    names = ("mechanism", "pair ε", "logistic", "network", "ours", "≥ logistic", "≥ both", "CPU s", "score")
    totals = [reached(lines, 5, "logistic regression"), reached(lines, 6, "the better of both"), memory()]
    show(f"lower bounds on ε at 90 %, {chosen.runs:.0e} runs", names, lines)
    show("in all", ("what", "measured"), totals)
    return status(totals)


def compared(shown: Exhibit, pair: Pair, runs: int, seed: int) -> Line:
    """One mechanism."""
    assert shown.published is not None
    with clocked() as spent:
        ours, score = bounded(shown, pair, runs, seed)
    theirs = shown.published
    true = shown.mechanism.epsilon(*pair, shown.claim.delta)
    cells = (
        "" if true is None else f"{true:.4f}", f"{theirs.logistic:.4f}", f"{theirs.network:.4f}",
        f"{ours:.4f}", "yes" if ours >= theirs.logistic else "no", "yes" if ours >= theirs.best else "no",
    )  # fmt: skip
    return Line((shown.name, *cells, f"{spent.processor:.0f}", score))


def bounded(shown: Exhibit, pair: Pair, runs: int, seed: int) -> tuple[float, str]:
    """A bound on ε alone for one pair, and the score it came with."""
    found = audit(
        shown.mechanism, *pair, samples=runs, seed=seed, vectorized=True, jobs=1, confidence=CONFIDENCE,
        aim="epsilon",
    )  # fmt: skip
    return found.epsilon_lower(), found.score


def reached(lines: Sequence[Line], column: int, name: str) -> Line:
    """How many bounds are at least the published ones."""
    count = sum(line.cells[column] == "yes" for line in lines)
    return Line((f"at least {name}, of {len(lines)}", str(count)), f"≥ {LEAST}", count >= LEAST)


def memory() -> Line:
    """The most memory that this process has held."""
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # in KiB on Linux
    return Line(("memory, GB", f"{held:.2f}"), f"≤ {MOST_MEMORY:g}", held <= MOST_MEMORY)
