"""How a mechanism draws its reports, in plain sentences and in the user's units.

One function for each family; a new mechanism without one is described by where its reports lie.
"""

from __future__ import annotations

from functools import singledispatch

from noisewright.domains import Circle
from noisewright.mechanisms import BinnedKRR, DesignedLaw, Duchi, Hybrid, NumericMechanism, Purkayastha
from noisewright.mechanisms.additive import LineNoise
from noisewright.mechanisms.duchi import COIN_BITS
from noisewright.mechanisms.facts import is_unbiased, possible_reports, report_range
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.mechanisms.tabular import GridMechanism
from noisewright.mechanisms.truncated import Truncated
from noisewright.pages.wording import domain_words, percent, report_span, report_words, short


@singledispatch
def in_words(mechanism: NumericMechanism) -> list[str]:
    """Sentences that say how a report comes about."""
    return [f"Reports lie {_ends(mechanism)}, nearer to the true value more often than far from it."]


@in_words.register
def _(mechanism: WindowMechanism) -> list[str]:
    return [*_window_words(mechanism), *_beyond(mechanism)]


def _window_words(mechanism: WindowMechanism) -> list[str]:
    window = mechanism.window
    wide = short(window.width * mechanism.reports.pitch)
    return [
        f"With probability {percent(window.anywhere)} the report is a uniformly random value "
        f"{_ends(mechanism)}, whatever the true value is.",
        f"Otherwise, with probability {percent(1 - window.anywhere)}, it is a uniformly random value of a "
        f"window of width {wide}, placed by the true value.",
    ]


@in_words.register
def _(mechanism: Truncated) -> list[str]:
    return [
        *_window_words(mechanism.inner),
        f"A report outside {domain_words(mechanism.domain)} is then moved to the nearer end, so each end has "
        "a probability of its own. This looks at the report only, so it costs no privacy.",
    ]


@in_words.register
def _(mechanism: Hybrid) -> list[str]:
    chance = mechanism.share / 2**COIN_BITS
    two = _two_values(mechanism, mechanism.places)
    return [
        f"With probability {percent(chance)} the report is drawn as by the piecewise mechanism (PM), in the "
        f"two steps below; otherwise it is {two}",
        *_window_words(mechanism.piecewise),
        *_beyond(mechanism),
    ]


@in_words.register
def _(mechanism: Duchi) -> list[str]:
    return [f"The report is {_two_values(mechanism, (0, 1))}", *_beyond(mechanism)]


def _two_values(mechanism: NumericMechanism, cells: tuple[int, int]) -> str:
    low, high = (
        report_words(report, mechanism.domain) for report in mechanism.reports.centres(cells).tolist()
    )
    return f"{low} or {high} and nothing else, the higher one likelier for higher true values."


@in_words.register
def _(mechanism: LineNoise) -> list[str]:
    return [
        "The report is the true value plus noise that does not depend on it.",
        f"A sum outside the range {_ends(mechanism)} is moved to the nearer end of it.",
        *_beyond(mechanism),
    ]


@in_words.register
def _(mechanism: Purkayastha) -> list[str]:
    return [
        "The report is the true value, turned by noise that does not depend on it; the longer the way round "
        f"{domain_words(mechanism.domain)}, the rarer."
    ]


@in_words.register
def _(mechanism: GridMechanism) -> list[str]:
    return [
        _parts(mechanism),
        "The nearer a part lies to the true value, the likelier it is; the table of probabilities is made of "
        "integers.",
    ]


@in_words.register
def _(mechanism: BinnedKRR) -> list[str]:
    own = mechanism.table.masses[0, 0]
    return [
        _parts(mechanism),
        f"With probability {percent(own)} it is the part that holds the true value; all other parts are "
        "equally likely, near or far.",
    ]


def _parts(mechanism: GridMechanism) -> str:
    return (
        f"{domain_words(mechanism.domain).capitalize()} is cut into {mechanism.points} equal parts of length "
        f"{short(mechanism.reports.pitch)}; the report is the middle of one of them."
    )


@in_words.register
def _(mechanism: DesignedLaw) -> list[str]:
    rows, outputs = len(mechanism.weights), possible_reports(mechanism)
    if mechanism.dithered:
        first = (
            f"{rows} knots lie at equal distances from end to end of {domain_words(mechanism.domain)}; a "
            "true value is moved to one of its two neighbours, at random and without bias."
        )
    else:
        first = (
            f"{domain_words(mechanism.domain).capitalize()} is cut into {rows} equal parts; a true value "
            "counts as its part."
        )
    each = "knot" if mechanism.dithered else "part"
    return [
        first,
        f"The report is one of {outputs} values {_ends(mechanism)}, drawn from a table of integers "
        f"with one row for every {each}; the table was made for one task by linear programming.",
        *_beyond(mechanism),
    ]


def _ends(mechanism: NumericMechanism) -> str:
    if isinstance(mechanism.reports, Circle):
        return f"of {domain_words(mechanism.reports)}"
    return report_span(*report_range(mechanism), mechanism.domain)


def _beyond(mechanism: NumericMechanism) -> list[str]:
    """A warning where reports leave the domain."""
    low, high = report_range(mechanism)
    if high - low <= mechanism.domain.length * (1 + 1e-9):
        return []
    warning = "; clipping them there would bias their mean" if is_unbiased(mechanism) else ""
    return [f"Reports may lie outside {domain_words(mechanism.domain)}{warning}."]


def window_of(mechanism: NumericMechanism) -> WindowMechanism | None:
    """The window mechanism inside a mechanism, if there is one.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import TSW, Laplace
    >>> window_of(TSW(Interval(0, 1), 2.0)), window_of(Laplace(Interval(0, 1), 2.0))
    (SW(domain=Interval(0.0, 1.0), epsilon=2.0), None)
    """
    match mechanism:
        case WindowMechanism():
            return mechanism
        case Truncated():
            return mechanism.inner
        case Hybrid():
            return mechanism.piecewise
    return None
