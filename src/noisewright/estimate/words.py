"""The sentences that say how an interval was made and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from noisewright.estimate.inversion import Bounds

SAMPLE: Final = "the people are an independent sample of those the estimate is about"
REPORTERS: Final = "the estimate is about those who reported, and chance chose who got which mechanism"
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
SUPPORT: Final = (
    "the number of reports in support of each label, less the support that comes by chance, with score "
    "intervals that know that a share lies between 0 and 1"
)
UNBIASED_SHARES: Final = (
    "unbiased functions of the reports, with normal intervals that know that a share lies between 0 and 1"
)
NORM_SUB: Final = "the unbiased shares less one number, cut at 0, so that they sum to 1 (norm-sub)"
LIKELIEST: Final = "the shares that sum to 1 under which the reports are likeliest, where EM ends"
COMPOSITE: Final = (
    "the shares that sum to 1 under which the counts of support are likeliest if each label's are taken by "
    "themselves (a composite likelihood), where EM ends"
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
