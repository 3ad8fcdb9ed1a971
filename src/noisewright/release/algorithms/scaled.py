"""An algorithm behind a scaler that is fitted in each world, so that it gets noise like everything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import one_of
from noisewright.release.algorithms.base import Algorithm, Facts, Labels, name_columns
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.components import Components
from noisewright.release.algorithms.forest import Forest
from noisewright.release.algorithms.linear_models import LinearClassifier, Ridge
from noisewright.release.algorithms.naive_bayes import NaiveBayes

SCALABLE = (Clusters, Components, Forest, LinearClassifier, NaiveBayes, Ridge)
"""Algorithms whose models can stand behind a scaler."""


@dataclass(frozen=True)
class Scaled(Algorithm):
    """An algorithm behind a scaler of its columns: to [0, 1] (``minmax``) or to mean 0, deviation 1.

    The scaler is fitted in each world on the world's rows. Its published part is in the vector, before the
    algorithm's own entries: for each column its centre and the logarithm of its width, so that a noised width
    is still a width. Both are measured in a public unit, the power of two above the width in the pool, from a
    public origin: in the units of the data, a column of large numbers would take the whole budget.

    Origin and exponent of the unit are entries too. They are whole numbers and the same in all worlds, so
    they get no noise. They reveal where the pool's columns lie and how wide they are, to within a factor of
    2.

    Args:
        algorithm: Algorithm that gets the scaled rows: K-Means, PCA or a predictor.
        scaler: "minmax", to [0, 1], or "standard", to mean 0 and deviation 1.

    >>> from noisewright.release.algorithms import LinearSVM
    >>> rows = np.array([[100.0], [300.0], [700.0], [900.0]]); labels = np.array(["a", "a", "b", "b"])
    >>> scaled = Scaled(LinearSVM(C=100.0)); facts = scaled.facts(rows, labels)
    >>> vector = scaled.fit(rows, labels, seed=0, facts=facts)
    >>> dict(zip(scaled.coordinates(facts), vector.round(2).tolist()))
    {'origin of x0': 0.0, 'exponent of x0': 10.0, 'centre of x0': 0.1, 'log width of x0': -0.25,
     'x0 for b': 3.81, 'intercept for b': -1.9}
    >>> scaled.model(vector, facts).predict([[200.0], [800.0]]).tolist()
    ['a', 'b']
    """

    algorithm: Algorithm
    scaler: str = "minmax"

    title: ClassVar[str] = "an algorithm on scaled columns"

    def __post_init__(self) -> None:
        if not isinstance(self.algorithm, SCALABLE):
            raise InvalidParameter(
                f"{type(self.algorithm).__name__} cannot stand behind a scaler; K-Means, PCA, predictors can"
            )
        one_of("scaler", self.scaler, SCALERS)

    @property
    def needs_labels(self) -> bool:  # type: ignore[override]  # of the algorithm behind the scaler
        return self.algorithm.needs_labels

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        units = Units.around(scale_of(rows, self.scaler))
        inner = self.algorithm.facts(self._scale(rows, units).apply(rows), labels, names)
        parts = [units.origins[None], units.exponents[None]]
        parts += [] if inner.reference is None else [inner.reference.reshape(-1, rows.shape[1])]
        return replace(inner, reference=np.vstack(parts))

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        units = Units(*self.reference(facts)[:2])
        scale = self._scale(rows, units)
        inner = self.algorithm.fit(scale.apply(rows), labels, seed, _behind(facts))
        return np.concatenate([units.origins, units.exponents, *units.express(scale), inner])

    def model(self, vector: Floats, facts: Facts) -> Any:
        """Return a fitted scikit-learn ``Pipeline`` of the noised scaler and the noised model."""
        scale, rest = self._parts(vector, facts)
        scaler = name_columns(fitted_scaler(self.scaler, scale), facts)
        model = self.algorithm.model(rest, replace(_behind(facts), names=None))
        return Pipeline([("scaler", scaler), ("model", model)])

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        entries = ("origin", "exponent", "centre", "log width")
        own = tuple(f"{entry} of {name}" for entry in entries for name in facts.columns())
        return own + self.algorithm.coordinates(_behind(facts))

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return the algorithm's own confidence, on rows as each vector scales them."""
        return self._inner("confidence", vectors, rows, labels, facts)

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return the algorithm's own utility, on rows as each vector scales them."""
        return self._inner("utility", vectors, rows, labels, facts)

    def _inner(
        self, what: str, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts
    ) -> Floats | None:
        """Ask the algorithm about the rest of each vector, on rows as that vector scales them."""
        ask, behind = getattr(self.algorithm, what), _behind(facts)
        parts = (self._parts(vector, facts) for vector in vectors)
        each = [ask(rest[None], scale.apply(rows), labels, behind) for scale, rest in parts]
        return None if any(one is None for one in each) else np.concatenate(each)

    def _scale(self, rows: Floats, units: Units) -> Scale:
        return units.fill(scale_of(rows, self.scaler))

    def _parts(self, vector: Floats, facts: Facts) -> tuple[Scale, Floats]:
        origins, exponents, centres, widths = vector[: 4 * facts.features].reshape(4, -1)
        scale = Units(origins.round(), exponents.round()).understand(centres, widths)
        return scale, vector[4 * facts.features :]


def _behind(facts: Facts) -> Facts:
    """Return the facts of the scaled pool, as the algorithm behind the scaler sees them."""
    reference = None if facts.reference is None or len(facts.reference) == 2 else facts.reference[2:]
    return replace(facts, reference=reference)


SCALERS = ("minmax", "standard")

LARGEST_LOG_WIDTH = 50.0
"""Noised widths are clipped to e^±50 units: away from 0, and away from overflow."""


@dataclass(frozen=True, eq=False)
class Scale:
    """Rows become (row − centre) / width."""

    centres: Floats
    widths: Floats

    def apply(self, rows: Floats) -> Floats:
        """Return the scaled rows."""
        return np.asarray((rows - self.centres) / self.widths)


def scale_of(rows: Floats, scaler: str) -> Scale:
    """Return the scale of some rows: minimum and range, or mean and standard deviation. A width may be 0.

    >>> scale = scale_of(np.array([[1.0], [2.0], [6.0]]), "minmax")
    >>> scale.centres.tolist(), scale.widths.tolist()
    ([1.0], [5.0])
    """
    if scaler == "minmax":
        return Scale(rows.min(axis=0), np.ptp(rows, axis=0))
    # a column of equal numbers has only rounding errors as its deviation: its width is 0
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
        """Return units of the power of two at or above the width, or 1 where the width is 0."""
        widths = np.where(scale.widths > 0, scale.widths, 1.0)
        exponents = np.ceil(np.log2(widths))
        return cls(np.round(scale.centres / np.exp2(exponents)), exponents)

    def fill(self, scale: Scale) -> Scale:
        """Return the scale with one unit as the width of every column of width 0."""
        return Scale(scale.centres, np.where(scale.widths > 0, scale.widths, np.exp2(self.exponents)))

    def express(self, scale: Scale) -> tuple[Floats, Floats]:
        """Return centres in units from the origins, and logarithms of widths in units."""
        units = np.exp2(self.exponents)
        return scale.centres / units - self.origins, np.log(scale.widths / units)

    def understand(self, centres: Floats, log_widths: Floats) -> Scale:
        """Return the scale that noised numbers of :meth:`express` describe."""
        units = np.exp2(self.exponents)
        widths = np.exp(log_widths.clip(-LARGEST_LOG_WIDTH, LARGEST_LOG_WIDTH))
        return Scale((self.origins + centres) * units, widths * units)


def fitted_scaler(scaler: str, scale: Scale) -> Any:
    """Return a fitted scikit-learn scaler that holds a scale and nothing else."""
    if scaler == "standard":
        fitted = StandardScaler()
        fitted.mean_, fitted.scale_, fitted.var_ = scale.centres, scale.widths, scale.widths**2
        return fitted
    fitted = MinMaxScaler()
    fitted.data_min_, fitted.data_range_ = scale.centres, scale.widths
    fitted.data_max_ = scale.centres + scale.widths
    fitted.scale_, fitted.min_ = 1 / scale.widths, -scale.centres / scale.widths
    return fitted
