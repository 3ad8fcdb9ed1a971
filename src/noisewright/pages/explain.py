"""The page of an explanation."""

from __future__ import annotations

from noisewright import __version__
from noisewright.domains import Circle, NumericDomain
from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import DesignedLaw
from noisewright.mechanisms.profile import VISIBLE, Profile
from noisewright.pages.charts import dial, error, laws
from noisewright.pages.explanation import Example, Explanation
from noisewright.pages.figures import figure
from noisewright.pages.heat_maps import POOLED, map_of_numbers
from noisewright.pages.law_words import in_words
from noisewright.pages.markup import Content, Html, bullets, facts
from noisewright.pages.proof_words import drawing_facts, proof
from noisewright.pages.tables import Cell, number, table
from noisewright.pages.template import Section, page
from noisewright.pages.wording import aligned, domain_words, report_span, short


def explain_page(explanation: Explanation) -> str:
    """The whole document."""
    mechanism = explanation.mechanism
    title = (
        f"{type(mechanism).title}: {domain_words(mechanism.domain)}, ε = {epsilon_words(mechanism.epsilon)}"
    )
    footer = f"Written by noisewright explain, version {__version__}."
    return page(title, explanation.purpose, explain_sections(explanation), footer)


def explain_sections(explanation: Explanation) -> list[Section]:
    """What it does, what it costs, what it promises and how that is kept."""
    mechanism = explanation.mechanism
    return [
        Section("What it does", [bullets(in_words(mechanism)), law_figure(explanation)]),
        Section("How wrong reports are", [errors_table(explanation), error_figure(explanation)]),
        Section("What it promises", [mechanism.guarantee.explain(), proof(mechanism)]),
        Section("How it is drawn", [facts(drawing_facts(mechanism))]),
    ]


def law_figure(explanation: Explanation) -> Html:
    """The law at the examples, round for a circle and flat otherwise; a designed law as a whole."""
    mechanism, values = explanation.mechanism, explanation.values
    if isinstance(mechanism, DesignedLaw):
        title = "The law: how likely each report is for each true value."
        return figure("law", map_of_numbers(mechanism), title=title, caption=POOLED)
    draw = dial if isinstance(mechanism.domain, Circle) else laws
    listed = ", ".join(short(value) for value in values)
    title = f"Density of the reports for the true values {listed}."
    caption = "The law of the reports, one line for each true value, which is dotted."
    if Profile.of(mechanism.law(values)).masses.max(initial=0.0) >= VISIBLE:
        caption += " A stem is a single report with a probability of its own; full height would be 100 %."
    return figure("law", draw(mechanism, values), title=title, caption=caption)


def error_figure(explanation: Explanation) -> Html:
    """The expected |error| over the domain."""
    title = "Line chart of the expected absolute error over the true values."
    caption = "What a report is off by on average, for every true value."
    return figure("error", error(explanation.mechanism), title=title, caption=caption)


def errors_table(explanation: Explanation) -> Html:
    """Errors at the examples, at the worst value and on average."""
    header = ["True value", "window", "expected report", "expected |error|", "expected |error|²",
              "half within", "95 % within"]  # fmt: skip
    rows = [example_row(example, explanation.mechanism.domain) for example in explanation.examples]
    for name, absolute, squared in (
        ("worst", explanation.worst_absolute, explanation.worst_squared),
        ("average", explanation.average_absolute, explanation.average_squared),
    ):
        rows.append([name, "–", number("–"), number(aligned(absolute)), number(aligned(squared)),
                     number("–"), number("–")])  # fmt: skip
    return table("Errors of one report; “half within” is a distance from the true value", header, rows)


def example_row(example: Example, domain: NumericDomain) -> list[Content | Cell]:
    """One true value: its window, where reports centre, and how far they stray."""
    numbers = (
        example.mean_report, example.expected_absolute, example.expected_squared,
        example.half_within, example.most_within,
    )  # fmt: skip
    window = report_span(*example.window, domain) if example.window else "–"
    return [short(example.value), window, *(number(aligned(value)) for value in numbers)]
