"""A plan for noise: the worlds on a lattice, the noise along each direction, and the proof for both.

A plan is made from the outputs of *all* worlds, before the secret one is drawn. Everything in it is a
function of the pool and of public chance. It is exact, so it is nothing to publish; but who knows it learns
no more than the budget from a release.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import softmax

from noisewright.domains import Cells, Floats
from noisewright.errors import BadRelease, GuaranteeBroken, InvalidParameter
from noisewright.randomness import Stream
from noisewright.release.noise import table
from noisewright.release.noise.likelihood import log_likelihood
from noisewright.release.noise.proof import information_upper
from noisewright.release.noise.shapes import noise_variances
from noisewright.release.noise.spread import Spread, along_coordinates, along_eigenvectors

FARTHEST = 1 << 50
"""Cells beyond this are moved to it: worlds that hardly count any more, far from all that do."""

LARGEST = 1e100
"""Outputs beyond this have no variance that a float can hold."""

ROUNDING = 1e-9
"""Relative slack on the variance of cells: floating-point sums of squares of integers, and of weights."""

ATTEMPTS = 15
"""The last one asks for a quarter less."""


@dataclass(frozen=True, eq=False)
class NoisePlan:
    """Where each world lies on the lattice (``cells``), and how long a step is along each direction.

    ``weights`` is what is known about the worlds beforehand: uniform, or the posterior after other releases.
    """

    spread: Spread
    steps: Floats
    cells: Cells
    weights: Floats

    def __repr__(self) -> str:
        """Without the outputs: a plan may turn up in a traceback."""
        return f"NoisePlan(worlds={len(self.weights)}, directions={self.steps.size})"

    @property
    def centre(self) -> Floats:
        """The weighted mean of the outputs."""
        return self.spread.centre

    @property
    def variances(self) -> Floats:
        """The variance of the noise along each direction."""
        return np.asarray(self.steps**2 * table.variance())

    @property
    def total_variance(self) -> float:
        """The sum of all variances of the noise: what it adds to the squared distance on average."""
        return float(self.variances.sum())

    @cached_property
    def information_upper(self) -> float:
        """The nats that a release of this plan carries at most about the world, given ``weights``."""
        second = self.weights @ self.cells.astype(np.float64) ** 2  # at least the variance, whatever the mean
        return information_upper(second * (1 + ROUNDING))

    def draw(self, world: int, stream: Stream) -> Cells:
        """The cells of one private release from the secret world."""
        return np.asarray(self.cells[world] + table.draw(stream, self.steps.size))

    def simulate(self, worlds: Cells, generator: np.random.Generator) -> Cells:
        """Cells of one release for each given world, from public chance: for attacks and benchmarks."""
        return np.asarray(self.cells[worlds] + table.simulate(generator, (len(worlds), self.steps.size)))

    def vector(self, cells: Cells) -> Floats:
        """What is published: cells as a vector, or as rows of vectors."""
        return self.spread.vector(cells * self.steps)

    def log_likelihood(self, cells: Cells) -> Floats:
        """The logarithm of p(cells | world), rows of cells by worlds, up to a constant for each row."""
        return log_likelihood(cells, self.cells)

    def posterior(self, cells: Cells) -> Floats:
        """What an observer who knows everything but the world thinks of each world, for rows of cells."""
        with np.errstate(divide="ignore"):  # a world that is out stays out
            before = np.log(self.weights)
        return np.asarray(softmax(self.log_likelihood(cells) + before, axis=1))


def plan_noise(
    outputs: Floats, nats: float, shape: str = "optimal", weights: Floats | None = None
) -> NoisePlan:
    """The least noise of a shape with which a release of one of these outputs carries at most ``nats``.

    >>> outputs = np.random.default_rng(0).normal(size=(64, 3))
    >>> plan = plan_noise(outputs, nats=0.25)
    >>> plan.information_upper <= 0.25, plan.information_upper > 0.2499
    (True, True)
    """
    weights = _checked(outputs, weights)
    spread = (along_coordinates if shape == "paper" else along_eigenvectors)(outputs, weights)
    if not (spread.variances > 0).any():
        raise BadRelease(
            "the algorithm gives the same output in every world, so nothing depends on which half was used, "
            "and there is nothing that this proof could protect"
        )
    # Snapping to cells moves variances in jumps, so ever less is asked until the proof goes through.
    for attempt in range(ATTEMPTS):
        asked = nats * (1 - 1e-9 * 4**attempt)
        plan = _on_lattice(spread, noise_variances(spread.variances, asked, shape), weights)
        if plan.information_upper <= nats:
            return plan
    raise InvalidParameter(
        f"a budget of {nats:g} nats is below what the lattice of {spread.variances.size} directions can "
        f"account for; take a larger one"
    )


def _checked(outputs: Floats, weights: Floats | None) -> Floats:
    if outputs.ndim != 2 or not np.isfinite(outputs).all():
        raise GuaranteeBroken("outputs must be finite rows of numbers, one for each world")
    if outputs.size and np.abs(outputs).max() > LARGEST:
        raise BadRelease("outputs are too large to be squared; scale the rows, or what the algorithm returns")
    if weights is None:
        return np.full(len(outputs), 1 / len(outputs))
    if weights.shape != (len(outputs),) or not (weights >= 0).all() or abs(weights.sum() - 1) > 1e-9:
        raise GuaranteeBroken("weights must be one probability for each world")
    return np.asarray(weights / weights.sum())


def _on_lattice(spread: Spread, noise: Floats, weights: Floats) -> NoisePlan:
    """Each world in its cell; directions in which nothing varies keep the centre and get no noise."""
    alive = noise > 0
    steps = np.where(alive, np.sqrt(noise / table.variance()), 0.0)
    away = np.divide(spread.places, steps, out=np.zeros_like(spread.places), where=alive)
    cells = np.rint(np.clip(away, -FARTHEST, FARTHEST)).astype(np.int64)
    return NoisePlan(spread, steps, cells, weights)
