"""Scaling the columns inside each world, so that the scaler gets noise like everything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.pipeline import Pipeline

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import shown
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.algorithms.bayes import NaiveBayes
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.components import Components
from noisewright.release.algorithms.forest import Forest
from noisewright.release.algorithms.linear_models import LinearClassifier
from noisewright.release.algorithms.naming import named_columns
from noisewright.release.algorithms.ridge import Ridge
from noisewright.release.algorithms.scalers import SCALERS, Scale, Units, fitted_scaler, measured

SCALABLE = (Clusters, Components, Forest, LinearClassifier, NaiveBayes, Ridge)
"""Algorithms whose models can stand behind a scaler."""


@dataclass(frozen=True)
class Scaled(Algorithm):
    """An algorithm behind a scaler of its columns: to [0, 1] (``minmax``) or to mean 0, deviation 1.

    The scaler is fitted in each world on the world's rows. What leaves of it is in the vector, in front of
    the algorithm's own entries: for each column its centre and the logarithm of its width, so that a noised
    width is still a width. Both are counted in a public unit, the power of two above the width in the pool,
    from a public origin: in the units of the data a column of large numbers would take the whole budget.
    Origin and exponent of the unit are entries too; they are whole numbers and the same in all worlds, so
    they get no noise. They tell where the pool's columns lie and how wide they are, to within a factor of 2.

    >>> from noisewright.release.algorithms.svm import LinearSVM
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
        if self.scaler not in SCALERS:
            raise InvalidParameter(f"scaler must be one of {', '.join(SCALERS)}, got {shown(self.scaler)}")

    @property
    def needs_labels(self) -> bool:  # type: ignore[override]  # of the algorithm behind the scaler
        return self.algorithm.needs_labels

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        units = Units.around(measured(rows, self.scaler))
        inner = self.algorithm.facts(self._scale(rows, units).apply(rows), labels, names)
        parts = [units.origins[None], units.exponents[None]]
        parts += [] if inner.reference is None else [inner.reference.reshape(-1, rows.shape[1])]
        return replace(inner, reference=np.vstack(parts))

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        units = _pool_units(facts)
        scale = self._scale(rows, units)
        inner = self.algorithm.fit(scale.apply(rows), labels, seed, _behind(facts))
        return np.concatenate([units.origins, units.exponents, *units.express(scale), inner])

    def model(self, vector: Floats, facts: Facts) -> Any:
        """A fitted scikit-learn ``Pipeline`` of the noised scaler and the noised model."""
        scale, rest = self._parts(vector, facts)
        scaler = named_columns(fitted_scaler(self.scaler, scale), facts)
        model = self.algorithm.model(rest, replace(_behind(facts), names=None))
        return Pipeline([("scaler", scaler), ("model", model)])

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        entries = ("origin", "exponent", "centre", "log width")
        own = tuple(f"{entry} of {name}" for entry in entries for name in facts.columns())
        return own + self.algorithm.coordinates(_behind(facts))

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """The algorithm's own confidence, on rows as each vector scales them."""
        each = [self._inner("confidence", vector, rows, labels, facts) for vector in vectors]
        return None if any(one is None for one in each) else np.concatenate(each)

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """The algorithm's own utility, on rows as each vector scales them."""
        each = [self._inner("utility", vector, rows, labels, facts) for vector in vectors]
        return None if any(one is None for one in each) else np.concatenate(each)

    def _inner(self, what: str, vector: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Any:
        scale, rest = self._parts(vector, facts)
        return getattr(self.algorithm, what)(rest[None], scale.apply(rows), labels, _behind(facts))

    def _scale(self, rows: Floats, units: Units) -> Scale:
        return units.filled(measured(rows, self.scaler))

    def _parts(self, vector: Floats, facts: Facts) -> tuple[Scale, Floats]:
        origins, exponents, centres, widths = vector[: 4 * facts.features].reshape(4, -1)
        scale = Units(origins.round(), exponents.round()).understand(centres, widths)
        return scale, vector[4 * facts.features :]


def _pool_units(facts: Facts) -> Units:
    if facts.reference is None:
        raise InvalidParameter("scaling needs the facts of its own pool; take them from facts()")
    return Units(*facts.reference[:2])


def _behind(facts: Facts) -> Facts:
    """The facts of the scaled pool, as the algorithm behind the scaler knows them."""
    reference = None if facts.reference is None or len(facts.reference) == 2 else facts.reference[2:]
    return replace(facts, reference=reference)
