"""The sentences that say how an interval was made and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from noisewright.estimate.inversion import Bounds

SAMPLE: Final = "the people are an independent sample of those the estimate is about"
EVEN: Final = "within a bin people are spread evenly, to first order"
UNBIASED: Final = "an unbiased function of the reports, with a normal interval"
RESCALED: Final = "the mean report, rescaled by the known law of the mechanism, with a normal interval"
LESS_NOISE: Final = "the variance of the reports less that of the noise, with a normal interval"
TURNED: Final = "the mean direction of the reports, which the mechanism does not turn, with a normal interval"
KNOWN_BIAS: Final = (
    "functions of the reports with a normal interval, widened by the most that their known bias can be"
)
ZONES: Final = (
    "the mechanism has one law for many values; the interval covers every way in which people may be spread "
    "among those"
)
SMOOTHED: Final = "smoothed EM, held within the intervals"


def method(found: Bounds, *, value: str = "") -> str:
    """How an interval from an inversion was made."""
    parts = [value] if value else []
    parts.append(KNOWN_BIAS if found.beyond.any() else UNBIASED)
    return "; ".join([*parts, ZONES] if found.zoned else parts)


def assumptions(*parts: str) -> str:
    """What must be true, as one sentence."""
    return "; ".join((SAMPLE, *parts))
