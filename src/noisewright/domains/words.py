"""Domains, and values of them, in words."""

from __future__ import annotations

import math

from noisewright.domains.bins import Bins
from noisewright.domains.finite import FiniteDomain
from noisewright.domains.integers import Integers
from noisewright.domains.numeric import Circle, NumericDomain
from noisewright.text import short


def span(low: float, high: float) -> str:
    """A stretch of values; on a circle it may end before it begins.

    >>> span(49.5, 92.5), span(22, 3)
    ('from 49.5 to 92.5', 'from 22 round to 3')
    """
    return f"from {short(low)} {'to' if low <= high else 'round to'} {short(high)}"


def report_words(value: float, domain: NumericDomain) -> str:
    """A report for a reader: where true values are whole numbers, rounded to one; files keep the real value.

    >>> report_words(41.237, Integers(0, 99)), report_words(41.237, Circle(360))
    ('41', '41.24')
    """
    return f"{round(value):,}" if isinstance(domain, Integers) else short(value)


def report_span(low: float, high: float, domain: NumericDomain) -> str:
    """A stretch of reports for a reader; for whole numbers, those that the reports inside round to.

    >>> report_span(-0.5, 99.5, Integers(0, 99)), report_span(49.5, 92.5, Circle(360))
    ('from 0 to 99', 'from 49.5 to 92.5')
    """
    if not isinstance(domain, Integers):
        return span(low, high)
    least = math.floor(low + 0.5)
    return f"from {least:,} to {max(least, math.ceil(high - 0.5)):,}"


def domain_words(domain: NumericDomain | FiniteDomain) -> str:
    """A domain for a reader.

    >>> domain_words(Circle(24)), domain_words(Integers(0, 99))
    ('the circle of period 24', 'the range of whole numbers from 0 to 99')
    """
    if isinstance(domain, Bins):
        return f"{len(domain):,} bins of {domain_words(domain.within)}"
    if isinstance(domain, FiniteDomain):
        return labels_words(domain)
    if isinstance(domain, Circle):
        return f"the circle of period {short(domain.period)}"
    if isinstance(domain, Integers):
        return f"the range of whole numbers {report_span(domain.low, domain.high, domain)}"
    return f"the interval {span(domain.start, domain.start + domain.length)}"


def labels_words(domain: FiniteDomain) -> str:
    """A list of labels for a reader.

    >>> from noisewright import Categories
    >>> labels_words(Categories(["no", "yes"])), labels_words(Categories(range(23_496)))
    ('2 labels', '23,496 labels')
    """
    return f"{len(domain):,} {label_word(domain)}s"


def label_word(domain: FiniteDomain) -> str:
    """What one of the labels of a list is called: a bin, where they are bins of numbers.

    >>> from noisewright import Categories, Interval
    >>> label_word(Categories(["no", "yes"])), label_word(Bins(Interval(0, 1), 4))
    ('label', 'bin')
    """
    return "bin" if isinstance(domain, Bins) else "label"
