"""Principal components: the subspace that holds most of the variance, and its centre.

**Canonical basis.** Of all bases that span a subspace, worlds take the one closest to a public reference. A
basis is a matrix with one basis vector in each row. Turning it by an orthogonal matrix changes every number
in it and nothing about the subspace, so each world first turns its basis to the reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy.sparse.linalg import svds
from sklearn.decomposition import PCA

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.release.algorithms.base import Algorithm, Facts, Labels, name_columns
from noisewright.release.basics.pool import blocks

FEW_FEATURES = 256
"""Up to this width, an eigendecomposition of the covariance is faster than an iteration over the rows."""


@dataclass(frozen=True)
class Components(Algorithm):
    """PCA: the vector is [mean, component after component], the basis turned to that of the whole pool.

    Only the subspace and its centre are released. The vector does not say how much variance each component
    explains, so the model has no explained variances and cannot whiten. Since the basis is turned, its
    components are not sorted by variance either, though they stay close to the pool's, which are.

    Args:
        count: Number of components, from 1 to the number of columns and of records in a world.

    >>> rows = np.array([[0.0, 1.0], [1.0, 1.1], [2.0, 0.9], [3.0, 1.0]])
    >>> components = Components(1); facts = components.facts(rows, None)
    >>> vector = components.fit(rows, None, seed=0, facts=facts)
    >>> dict(zip(components.coordinates(facts), np.abs(vector).round(2).tolist()))
    {'mean of x0': 1.5, 'mean of x1': 1.0, 'component 0, x0': 1.0, 'component 0, x1': 0.02}
    """

    count: int

    title: ClassVar[str] = "a principal component analysis"

    def __post_init__(self) -> None:
        whole("count", self.count, 1, 4096)

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        most = min(rows.shape[1], len(rows) // 2)
        if self.count > most:
            raise InvalidParameter(f"must be at most {most} for this pool, got {self.count}", field="count")
        return replace(super().facts(rows, None, names), reference=principal(rows, self.count, seed=0)[1])

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        mean, basis = principal(rows, self.count, seed)
        return np.concatenate([mean, align(basis, self.reference(facts)).ravel()])

    def model(self, vector: Floats, facts: Facts) -> Any:
        """Return a fitted scikit-learn ``PCA``, its components made orthonormal again after the noise."""
        mean, basis = self._parts(vector[None], facts)
        estimator = PCA(n_components=self.count)
        estimator.mean_, estimator.components_ = mean[0].copy(), basis[0]
        estimator.n_components_ = self.count
        return name_columns(estimator, facts)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        means = tuple(f"mean of {name}" for name in facts.columns())
        return means + tuple(f"component {i}, {name}" for i in range(self.count) for name in facts.columns())

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return minus the distance of each row to the subspace."""
        return -np.sqrt(self._squared_misses(vectors, rows, facts))

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return minus the restoration error ‖X′ − X‖ / ‖X‖; X′ is ``inverse_transform(transform(X))``."""
        # Sridhar et al. 2024, eq. 5
        lost = np.sqrt(self._squared_misses(vectors, rows, facts).sum(axis=1))
        return np.asarray(-lost / (float(np.linalg.norm(rows)) or 1.0))

    def _parts(self, vectors: Floats, facts: Facts) -> tuple[Floats, Floats]:
        """Return means (vectors, features) and orthonormal bases (vectors, count, features)."""
        bases = vectors[:, facts.features :].reshape(len(vectors), self.count, facts.features)
        return vectors[:, : facts.features], orthonormal(bases)

    def _squared_misses(self, vectors: Floats, rows: Floats, facts: Facts) -> Floats:
        """Return squared distances of the rows to the subspaces, (vectors, rows)."""
        parts = blocks(len(vectors), len(rows) * (self.count + 1))
        return np.concatenate([squared_misses(rows, *self._parts(vectors[part], facts)) for part in parts])


def principal(rows: Floats, count: int, seed: int) -> tuple[Floats, Floats]:
    """Return the mean and the directions of largest variance, one in each row, the largest first.

    >>> principal(np.array([[0.0, 0.0], [0.0, 2.0]]), count=1, seed=0)[0].tolist()
    [0.0, 1.0]
    """
    mean = rows.mean(axis=0)
    centred = rows - mean
    if rows.shape[1] <= FEW_FEATURES:
        directions = np.linalg.eigh(centred.T @ centred).eigenvectors.T[::-1]
    elif count >= min(rows.shape):  # the iteration cannot find all of them
        directions = np.linalg.svd(centred, full_matrices=False).Vh
    else:
        start = np.random.default_rng(seed).uniform(-1, 1, min(rows.shape))
        _, sizes, found = svds(centred, k=count, v0=start)
        directions = found[np.argsort(-sizes)]
    return mean, np.ascontiguousarray(directions[:count])


def squared_misses(rows: Floats, means: Floats, bases: Floats) -> Floats:
    """Return squared distances of rows to the subspaces with these centres and bases, (subspaces, rows).

    ‖x − μ‖² − ‖B(x − μ)‖², with both centres moved to the middle of the rows to keep the digits.
    """
    middle = rows.mean(axis=0)
    rows, means = rows - middle, means - middle
    whole_squares = (rows**2).sum(axis=1) - 2 * means @ rows.T + (means**2).sum(axis=1)[:, None]
    inside = bases @ rows.T - bases @ means[:, :, None]
    return np.asarray(np.maximum(whole_squares - (inside**2).sum(axis=1), 0.0))


def rotation_onto(target: Floats, basis: Floats) -> Floats:
    """Return the rotation or reflection M that minimizes ‖target − M·basis‖ in Frobenius norm.

    M = U Vᵀ for the singular value decomposition target·basisᵀ = U S Vᵀ: the norm is least where
    tr(Mᵀ·target·basisᵀ) is largest, and that trace is at most Σ S. Where singular values vanish, several M
    are equally good, and any one of them is returned. Stacks (…, count, features) are turned one by one.

    >>> rotation_onto(np.array([[0.0, 1.0, 0.0]]), np.array([[0.0, -0.8, 0.6]])).tolist()
    [[-1.0]]
    """
    # Sridhar et al. 2024, claim 1 has V_A V_Bᵀ cut to its corner: in general not orthogonal, nor the minimum.
    left, _, right = np.linalg.svd(target @ np.swapaxes(basis, -1, -2))
    return np.asarray(left @ right)


def align(basis: Floats, reference: Floats) -> Floats:
    """Return the basis of the same subspace that lies closest to a reference.

    >>> turned = align(np.array([[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0]]), reference=np.eye(2, 3))
    >>> bool(np.allclose(turned, np.eye(2, 3)))
    True
    """
    return rotation_onto(reference, basis) @ basis


def orthonormal(rows: Floats) -> Floats:
    """Return the orthonormal basis of the span of some rows that lies closest to the rows themselves.

    After noise, a basis is neither orthogonal nor of length one: QR finds the span, Procrustes turns it back.
    Linearly dependent rows are completed. Works on stacks (…, count, features) too.

    >>> orthonormal(np.array([[2.0, 0.0, 0.0], [0.0, 0.5, 0.0]])).round(12).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    span = np.linalg.qr(np.swapaxes(rows, -1, -2)).Q
    return align(np.swapaxes(span, -1, -2), rows)
