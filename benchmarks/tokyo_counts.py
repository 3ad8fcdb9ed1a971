"""Counting check-ins of Tokyo: cells through the best label oracle against the brackets of TraCS-C.

    python -m benchmarks.tokyo_counts --data FOLDER [--collections 20]    # FOLDER holds foursquare_tky/

For 8 × 8 cells, the ten fullest: the mean width of 95 % intervals in points of a share, and how often they
hold. Then three boxes, the true number beside the brackets and the narrower interval of TraCS-C.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.tokyo import TOKYO, read
from noisewright.randomness import SeededSource
from noisewright.trajectory import Budget, CellOracle, CellReports, Routes, TraCSC
from noisewright.trajectory.aggregates import count_inside, density_map

CELLS, TOP = (8, 8), 10
EPSILONS = (1.0, 2.0, 4.0)
BOXES = ((139.69, 35.65, 139.78, 35.72), (139.66, 35.63, 139.80, 35.75), (139.47, 35.51, 139.60, 35.60))


def main() -> None:
    """Read the data and print both tables."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True, help="folder that holds foursquare_tky/")
    options.add_argument("--collections", type=int, default=20, help="collections of each kind")
    chosen = options.parse_args()
    routes = read(chosen.data)
    cells(routes, chosen.collections)
    boxes(routes)


def cells(routes: Routes, collections: int) -> None:
    """Widths and coverage of the intervals of the fullest cells."""
    place = CellOracle(TOKYO, 1.0, CELLS).cell_of(routes.points)
    truth = np.bincount(place, minlength=CELLS[0] * CELLS[1]) / len(place)
    top = np.argsort(-truth)[:TOP]
    print(f"\n{len(place):,} check-ins, the {TOP} fullest of {CELLS[0]} × {CELLS[1]} cells")
    print("ε     oracle            width  held   |  TraCS-C width  held")
    for epsilon in EPSILONS:
        counting, along = CellOracle(TOKYO, epsilon, CELLS), TraCSC(TOKYO, epsilon)
        found: dict[str, list[tuple[float, float]]] = {"cells": [], "bracket": []}
        for run in range(collections):
            source = SeededSource(run)
            drawn = CellReports.draw(counting, Budget(epsilon), routes, source)
            maps = {
                "cells": density_map(drawn, counting, CELLS),
                "bracket": density_map(along.perturb_routes(routes, source), along, CELLS),
            }
            for name, each in maps.items():
                low, high = each.low.reshape(-1)[top], each.high.reshape(-1)[top]
                held = (low <= truth[top]) & (truth[top] <= high)
                found[name].append((float((high - low).mean()), float(held.mean())))
        (width, held), (wide, kept) = (np.mean(found[name], axis=0) for name in ("cells", "bracket"))
        print(f"{epsilon:<5g} {counting.protocol:<16} {width:6.4f}  {held:.3f}  |  {wide:6.4f}  {kept:.3f}")


def boxes(routes: Routes) -> None:
    """True numbers, and both intervals of TraCS-C."""
    print("\nboxes: truth, estimate, 95 % interval wherever people are, and if they are spread evenly nearby")
    for epsilon in EPSILONS:
        mechanism = TraCSC(TOKYO, epsilon)
        reports = mechanism.perturb_routes(routes, SeededSource(2))
        for box in BOXES:
            inside = ((routes.points >= box[:2]) & (routes.points <= box[2:])).all(axis=1).sum()
            found = count_inside(reports, mechanism, box, smooth=True)
            told = "–" if found.estimate is None else f"{found.estimate:,.0f}"
            near = "–" if found.smooth_low is None else f"{found.smooth_low:,.0f}–{found.smooth_high:,.0f}"
            print(f"ε = {epsilon:g}: {inside:,}  {told}  {found.low:,.0f}–{found.high:,.0f}  {near}")


if __name__ == "__main__":
    main()
