"""The sentences that say how an interval was made and what it rests on."""

from typing import Final

SAMPLE: Final = "the people are an independent sample of those the estimate is about"
EVEN: Final = "within a bin people are spread evenly, to first order"
UNBIASED: Final = "an unbiased function of the reports, with a normal interval"
RESCALED: Final = "the mean report, rescaled by the known law of the mechanism, with a normal interval"
LESS_NOISE: Final = "the variance of the reports less that of the noise, with a normal interval"
TURNED: Final = "the mean direction of the reports, which the mechanism does not turn, with a normal interval"
ZONES: Final = (
    "the mechanism has one law for many values; the interval covers every way in which people may be spread "
    "among those"
)
SMOOTHED: Final = "smoothed EM, held within the intervals"


def method(*, zoned: bool, value: str = "") -> str:
    """How an interval from an inversion was made."""
    parts = [value, UNBIASED] if value else [UNBIASED]
    return "; ".join([*parts, ZONES] if zoned else parts)


def assumptions(*parts: str) -> str:
    """What must be true, as one sentence."""
    return "; ".join((SAMPLE, *parts))
