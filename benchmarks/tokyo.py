"""Case study: check-ins in Tokyo, in continuous space and among public places (Zheng 2026, figs 6.7 and 6.9).

    python -m benchmarks.tokyo --data FOLDER [--routes 20]    # FOLDER holds foursquare_tky/

Mean distances between check-ins and reports in kilometres. The places of the second table are those of the
data, as in the source; a real collection takes them from a public register. The real ε of each baseline
stands beside its error: a method that spends more than it says is no rival.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from noisewright.published.routes import Places, PlanarLaplace, Strawman, baseline_rows
from noisewright.trajectory import LonLatBox, PointSet, Routes, TraCSC, TraCSD, choose_tracs
from noisewright.trajectory.files import read_routes

TOKYO = LonLatBox(139.47, 35.51, 139.90, 35.86)
EPSILONS = (2.0, 4.0, 6.0, 8.0, 10.0)


def main() -> None:
    """Read the data and print both tables."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True, help="folder that holds foursquare_tky/")
    options.add_argument("--routes", type=int, default=20, help="routes for the methods among places")
    chosen = options.parse_args()
    routes = read(chosen.data)
    continuous(routes)
    among_places(routes, chosen.routes)


def read(folder: Path) -> Routes:
    """All check-ins inside the published rectangle, one route for each person."""
    file = read_routes(folder / "foursquare_tky" / "foursquare_tky_101users.parquet")
    inside = [points[TOKYO.contains(points)] for points in file.routes]
    return Routes.of([points for points in inside if len(points)])


def error(routes: Routes, reports: Routes) -> float:
    """The mean distance in kilometres."""
    return float(TOKYO.distance(routes.points, reports.points).mean()) / 1000


def continuous(routes: Routes) -> None:
    """Both methods, what ``auto`` takes, and the corrected baselines."""
    print(f"\n{len(routes)} routes, {len(routes.points):,} check-ins in continuous space: mean error in km")
    print("ε      TraCS-C  TraCS-D  best split  centre   auto   strawman  planar Laplace")
    for epsilon in EPSILONS:
        methods = [
            TraCSC(TOKYO, epsilon, split="even"),
            TraCSD(TOKYO, epsilon, split="heuristic"),
            TraCSD(TOKYO, epsilon),
            TraCSD(TOKYO, epsilon, reference="centre"),
            choose_tracs(TOKYO, epsilon, purpose="single").mechanism,
            Strawman(TOKYO, epsilon),
            PlanarLaplace(TOKYO, epsilon),
        ]
        errors = [error(routes, method.perturb_routes(routes)) for method in methods]
        print(f"{epsilon:<6g}" + "  ".join(f"{found:7.2f}" for found in errors))


def among_places(routes: Routes, many: int) -> None:
    """Reports rounded to the places of the data, against methods that know only these."""
    venues = np.unique(routes.points, axis=0)
    some = Routes.of(list(routes)[:many])
    nearest, places = PointSet(TOKYO, venues), Places.of(venues, TOKYO)
    print(f"\n{many} routes, {len(some.points):,} check-ins among {len(venues):,} places: km (real ε)")
    for epsilon in EPSILONS:
        cells = []
        for name, mechanism in (
            ("TraCS-C", TraCSC(TOKYO, epsilon)),
            ("TraCS-D", TraCSD(TOKYO, epsilon, split="heuristic")),
            ("auto", choose_tracs(TOKYO, epsilon, points=venues, purpose="single").mechanism),
        ):
            reports = mechanism.perturb_routes(some)
            rounded = reports.with_points(nearest.round(reports.points))
            cells.append(f"{name} {error(some, rounded):.2f} ({epsilon:g})")
        rows = baseline_rows(some, places, TOKYO, epsilon)
        cells += [f"{row.name} {row.mean_error / 1000:.2f} ({row.guarantee.real:.3g})" for row in rows]
        print(f"ε = {epsilon:g}: " + ", ".join(cells))


if __name__ == "__main__":
    main()
