"""How often each label occurs among the people, from reports alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.domains import FiniteDomain, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import words
from noisewright.estimate.channel import DenseChannel, finite_matrix
from noisewright.estimate.em import Evidence
from noisewright.estimate.intervals import share_interval, standard_errors
from noisewright.estimate.result import LEVEL, Frequencies
from noisewright.estimate.tally import Tally
from noisewright.estimate.unbiased import average, invert, weights_of
from noisewright.mechanisms import Mechanism

WARM_UP = 20
"""Steps of EM that give the weights; unbiased values do not depend on them, only their variance does."""


def frequencies(reports: Any, mechanism: Mechanism | None = None, *, level: float = LEVEL) -> Frequencies:
    """The share of people with each label: unbiased, so that a rare label's value may be negative.

    Intervals are kept within 0 and 1. For a label that the reports cannot tell from others the interval
    covers whatever they leave open.
    """
    tally = Tally.of(reports, mechanism)
    domain = tally.domain
    if not isinstance(domain, FiniteDomain):
        raise InvalidParameter("frequencies are for labels; ask for the distribution of numbers")
    laws = [finite_matrix(group.mechanism) for group in tally.groups]
    counts = [group.counts.astype(np.float64) for group in tally.groups]
    expected = _expected(laws, counts)
    inverse = invert(laws, [weights_of(share) for share in expected], counts, np.eye(len(domain)))
    found = average(inverse, counts, expected)
    reach = standard_errors(level, tally.count) * found.stderr
    least, most = found.value - inverse.over, found.value - inverse.under
    low, high = share_interval(least - reach, most + reach)
    return Frequencies(
        (least + most) / 2, found.stderr, low, high,
        level=level, count=tally.count, method=words.UNBIASED, assumption=words.SAMPLE, labels=domain.labels,
    )  # fmt: skip


def _expected(laws: list[Floats], counts: list[Floats]) -> list[Floats]:
    evidence = Evidence([DenseChannel(law) for law in laws], counts)
    shares = np.full(laws[0].shape[0], 1.0 / laws[0].shape[0])
    for _ in range(WARM_UP):
        shares = evidence.step(shares)
    return [channel.forward(shares) for channel in evidence.channels]
