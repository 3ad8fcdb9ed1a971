"""Shares of labels: unbiased values, and intervals that hold as often as they say, near 0 and 1 as well.

A share cannot leave [0, 1], but its unbiased estimate can, and for a rare label it does so half the time. An
interval of two standard errors around the estimate would then lie below 0 or have to be cut to nothing. So
each possible share is tested by itself. It belongs to the interval unless, if it were true, an estimate would
agree with it better than the actual one with a probability above ``level``. Agreement is measured by

    P[estimate | this share] / P[estimate | the share in [0, 1] that fits best],

as Feldman and Cousins (1998) do, with normal laws of the known variance at *this* share, as in Wilson's
interval (1927). An estimate deep below 0 agrees well with 0, so no interval is empty; one above 0 is measured
from 0 to one side only, so an absent label is detected as early as the level allows.

The estimate of a frequency oracle has a closed form. Reports of tables, whose laws mix the labels, are
inverted together (``functional.py``). Both give an unbiased value for every label, and its variance for any
share. Values are pooled by what each kind of report is *worth*, which is known before any report is seen: a
weight learned from few reports would favour those that happen to be alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate.channel import DenseChannel, finite_matrix
from noisewright.estimate.em import Evidence
from noisewright.estimate.functional import Inverse, average, invert, weights_of
from noisewright.estimate.groups import LabelGroup, SupportGroup
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import FrequencyOracle
from noisewright.statistics.intervals import standard_errors
from noisewright.statistics.simplex import norm_sub

HALVINGS = 36
"""Halvings of the way to the end of an interval; the rest is far below any standard error."""

DUST = 1e-24
"""A variance that is rounding: at a large ε a report of the only label there is hardly ever fails."""

Variance = Callable[[Floats], Floats]
"""From a share for each label to the variance that its estimate would have."""


def share_intervals(
    values: Floats, variance: Variance, level: float, count: int, *, jump: Floats | float = 0.0
) -> tuple[Floats, Floats]:
    """Return the least and the largest share that each unbiased value leaves possible.

    ``jump`` is the distance by which one more report in support moves the value. Values between two jumps
    cannot occur, so a value stands for all within half a jump.

    >>> ends = share_intervals(np.array([-0.02, 0.5]), lambda share: np.full(2, 1e-4), 0.95, 10_000)
    >>> [end.round(4).tolist() for end in ends]
    [[0.0, 0.4804], [0.0062, 0.5196]]
    """
    from scipy.special import ndtr  # noqa: PLC0415  (scipy is slow to load)

    within = 2 * float(ndtr(standard_errors(level, count))) - 1  # for few reports a little above the level
    centre = np.clip(values, 0.0, 1.0)

    def possible(shares: Floats) -> Floats:
        return np.asarray(better_agreement(shares, values, variance(shares), jump) <= within)

    return _last_possible(possible, centre, 0.0), _last_possible(possible, centre, 1.0)


def better_agreement(shares: Floats, values: Floats, variance: Floats, jump: Floats | float = 0.0) -> Floats:
    """Return the probability, for a true share, of estimates that agree with it better than a value does."""
    from scipy.special import ndtr  # noqa: PLC0415  (scipy is slow to load)

    scale = np.sqrt(np.maximum(variance, DUST))
    below, above = shares / scale, (1 - shares) / scale  # room to 0 and to 1, in standard errors
    off = np.maximum(np.abs(values - shares) - np.asarray(jump) / 2, 0.0) * np.sign(values - shares) / scale
    beyond = off - np.clip(off, -below, above)
    misfit = np.sqrt(np.maximum(off**2 - beyond**2, 0.0))
    return np.asarray(ndtr(_as_far(misfit, above)) - ndtr(-_as_far(misfit, below)))


def _as_far(misfit: Floats, room: Floats) -> Floats:
    """The distance of an estimate with a given misfit, where the range of shares ends after ``room``.

    Beyond the end the best share stays there: (off² − (off − room)²) = misfit².
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(np.where(misfit <= room, misfit, (room**2 + misfit**2) / (2 * room)))


def _last_possible(possible: Callable[[Floats], Floats], centre: Floats, end: float) -> Floats:
    """The last possible share on the way from the centre to an end, by halving; rounded outward."""
    inner, outer = centre, np.full_like(centre, end)
    whole_way = possible(outer)
    for _ in range(HALVINGS):
        middle = (inner + outer) / 2
        inside = possible(middle)
        inner, outer = np.where(inside, middle, inner), np.where(inside, outer, middle)
    return np.asarray(np.where(whole_way, end, outer))


WARM_UP = 20
"""Steps of EM that give the weights of an inversion; unbiased values do not depend on them, only their
variance does."""


@dataclass(frozen=True, eq=False)
class Part:
    """A value for the share of every label, with what is known of its errors.

    The expected value is the share plus a bias between ``under`` and ``over``; both are 0 where the reports
    tell the labels apart. One more report in support of a label moves its value by ``jump``.
    """

    value: Floats
    variance: Variance
    worth: Floats
    under: Floats
    over: Floats
    jump: Floats

    @property
    def stderr(self) -> Floats:
        """The standard error of each value, at the share nearest to it."""
        return np.sqrt(self.variance(np.clip(self.value, 0.0, 1.0)))

    @property
    def unbiased(self) -> bool:
        """Whether the reports tell all labels apart."""
        return not (self.under.any() or self.over.any())

    def without_luck(self, people: int) -> Part:
        """Return the part as an estimate about these people, and not about the population behind them.

        The variance of an unbiased value is that of drawing the people, share·(1 − share)/people, and that of
        the noise. Only the noise is left.
        """

        def noise(shares: Floats) -> Floats:
            return np.asarray(np.maximum(self.variance(shares) - shares * (1 - shares) / people, 0.0))

        return replace(self, variance=noise)


def share_part(tally: Tally) -> Part:
    """Estimate shares from all reports of a tally together."""
    oracles, tables = tally.of_kind(SupportGroup), tally.of_kind(LabelGroup)
    parts = [oracle_part(group) for group in oracles]
    if tables:
        parts.append(_table_part(tables, WARM_UP if not oracles else 0))
    return parts[0] if len(parts) == 1 else _pooled(parts)


def oracle_part(group: SupportGroup) -> Part:
    """Estimate shares from the reports of one oracle, in closed form."""
    oracle, labels = group.mechanism, len(group.mechanism.domain)
    none, each = np.zeros(labels), 1 / (group.count * (oracle.hit - oracle.miss))
    value = oracle.unbiased(group.counts, group.count)
    return Part(
        value=value,
        variance=_variance(oracle, value, group.count),
        worth=np.full(labels, group.count / oracle.spread()),
        under=none,
        over=none,
        jump=np.full(labels, each),
    )


def _variance(oracle: FrequencyOracle, value: Floats, count: int) -> Variance:
    """The variance of each label's value as a function of its own share."""
    if not oracle.votes:
        return lambda shares: oracle.share_variance(shares, count)
    # Votes of one block count together: the other labels are taken to have the shares that were estimated,
    # and a label's own share s enters through the votes, s/hit, and through the squared mean, −s².
    likely = norm_sub(value)
    known = oracle.share_variance(likely, count)

    def variance(shares: Floats) -> Floats:
        return np.asarray(known + ((shares - likely) / oracle.hit - shares**2 + likely**2) / count)

    return variance


def _table_part(groups: Sequence[LabelGroup], warm_up: int) -> Part:
    """Tables inverted together; their variance is measured on the reports."""
    laws = [finite_matrix(group.mechanism) for group in groups]
    counts = [group.counts.astype(np.float64) for group in groups]
    expected = _expected(laws, counts, warm_up)
    labels = laws[0].shape[0]
    inverse = invert(laws, [weights_of(share) for share in expected], counts, np.eye(labels))
    found = average(inverse, counts, expected)
    variance = found.stderr**2
    return Part(
        value=found.value,
        variance=lambda shares: variance,
        worth=1 / _expected_error(inverse, laws, counts),
        under=inverse.under,
        over=inverse.over,
        jump=np.zeros(labels),
    )


def _expected(laws: list[Floats], counts: list[Floats], steps: int) -> list[Floats]:
    """The shares of reports to be expected after some steps of EM from equally frequent labels."""
    evidence = Evidence([DenseChannel(law) for law in laws], counts)
    shares = np.full(laws[0].shape[0], 1.0 / laws[0].shape[0])
    for _ in range(steps):
        shares = evidence.step(shares)
    return [channel.forward(shares) for channel in evidence.channels]


def _expected_error(inverse: Inverse, laws: list[Floats], counts: list[Floats]) -> Floats:
    """The squared error of each value if all labels are equally frequent, bias included."""
    total = sum(float(seen.sum()) for seen in counts)
    squared = ((inverse.over - inverse.under) / 2) ** 2
    for function, law, seen in zip(inverse.functions, laws, counts, strict=True):
        likely = law.mean(axis=0)
        squared = squared + (function**2 @ likely - (function @ likely) ** 2) * seen.sum() / total**2
    return np.asarray(squared)


def _pooled(parts: Sequence[Part]) -> Part:
    """Several values for each label as one, weighted by worth."""
    worth = np.sum([part.worth for part in parts], axis=0)
    weights = [part.worth / worth for part in parts]
    pairs = list(zip(weights, parts, strict=True))

    def variance(shares: Floats) -> Floats:
        return np.asarray(sum(weight**2 * part.variance(shares) for weight, part in pairs))

    return Part(
        value=np.asarray(sum(weight * part.value for weight, part in pairs)),
        variance=variance,
        worth=worth,
        under=np.asarray(sum(weight * part.under for weight, part in pairs)),
        over=np.asarray(sum(weight * part.over for weight, part in pairs)),
        jump=np.max([weight * part.jump for weight, part in pairs], axis=0),
    )
