"""A plan for noise: the worlds on a lattice, the noise along each direction, and the proof.

A plan is made from the outputs of *all* worlds, before the secret one is drawn. Everything in it is a
function of the pool and of public chance. It is exact, so it must not be published; but whoever knows it
learns no more than the budget from a release.

**Spread.** The outputs of the worlds have a centre, directions, and a variance along each. With finitely many
worlds this is not an estimate: the covariance over the worlds *is* the covariance of the output, and its
eigenvectors are the best directions for noise.

**Likelihood.** ln p(z | world j) = −|z − q_j|²/2σ² up to a constant. Multiplied out, z·q_j − |q_j|²/2 is one
fast product of matrices. But where worlds lie far apart, a float loses the digits that distinguish them. So
the product is used only where it is exact enough; otherwise integers are subtracted first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.special import softmax

from noisewright.domains import Cells, Floats
from noisewright.errors import BadRelease, GuaranteeBroken, InvalidParameter
from noisewright.randomness import Stream
from noisewright.release.basics.pool import blocks
from noisewright.release.noise import table
from noisewright.release.noise.variances import information_upper, noise_variances

FARTHEST = 1 << 50
"""Cells beyond this are moved to it: they belong to worlds of negligible weight, far from all others."""

LARGEST = 1e100
"""Largest output whose square a float can hold."""

ROUNDING = 1e-9
"""Relative slack on the variance of cells: floating-point sums of squares of integers, and of weights."""

ATTEMPTS = 15
"""Attempts to plan within the budget; the last one asks for a quarter less."""

NEGLIGIBLE = 1e-12
"""Directions whose deviation is below this part of the largest are rounding errors, and are dropped."""

FAR = 1000.0
"""Deviations from the centre up to which a product is off by less than 10⁻⁹."""


@dataclass(frozen=True, eq=False)
class Spread:
    """The outputs seen from their centre: ``places`` (worlds, r) along ``directions`` (d, r).

    ``directions`` of None stands for the coordinates themselves.
    """

    centre: Floats = field(repr=False)
    directions: Floats | None = field(repr=False)
    places: Floats = field(repr=False)
    variances: Floats = field(repr=False)

    def vector(self, places: Floats) -> Floats:
        """Return places along the directions as vectors."""
        away = places if self.directions is None else places @ self.directions.T
        return np.asarray(self.centre + away)


def spread_of(outputs: Floats, weights: Floats, *, turned: bool) -> Spread:
    """Return the spread along the eigenvectors of the weighted covariance, or along the coordinates."""
    centre = weights @ outputs
    away = outputs - centre
    if not turned:
        return Spread(centre, None, away, weights @ away**2)
    _, deviations, transposed = np.linalg.svd(np.sqrt(weights)[:, None] * away, full_matrices=False)
    kept = deviations > NEGLIGIBLE * deviations.max(initial=0.0)
    directions = np.ascontiguousarray(transposed[kept].T)
    places = away @ directions
    return Spread(centre, directions, places, weights @ places**2)


@dataclass(frozen=True, eq=False)
class NoisePlan:
    """Where each world lies on the lattice, and how long a step is along each direction.

    Attributes:
        spread: Centre and directions of the outputs.
        steps: Length of a step of the lattice along each direction, in units of the outputs; 0 for no noise.
        cells: Place of each world on the lattice, (worlds, directions).
        weights: Prior probability of each world: uniform, or the posterior after earlier releases.
    """

    spread: Spread
    steps: Floats
    cells: Cells
    weights: Floats

    def __repr__(self) -> str:
        """Without the outputs: a plan may turn up in a traceback."""
        return f"NoisePlan(worlds={len(self.weights)}, directions={self.steps.size})"

    @property
    def variances(self) -> Floats:
        """The variance of the noise along each direction."""
        return np.asarray(self.steps**2 * table.variance())

    @property
    def total_variance(self) -> float:
        """The sum of all variances of the noise: its mean squared length."""
        return float(self.variances.sum())

    @cached_property
    def information_upper(self) -> float:
        """A bound on the nats that a release of this plan carries about the world, given ``weights``."""
        second = self.weights @ self.cells.astype(np.float64) ** 2  # at least the variance, for any mean
        return information_upper(second * (1 + ROUNDING))

    def draw(self, world: int, stream: Stream) -> Cells:
        """Draw the cells of one private release.

        Args:
            world: Index of the secret world in the list.
            stream: Random words for the noise.
        """
        return np.asarray(self.cells[world] + table.draw(stream, self.steps.size))

    def simulate(self, worlds: Cells, generator: np.random.Generator) -> Cells:
        """Draw the cells of one release for each given world from public chance: for attacks and benchmarks.

        Args:
            worlds: Indices of the worlds in the list.
            generator: Public chance.
        """
        return np.asarray(self.cells[worlds] + table.simulate(generator, (len(worlds), self.steps.size)))

    def vector(self, cells: Cells) -> Floats:
        """Return cells as the published vector, or as rows of vectors."""
        return self.spread.vector(cells * self.steps)

    def posterior(self, cells: Cells) -> Floats:
        """Return the probability of each world for an observer of the cells, row by row."""
        with np.errstate(divide="ignore"):  # a world of weight 0 stays ruled out
            before = np.log(self.weights)
        return np.asarray(softmax(log_likelihood(cells, self.cells) + before, axis=1))


def plan_noise(
    outputs: Floats, nats: float, shape: str = "optimal", weights: Floats | None = None
) -> NoisePlan:
    """Plan the least noise of a shape with which a release of one of these outputs carries at most ``nats``.

    Args:
        outputs: Output of every world, (worlds, numbers).
        nats: Most information that a release may carry about the world.
        shape: "optimal" (least total variance), "paper" or "isotropic".
        weights: Probability of each world; None for equal ones.

    >>> outputs = np.random.default_rng(0).normal(size=(64, 3))
    >>> plan = plan_noise(outputs, nats=0.25)
    >>> plan.information_upper <= 0.25, plan.information_upper > 0.2499
    (True, True)
    """
    weights = _check_outputs(outputs, weights)
    spread = spread_of(outputs, weights, turned=shape != "paper")  # as published, along the coordinates
    if not (spread.variances > 0).any():
        raise BadRelease(
            "the algorithm returns the same output in every world, so there is nothing to protect; check "
            "that it uses the rows it is given"
        )
    # Snapping to cells changes variances in jumps, so the target shrinks until the proof holds.
    for attempt in range(ATTEMPTS):
        asked = nats * (1 - 1e-9 * 4**attempt)
        plan = _on_lattice(spread, noise_variances(spread.variances, asked, shape), weights)
        if plan.information_upper <= nats:
            return plan
    raise InvalidParameter(
        f"a budget of {nats:g} nats is below what the lattice of {spread.variances.size} directions can "
        f"account for; take a larger one"
    )


def _check_outputs(outputs: Floats, weights: Floats | None) -> Floats:
    """Return the weights as probabilities that sum to 1, or reject them or the outputs."""
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
    """Put each world into its cell; directions in which nothing varies keep the centre and get no noise."""
    alive = noise > 0
    steps = np.where(alive, np.sqrt(noise / table.variance()), 0.0)
    away = np.divide(spread.places, steps, out=np.zeros_like(spread.places), where=alive)
    cells = np.rint(np.clip(away, -FARTHEST, FARTHEST)).astype(np.int64)
    return NoisePlan(spread, steps, cells, weights)


def log_likelihood(released: Cells, worlds: Cells) -> Floats:
    """Return ln p(released | world), rows of released cells by worlds, up to a constant for each row.

    >>> far = 10**15
    >>> found = log_likelihood(np.array([[far]]), np.array([[far], [far + table.DEVIATION]]))
    >>> (found[0, 0] - found[0, 1]).tolist()
    0.5
    """
    here, there = released / table.DEVIATION, worlds / table.DEVIATION
    if there.size and np.abs(there).sum(axis=1).max() <= FAR:
        return np.asarray(here @ there.T - 0.5 * (there**2).sum(axis=1))
    return _by_differences(released, worlds)


def _by_differences(released: Cells, worlds: Cells) -> Floats:
    found = np.empty((len(released), len(worlds)))
    for some in blocks(len(released), worlds.size):
        away = (released[some, None, :] - worlds) / table.DEVIATION
        found[some] = -0.5 * np.einsum("twr,twr->tw", away, away)
    return found
