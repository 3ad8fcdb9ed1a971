"""Upper confidence limits for the mean of bounded numbers: how large a variance can still be.

The variance of an output in one direction is at most its mean squared distance to a fixed centre. Simulated
distances are independent numbers from 0 to 1 (in units of the clipping range), nothing else is known of
their law, and the limit must hold for every law: with probability 1 − ``failure`` it is at or above the mean.
Such a limit is hard, and a plain estimate unsafe, because the simulation may have missed a rare large value.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real

STAKES = np.array([1, 3 / 4, 1 / 2, 1 / 3, 1 / 5, 1 / 8, 1 / 12, 1 / 20, 1 / 32, 1 / 64])
"""Shares of the largest safe stake, one for each gambler; together they are at most ln 10 behind the best."""

HALVINGS = 40
"""Steps of the search for a limit, which is then 10⁻¹² too large at most."""

SLACK = 1e-9
"""More than the logarithms below can lose by rounding, in nats."""


def bernstein_limit(values: Floats, failure: float) -> Floats:
    """Return the limit of each column by Maurer and Pontil's empirical Bernstein inequality.

    Args:
        values: A table of independent numbers from 0 to 1.
        failure: Largest probability with which a limit lies below the mean.

    >>> bernstein_limit(np.full((1000, 1), 0.1), failure=1e-6).round(4).tolist()
    [0.1339]
    """
    values, failure = _checked(values, failure)
    beyond = bernstein_reach(values.var(axis=0, ddof=1), len(values), failure)
    return np.asarray(np.minimum((values.mean(axis=0) + beyond) * (1 + SLACK), 1.0))


def bernstein_reach(variance: Floats, count: int, failure: float) -> Floats:
    """Return how far a mean of ``count`` numbers from 0 to 1 may lie on one side of the truth.

    √(2·V·ln(2/failure)/n) + 7·ln(2/failure)/(3(n − 1)) with V the sample variance.
    """
    log = math.log(2 / failure)
    return np.asarray(
        np.sqrt(2 * variance * log / count) + 7 * log / (3 * (count - 1))
    )  # Maurer & Pontil 2009, thm 4


def betting_limit(values: Floats, failure: float) -> Floats:
    """Return the limit of each column by betting: the largest mean at which gamblers would not grow rich.

    If the mean were m, a gambler who stakes a share s on small values and so multiplies their capital by
    1 + s·(m − x)/(1 − m) at every x would play a fair game, and reach 1/failure with probability at most
    ``failure``. Ten gamblers with different stakes share one purse, so that no stake has to be chosen from
    the data. What they end up with grows with m; the limit is where it crosses 1/failure.

    Args:
        values: A table of independent numbers from 0 to 1.
        failure: Largest probability with which a limit lies below the mean.

    >>> betting_limit(np.full((1000, 1), 0.1), failure=1e-6).round(4).tolist()
    [0.1144]
    """
    values, failure = _checked(values, failure)
    low, high = values.mean(axis=0), np.ones(values.shape[1])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rich = _log_capital(values, middle) >= SLACK - math.log(failure)
        low, high = np.where(rich, low, middle), np.where(rich, middle, high)
    return high


def _log_capital(values: Floats, mean: Floats) -> Floats:
    """The logarithm of the mean capital after all values, for each column under its own supposed mean."""
    # Waudby-Smith & Ramdas 2023, with a fixed mixture of stakes in the place of a predicted one
    gains = (mean - values) / np.maximum(1 - mean, 1e-300)
    with np.errstate(divide="ignore"):  # a stake of everything may lose everything
        capitals = np.array([np.log1p(np.maximum(stake * gains, -1.0)).sum(axis=0) for stake in STAKES])
    most = capitals.max(axis=0)
    return np.asarray(most + np.log(np.exp(capitals - most).mean(axis=0)))


LIMITS: dict[str, Callable[[Floats, float], Floats]] = {
    "betting": betting_limit,
    "bernstein": bernstein_limit,
}


def limit_named(name: str) -> Callable[[Floats, float], Floats]:
    """Return a limit by its name, or refuse with the list of names."""
    if name not in LIMITS:
        raise InvalidParameter(f"must be one of {', '.join(LIMITS)}, got {name!r}", field="limit")
    return LIMITS[name]


def _checked(values: Floats, failure: float) -> tuple[Floats, float]:
    failure = real("failure", failure)
    if not 0 < failure < 1:
        raise InvalidParameter(
            f"must be a probability strictly between 0 and 1, got {failure:g}", field="failure"
        )
    if values.ndim != 2 or len(values) < 2:
        raise InvalidParameter("a limit needs a table of at least two rows")
    if not bool(((values >= 0) & (values <= 1)).all()):
        raise InvalidParameter("a limit holds for values from 0 to 1 only; divide them by their range")
    return values, failure
