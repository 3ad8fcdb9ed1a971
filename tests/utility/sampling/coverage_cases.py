"""Counting misses: how many a sound bound may have, and bounds that are too short and must have more."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.stats import binom

from noisewright.utility.sampling import bounds, tally

FALSE_ALARM = 2e-3
"""How likely a bound without any slack has more misses than allowed, over the choice of the seeds.

Seeds are fixed, so this is no rate of failing runs; and the bounds have slack.
"""

ROUNDING = 1e-9


def most_misses(cases: int, alpha: float) -> int:
    """How often a bound that misses with probability ``alpha`` may do so in independent cases."""
    return int(binom.isf(FALSE_ALARM, cases, alpha))


def misses(low, truth, high) -> bool:
    """Whether any of some intervals leaves out what is true."""
    return bool(((low > truth + ROUNDING) | (high < truth - ROUNDING)).any())


def shorten_bounds(monkeypatch, share: float = 0.25) -> None:
    """Let bounds reach only a quarter as far from their estimates, wherever they are used."""
    reach, exact = bounds.deviation, bounds.clopper_pearson
    for module in (bounds, tally):
        monkeypatch.setattr(module, "deviation", partial(_shorter_reach, reach, share))
    monkeypatch.setattr(tally, "clopper_pearson", partial(_shorter_interval, exact, share))


def _shorter_reach(reach, share, *arguments):
    return share * reach(*arguments)


def _shorter_interval(exact, share, successes, draws, alpha):
    middle = np.asarray(successes) / draws
    return tuple(middle + share * (end - middle) for end in exact(successes, draws, alpha))
