"""Case study: the estimates of the dissertation's section 5.6.2 on MotionSense, and ours beside them.

    python -m benchmarks.motionsense --data FOLDER     # FOLDER holds motionsense/

Accelerometer (an interval, scaled to [0, 1]) and attitude (a circle), 6,159 rows as in the source; means over
repeated collections. "As published" is the mean or the histogram of the raw reports.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noisewright import Circle, Interval
from noisewright.domains import NumericDomain
from noisewright.estimate import Tally, mean
from noisewright.estimate.em import fit_smoothly
from noisewright.mechanisms import OGPM, PM, PMC, SW, SWC, CircularOGPM, Hybrid, NumericMechanism

Floats = NDArray[np.float64]

PUBLISHED = {1.0: 0.0758, 2.0: 0.0465, 4.0: 0.0168}
"""Figure 5.17: error of the mean of OGPM's raw reports."""

UNIT, TURN = Interval(0, 1), Circle(2 * math.pi)


def main() -> None:
    """Read the data, run every study and print its table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True, help="folder that holds motionsense/")
    options.add_argument("--repeats", type=int, default=200, help="collections to average over")
    chosen = options.parse_args()
    line, angles = read(chosen.data)
    means(line, chosen.repeats)
    directions(angles, chosen.repeats)
    distributions(line, max(1, chosen.repeats // 10))


def read(folder: Path) -> tuple[Floats, Floats]:
    """The two columns that the source uses."""
    import pandas as pd

    table = pd.read_csv(folder / "motionsense" / "motionsense_dws_1_sub1-3.csv.gz")
    column = table["userAcceleration.x"].to_numpy()
    return (column - column.min()) / np.ptp(column), np.mod(table["attitude.roll"].to_numpy(), 2 * math.pi)


def means(values: Floats, repeats: int) -> None:
    """The error of the mean, as published and with the law inverted."""
    print(f"mean of {values.size:,} accelerations, average |error| over {repeats} collections")
    for epsilon, published in PUBLISHED.items():
        raw, _ = errors(OGPM(UNIT, epsilon), values, repeats)
        parts = [f"published {published}, OGPM raw {raw:.4f}"]
        for kind in (OGPM, PM, Hybrid):
            _, ours = errors(kind(UNIT, epsilon), values, repeats)
            parts.append(f"{kind.__name__} estimated {ours:.4f} ({published / ours:.1f}× better)")
        print(f"  ε = {epsilon:g}: {'; '.join(parts)}")


def directions(values: Floats, repeats: int) -> None:
    """The error of the mean direction: raw reports of each mechanism as published, and estimated."""
    print(f"mean direction of {values.size:,} attitudes, average |error| in radians, {repeats} collections")
    for epsilon in PUBLISHED:
        parts = []
        for kind in (CircularOGPM, PMC, SWC):
            raw, ours = errors(kind(TURN, epsilon), values, repeats)
            parts.append(f"{kind.__name__} raw {raw:.4f} estimated {ours:.4f}")
        print(f"  ε = {epsilon:g}: {'; '.join(parts)}")


def errors(mechanism: NumericMechanism, values: Floats, repeats: int) -> tuple[float, float]:
    """How far the mean of the raw reports and the estimated mean are off, averaged over collections."""
    centre = middle(mechanism.domain, values)
    off = np.zeros(2)
    for _ in range(repeats):
        reports = mechanism.perturb(values)
        found = [middle(mechanism.domain, reports), mean(reports, mechanism).value]
        off += mechanism.domain.distance(found, centre)
    return float(off[0] / repeats), float(off[1] / repeats)


def middle(domain: NumericDomain, values: Floats) -> float:
    """The mean, or on a circle the mean direction."""
    if isinstance(domain, Circle):
        return math.atan2(np.sin(values).mean(), np.cos(values).mean()) % (2 * math.pi)
    return float(values.mean())


def distributions(values: Floats, repeats: int) -> None:
    """Total variation of 50 bins from 10⁵ reports: raw histogram and smoothed EM."""
    print(f"distribution over 50 bins from 10⁵ reports at ε = 1, total variation, {repeats} collections")
    people = np.random.default_rng(5).choice(values, 100_000)
    for kind in (OGPM, SW):
        pairs = np.array([distribution_errors(kind(UNIT, 1.0), people) for _ in range(repeats)])
        raw, ours = pairs.mean(axis=0)
        print(f"  {kind.__name__}: raw {raw:.3f}, smoothed EM {ours:.3f} ({raw / ours:.1f}× better)")


def distribution_errors(mechanism: NumericMechanism, people: Floats) -> tuple[float, float]:
    """How far the raw histogram and the smoothed estimate are from the people's own histogram."""
    truth = np.histogram(people, 50, (0, 1))[0] / people.size
    reports = mechanism.perturb(people)
    raw = np.histogram(np.clip(reports, 0, 1), 50, (0, 1))[0] / people.size
    fitted = fit_smoothly(Tally.of(reports, mechanism), 50).shares
    return float(np.abs(raw - truth).sum() / 2), float(np.abs(fitted - truth).sum() / 2)


if __name__ == "__main__":
    main()
