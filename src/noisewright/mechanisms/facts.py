"""What people choose a mechanism by besides its errors: bits and random words of a report, and its bias."""

from __future__ import annotations

import math
import os

import numpy as np

from noisewright.domains import Interval
from noisewright.mechanisms.basics.base import Mechanism
from noisewright.mechanisms.designed import DesignedLaw, DesignedTable
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.randomness import KEY_BYTES, NONCE_BYTES, SecureSource, Stream, Words

COARSE = 1e-3
"""A bias of one report cell is snapping; but no bias beyond this share of the domain's length is."""


def possible_reports(mechanism: Mechanism) -> int:
    """How many different reports there can be: a designed law leaves most places of its lattice out.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> possible_reports(OGPM(Interval(0, 1, cells=1024), 1.0))
    1024
    """
    if isinstance(mechanism, DesignedLaw | DesignedTable):
        return len(mechanism.outputs)
    return int(mechanism.reports.lattice)


def bits_per_report(mechanism: Mechanism) -> float:
    """How many bits tell one report from all others.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> bits_per_report(OGPM(Interval(0, 1, cells=1024), 1.0))
    10.0
    """
    return math.log2(possible_reports(mechanism))


def report_range(mechanism: NumericMechanism) -> tuple[float, float]:
    """The ends between which reports lie; a designed law reports the centres of the cells that it uses.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> report_range(OGPM(Interval(40, 200), 1.0))
    (40.0, 200.0)
    """
    reports = mechanism.reports
    if isinstance(mechanism, DesignedLaw) and isinstance(reports, Interval):
        low, high = reports.centres([mechanism.outputs[0], mechanism.outputs[-1]]).tolist()
        return low, high
    return reports.start, reports.start + reports.length


def is_unbiased(mechanism: NumericMechanism) -> bool:
    """Whether the expected report is the true value, at places all over the domain, but for snapping.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM, PM
    >>> is_unbiased(PM(Interval(0, 1), 1.0)), is_unbiased(OGPM(Interval(0, 1), 1.0))
    (True, False)
    """
    domain, truth = mechanism.domain, mechanism.domain.places(17)
    gap = domain.distance(np.asarray(mechanism.law(truth).mean()), truth)
    snapping = max(domain.pitch, min(mechanism.reports.pitch, COARSE * domain.length))
    return bool(gap.max() <= snapping)


class _CountingStream(Stream):
    """A secure stream that knows how many words it gave away."""

    given = 0

    def fill(self, words: Words) -> None:
        super().fill(words)
        self.given += words.size


class _CountingSource(SecureSource):
    """A source whose only stream counts."""

    def __init__(self) -> None:
        self.counted = _CountingStream(os.urandom(KEY_BYTES), os.urandom(NONCE_BYTES), renewable=True)

    def stream(self) -> Stream:
        return self.counted


def words_per_report(mechanism: NumericMechanism) -> int:
    """How many 64-bit random words one report takes.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM, Laplace
    >>> words_per_report(OGPM(Interval(0, 1), 1.0)), words_per_report(Laplace(Interval(0, 1), 1.0))
    (1, 2)
    """
    source = _CountingSource()
    mechanism.perturb_cells(np.zeros(1, dtype=np.int64), source)
    return source.counted.given
