"""What the digits of doubles give away: Laplace noise with a claim of ε = 0.1 in four libraries.

    python -m benchmarks.audit floating [--runs 8000000]

Inputs 0 and 1. The density of the noise is right everywhere; in NumPy and in diffprivlib the doubles that
stand for it are not, because a sum of an input and a noise can only be a number that the input allows. The
slow libraries get a half or a quarter of the runs. "without bits" is an audit of a quarter of them by the
value of the output alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from benchmarks.audit.libraries import LIBRARIES
from benchmarks.audit.measuring import parser
from benchmarks.release.clock import clocked
from benchmarks.release.text import Line, show, status
from noisewright.audit import Spectrum, audit

CLAIM: Final = 0.1
LEAST: Final = 9.0
UNSAFE: Final = ("NumPy", "diffprivlib")
SLOWNESS: Final = {"diffprivlib": 2, "OpenDP": 4}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for every library."""
    options = parser("floating", __doc__)
    options.add_argument("--runs", type=int, default=8_000_000)
    chosen = options.parse_args(arguments)
    lines = [compared(name, chosen.runs // SLOWNESS.get(name, 1), chosen.seed) for name in LIBRARIES]
    names = ("library", "runs", "ε lower with bits", "without bits", "verdict", "score", "CPU s")
    show(f"Laplace noise, claim ε = {CLAIM:g}, 95 %", names, lines)
    return status(lines)


def compared(name: str, runs: int, seed: int) -> Line:
    """One library, with and without a look at the digits."""
    with clocked() as spent:
        found = audited(name, runs, seed, bits=True)
        lower = found.epsilon_lower()
    plain = audited(name, runs // 4, seed).epsilon_lower()
    cells = (f"{lower:.2f}", f"{plain:.3f}", found.verdict, found.score, f"{spent.processor:.0f}")
    if name in UNSAFE:
        return Line((name, f"{runs:,}", *cells), f"false, ε ≥ {LEAST:g}", lower >= LEAST)
    return Line((name, f"{runs:,}", *cells), "not refuted", found.verdict == "not refuted")


def audited(name: str, runs: int, seed: int, **options: Any) -> Spectrum:
    """An audit of a library in this process; its chance is its own, so that numbers differ a little."""
    draw = LIBRARIES[name](CLAIM)
    return audit(draw, 0.0, 1.0, samples=runs, claim=CLAIM, seed=seed, vectorized=True, jobs=1, **options)
