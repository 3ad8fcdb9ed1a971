"""The sentences that say how an interval was made and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from noisewright.estimate.partition import common_zones

if TYPE_CHECKING:
    from noisewright.estimate.tally import Tally

ZONE: Final = 0.02
"""Of the domain: a longer stretch of values with one law is worth a sentence."""

SAMPLE: Final = "the people are an independent sample of those the estimate is about"
REPORTERS: Final = "the estimate is about those who reported, and chance chose who got which mechanism"
SANDWICH: Final = (
    "two functions of the reports that are expected below and above it for every true value, each with a "
    "normal interval; holds for every population, heaped or smooth"
)
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
    "the number of reports in support of each label or bin, less the support that comes by chance, with "
    "score intervals that know that a share lies between 0 and 1"
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
SMOOTHED: Final = "smoothed EM"
PLAIN: Final = "plain EM"


def method(tally: Tally, *, value: str = "") -> str:
    """How an interval from two functions of the reports was made, and the value in it."""
    parts = [value] if value else []
    zones = common_zones([group.mechanism for group in tally.groups])
    longest = max((high - low for low, high in zones), default=0.0)
    parts.append(SANDWICH)
    return "; ".join([*parts, ZONES] if longest > ZONE * tally.domain.length else parts)
