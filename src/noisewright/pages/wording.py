"""Numbers, domains and losses in words; the same on pages and in the terminal."""

from __future__ import annotations

import math

from noisewright.domains import Bins, Circle, FiniteDomain, Integers, NumericDomain
from noisewright.guarantees import ApproximateLDP, Guarantee, ProbabilisticLDP, PureLDP
from noisewright.mechanisms.losses import Loss, power


def short(value: float, digits: int = 4) -> str:
    """A number with a few significant digits and no exponent where none is needed.

    >>> short(0.26894), short(1048576), short(2.0), short(1.2e-9)
    ('0.2689', '1,048,576', '2', '1.2e-09')
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    size = abs(value)
    if size >= 10 ** (digits - 1) and size < 1e12:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def aligned(value: float, digits: int = 4) -> str:
    """A number for a column of numbers: always the same count of significant digits.

    >>> aligned(2.0), aligned(0.26894), aligned(1234567.0), aligned(9.99, 2)
    ('2.000', '0.2689', '1,234,567', '10')
    """
    padded = f"{value:#.{digits}g}".removesuffix(".")
    return short(value, digits) if abs(value) >= 10 ** (digits - 1) else padded


def percent(share: float, digits: int = 3) -> str:
    """A share in per cent.

    >>> percent(0.36788), percent(1.0)
    ('36.8 %', '100 %')
    """
    return f"{short(100 * share, digits)} %" if 100 * share < 100 else f"{100 * share:.0f} %"


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


def loss_words(loss: Loss) -> str:
    """What an error is measured in.

    >>> loss_words("absolute"), loss_words(1.5)
    ('expected |error|', 'expected |error|^1.5')
    """
    exponent = power(loss)
    return "expected |error|" + ({1.0: "", 2.0: "²"}.get(exponent, f"^{exponent:g}"))


def promise(guarantee: Guarantee) -> str:
    """A notion of privacy in a few words, with its rank against pure LDP.

    >>> promise(PureLDP(1.0)), promise(ApproximateLDP(1.0, 1e-5))
    ('pure ε-LDP', '(ε, δ)-LDP, a weaker promise')
    """
    names: dict[type[Guarantee], str] = {
        PureLDP: "pure ε-LDP",
        ApproximateLDP: "(ε, δ)-LDP, a weaker promise",
        ProbabilisticLDP: "probabilistic LDP, a weaker promise",
    }
    return names.get(type(guarantee), f"another notion: {guarantee.notion.replace('_', ' ')}")
