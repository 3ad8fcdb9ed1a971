"""A likelihood-ratio attack on the released vector itself: for any callable, for clusterings and subspaces.

For each record the worlds that hold it and those that do not are two clouds of outputs. With normal laws of
one common covariance S (clouds and noise together) the log likelihood ratio is linear in the release z,

    (μ_in − μ_out)ᵀ S⁻¹ (z − (μ_in + μ_out)/2),

and needs no confidence score and no shadow models: the public worlds are the shadow models.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.release.attacks.base import Attack, Scores
from noisewright.release.attacks.trials import blocks
from noisewright.release.noise import NoisePlan, table
from noisewright.release.worlds import Worlds


class LinearAttack(Attack):
    """The linear likelihood ratio of "in" against "out" for each record.

    >>> from noisewright.release.noise import plan_noise
    >>> worlds = Worlds(records=8, count=32)
    >>> plan = plan_noise(worlds.member @ np.eye(8)[:, :3], nats=8.0)
    >>> scores = LinearAttack(plan, worlds).scores(plan.cells)
    >>> bool(((scores > 0) == worlds.member)[:, :3].all())
    True
    """

    name: ClassVar[str] = "linear"
    title: ClassVar[str] = "likelihood ratio of the vector"

    def __init__(self, plan: NoisePlan, worlds: Worlds) -> None:
        # in deviations of the noise, so that its covariance is the identity
        places = plan.cells / table.DEVIATION
        inside = _means(places, worlds.member, plan.weights)
        outside = _means(places, ~worlds.member, plan.weights)
        self._slopes = _slopes(places, plan.weights, inside - outside)
        self._offsets = np.einsum("nr,rn->n", (inside + outside) / 2, self._slopes)

    def scores(self, cells: Cells) -> Scores:
        found = np.empty((len(cells), self._offsets.size), dtype=np.float32)
        for piece in blocks(len(cells), self._offsets.size):
            found[piece] = (cells[piece] / table.DEVIATION) @ self._slopes - self._offsets
        return found


def _means(places: Floats, member: NDArray[np.bool_], weights: Floats) -> Floats:
    """The mean place of the worlds that are marked for each record, (records, r)."""
    weighted = np.where(member, weights[:, None], 0.0)
    return np.asarray(weighted.T @ places / np.maximum(weighted.sum(axis=0), 1e-300)[:, None])


def _slopes(places: Floats, weights: Floats, apart: Floats) -> Floats:
    """S⁻¹(μ_in − μ_out) for each record, (r, records).

    S = T − ¼ δδᵀ with T the covariance of the release and δ = μ_in − μ_out, as half the worlds hold a record.
    So S⁻¹δ = T⁻¹δ/(1 − ¼ δᵀT⁻¹δ).
    """
    away = places - weights @ places
    covariance = (weights[:, None] * away).T @ away + np.eye(places.shape[1])
    solved = np.linalg.solve(covariance, apart.T)
    between = np.einsum("nr,rn->n", apart, solved) / 4
    return np.asarray(solved / np.maximum(1 - between, 1e-12))
