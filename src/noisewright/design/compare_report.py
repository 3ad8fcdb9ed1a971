"""The reports of comparisons: mechanisms for numbers, and protocols for labels."""

from __future__ import annotations

from functools import partial

from noisewright.design.comparison import Comparison, Entry, OracleComparison, OracleEntry
from noisewright.design.plots import MOST_LINES, SIZES, by_labels, drawn_kinds, over_domain, worst_by_epsilon
from noisewright.domains import Circle
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.basics.losses import loss_words
from noisewright.mechanisms.catalogue import reference
from noisewright.report import Bullets, Cell, Figure, Report, Section, Table, number
from noisewright.text import aligned, epsilon_words, percent

WHY_FLAT_FLATTERS = (
    "Errors on a circle are measured along the circle: on a clock, a report of 23:30 for a true 00:30 is an "
    "hour off. PM-C and SW-C cut the circle open; their flat errors are measured along the line, where "
    "that report counts as 23 hours off. The dissertation behind OGPM sets these flat errors of PM-C and "
    "SW-C against OGPM's circular error; that charges them for an end that a circle does not have, and so "
    "flatters OGPM. The errors in one metric are the fair ones."
)


# -- numbers ---------------------------------------------------------------------------------------------


def comparison_report(found: Comparison) -> Report:
    """Describe a comparison of mechanisms for numbers as a document."""
    what = loss_words(found.loss)
    sections = [Section("At a glance", [glance(found), Bullets(sentences(found))])]
    if len(found.epsilons) > 1:
        worst = f"Line chart of the worst {what} against ε, one line a mechanism."
        caption = f"The worst error against ε; the scale is logarithmic.{_left_out(found)}"
        drawn = Figure("worst", [(worst, partial(worst_by_epsilon, found))], caption)
        sections.append(Section("Worst error against ε", [drawn]))
    names = ", ".join(kind.title for kind in drawn_kinds(found))
    title = f"Line charts of {what} over the true values, one for each ε, for {names}."
    caption = f"What a report is off by, for every true value.{_left_out(found)}"
    sections += [
        Section(
            "Error over the domain", [Figure("over-domain", [(title, partial(over_domain, found))], caption)]
        ),
        Section("All numbers", [_all_numbers(found, epsilon) for epsilon in found.epsilons]),
    ]
    return Report(
        title=f"Mechanisms on {found.domain.words}",
        lead=f"Measured by {what} of one report: exact numbers, nothing simulated.",
        sections=sections,
        verb="compare",
        data=found.to_dict(),
    )


def glance(found: Comparison) -> Table:
    """Return the worst errors only: a row a mechanism, a column an ε."""
    kinds = dict.fromkeys(type(entry.mechanism) for entry in found.entries)
    header = ["mechanism", *(f"ε = {epsilon_words(epsilon)}" for epsilon in found.epsilons), "promise"]
    caption = f"Worst {loss_words(found.loss)} over all true values; smaller is better"
    return Table(caption, header, [_glance_row(found, kind) for kind in kinds], captioned=True)


def _glance_row(found: Comparison, kind: type[NumericMechanism]) -> list[object]:
    entries = {e.mechanism.epsilon: e for e in found.entries if type(e.mechanism) is kind}
    cells = [
        number(aligned(entries[epsilon].worst), best=entries[epsilon].best, exact=entries[epsilon].worst)
        if epsilon in entries
        else number("–")
        for epsilon in found.epsilons
    ]
    return [kind.title, *cells, next(iter(entries.values())).mechanism.guarantee.rank()]


def _all_numbers(found: Comparison, epsilon: float) -> Table:
    around = isinstance(found.domain, Circle)
    flat = ["flat worst", "flat avg"] if around else []
    header = ["mechanism", "worst", "average", *flat, "÷ OGPM", "bits", "spent", "unbiased"]
    caption = f"ε = {epsilon_words(epsilon)}: {loss_words(found.loss)}, the smallest worst error first"
    if around:
        caption += "; flat worst (published) and flat average (published) are measured along a line"
    rows = [_row(entry, around=around) for entry in found.at(epsilon)]
    return Table(caption, header, rows, captioned=True)


def _row(entry: Entry, *, around: bool) -> list[object]:
    flat = [_or_dash(entry.worst_flat), _or_dash(entry.average_flat)] if around else []
    return [
        type(entry.mechanism).__name__,
        number(aligned(entry.worst), best=entry.best, exact=entry.worst),
        number(aligned(entry.average), exact=entry.average),
        *flat,
        number(f"{entry.ratio:.3f}", exact=entry.ratio),
        number(f"{entry.bits:.1f}", exact=entry.bits),
        number(spent_words(entry.spent), exact=entry.spent),
        "yes" if entry.unbiased else "no",
    ]


def spent_words(share: float) -> str:
    """Return the share of ε that a sampler's integers use up, without the digits that are rounding.

    >>> spent_words(0.99999998), spent_words(0.5)
    ('100 %', '50 %')
    """
    return f"{100 * share:.3g} %"


def _or_dash(value: float | None) -> Cell:
    return number("–" if value is None else aligned(value), exact=value)


def _left_out(found: Comparison) -> str:
    if len({type(entry.mechanism) for entry in found.entries}) <= MOST_LINES:
        return ""
    base = reference(found.domain).title
    return (
        f" The chart shows the {MOST_LINES} mechanisms with the smallest worst errors, including {base}; "
        "the tables have all."
    )


def sentences(found: Comparison) -> list[str]:
    """Return what a reader must know to judge fairly, the most general first."""
    base = reference(found.domain).title
    said = [
        "Worst is at the true value whose reports err most; average is over all true values alike.",
        "★ marks the smallest worst error at its ε among the strongest promises.",
        f"÷ OGPM is the worst error divided by that of {base} at the same ε: below 1 is better.",
        "Bits are the length of one report, if all possible ones are numbered; spent is the share of ε that "
        "the sampler's integers use up.",
        *_weaker(found),
    ]
    if any(entry.worst_flat is not None for entry in found.entries):
        said.append(WHY_FLAT_FLATTERS)
    if any(entry.spent < 0.99 for entry in found.entries):
        said.append("Where less than ε is spent, a mechanism is more private than asked, and less exact.")
    return [*said, *(f"Not in the table: {refusal}." for refusal in found.absent)]


def _weaker(found: Comparison) -> list[str]:
    weaker = {type(entry.mechanism): entry.mechanism for entry in found.entries if not entry.pure}
    return [
        f"{kind.title} promises less than pure LDP and is never marked best beside it. At ε = "
        f"{epsilon_words(mechanism.epsilon)}: {mechanism.guarantee.explain()}"
        for kind, mechanism in weaker.items()
    ]


# -- labels ----------------------------------------------------------------------------------------------


def oracles_report(found: OracleComparison) -> Report:
    """Describe a comparison of protocols for labels as a document."""
    return Report(
        title=f"Protocols for {found.domain.count_words}",
        lead="By the variance of estimated shares and the length of reports: exact numbers, nothing "
        "simulated.",
        sections=[
            Section("Which one to take", [Bullets(found.sentences())]),
            Section("All numbers", [oracle_table(found, epsilon) for epsilon in found.epsilons]),
            Section("As the list of labels grows", [_by_labels(found)]),
        ],
        verb="compare",
        data=found.to_dict(),
    )


def oracle_table(found: OracleComparison, epsilon: float) -> Table:
    """Return the protocols at one ε, the least variance first."""
    header = ["protocol", "variance", "÷ least", "error, 10,000 people", "bits", "spent"]
    caption = f"ε = {epsilon_words(epsilon)}, {found.domain.count_words}"
    return Table(caption, header, list(map(_oracle_row, found.at(epsilon))), captioned=True)


def _oracle_row(entry: OracleEntry) -> list[object]:
    return [
        entry.name,
        number(aligned(entry.variance), best=entry.chosen, exact=entry.variance),
        number(f"{entry.ratio:.3f}", exact=entry.ratio),
        number(percent(entry.standard_error(10_000)), exact=entry.standard_error(10_000)),
        number(f"{entry.bits:.1f}", exact=entry.bits),
        number(spent_words(entry.spent), exact=entry.spent),
    ]


def _by_labels(found: OracleComparison) -> Figure:
    title = "Line charts of the variance of each protocol against the number of labels, for each ε."
    caption = "The variance that one report contributes to a share; both scales are logarithmic."
    if SIZES[0] <= len(found.domain) <= SIZES[-1]:
        caption += " The upright line is at the list that was asked about."
    return Figure("labels", [(title, partial(by_labels, found))], caption)
