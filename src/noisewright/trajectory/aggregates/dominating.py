"""Functions of a report that, in expectation, never fall below a given function of the truth.

With A the law of the parts of the reports (columns) for the true values (rows), and q the shares of reports
to be expected if the truth is spread evenly, the function G of the part that

    minimizes   Σ q·(G + price)²     subject to   A·G ≥ target

is the best compromise between noise, Σ q·G², and slack, Σ q·G: the higher the price of slack, the closer A·G
lies to the target and the noisier G is. It is a least-distance problem, which Lawson and Hanson (1974,
chapter 23) solve exactly by non-negative least squares. G = 1 is always admissible, so there is always a
solution.
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats

NEVER = 1e-15
"""A part with a smaller share of reports is rounding: G is 0 there."""


def dominating(laws: Floats, expected: Floats, target: Floats, price: float) -> Floats:
    """G for each part, with laws @ G ≥ target, for a target between 0 and 1.

    >>> laws = np.array([[0.8, 0.2], [0.2, 0.8]])
    >>> found = dominating(laws, np.array([0.5, 0.5]), np.array([1.0, 0.0]), 100.0)
    >>> (laws @ found + 1).round(6).tolist(), found.round(3).tolist()
    ([2.0, 1.0], [1.333, -0.333])
    """
    seen = expected > NEVER
    scale = np.sqrt(expected[seen])
    nearest = _least_distance(laws[:, seen] / scale, (target + price) / (1 + price))
    function = np.zeros(expected.size)
    function[seen] = 1.0 if nearest is None else (1 + price) * nearest / scale - price
    return np.asarray(function + np.maximum((target - laws @ function).max(), 0.0))  # undoes rounding


def _least_distance(rows: Floats, least: Floats) -> Floats | None:
    """The shortest vector with rows @ vector ≥ least, or nothing if the iteration does not end."""
    from scipy.optimize import nnls  # noqa: PLC0415  (scipy is slow to load)

    stacked = np.vstack([rows.T, least])
    wanted = np.append(np.zeros(rows.shape[1]), 1.0)
    try:
        multipliers, _ = nnls(stacked, wanted, maxiter=20 * stacked.shape[1])
    except RuntimeError:
        return None
    residual = stacked @ multipliers - wanted
    return np.asarray(-residual[:-1] / residual[-1]) if residual[-1] else None
