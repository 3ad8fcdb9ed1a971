"""From the certificates of single records to the average, the worst record, and groups."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.certificate import Band, Certificate, Moments


def worst_band(certificate: Certificate) -> Band:
    """The least utility of any record: all bounds hold together, so the least of each is a bound."""
    return Band(*(getattr(certificate, side).min(axis=0) for side in ("estimate", "low", "high")))


def average_band(
    certificate: Certificate, alpha: float, which: Cells | None = None, margin: Floats | float = 0.0
) -> Band:
    """The utility averaged over records, or over some of them.

    The mean of the records' bounds is a bound. Sampled records are independent of each other, so their mean
    has an interval of its own, which is far narrower; ``alpha`` is the probability that it may miss, and
    ``margin`` what it is moved outward by besides.
    """
    chosen = np.arange(len(certificate)) if which is None else which
    plain = Band(*(getattr(certificate, side)[chosen].mean(axis=0) for side in ("estimate", "low", "high")))
    if certificate.moments is None or chosen.size == 1:
        return plain
    from noisewright.utility.sampling import average_interval  # noqa: PLC0415  (scipy takes a moment to load)

    picked = (getattr(certificate.moments, name)[chosen] for name in ("failing", "squares", "largest"))
    low, _, high = average_interval(Moments(*picked), alpha)
    low, high = np.maximum(plain.low, low - margin), np.minimum(plain.high, high + margin)
    return Band(np.clip(plain.estimate, low, high), low, high)


def group_bands(
    certificate: Certificate, alpha: float, members: Mapping[str, Cells], margin: Floats | float = 0.0
) -> dict[str, Band]:
    """The average of each group."""
    return {name: average_band(certificate, alpha, which, margin) for name, which in members.items()}
