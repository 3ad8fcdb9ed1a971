"""The reports of explanations: what one mechanism does, costs, promises and proves."""

from __future__ import annotations

from functools import partial

import numpy as np

from noisewright.design.explanation import PEOPLE, Example, Explanation, OracleExplanation
from noisewright.design.law_words import drawing_facts, in_words, label_law_words, proof
from noisewright.design.plots import POOLED, dial, error, errors_by_people, laws, map_of_numbers
from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.mechanisms import DesignedLaw, Law
from noisewright.mechanisms.plots import VISIBLE, Profile, view
from noisewright.report import Bullets, Facts, Figure, Report, Section, Table, number, paragraphs
from noisewright.text import aligned, epsilon_words, percent, short

BLOCKS = " ▁▂▃▄▅▆▇█"


# -- numbers ---------------------------------------------------------------------------------------------


def explanation_report(found: Explanation) -> Report:
    """Describe a mechanism for numbers as a document."""
    made = found.mechanism
    title = "Line chart of the expected absolute error over the true values."
    caption = "The mean error of a report, for every true value."
    errors = Figure("error", [(title, partial(error, made))], caption)
    return Report(
        title=f"{type(made).title}: {made.domain.words}, ε = {epsilon_words(made.epsilon)}",
        lead=found.purpose,
        sections=[
            Section("What it does", [Bullets(in_words(made)), law_figure(found)]),
            Section("How wrong reports are", [errors_table(found), errors]),
            Section("What it promises", [made.guarantee.explain(), proof(made)]),
            Section("How it is drawn", [Facts(drawing_facts(made))]),
        ],
        verb="explain",
        data=found.to_dict(),
    )


def law_figure(found: Explanation) -> Figure:
    """Return the law at the examples, round for a circle and flat otherwise; a designed law as a whole."""
    made, values = found.mechanism, found.values
    middle = values[len(values) // 2]
    lines = [f"Where reports fall if the true value is {short(middle)}:", *text_plot(made.law(middle))]
    if isinstance(made, DesignedLaw):
        title = "The law: how likely each report is for each true value."
        return Figure("law", [(title, partial(map_of_numbers, made))], POOLED, lines)
    draw = dial if isinstance(made.domain, Circle) else laws
    title = f"Density of the reports for the true values {', '.join(map(short, values))}."
    caption = "The law of the reports, one line for each true value, which is dotted."
    if Profile.of(made.law(values)).masses.max(initial=0.0) >= VISIBLE:
        caption += " A stem is a single report with a probability of its own; full height would be 100 %."
    return Figure("law", [(title, partial(draw, made, values))], caption, lines)


def errors_table(found: Explanation) -> Table:
    """Return the errors at the examples, at the worst value and on average."""
    header = ["true value", "window", "expected report", "|error|", "squared", "half within", "95 % within"]
    rows = [example_row(example, found.mechanism.domain) for example in found.examples]
    for name, absolute, squared in (
        ("worst", found.worst_absolute, found.worst_squared),
        ("average", found.average_absolute, found.average_squared),
    ):
        rows.append([name, "–", number("–"), number(aligned(absolute), exact=absolute),
                     number(aligned(squared), exact=squared), number("–"), number("–")])  # fmt: skip
    return Table(
        "Expected errors of one report; “half within” is a distance from the true value", header, rows
    )


def example_row(example: Example, domain: NumericDomain) -> list[object]:
    """Return the row of one true value: its window, the expected report, and the errors."""
    numbers = (
        example.mean_report, example.expected_absolute, example.expected_squared,
        example.half_within, example.most_within,
    )  # fmt: skip
    window = domain.report_span(*example.window) if example.window else "–"
    return [short(example.value), window, *(number(aligned(value), exact=value) for value in numbers)]


# -- labels ----------------------------------------------------------------------------------------------


def oracle_report(found: OracleExplanation) -> Report:
    """Describe a protocol for labels as a document."""
    made = found.mechanism
    why = f"It was chosen automatically. {found.reason}" if found.reason else None
    return Report(
        title=f"{type(made).title}: {made.domain.count_words}, ε = {epsilon_words(made.epsilon)}",
        lead=found.purpose,
        sections=[
            Section("What it does", [Bullets(label_law_words(made)), *paragraphs([why])]),
            Section("How far estimates are off", [_share_errors(found), _share_figure(found)]),
            Section("What it promises", [made.guarantee.explain(), proof(made)]),
            Section("How long a report is", [f"{found.report_words}."]),
        ],
        verb="explain",
        data=found.to_dict(),
    )


def _share_errors(found: OracleExplanation) -> Table:
    rows = [
        [
            f"{people:,}",
            number(percent(found.standard_error(people)), exact=found.standard_error(people)),
            number(percent(found.without_noise(people)), exact=found.without_noise(people)),
        ]
        for people in PEOPLE
    ]
    caption = "Standard error of the share of a label, if all labels are equally frequent"
    return Table(caption, ["people", "with this noise", "without any noise"], rows, captioned=True)


def _share_figure(found: OracleExplanation) -> Figure:
    title = "Line chart of the standard error of a share against the number of people."
    caption = (
        "The standard error by the size of a collection; the gap between the lines is the price of privacy."
    )
    return Figure("errors", [(title, partial(errors_by_people, found))], caption)


# -- a law in the terminal: how likely reports are, column by column, in block characters -----------------


def text_plot(law: Law, columns: int = 64, rows: int = 6) -> list[str]:
    r"""Return the lines of a histogram of the reports for one true value, which a caret marks.

    Each column is the exact probability of a report in its stretch, so single reports with a probability
    of their own stand out as bars and not as infinitely high spikes.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> print(*text_plot(OGPM(Interval(0, 1), epsilon=2.0).law(0.5), columns=24, rows=2), sep="|\n")
             ██████         |
    ▂▂▂▂▂▂▂▂▅██████▅▂▂▂▂▂▂▂▂|
                ^           |
    0                      1
    """
    low, high = view(law)
    shares = column_shares(law, low, high, columns)
    levels = np.rint(shares / shares.max() * rows * (len(BLOCKS) - 1)).astype(int)
    levels[(shares > 0) & (levels == 0)] = 1
    lines = [
        "".join(BLOCKS[min(max(level - (len(BLOCKS) - 1) * row, 0), len(BLOCKS) - 1)] for level in levels)
        for row in reversed(range(rows))
    ]
    place = min(int((float(law.truth) - low) / (high - low) * columns), columns - 1)
    _, left, _, right = law.metric.report_span(low, high).split()
    return [*lines, " " * place + "^" + " " * (columns - place - 1), f"{left}{right:>{columns - len(left)}}"]


def column_shares(law: Law, low: float, high: float, columns: int) -> Floats:
    """Return the probability of a report in each of several equal stretches; reports outside are left out."""
    edges = np.linspace(low, high, columns + 1)
    below = np.array([law.cdf(edge) for edge in edges])
    below[0] -= law.mass(low, low) if not isinstance(law.reports, Circle) else 0.0
    if isinstance(law.reports, Circle) and high >= law.reports.period:
        below[-1] = 1.0
    return np.maximum(np.diff(below), 0.0)
