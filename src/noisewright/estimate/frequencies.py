"""How often each label occurs among the people, from reports alone."""

from __future__ import annotations

from typing import Any, Final

from noisewright.domains import FiniteDomain
from noisewright.errors import InvalidParameter
from noisewright.estimate.consistency import check_choice, make_consistent
from noisewright.estimate.groups import SupportGroup
from noisewright.estimate.result import LEVEL, REPORTERS, SAMPLE, Frequencies
from noisewright.estimate.shares import share_intervals, share_part
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import Mechanism

ABOUT: Final = {"population": SAMPLE, "reporters": REPORTERS}
"""Whom estimated shares can be about, and what must be true for that."""

SUPPORT: Final = (
    "the number of reports in support of each label or bin, less the support that comes by chance, with "
    "score intervals that know that a share lies between 0 and 1"
)
UNBIASED_SHARES: Final = (
    "unbiased functions of the reports, with normal intervals that know that a share lies between 0 and 1"
)
KNOWN_BIAS: Final = (
    "functions of the reports with a normal interval, widened by the most that their known bias can be"
)
"""How intervals were made, for people to read."""


def frequencies(
    reports: Any,
    mechanism: Mechanism | None = None,
    *,
    level: float = LEVEL,
    consistency: str = "none",
    about: str = "population",
) -> Frequencies:
    """Estimate the share of people with each label, with an interval for each.

    Shares are unbiased, so that of a rare label may be negative. Intervals lie within 0 and 1; for a label
    that the reports cannot tell from others the interval covers whatever they leave open.

    Args:
        reports: Reports of ``mechanism``, or a :class:`Tally` of reports, or several tallies.
        mechanism: The mechanism that made the reports; a tally knows its own.
        level: How often each interval, on its own, holds the truth.
        consistency: "none", or a post-processing that changes ``value`` and nothing else: "norm-sub" and "em"
            give shares between 0 and 1 that sum to 1 (``consistency.py``).
        about: Whom the intervals are about: the "population" that the people were drawn from, or the
            "reporters" themselves, which leaves out the luck of the draw.

    >>> import numpy as np
    >>> from noisewright import Categories
    >>> from noisewright.mechanisms import KRR
    >>> from noisewright.randomness import SeededSource
    >>> mechanism = KRR(Categories(["asthma", "diabetes", "none"]), epsilon=1.0)
    >>> truth = np.repeat(["asthma", "diabetes", "none"], [1000, 3000, 6000])
    >>> found = frequencies(mechanism.perturb(truth, SeededSource(1)), mechanism)
    >>> [round(share, 2) for share in found.value.tolist()]
    [0.1, 0.3, 0.6]
    >>> print(found["diabetes"])
    0.298918 ± 0.013 (95 % interval 0.27385 to 0.324366, 10,000 reports)
    """
    check_choice(consistency)
    if about not in ABOUT:
        raise InvalidParameter(f"shares are about one of {', '.join(ABOUT)}, not {about!r}")
    tally = Tally.of(reports, mechanism)
    domain = tally.domain
    if not isinstance(domain, FiniteDomain):
        raise InvalidParameter("frequencies are for labels; ask for the distribution of numbers")
    part = share_part(tally)
    if about == "reporters":
        part = part.without_luck(tally.count)
    least, most = part.value - part.over, part.value - part.under
    low, high = share_intervals(least, part.variance, level, tally.count, jump=part.jump)
    if not part.unbiased:
        high = share_intervals(most, part.variance, level, tally.count, jump=part.jump)[1]
    raw = (least + most) / 2
    value, how = make_consistent(raw, tally, consistency)
    return Frequencies(
        value, part.stderr, low, high,
        level=level, count=tally.count, method=_method(tally, how, unbiased=part.unbiased),
        assumption=ABOUT[about], labels=domain.labels, raw=raw, consistency=consistency,
    )  # fmt: skip


def _method(tally: Tally, value: str, *, unbiased: bool) -> str:
    """Say how values and intervals were made."""
    support = len(tally.of_kind(SupportGroup)) == len(tally.groups)
    interval = SUPPORT if support else UNBIASED_SHARES if unbiased else KNOWN_BIAS
    return f"{value}; intervals by {interval}" if value else interval
