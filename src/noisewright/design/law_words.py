"""How a mechanism draws its reports, in plain sentences and in the user's units.

There is one function for each family; a mechanism without one is described by where its reports lie. Then
come the proof made when the mechanism was built, and the lattice that it draws on.
"""

from __future__ import annotations

from functools import singledispatch

from noisewright.domains import Circle
from noisewright.mechanisms import (
    KRR,
    OLH,
    BinnedKRR,
    DesignedLaw,
    Duchi,
    HadamardResponse,
    Hybrid,
    Mechanism,
    NumericMechanism,
    Purkayastha,
    SubsetSelection,
    UnaryEncoding,
)
from noisewright.mechanisms.additive import LineNoise
from noisewright.mechanisms.duchi import COIN_BITS
from noisewright.mechanisms.gaussian import GaussianNoise
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.mechanisms.tabular import GridMechanism
from noisewright.mechanisms.truncated import Truncated
from noisewright.text import epsilon_words, percent, short, span


@singledispatch
def in_words(mechanism: NumericMechanism) -> list[str]:
    """Return sentences on how a report is drawn."""
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
        f"A report outside {mechanism.domain.words} is then moved to the nearer end, so each end has "
        "a probability of its own. This depends on the report only, so it costs no privacy.",
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
        mechanism.domain.report_words(report) for report in mechanism.reports.centres(cells).tolist()
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
        f"{mechanism.domain.words}, the less likely."
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
        f"{mechanism.domain.words.capitalize()} is cut into {mechanism.points} equal parts of length "
        f"{short(mechanism.reports.pitch)}; the report is the middle of one of them."
    )


@in_words.register
def _(mechanism: DesignedLaw) -> list[str]:
    rows, outputs = len(mechanism.weights), mechanism.possible_reports
    if mechanism.dithered:
        first = (
            f"{rows} knots lie at equal distances from end to end of {mechanism.domain.words}; a "
            "true value is moved to one of its two neighbours, at random and without bias."
        )
    else:
        first = (
            f"{mechanism.domain.words.capitalize()} is cut into {rows} equal parts; a true value "
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
        return f"of {mechanism.reports.words}"
    return mechanism.domain.report_span(*mechanism.report_range)


def _beyond(mechanism: NumericMechanism) -> list[str]:
    """Return a warning where reports leave the domain."""
    low, high = mechanism.report_range
    if high - low <= mechanism.domain.length * (1 + 1e-9):
        return []
    warning = "; clipping them there would bias their mean" if mechanism.is_unbiased else ""
    return [f"Reports may lie outside {mechanism.domain.words}{warning}."]


def window_of(mechanism: NumericMechanism) -> WindowMechanism | None:
    """Return the window mechanism inside a mechanism, if there is one.

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


@singledispatch
def label_law_words(mechanism: Mechanism) -> list[str]:
    """Return sentences on how a report is drawn."""
    return [
        f"The report is one of {mechanism.reports.count_words}, drawn from a table of integers with a row "
        f"for every {mechanism.domain.label_word} that may be true."
    ]


@label_law_words.register
def _(mechanism: KRR) -> list[str]:
    others = len(mechanism.domain) - 1
    one = mechanism.domain.label_word
    lie = f"the other {one}" if others == 1 else f"one of the {others:,} others, all equally likely"
    return [f"With probability {percent(mechanism.hit)} the report is the true {one}; otherwise it is {lie}."]


@label_law_words.register
def _(mechanism: UnaryEncoding) -> list[str]:
    return [
        f"The report has a bit for each of the {mechanism.domain.count_words}.",
        f"The bit of the true {mechanism.domain.label_word} is set with probability "
        f"{percent(mechanism.hit)}, every other bit with probability {percent(mechanism.miss)}.",
    ]


@label_law_words.register
def _(mechanism: OLH) -> list[str]:
    one = mechanism.domain.label_word
    return [
        f"The report names a random way to spread the {mechanism.domain.count_words} over "
        f"{mechanism.hash_size} values, and one of these values.",
        f"With probability {percent(mechanism.hit)} it is the value of the true {one}; it is that of a given "
        f"other {one} with probability {percent(mechanism.miss)}.",
    ]


@label_law_words.register
def _(mechanism: SubsetSelection) -> list[str]:
    return [
        f"The report is a set of {mechanism.chosen:,} of the {mechanism.domain.count_words}.",
        f"The true {mechanism.domain.label_word} is in it with probability {percent(mechanism.hit)}; the "
        "others are a random choice.",
    ]


@label_law_words.register
def _(mechanism: HadamardResponse) -> list[str]:
    one = mechanism.domain.label_word
    return [
        f"The report is one of the {mechanism.reports.size:,} places of a code, in which every {one} prefers "
        f"{mechanism.block_size // 2:,} places of its own.",
        f"With probability {percent(mechanism.hit)} it is a random one of those that the true {one} prefers, "
        "otherwise a random one of all.",
    ]


def proof(mechanism: Mechanism) -> str:
    """Return one sentence on the exact check.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> proof(OGPM(Interval(0, 1), 2.0)).split(": ")[1].split(",")[0]
    'they spend at most ε = 1.99999...'
    """
    nominal = epsilon_words(mechanism.epsilon)
    # ten digits: the part of the budget that exact integers leave unspent shows only beyond the fifth
    spent, asked = f"they spend at most ε = {epsilon_words(mechanism.epsilon_upper, 10)}", f"ε = {nominal}"
    if isinstance(mechanism, GaussianNoise):
        fails = f"{mechanism.delta_upper:.6g}"
        spent = f"at ε = {nominal} they fail in a share of at most {fails} of reports"
        asked = f"δ = {mechanism.delta:g}"
    return (
        f"This is {mechanism.guarantee.rank()}, proved on the sampler's own integers when the mechanism "
        f"was built: {spent}, where {asked} was asked for. All rounding goes toward privacy."
    )


def drawing_facts(mechanism: NumericMechanism) -> list[tuple[str, str]]:
    """Return lattice, range and randomness, each with its name."""
    words = mechanism.words_per_report()
    count, places = mechanism.possible_reports, mechanism.reports.lattice
    of = f" of {places:,} places" if count < places else ""
    return [
        ("Reports lie", span(*mechanism.report_range)),
        ("Possible reports", f"{count:,}{of}, {short(mechanism.reports.pitch)} apart"),
        ("True values are resolved to", f"{mechanism.domain.lattice:,} cells"),
        ("Random 64-bit words a report", f"{words}, from AES-256 keyed by the operating system"),
    ]
