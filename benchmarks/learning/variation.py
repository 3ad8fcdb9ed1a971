"""Figure A.6: how far Laplace noise moves people who are uniform on a box.

    python -m benchmarks.learning variation [--draws 100000] [--svg FILE]

Beside the exact curve stand an unbiased estimate with its 95 % interval, and the published estimate from a
grid of ten parts a side of the box, for the reports and (in brackets) for a second sample of the people
themselves, where the right answer is 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from noisewright.published.mrma.variation import (
    box_ratio,
    box_variation,
    histogram_variation,
    total_variation,
)

WIDTHS = (1, 2, 5, 10)
EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 32.0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and draw the curves if a file is named."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning variation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--draws", type=int, default=100_000, help="people drawn for each estimate")
    options.add_argument("--svg", metavar="FILE", help="draw the curves into a file")
    chosen = options.parse_args(arguments)
    random = np.random.default_rng(7)
    print(f"{'width':>5}{'ε':>6}{'exact':>9}{'estimate':>11}{'95 % interval':>20}{'grid (people twice)':>23}")
    for width in WIDTHS:
        for epsilon in EPSILONS:
            print(row(width, epsilon, chosen.draws, random), flush=True)
    if chosen.svg:
        draw(chosen.svg)


def row(width: int, epsilon: float, draws: int, random: np.random.Generator) -> str:
    """One line of the table."""
    people, others = random.uniform(-1, 1, (2, draws, width))
    found = total_variation(people, lambda units: box_ratio(units, epsilon))
    reports = others + random.laplace(0, 2 * width / epsilon, others.shape)
    grid, floor = histogram_variation(people, reports), histogram_variation(people, others)
    interval = f"{found.low:.4f} to {found.high:.4f}"
    return (
        f"{width:>5}{epsilon:>6g}{box_variation(width, epsilon):>9.4f}{found.value:>11.4f}{interval:>20}"
        f"{grid:>14.4f} ({floor:.4f})"
    )


def draw(path: str) -> None:
    """The four curves of the figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    epsilons = np.geomspace(0.1, 32, 200)
    for width in WIDTHS:
        axes.plot(epsilons, [box_variation(width, epsilon) for epsilon in epsilons], label=f"{width} columns")
    axes.set(xscale="log", xlabel="ε of all columns together", ylabel="total variation", ylim=(0, 1.02))
    axes.legend()
    figure.savefig(path)


if __name__ == "__main__":
    main()
