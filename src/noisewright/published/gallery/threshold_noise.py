"""The one integral behind the exact laws of the sparse vector technique: over the noisy threshold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import roots_legendre

from noisewright.domains import Floats

NODES = 16
REACH = 42
"""Scales of the noise on both sides, beyond which less than 10⁻¹⁸ is left."""


@dataclass(frozen=True, eq=False)
class Threshold:
    """Nodes and weights with which a sum over nodes is the mean over the noisy threshold.

    Laplace noise has kinks, at the threshold and at each query. Between kinks every integrand here is a sum
    of exponentials, for which Gauss's rule on panels of one scale is exact to the last digits.

    >>> rule = Threshold(1.0, 2.0, 4.0, np.array([0.0]))
    >>> round(float(rule.weights.sum()), 12), round(float((rule.weights * rule.nodes).sum()), 12)
    (1.0, 1.0)
    """

    centre: float
    scale: float
    query_scale: float
    queries: Floats

    @cached_property
    def _rule(self) -> tuple[Floats, Floats]:
        kinks = np.unique([self.centre, *self.queries])
        reach, width = REACH * self.scale, min(self.scale, self.query_scale or self.scale)
        grid = np.arange(kinks[0] - reach, kinks[-1] + reach, width)
        edges = np.unique([*grid, *kinks])
        places, shares = roots_legendre(NODES)
        half = np.diff(edges)[:, None] / 2
        nodes = ((edges[:-1] + edges[1:])[:, None] / 2 + half * places).ravel()
        return nodes, (half * shares).ravel()

    @property
    def nodes(self) -> Floats:
        """Values of the noisy threshold."""
        return self._rule[0]

    @cached_property
    def weights(self) -> Floats:
        """The probability that each node stands for."""
        nodes, lengths = self._rule
        return np.asarray(lengths * np.exp(-np.abs(nodes - self.centre) / self.scale) / (2 * self.scale))

    def above(self, place: int) -> Floats:
        """Return how likely a noisy query lies at or above each node."""
        gaps = self.queries[place] - self.nodes
        return laplace_share(gaps, self.query_scale) if self.query_scale else (gaps >= 0).astype(np.float64)

    def below(self, place: int) -> Floats:
        """Return how likely it lies below; computed by itself, so that small ones stay exact."""
        gaps = self.nodes - self.queries[place]
        return laplace_share(gaps, self.query_scale) if self.query_scale else (gaps > 0).astype(np.float64)


def laplace_share(values: Floats, scale: float) -> Floats:
    """Return the distribution function of Laplace noise, with full precision in the lower tail."""
    tails = 0.5 * np.exp(-np.abs(values) / scale)
    return np.where(values < 0, tails, 1 - tails)
