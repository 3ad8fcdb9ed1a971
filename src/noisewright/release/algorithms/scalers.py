"""Scalers of columns as numbers: a centre and a width each, told in public units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from noisewright.domains import Floats

SCALERS = ("minmax", "standard")

LARGEST_LOG_WIDTH = 50.0
"""Noised widths are held within e^±50 units: away from 0, and away from what floats cannot hold."""


@dataclass(frozen=True, eq=False)
class Scale:
    """Rows become (row − centre) / width."""

    centres: Floats
    widths: Floats

    def apply(self, rows: Floats) -> Floats:
        """The scaled rows."""
        return np.asarray((rows - self.centres) / self.widths)


def measured(rows: Floats, scaler: str) -> Scale:
    """The scale of some rows: minimum and range, or mean and standard deviation; a width may be 0.

    >>> scale = measured(np.array([[1.0], [2.0], [6.0]]), "minmax")
    >>> scale.centres.tolist(), scale.widths.tolist()
    ([1.0], [5.0])
    """
    if scaler == "minmax":
        return Scale(rows.min(axis=0), np.ptp(rows, axis=0))
    # a column of equal numbers has a deviation of rounding errors, and no width
    return Scale(rows.mean(axis=0), np.where(np.ptp(rows, axis=0) > 0, rows.std(axis=0), 0.0))


@dataclass(frozen=True, eq=False)
class Units:
    """For each column a unit 2^exponent, and an origin that is a whole number of units.

    >>> units = Units.around(Scale(np.array([1990.0]), np.array([25.0])))
    >>> units.origins.tolist(), units.exponents.tolist()
    ([62.0], [5.0])
    >>> [part.round(4).tolist() for part in units.express(Scale(np.array([1992.0]), np.array([32.0])))]
    [[0.25], [0.0]]
    """

    origins: Floats
    exponents: Floats

    @classmethod
    def around(cls, scale: Scale) -> Self:
        """The unit is the power of two at or above the width, or 1 where there is none."""
        widths = np.where(scale.widths > 0, scale.widths, 1.0)
        exponents = np.ceil(np.log2(widths))
        return cls(np.round(scale.centres / np.exp2(exponents)), exponents)

    def filled(self, scale: Scale) -> Scale:
        """A scale where a column without width has one unit instead."""
        return Scale(scale.centres, np.where(scale.widths > 0, scale.widths, np.exp2(self.exponents)))

    def express(self, scale: Scale) -> tuple[Floats, Floats]:
        """Centres in units from the origins, and logarithms of widths in units."""
        units = np.exp2(self.exponents)
        return scale.centres / units - self.origins, np.log(scale.widths / units)

    def understand(self, centres: Floats, log_widths: Floats) -> Scale:
        """The scale that such (noised) numbers tell."""
        units = np.exp2(self.exponents)
        widths = np.exp(log_widths.clip(-LARGEST_LOG_WIDTH, LARGEST_LOG_WIDTH))
        return Scale((self.origins + centres) * units, widths * units)


def fitted_scaler(scaler: str, scale: Scale) -> Any:
    """A fitted scikit-learn scaler that holds a scale and nothing else."""
    return _minmax(scale) if scaler == "minmax" else _standard(scale)


def _minmax(scale: Scale) -> MinMaxScaler:
    fitted = MinMaxScaler()
    fitted.data_min_, fitted.data_range_ = scale.centres, scale.widths
    fitted.data_max_ = scale.centres + scale.widths
    fitted.scale_, fitted.min_ = 1 / scale.widths, -scale.centres / scale.widths
    return fitted


def _standard(scale: Scale) -> StandardScaler:
    fitted = StandardScaler()
    fitted.mean_, fitted.scale_, fitted.var_ = scale.centres, scale.widths, scale.widths**2
    return fitted
