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
from noisewright.estimate.unbiased import average, invert
from noisewright.mechanisms import Mechanism

WARM_UP = 20
"""Steps of EM that give the weights; unbiased values do not depend on them, only their variance does."""


def frequencies(reports: Any, mechanism: Mechanism | None = None, *, level: float = LEVEL) -> Frequencies:
    """The share of people with each label: unbiased, so that a rare label's value may be negative.

    Intervals are kept within 0 and 1. A label that the reports cannot tell from another gets the interval
    from 0 to 1.
    """
    tally = Tally.of(reports, mechanism)
    domain = tally.domain
    if not isinstance(domain, FiniteDomain):
        raise InvalidParameter("frequencies are for labels; ask for the distribution of numbers")
    laws = [finite_matrix(group.mechanism) for group in tally.groups]
    counts = [group.counts.astype(np.float64) for group in tally.groups]
    shares = [group.count / tally.count for group in tally.groups]
    found = average(invert(laws, _weights(laws, counts), shares, np.eye(len(domain))), counts)
    reach = standard_errors(level, tally.count)
    low, high = share_interval(found.value, found.stderr, found.value, found.stderr, reach)
    return Frequencies(
        found.value, found.stderr, low, high,
        level=level, count=tally.count, method=words.UNBIASED, assumption=words.SAMPLE, labels=domain.labels,
    )  # fmt: skip


def _weights(laws: list[Floats], counts: list[Floats]) -> list[Floats]:
    evidence = Evidence([DenseChannel(law) for law in laws], counts)
    shares = np.full(laws[0].shape[0], 1.0 / laws[0].shape[0])
    for _ in range(WARM_UP):
        shares = evidence.step(shares)
    return [1 / np.maximum(channel.forward(shares), 1e-300) for channel in evidence.channels]
