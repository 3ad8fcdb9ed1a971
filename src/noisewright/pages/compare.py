"""The page of a comparison."""

from __future__ import annotations

from noisewright import __version__
from noisewright.domains import Circle
from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.catalogue import reference
from noisewright.pages.charts import MOST_LINES, over_domain, shown, worst_by_epsilon
from noisewright.pages.comparison import Comparison, Entry
from noisewright.pages.fairness import sentences
from noisewright.pages.figures import figure
from noisewright.pages.markup import Content, Html, bullets
from noisewright.pages.tables import Cell, number, table
from noisewright.pages.template import Section, page
from noisewright.pages.wording import aligned, domain_words, loss_words, percent, promise


def compare_page(comparison: Comparison) -> str:
    """The whole document."""
    where = domain_words(comparison.domain)
    lead = f"Measured by {loss_words(comparison.loss)} of one report: exact numbers, nothing simulated."
    sections = [Section("At a glance", [glance(comparison), bullets(sentences(comparison))])]
    if len(comparison.epsilons) > 1:
        sections.append(Section("Worst error against ε", [_worst(comparison)]))
    sections += [
        Section("Error over the domain", [_over_domain(comparison)]),
        Section("All numbers", [_details(comparison, epsilon) for epsilon in comparison.epsilons]),
    ]
    footer = f"Written by noisewright compare, version {__version__}."
    return page(f"Mechanisms on {where}", lead, sections, footer)


def glance(comparison: Comparison) -> Html:
    """Worst errors only: a row a mechanism, a column an ε."""
    kinds = dict.fromkeys(type(entry.mechanism) for entry in comparison.entries)
    header = ["Mechanism", *(f"ε = {epsilon_words(epsilon)}" for epsilon in comparison.epsilons), "promise"]
    caption = f"Worst {loss_words(comparison.loss)} over all true values; smaller is better"
    return table(caption, header, [_glance_row(comparison, kind) for kind in kinds])


def _glance_row(comparison: Comparison, kind: type[NumericMechanism]) -> list[Content | Cell]:
    found = {e.mechanism.epsilon: e for e in comparison.entries if type(e.mechanism) is kind}
    cells = [
        number(aligned(found[epsilon].worst), best=found[epsilon].best) if epsilon in found else number("–")
        for epsilon in comparison.epsilons
    ]
    return [kind.title, *cells, promise(next(iter(found.values())).mechanism.guarantee)]


def _details(comparison: Comparison, epsilon: float) -> Html:
    around = isinstance(comparison.domain, Circle)
    base = "circular OGPM" if around else "OGPM"
    flat = ["flat worst (published)", "flat average (published)"] if around else []
    header = ["Mechanism", "worst error", "average error", *flat, f"worst ÷ {base}", "unbiased",
              "bits a report", "ε really spent"]  # fmt: skip
    caption = f"ε = {epsilon_words(epsilon)}: {loss_words(comparison.loss)}, the smallest worst error first"
    return table(caption, header, [_row(entry, around=around) for entry in comparison.at(epsilon)])


def _row(entry: Entry, *, around: bool) -> list[Content | Cell]:
    flat = [_or_dash(entry.worst_flat), _or_dash(entry.average_flat)] if around else []
    return [
        type(entry.mechanism).title,
        number(aligned(entry.worst), best=entry.best),
        number(aligned(entry.average)),
        *flat,
        number(f"{entry.ratio:.3f}"),
        "yes" if entry.unbiased else "no",
        number(f"{entry.bits:.1f}"),
        number(percent(entry.spent)),
    ]


def _or_dash(value: float | None) -> Cell:
    return number("–" if value is None else aligned(value))


def _over_domain(comparison: Comparison) -> Html:
    names = ", ".join(kind.title for kind in shown(comparison))
    title = f"Line charts of {loss_words(comparison.loss)} over the true values, one for each ε, for {names}."
    caption = f"What a report is off by, for every true value.{_left_out(comparison)}"
    return figure("over-domain", over_domain(comparison), title=title, caption=caption)


def _worst(comparison: Comparison) -> Html:
    title = f"Line chart of the worst {loss_words(comparison.loss)} against ε, one line a mechanism."
    caption = f"The worst error against ε; the scale is logarithmic.{_left_out(comparison)}"
    return figure("worst", worst_by_epsilon(comparison), title=title, caption=caption)


def _left_out(comparison: Comparison) -> str:
    if len({type(entry.mechanism) for entry in comparison.entries}) <= MOST_LINES:
        return ""
    base = reference(comparison.domain).title
    return (
        f" Drawn are the {MOST_LINES} mechanisms with the smallest worst errors, {base} among them; "
        "the tables have all."
    )
