"""The data of the tour: public tables that come with scikit-learn, and made-up people.

All of it is public or made up, so the tour may show true answers beside reports. Nothing else in the package
does so. Without scikit-learn, the tables are made up with the same shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats

BANDS: Final = ("low", "normal", "raised", "high")
BAND_EDGES: Final = (70, 100, 110)
"""Limits between the bands of mean arterial pressure in mmHg: round numbers, not taken from the table."""

FEATURES: Final = ("age", "bmi", "blood_pressure", "triglycerides")
MUCH_WORSE: Final = 180
"""Score above which a patient's diabetes got much worse: that of about one patient in three."""

CLIENTS: Final = 4000
TOWN: Final = (139.47, 35.51, 139.90, 35.86)
"""West, south, east and north of the town in which the vehicles drive."""


def write_data(folder: Path) -> None:
    """Write every file that the stops of the tour, and the README, read."""
    rows, score = _patients()
    _write_clinic(folder / "clinic.csv", rows[:, 2])
    worse = score > np.median(score)
    _write_rows(
        folder / "patients.csv", [*FEATURES, "outcome"], rows, np.where(worse, "worse", "better"), "g"
    )
    _write_model(folder / "forest.joblib", rows, worse)
    dice = np.random.default_rng(2027)
    drawn = dice.integers(len(rows), size=CLIENTS)
    moved = np.round(rows[drawn] + 0.1 * rows.std(axis=0) * dice.normal(size=(CLIENTS, len(FEATURES))), 2)
    outcome = np.where(score[drawn] > MUCH_WORSE, "worse", "better")
    _write_rows(folder / "clients.csv", [*FEATURES, "outcome"], moved, outcome, ".2f")
    _write_flowers(folder / "iris.csv")
    _write_routes(folder)


def _patients() -> tuple[Floats, Floats]:
    """Return four features of 442 patients of a public study (Efron et al. 2004), and their progression."""
    try:
        from sklearn.datasets import load_diabetes  # noqa: PLC0415  (only the tour wants it, and it is slow)
    except ImportError:
        dice = np.random.default_rng(2026)
        rows = np.column_stack(
            [dice.uniform(19, 79, 442), dice.normal(26, 4, 442).clip(18, 42),
             dice.normal(94.6, 13.8, 442).clip(62, 133), dice.normal(4.6, 0.5, 442)]
        )  # fmt: skip
        return rows.round(2), 150 + 60 * ((rows[:, 1] - 26) / 4 + (rows[:, 3] - 4.6) / 0.5)
    study = load_diabetes(scaled=False)
    columns = [list(study.feature_names).index(name) for name in ("age", "bmi", "bp", "s5")]
    return np.asarray(study.data[:, columns]), np.asarray(study.target)


def _write_clinic(path: Path, pressure: Floats) -> None:
    """Write a row a patient: mean arterial pressure in mmHg, a made-up wake time, the pressure's band."""
    dice = np.random.default_rng(2026)
    pressure = np.round(pressure, 2)
    wake = np.mod(6.75 + dice.normal(0, 1.5, pressure.size), 24)
    night = dice.random(pressure.size) < 0.15  # night shifts: the reason why hours are a circle
    wake = np.where(night, np.mod(23.5 + dice.normal(0, 1.0, pressure.size), 24), wake)
    wake = np.minimum(np.round(wake, 2), 23.99)
    bands = [BANDS[place] for place in np.digitize(pressure, BAND_EDGES)]
    _write_rows(
        path, ["blood_pressure", "wake_time", "band"], np.column_stack([pressure, wake]), bands, ".2f"
    )


def _write_model(path: Path, rows: Floats, worse: Any) -> None:
    """Write a forest that predicts whose diabetes gets worse; without scikit-learn, write nothing."""
    try:
        from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415  (slow to load)
    except ImportError:
        return
    import joblib  # noqa: PLC0415  (comes with scikit-learn)

    joblib.dump(RandomForestClassifier(50, min_samples_leaf=5, random_state=0).fit(rows, worse), path)


def _write_flowers(path: Path) -> None:
    try:
        from sklearn.datasets import load_iris  # noqa: PLC0415  (only the tour wants it, and it is slow)
    except ImportError:
        return
    iris = load_iris()
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in iris.feature_names]
    _write_rows(path, [*names, "species"], iris.data, iris.target_names[iris.target], ".1f")


def _write_routes(folder: Path) -> None:
    """The ways of thirty made-up vehicles, and public places of their town."""
    from noisewright.trajectory.files import write_routes  # noqa: PLC0415  (numba is slow to load)
    from noisewright.trajectory.routes.simulation import vehicle_traces  # noqa: PLC0415
    from noisewright.trajectory.spaces import LonLatBox  # noqa: PLC0415

    trips = vehicle_traces(LonLatBox(*TOWN), 30, 60, 20.0, seed=1, seconds=20.0)
    write_routes(folder / "trips.geojson", trips, replace=True)
    west, south, east, north = TOWN
    across, down = (np.arange(8) + 0.5) / 8, (np.arange(6) + 0.5) / 6
    places = [[west + x * (east - west), south + y * (north - south)] for y in down for x in across]
    lines = [f"{longitude:.4f},{latitude:.4f}" for longitude, latitude in places]
    (folder / "places.csv").write_text("\n".join(["longitude,latitude", *lines, ""]))


def _write_rows(path: Path, names: Sequence[str], rows: Floats, labels: Iterable[str], spec: str) -> None:
    """Write numbers with a last column of labels as CSV."""
    lines = [
        ",".join([*(f"{value:{spec}}" for value in row), str(label)])
        for row, label in zip(rows.tolist(), labels, strict=True)
    ]
    path.write_text("\n".join([",".join(names), *lines, ""]))
