"""How much noise a release has: in all, and beside what the numbers move from one half to another.

The noise of a plan follows from the pool and never from the half that was used, so its size may be told. It
is told with few digits: exact, it would be a statistic of the pool that nobody asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole
from noisewright.release.card.shown import SHOWN
from noisewright.release.noise.spread import NEGLIGIBLE

DIGITS: Final = 3
MOST_GROUPS: Final = 12
OTHERS: Final = "all others"


@dataclass(frozen=True)
class NoiseGroup:
    """Some of the released numbers: the deviation of the noise in one of them, and how it compares.

    ``signal_to_noise`` is the variance over halves divided by the variance of the noise, over the group. It
    says how well the noise hides which half was used, and nothing about how good the numbers are.
    """

    name: str
    numbers: int
    deviation: float
    signal_to_noise: float

    @property
    def moved(self) -> float:
        """How far a number moves from half to half: its deviation over halves."""
        return rounded(self.deviation * math.sqrt(self.signal_to_noise))

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InvalidParameter("the name of a group of numbers must be text")
        whole("numbers of a group", self.numbers, 1, 1 << 53)
        for name in ("deviation", "signal_to_noise"):
            if real(f"{name} of a group", getattr(self, name)) < 0:
                raise InvalidParameter(f"{name} of a group must not be negative")


def noise_groups(plan: Any, names: Sequence[str]) -> tuple[NoiseGroup, ...]:
    """The noise of a plan by groups of released numbers: each by itself if they are few.

    >>> from noisewright.release.noise import plan_noise
    >>> plan = plan_noise(np.random.default_rng(0).normal(size=(64, 2)) * [1, 10], nats=0.5)
    >>> [(group.name, group.deviation) for group in noise_groups(plan, ["height", "weight"])]
    [('height', 3.01), ('weight', 7.9)]
    """
    noise, signal = _variances(plan)
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        groups.setdefault(name if len(names) <= MOST_GROUPS else _family(name), []).append(place)
    return tuple(_group(name, noise[places], signal[places]) for name, places in _few(groups).items())


def noised_numbers(plan: Any) -> int:
    """How many released numbers have noise; the others are the same whatever half is used."""
    return int(np.count_nonzero(_variances(plan)[0]))


def exact_names(plan: Any, names: Sequence[str]) -> tuple[str, ...]:
    """The first names of numbers without noise: they are the same in every half, and so are told exactly."""
    same = np.flatnonzero(_variances(plan)[0] == 0)[:SHOWN]
    return tuple(str(names[place]) for place in same.tolist())


def _variances(plan: Any) -> tuple[Floats, Floats]:
    """The variance of the noise, and of the outputs over halves, in each released number."""
    limited = hasattr(plan, "moments")  # of an unbounded release: limits in place of exact variances
    spread = plan.moments if limited else plan.spread.variances
    directions = plan.frame.directions if limited else plan.spread.directions
    if directions is None:
        return plan.variances, spread
    noise, signal = directions**2 @ plan.variances, directions**2 @ spread
    return np.where(noise > NEGLIGIBLE**2 * noise.max(), noise, 0.0), signal  # the rest is rounding


def _family(name: str) -> str:
    """What a name has in common with others of its kind.

    >>> _family("petal_length for setosa"), _family("tree 1 leaf 2 share of a"), _family("intercept")
    ('petal_length', 'tree leaf share', 'intercept')
    """
    return (
        re.split(r" for | of | on | from |[:,\[]", re.sub(r" \d+\b", "", name), maxsplit=1)[0].strip() or name
    )


def _few(groups: dict[str, list[int]]) -> dict[str, list[int]]:
    """The first groups by name, and the rest as one."""
    if len(groups) <= MOST_GROUPS:
        return groups
    named = list(groups.items())
    rest = [place for _, places in named[MOST_GROUPS - 1 :] for place in places]
    return {**dict(named[: MOST_GROUPS - 1]), OTHERS: rest}


def _group(name: str, noise: Floats, signal: Floats) -> NoiseGroup:
    total = float(noise.sum())
    share = float(signal.sum()) / total if total else 0.0
    return NoiseGroup(name, noise.size, rounded(math.sqrt(total / noise.size)), rounded(share))


def rounded(value: float) -> float:
    """A number with as few digits as a card tells.

    >>> rounded(0.123456)
    0.123
    """
    return float(f"{value:.{DIGITS}g}")
