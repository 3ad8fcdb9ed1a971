"""Finitely many outputs: sparse vectors, the exponential mechanism, and counts that need no noise.

    python -m benchmarks.audit finite [--runs 2000000]

All laws here are known exactly. "error" is the largest distance of the estimate from the truth over ε from 0
to 1.5; "width" the largest distance between the two bounds, which assume nothing and hold together at 95 %.
The last table is distributional: a count of n fair bits hides one of them at ε = 0 up to the largest binomial
mass, about √(2/πn) (Lu et al. 2024, figure 8); the published method draws its databases anew for every run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from scipy.special import erf

from benchmarks.audit.known import EXPONENTIAL, GRID, SIGMA, Known, of_laws
from benchmarks.audit.measuring import Measured, parser
from benchmarks.release.text import Line, show, status
from noisewright.audit.basics.claim import Claim
from noisewright.audit.truth import ddp_histogram, gaussian, laplace
from noisewright.domains import Floats
from noisewright.published.eureka import Population, eureka_distributional
from noisewright.published.gallery import exhibit
from noisewright.published.gallery.counts import UncertainCount

MOST_WIDTH: Final = 0.008
MOST_ERROR: Final = 0.002
ROWS: Final = (4, 16, 64, 256, 1024)
DATABASES: Final = 100_000
"""Runs of the published method on counts: each draws a database."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all tables."""
    options = parser("finite", __doc__)
    options.add_argument("--runs", type=int, default=2_000_000)
    chosen = options.parse_args(arguments)
    lines = [*lemmas()]
    show("lemmas 2 and 3 of Lu et al. 2024 against our truth", ("lemma", "largest difference"), lines)
    audits = [line for runs in (chosen.runs, 2 * chosen.runs) for line in audited(runs, chosen.seed)]
    names: tuple[str, ...] = ("mechanism", "runs", "error", "width", "verdict", "CPU s")
    show("two bounds without assumptions", names, audits)
    counts = [counted(rows, chosen.runs, chosen.seed) for rows in ROWS]
    names = ("rows", "exact δ(0)", "√(2/πn)", "ours", "lower", "upper", "Eureka")
    show("an exact count of fair bits, ε = 0", names, counts)
    return status([*lines, *audits, *counts])


def lemmas() -> Iterator[Line]:
    """The published formulas, written as published."""
    crossing = (1 - 2 * SIGMA**2 * GRID) / 2
    shares = [1 + erf(at / (SIGMA * np.sqrt(2))) for at in (crossing, crossing - 1)]
    published = {
        "2 (Laplace)": (np.maximum(1 - np.exp(-(1 - GRID) / 2), 0.0), laplace(1.0, GRID)),
        "3 (Gaussian)": (
            (shares[0] - np.exp(GRID) * shares[1]) / 2,
            gaussian(SIGMA, GRID),
        ),
    }
    for name, (theirs, ours) in published.items():
        gap = float(np.abs(theirs - ours).max())
        yield Line((name, f"{gap:.1e}"), "≤ 1e-12", gap <= 1e-12)


def audited(runs: int, seed: int) -> Iterator[Line]:
    """Mechanisms that stop or choose."""
    for name, wanted, width in (
        ("svt-4-large", "false", MOST_WIDTH),
        ("svt-5-large", "false", None),
        ("svt-1-large", "not refuted", None),
        ("svt-1-half", "not refuted", None),
    ):
        shown = exhibit(name)
        yield line(
            of_laws(shown.title, shown.mechanism, *shown.pairs[0]), runs, seed, shown.claim, wanted, width
        )
    yield line(EXPONENTIAL, runs, seed, Claim(2.0), "not refuted", None)


def line(known: Known, runs: int, seed: int, claim: Claim, wanted: str, most_width: float | None) -> Line:
    """One audit with both bounds."""
    found = Measured.of(known, runs, seed, claim=claim)
    assert found.spectrum.upper is not None
    width, verdict = float((found.spectrum.upper - found.spectrum.lower).max()), found.spectrum.verdict
    kept = found.error <= MOST_ERROR and verdict == wanted and (most_width is None or width <= most_width)
    asked = f"error ≤ {MOST_ERROR:g}, {wanted}" + ("" if most_width is None else f", width ≤ {most_width:g}")
    cells = (f"{runs:,}", f"{found.error:.5f}", f"{width:.5f}", verdict, f"{found.processor:.1f}")
    return Line((known.title, *cells), asked, kept)


def counted(rows: int, runs: int, seed: int) -> Line:
    """A count of bits, audited as two laws, and by the published method."""
    exact = float(ddp_histogram(rows, 0.0))
    known = Known("count", UncertainCount(rows), 0, 1, lambda grid: ddp_histogram(rows, grid))
    found = known.audited(runs, seed, epsilons=[0.0])
    error, upper = float(found.estimate[0]) - exact, "" if found.upper is None else f"{found.upper[0]:.4f}"
    numbers = (exact, (2 / np.pi / rows) ** 0.5, found.estimate[0], found.lower[0])
    cells = (str(rows), *(f"{number:.4f}" for number in numbers), upper, f"{distributional(rows, seed):.4f}")
    return Line(cells, f"error ≤ {MOST_ERROR:g}", abs(error) <= MOST_ERROR)


def distributional(rows: int, seed: int) -> float:
    """Algorithm 3 of Lu et al. 2024 on the first row; all rows are alike."""
    coins = Population.alike(_bits, rows)
    found = eureka_distributional(
        _total, {"coins": coins}, [0, 1], [0.0], positions=[0], samples=DATABASES, together=True, seed=seed
    )
    return float(found.deltas[0])


def _bits(generator: np.random.Generator, count: int) -> Floats:
    return np.asarray(generator.integers(0, 2, count, dtype=np.int8))


def _total(databases: Floats, generator: np.random.Generator) -> Floats:
    return np.asarray(databases.sum(axis=1, dtype=np.int64))
