"""Slow and plain forms of the baselines: laws from their formulas, ε by comparing all pairs of rows."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np

from noisewright.mechanisms.basics.exact import log_upper

CLUSTER = [(0.05, 0.1), (0.15, 0.1), (0.1, 0.2), (0.9, 0.15), (0.85, 0.95), (0.3, 0.7)]
"""Six places in a square that is not symmetric in any way."""


def gap(left, right):
    return math.dist(left, right)


def epsilon(rows):
    """The ε of a table of integers: every pair of rows, every column."""
    worst = Fraction(1)
    for one, other in product(rows, repeat=2):
        for likely, unlikely in zip(one, other, strict=True):
            if likely and not unlikely:
                return math.inf
            if unlikely:
                worst = max(worst, Fraction(int(likely), int(unlikely)))
    return log_upper(worst)


def normalized(row):
    return [entry / math.fsum(row) for entry in row]


def exponential(points, truth, candidates, rate):
    """The exponential mechanism among candidates."""
    return normalized([math.exp(-rate * gap(points[truth], points[y])) for y in candidates])


def staircase(points, truth, radii, factor):
    """L-SRR: the height of a step for each place, from ``factor`` down to 1."""

    def step(place):
        return sum(gap(points[truth], points[place]) > radius for radius in radii)

    return normalized([factor - step(y) * (factor - 1) / len(radii) for y in range(len(points))])


def sector(points, pivot, place, count):
    (x, y), (east, north) = points[pivot], points[place]
    angle = math.atan2(north - y, east - x) % (2 * math.pi)
    return min(int(angle / (2 * math.pi) * count), count - 1)


def response(count, budget):
    """k-RR: the probabilities of the truth and of any other label."""
    return math.exp(budget) / (count - 1 + math.exp(budget)), 1 / (count - 1 + math.exp(budget))


def masses(weights):
    """Integers as probabilities."""
    return np.asarray(weights, dtype=np.float64) / float(1 << 62)
