"""Likelihood-ratio attacks: LiRA on an algorithm's confidence, and a linear one on the released vector.

**LiRA** (Carlini et al. 2022, as Sridhar et al. 2024, sec. 8.1, use it). A model is more confident about the
records it was trained on. For each record, the scores of *shadow* releases from worlds with it and from
worlds without it show how its score behaves either way. A release is then judged by where its score falls.
Here the shadows are the public worlds with simulated noise, so the adversary trains no models of their own.

There are two ways to compare: normal laws for "in" and "out" (:class:`GaussianLira`, as first published), or
the share of "out" shadows with a lower score (:class:`EmpiricalLira`, for scores that are not normal at all).

Scores are stored as 32-bit floats, which end at 3·10³⁸ and leave a score of a million only one digit after
the point. Members differ from others by how the confidence about *one* record moves. So it is measured from
the middle of the range seen in the shadows, in units of that range. Likelihood ratios and ranks do not depend
on either.

**The linear attack** works for any function, and for clusterings and subspaces. For each record, the worlds
with it and those without it are two clouds of outputs. With normal laws of one common covariance S (clouds
and noise together) the log likelihood ratio is linear in the release z,

    (μ_in − μ_out)ᵀ S⁻¹ (z − (μ_in + μ_out)/2),

and needs no confidence score and no shadow models: the public worlds are the shadow models.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.release.attacks.trials import Attack, Scores, Trials, blocks
from noisewright.release.basics.worlds import Worlds
from noisewright.release.noise import NoisePlan, table

Confidence = Callable[[Cells], Floats]
"""Rows of cells to the confidence about each record, (releases, records)."""

NARROWEST = 1e-6
"""The least deviation of a record's scores, in its units."""

MEASURED = 100
"""Number of shadows from which the units are estimated."""

ROUNDING = 1e-9
"""Relative change below which a confidence counts as constant."""

FAR = 1e12
"""Distance in units beyond which scores are clipped; in deviations of ``NARROWEST`` its square still fits."""


@dataclass(frozen=True, eq=False)
class Units:
    """For each record, the middle of its confidences and the unit in which distances from it are measured.

    >>> units = Units.of([np.array([[1e300, 5.0], [3e300, 5.0]])])
    >>> units.scores(np.array([[1e300, 5.0], [2.5e300, 5.0]])).tolist()
    [[-1.0, 0.0], [0.5, 0.0]]
    """

    middle: Floats
    unit: Floats

    @classmethod
    def of(cls, seen: Iterable[Floats]) -> Units:
        """Return the units of some confidences, in blocks of (releases, records)."""
        ends = [(block.min(axis=0), block.max(axis=0)) for block in seen]
        low, high = np.min([end[0] for end in ends], axis=0), np.max([end[1] for end in ends], axis=0)
        middle = low / 2 + high / 2  # halved first: the sum of two large numbers may overflow
        unit = np.maximum(high / 2 - low / 2, ROUNDING * np.abs(middle))
        return cls(middle, np.where(unit > np.finfo(np.float64).tiny, unit, 1.0))

    def scores(self, confidences: Floats) -> Scores:
        """Return confidences (releases, records) in these units."""
        with np.errstate(over="ignore"):
            away = (confidences / 2 - self.middle / 2) / self.unit * 2
        return np.clip(away, -FAR, FAR).astype(np.float32)


class Lira(Attack):
    """Base of both kinds of LiRA: confidences about each record, in units estimated from the shadows.

    Args:
        confidence: Confidence about each record, (releases, records), of rows of released cells.
        shadows: Simulated releases from which the attack learns.
        worlds: Public list of worlds.
    """

    def __init__(self, confidence: Confidence, shadows: Trials, worlds: Worlds) -> None:
        self._confidence, self._records = confidence, worlds.records
        self._units = Units.of(found for _, found in self._confidences(shadows.cells[:MEASURED]))
        self._learn(self._unit_scores(shadows.cells), shadows.member(worlds))

    @abstractmethod
    def _learn(self, scores: Scores, member: NDArray[np.bool_]) -> None:
        """Remember how the scores of shadows, (shadows, records), behave with a record and without it."""

    def _unit_scores(self, cells: Cells) -> Scores:
        """Return confidences about all records, in units."""
        scores = np.empty((len(cells), self._records), dtype=np.float32)
        for piece, found in self._confidences(cells):
            scores[piece] = self._units.scores(found)
        return scores

    def _confidences(self, cells: Cells) -> Iterator[tuple[slice, Floats]]:
        """Yield confidences about all records, a block of releases at a time."""
        for piece in blocks(len(cells), 8 * self._records):
            yield piece, self._confidence(cells[piece])


class GaussianLira(Lira):
    """LiRA by ln N(score; in) − ln N(score; out), with means and deviations from each record's shadows.

    Args:
        confidence: Confidence about each record, (releases, records), of rows of released cells.
        shadows: Simulated releases from which the attack learns.
        worlds: Public list of worlds.
    """

    name: ClassVar[str] = "lira"
    title: ClassVar[str] = "LiRA with normal laws"

    def _learn(self, scores: Scores, member: NDArray[np.bool_]) -> None:
        self._inside, self._outside = _law(scores, member), _law(scores, ~member)

    def scores(self, cells: Cells) -> Scores:
        found = self._unit_scores(cells)
        return _log_density(found, *self._inside) - _log_density(found, *self._outside)


class EmpiricalLira(Lira):
    """LiRA by the share of shadows without the record whose score is lower: the paper's empirical law.

    Args:
        confidence: Confidence about each record, (releases, records), of rows of released cells.
        shadows: Simulated releases from which the attack learns.
        worlds: Public list of worlds.
    """

    name: ClassVar[str] = "lira-empirical"
    title: ClassVar[str] = "LiRA with empirical laws"

    def _learn(self, scores: Scores, member: NDArray[np.bool_]) -> None:
        # Sridhar et al. 2024, sec. 8.1; shadows with the record are sorted to the end, and not counted
        self._sorted = np.sort(np.where(member, np.float32(np.inf), scores).T, axis=1)
        self._counts = np.maximum((~member).sum(axis=0), 1)

    def scores(self, cells: Cells) -> Scores:
        found = self._unit_scores(cells)
        for record, (shadows, count) in enumerate(zip(self._sorted, self._counts, strict=True)):
            low, high = (np.searchsorted(shadows, found[:, record], side) for side in ("left", "right"))
            found[:, record] = np.minimum((low + high) / 2, count) / count
        return found


def _law(scores: Scores, marked: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Return mean and deviation of the marked scores of each record."""
    some = blocks(scores.shape[1], len(scores))  # sums have 64 bits, so records are taken in blocks
    laws = [_moments(scores[:, piece], marked[:, piece]) for piece in some]
    mean, deviation = (np.concatenate(part).astype(np.float32) for part in zip(*laws, strict=True))
    return mean, np.maximum(deviation, np.float32(NARROWEST))


def _moments(scores: Scores, marked: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    count = np.maximum(marked.sum(axis=0), 1)
    mean = np.where(marked, scores, 0).sum(axis=0, dtype=np.float64) / count
    spread = np.where(marked, (scores - mean) ** 2, 0).sum(axis=0) / np.maximum(count - 1, 1)
    return mean, np.sqrt(spread)


def _log_density(scores: Scores, mean: Scores, deviation: Scores) -> Scores:
    return np.asarray(-np.log(deviation) - 0.5 * ((scores - mean) / deviation) ** 2, dtype=np.float32)


class LinearAttack(Attack):
    """The linear likelihood ratio of "in" against "out" for each record.

    Args:
        plan: Noise of the release, with the cells of all worlds.
        worlds: Public list of worlds.

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
    """Return the mean place of the worlds that are marked for each record, (records, r)."""
    weighted = np.where(member, weights[:, None], 0.0)
    return np.asarray(weighted.T @ places / np.maximum(weighted.sum(axis=0), 1e-300)[:, None])


def _slopes(places: Floats, weights: Floats, apart: Floats) -> Floats:
    """Return S⁻¹(μ_in − μ_out) for each record, (r, records).

    S = T − ¼ δδᵀ with T the covariance of the release and δ = μ_in − μ_out, as half the worlds hold a record.
    So S⁻¹δ = T⁻¹δ/(1 − ¼ δᵀT⁻¹δ).
    """
    away = places - weights @ places
    covariance = (weights[:, None] * away).T @ away + np.eye(places.shape[1])
    solved = np.linalg.solve(covariance, apart.T)
    between = np.einsum("nr,rn->n", apart, solved) / 4
    return np.asarray(solved / np.maximum(1 - between, 1e-12))
