"""What was proved when a mechanism was built, and how it is drawn, in words."""

from __future__ import annotations

from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import Mechanism, NumericMechanism
from noisewright.mechanisms.facts import possible_reports, report_range
from noisewright.mechanisms.gaussian import GaussianNoise
from noisewright.pages.counting import words_per_report
from noisewright.pages.wording import promise, short, span


def proof(mechanism: Mechanism) -> str:
    """One sentence on the exact check.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> proof(OGPM(Interval(0, 1), 2.0)).split(": ")[1].split(",")[0]
    'they spend at most ε = 1.99999...'
    """
    nominal = epsilon_words(mechanism.epsilon)
    # ten digits: what exact integers leave unspent of the budget is seen only beyond the fifth
    spent, asked = f"they spend at most ε = {epsilon_words(mechanism.epsilon_upper, 10)}", f"ε = {nominal}"
    if isinstance(mechanism, GaussianNoise):
        fails = f"{mechanism.delta_upper:.6g}"
        spent = f"at ε = {nominal} they fail in a share of at most {fails} of reports"
        asked = f"δ = {mechanism.delta:g}"
    return (
        f"This is {promise(mechanism.guarantee)}, proved on the sampler's own integers when the mechanism "
        f"was built: {spent}, where {asked} was asked for. All rounding goes toward privacy."
    )


def drawing_facts(mechanism: NumericMechanism) -> list[tuple[str, str]]:
    """Lattice, range and randomness, each with its name."""
    words = words_per_report(mechanism)
    return [
        ("Reports lie", span(*report_range(mechanism))),
        ("Possible reports", _possible(mechanism)),
        ("True values are told apart in", f"{mechanism.domain.lattice:,} cells"),
        ("Random 64-bit words a report", f"{words}, from AES-256 keyed by the operating system"),
    ]


def _possible(mechanism: NumericMechanism) -> str:
    count, places = possible_reports(mechanism), mechanism.reports.lattice
    of = f" of {places:,} places" if count < places else ""
    return f"{count:,}{of}, {short(mechanism.reports.pitch)} apart"
