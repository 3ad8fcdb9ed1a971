"""The page of a comparison."""

from __future__ import annotations

from noisewright import __version__
from noisewright.domains import Circle
from noisewright.pages.catalogue import reference
from noisewright.pages.charts import MOST_LINES, over_domain, shown, worst_by_epsilon
from noisewright.pages.comparison import Comparison, Entry
from noisewright.pages.figures import figure
from noisewright.pages.markup import Content, Html, bullets
from noisewright.pages.tables import Cell, number, table
from noisewright.pages.template import Section, page
from noisewright.pages.wording import domain_words, loss_words, percent, promise, short

WHY_FLAT_FLATTERS = (
    "Errors on a circle are measured along the circle: a report of 23:30 for a true 00:30 is one hour off. "
    "PM-C and SW-C cut the circle open; the “as published” columns measure them along the line, where that "
    "report would count as 23 hours off. The dissertation behind OGPM sets those flat errors of PM-C and SW-C "
    "against OGPM's circular error, which charges them for a wall that is not there and so flatters OGPM; "
    "the columns in one metric are the fair ones."
)


def compare_page(comparison: Comparison) -> str:
    """The whole document."""
    where = domain_words(comparison.domain)
    lead = f"Every mechanism on {where}, measured by {loss_words(comparison.loss)}: exact numbers, nothing simulated."
    sections = [
        Section("The table", [*tables(comparison), *notes(comparison)]),
        Section("Error over the domain", [_over_domain(comparison)]),
    ]
    if len(comparison.epsilons) > 1:
        sections.append(Section("Worst error against ε", [_worst(comparison)]))
    return page(
        f"Mechanisms on {where}", lead, sections, f"Written by noisewright compare, version {__version__}."
    )


def tables(comparison: Comparison) -> list[Html]:
    """One table for each ε, best first."""
    return [_table(comparison, epsilon) for epsilon in comparison.epsilons]


def _table(comparison: Comparison, epsilon: float) -> Html:
    around = isinstance(comparison.domain, Circle)
    base = "circular OGPM" if around else "OGPM"
    flat = ["worst, as published", "average, as published"] if around else []
    header = ["Mechanism", "worst error", "average error", *flat, f"worst ÷ {base}", "unbiased",
              "bits a report", "ε really spent", "promise"]  # fmt: skip
    caption = f"ε = {epsilon:g}: {loss_words(comparison.loss)}, the smallest worst error first"
    return table(caption, header, [_row(entry, around=around) for entry in comparison.at(epsilon)])


def _row(entry: Entry, *, around: bool) -> list[Content | Cell]:
    flat = [_or_dash(entry.worst_flat), _or_dash(entry.average_flat)] if around else []
    return [
        type(entry.mechanism).title,
        number(short(entry.worst), best=entry.best),
        number(short(entry.average)),
        *flat,
        number(f"{entry.ratio:.3f}"),
        "yes" if entry.unbiased else "no",
        number(f"{entry.bits:.1f}"),
        number(percent(entry.spent)),
        promise(entry.mechanism.guarantee),
    ]


def _or_dash(value: float | None) -> Cell:
    return number("–" if value is None else short(value))


def notes(comparison: Comparison) -> list[Html]:
    """What a reader of the table must know to be fair."""
    return [bullets(sentences(comparison))]


def sentences(comparison: Comparison) -> list[str]:
    """The same notes as sentences; the terminal prints them too."""
    found = ["Worst: the true value for which reports are most wrong. Average: over all true values alike."]
    weaker = {type(e.mechanism): e.mechanism for e in comparison.entries if not e.pure}
    for kind, mechanism in weaker.items():
        found.append(
            f"{kind.title} promises less than the others (at ε = {mechanism.epsilon:g}): "
            f"{mechanism.guarantee.explain()} It is never marked as best beside a pure promise."
        )
    if any(entry.worst_flat is not None for entry in comparison.entries):
        found.append(WHY_FLAT_FLATTERS)
    if any(entry.spent < 0.99 for entry in comparison.entries):
        found.append(
            "Where less than ε is really spent, the mechanism is more private than asked, and pays for it."
        )
    return [*found, *(f"Not in the table: {refusal}." for refusal in comparison.absent)]


def _over_domain(comparison: Comparison) -> Html:
    names = ", ".join(kind.title for kind in shown(comparison))
    title = f"Line charts of {loss_words(comparison.loss)} over the true values, one for each ε, for {names}."
    caption = f"{loss_words(comparison.loss).capitalize()} of one report, for every true value.{_left_out(comparison)}"
    return figure("over-domain", over_domain(comparison), title=title, caption=caption)


def _worst(comparison: Comparison) -> Html:
    title = f"Line chart of the worst {loss_words(comparison.loss)} against ε, one line a mechanism."
    caption = f"The worst error falls with ε; the scale is logarithmic.{_left_out(comparison)}"
    return figure("worst", worst_by_epsilon(comparison), title=title, caption=caption)


def _left_out(comparison: Comparison) -> str:
    kinds = {type(entry.mechanism) for entry in comparison.entries}
    if len(kinds) <= MOST_LINES:
        return ""
    base = reference(comparison.domain).title
    return f" Drawn are the {MOST_LINES} mechanisms with the smallest worst errors, {base} among them; the table has all."
