"""Case study: what reconstruction recovers, from Tokyo check-ins and from simulated vehicles.

    python -m benchmarks.routes_reconstruction --data FOLDER     # FOLDER holds foursquare_tky/

Each row compares mean errors in metres: of the reports, and of the routes reconstructed from nothing but the
reports. *Expected* is the error that the reconstruction states for itself. One route is all of a person's
check-ins; vehicles report once a second and keep the limit that is given. Noise is seeded.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np

from noisewright.randomness import SeededSource
from noisewright.trajectory import LonLatBox, Routes, TraCSC, TraCSD
from noisewright.trajectory.reconstruction import reconstruct
from noisewright.trajectory.routes.simulation import vehicle_traces

TOKYO = LonLatBox(139.47, 35.51, 139.90, 35.86)
EPSILONS = (2.0, 4.0, 6.0)

LIMIT = 20.0
"""Metres a second."""

Row = tuple[str, str, float, float, float, float, float]


def main() -> None:
    """Read the check-ins, run all cases and print one table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True, help="folder that holds foursquare_tky/")
    chosen = options.parse_args()
    print(f"{'routes':<24}{'mechanism':>11}{'ε':>4}{'reports':>9}{'estimate':>10}{'cut':>7}", end="")
    print(f"{'expected':>10}{'CPU s':>7}")
    for what, kind, epsilon, before, after, expected, seconds in rows(check_ins(chosen.data)):
        cut = 1 - after / before
        print(f"{what:<24}{kind:>11}{epsilon:>4g}{before:>9.0f}{after:>10.0f}{cut:>7.1%}", end="")
        print(f"{expected:>10.0f}{seconds:>7.1f}", flush=True)


def check_ins(folder: Path) -> Routes:
    """The check-ins inside the box, one route a person, in order of time."""
    import pyarrow.parquet as pq

    columns = ["user_id", "longitude", "latitude", "utc_time"]
    table = pq.read_table(folder / "foursquare_tky" / "foursquare_tky_101users.parquet", columns=columns)
    people = table["user_id"].to_numpy()
    points = np.stack([table["longitude"].to_numpy(), table["latitude"].to_numpy()], axis=1)
    seconds = table["utc_time"].to_numpy().astype("datetime64[us]").astype(np.int64) / 1e6
    order = np.lexsort((seconds, people))
    order = order[TOKYO.contains(points[order])]
    names, starts = np.unique(people[order], return_index=True)
    return Routes(points[order], np.append(starts, order.size), tuple(map(str, names)), seconds[order])


def rows(people: Routes) -> Iterator[Row]:
    """One row for each case."""
    for epsilon in EPSILONS:
        yield measured("check-ins", people, TraCSC(TOKYO, epsilon))
    yield measured("check-ins, 20 m/s", people, TraCSC(TOKYO, 4.0), max_speed=LIMIT)
    yield measured("check-ins", people, TraCSD(TOKYO, 4.0))
    vehicles = vehicle_traces(TOKYO, routes=10, points=3600, max_speed=LIMIT, seed=1)
    for epsilon in EPSILONS:
        yield measured("vehicles, 1 Hz, 20 m/s", vehicles, TraCSC(TOKYO, epsilon), max_speed=LIMIT)


def measured(what: str, truth: Routes, mechanism: TraCSC | TraCSD, *, max_speed: float | None = None) -> Row:
    """Mean errors before and after, the error it expects, and seconds of one processor."""
    reports = mechanism.perturb_routes(truth, SeededSource(3))
    start = process_time()
    found = reconstruct(reports, mechanism, max_speed=max_speed)
    seconds = process_time() - start
    before, after = (
        float(TOKYO.distance(truth.points, routes.points).mean()) for routes in (reports, found.routes)
    )
    kind = "TraCS-C" if isinstance(mechanism, TraCSC) else "TraCS-D"
    return what, kind, mechanism.epsilon, before, after, float(found.spread.mean()), seconds


if __name__ == "__main__":
    main()
