"""The pages about protocols for labels: one explained, or all compared."""

from __future__ import annotations

from noisewright import __version__
from noisewright.guarantees.words import epsilon_words
from noisewright.pages.figures import figure
from noisewright.pages.markup import Content, Html, bullets
from noisewright.pages.oracle_charts import SIZES, by_labels, errors_by_people
from noisewright.pages.oracle_comparison import OracleComparison, OracleEntry
from noisewright.pages.oracle_explanation import PEOPLE, OracleExplanation
from noisewright.pages.oracle_words import label_law_words
from noisewright.pages.proof_words import proof
from noisewright.pages.tables import Cell, number, table
from noisewright.pages.template import Section, page
from noisewright.pages.wording import aligned, labels_words, percent


def oracle_page(explanation: OracleExplanation) -> str:
    """The document about one protocol."""
    made = explanation.mechanism
    title = f"{type(made).title}: {labels_words(made.domain)}, ε = {epsilon_words(made.epsilon)}"
    why = [f"It was chosen automatically. {explanation.reason}"] if explanation.reason else []
    sections = [
        Section("What it does", [bullets(label_law_words(made)), *why]),
        Section("How far estimates are off", [_errors(explanation), _errors_figure(explanation)]),
        Section("What it promises", [made.guarantee.explain(), proof(made)]),
        Section("How long a report is", [explanation.report_words + "."]),
    ]
    footer = f"Written by noisewright explain, version {__version__}."
    return page(title, explanation.purpose, sections, footer)


def _errors(explanation: OracleExplanation) -> Html:
    rows = [
        [f"{people:,}", *(number(percent(error(people))) for error in
                          (explanation.standard_error, explanation.without_noise))]
        for people in PEOPLE
    ]  # fmt: skip
    caption = "Standard error of the share of a label, if all labels are equally frequent"
    return table(caption, ["People", "with this noise", "without any noise"], rows)


def _errors_figure(explanation: OracleExplanation) -> Html:
    title = "Line chart of the standard error of a share against the number of people."
    caption = (
        "What a collection of so many people can tell; the distance of the lines is the price of privacy."
    )
    return figure("errors", errors_by_people(explanation), title=title, caption=caption)


def oracles_page(comparison: OracleComparison) -> str:
    """The document about all protocols."""
    lead = "By the variance of estimated shares and the length of reports: exact numbers, nothing simulated."
    sections = [
        Section("Which one to take", [bullets(comparison.sentences())]),
        Section("All numbers", [oracle_table(comparison, epsilon) for epsilon in comparison.epsilons]),
        Section("As the list of labels grows", [_by_labels(comparison)]),
    ]
    footer = f"Written by noisewright compare, version {__version__}."
    return page(f"Protocols for {labels_words(comparison.domain)}", lead, sections, footer)


def oracle_table(comparison: OracleComparison, epsilon: float) -> Html:
    """The protocols at one ε, the least variance first."""
    header = [
        "Protocol",
        "variance",
        "÷ least",
        "standard error, 10,000 people",
        "bits a report",
        "ε really spent",
    ]
    caption = f"ε = {epsilon_words(epsilon)}, {labels_words(comparison.domain)}"
    return table(caption, header, map(_row, comparison.at(epsilon)))


def _row(entry: OracleEntry) -> list[Content | Cell]:
    return [
        type(entry.mechanism).title,
        number(aligned(entry.variance), best=entry.chosen),
        number(f"{entry.ratio:.3f}"),
        number(percent(entry.standard_error(10_000))),
        number(f"{entry.bits:.1f}"),
        number(percent(entry.spent)),
    ]


def _by_labels(comparison: OracleComparison) -> Html:
    title = "Line charts of the variance of each protocol against the number of labels, for each ε."
    caption = "The variance of one report's say on a share; both scales are logarithmic."
    if SIZES[0] <= len(comparison.domain) <= SIZES[-1]:
        caption += " The upright line is at the list that was asked about."
    return figure("labels", by_labels(comparison), title=title, caption=caption)
