"""What the reports of one kind say about the share of every label, and several kinds together.

A frequency oracle's say has a closed form. Reports of tables, whose laws mix the labels, are inverted
together (``unbiased.py``). Either gives an unbiased value for every label, and the variance that it has for
any share; values are pooled by what each kind of report is *worth*, which is known before any report is seen.
A weight that is learned from few reports would favour those that happen to be alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate.channel import DenseChannel, finite_matrix
from noisewright.estimate.em import Evidence
from noisewright.estimate.label_group import LabelGroup
from noisewright.estimate.share_intervals import Variance
from noisewright.estimate.support_group import SupportGroup
from noisewright.estimate.tally import Tally
from noisewright.estimate.unbiased import Inverse, average, invert, weights_of
from noisewright.mechanisms import FrequencyOracle
from noisewright.statistics.simplex import norm_sub

WARM_UP = 20
"""Steps of EM that give the weights of an inversion; unbiased values do not depend on them, only their
variance does."""


@dataclass(frozen=True, eq=False)
class Part:
    """A value for the share of every label, with all that is known of its errors.

    The expected value is the share and a bias between ``under`` and ``over``, both 0 where reports can
    tell the labels apart. One report more in support of a label moves its value by ``jump``.
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
        """The part as it errs about these people themselves, and not about a population behind them.

        An unbiased value varies by what the people vary, share·(1 − share)/people, and by its noise.
        """

        def noise(shares: Floats) -> Floats:
            return np.asarray(np.maximum(self.variance(shares) - shares * (1 - shares) / people, 0.0))

        return replace(self, variance=noise)


def share_part(tally: Tally) -> Part:
    """What all reports of a tally say together."""
    oracles, tables = tally.of_kind(SupportGroup), tally.of_kind(LabelGroup)
    parts = [oracle_part(group) for group in oracles]
    if tables:
        parts.append(_table_part(tables, WARM_UP if not oracles else 0))
    return parts[0] if len(parts) == 1 else _pooled(parts)


def oracle_part(group: SupportGroup) -> Part:
    """What the reports of one oracle say: everything about it is known in closed form."""
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
