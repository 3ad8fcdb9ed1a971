"""The table the tour is about: 442 patients that come with scikit-learn, and made-up wake times.

All of it is public or made up, so the tour may show true answers beside reports. Nothing else in the
package ever does.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Categories, Cells, Circle, Floats, Interval

PRESSURE = "blood_pressure"
WAKE = "wake_time"
BAND = "band"
PRESSURE_RANGE = Interval(50, 150)
"""Mean arterial pressures in mmHg that a living adult may have: from textbooks, not from the table."""

DAY = Circle(24)
BANDS = Categories(["low", "normal", "raised", "high"])
BAND_EDGES = (70, 100, 110)
"""Where bands of mean arterial pressure begin, in mmHg: round numbers, not taken from the table."""

_SEED = 2026
_PATIENTS = 442


@dataclass(frozen=True, eq=False)
class Clinic:
    """One row a patient: mean arterial pressure in mmHg, its band, and the hour of waking up."""

    pressure: Floats
    wake: Floats
    origin: str

    @property
    def rows(self) -> int:
        """How many patients there are."""
        return int(self.pressure.size)

    @property
    def bands(self) -> Cells:
        """The place of each patient's pressure in the list of bands."""
        return np.asarray(np.digitize(self.pressure, BAND_EDGES), dtype=np.int64)

    def to_csv(self) -> str:
        """The table as the CSV file that the tour randomizes."""
        text = io.StringIO()
        text.write(f"{PRESSURE},{WAKE},{BAND}\n")
        columns = (self.pressure.tolist(), self.wake.tolist(), BANDS.centres(self.bands))
        for pressure, wake, band in zip(*columns, strict=True):
            text.write(f"{pressure:.2f},{wake:.2f},{band}\n")
        return text.getvalue()


def clinic() -> Clinic:
    """The table; without scikit-learn a made-up one of the same shape, which says so."""
    dice = np.random.default_rng(_SEED)
    try:
        pressure, origin = _patients()
    except ImportError:
        pressure = np.clip(dice.normal(94.6, 13.8, _PATIENTS), 62, 133)
        origin = "Blood pressures made up at random, since scikit-learn is not installed"
    wake = np.mod(6.75 + dice.normal(0, 1.5, pressure.size), 24)
    night = dice.random(pressure.size) < 0.15  # night shifts: the reason why hours are a circle
    wake = np.where(night, np.mod(23.5 + dice.normal(0, 1.0, pressure.size), 24), wake)
    return Clinic(np.round(pressure, 2), np.minimum(np.round(wake, 2), 23.99), origin)


def _patients() -> tuple[Floats, str]:
    from sklearn.datasets import load_diabetes  # noqa: PLC0415  (only the tour wants it, and it is slow)

    records = load_diabetes(scaled=False)
    place = list(records.feature_names).index("bp")
    origin = "Blood pressures of the public diabetes study that comes with scikit-learn (Efron et al. 2004)"
    return np.asarray(records.data[:, place], dtype=np.float64), origin
