"""The page of a design."""

from __future__ import annotations

import math

from noisewright import __version__
from noisewright.design.design_table import DesignTable, Row
from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import DesignedLaw, DesignedTable, NumericMechanism
from noisewright.pages.design_charts import error_curves, law_picture
from noisewright.pages.design_words import (
    bound_words,
    certificate_words,
    error_words,
    notes,
    objective_words,
    usage,
    where,
)
from noisewright.pages.figures import figure
from noisewright.pages.heat_maps import POOLED
from noisewright.pages.law_words import in_words
from noisewright.pages.markup import Content, Html, bullets, listing, tag
from noisewright.pages.tables import Cell, number, table
from noisewright.pages.template import Section, page
from noisewright.pages.wording import aligned, percent


def design_page(found: DesignTable, file: str | None = None) -> str:
    """The whole document; ``file`` is where the mechanism was written, if it was."""
    task = found.task
    title = f"The best mechanism on {where(task.domain)}, ε = {epsilon_words(task.epsilon)}"
    lead = f"Best at {objective_words(task)}, by {error_words(task)}: exact numbers, nothing simulated."
    sections = [
        Section("Side by side", [comparison(found), tag("p", tag("strong", bound_words(found))),
                                 bullets(notes(found))]),
        Section("Error over the true values", [_errors(found)]),
        Section("The optimal law", [*_law_words(found), _law(found)]),
        Section("What is proved", [bullets(certificate_words(found))]),
        Section("How to use it", _use(found, file)),
    ]  # fmt: skip
    return page(title, lead, sections, f"Written by noisewright design, version {__version__}.")


def comparison(found: DesignTable) -> Html:
    """The table: a row a mechanism."""
    point = ["at the point"] if found.task.objective == "point" else []
    unbiased = [] if found.task.finite else ["unbiased"]
    header = ["Mechanism", "worst", "average", *point, "bits a report", "ε really spent", *unbiased,
              "what it gives away"]  # fmt: skip
    caption = f"{error_words(found.task)}, the best first; what breaks a condition of the task comes last"
    return table(caption.capitalize(), header, [_row(row, found) for row in found.rows])


def _row(row: Row, found: DesignTable) -> list[Content | Cell]:
    task, best = found.task, row is found.best
    point = [number(aligned(row.value), best=best)] if task.objective == "point" else []
    unbiased = [] if task.finite else ["yes" if row.unbiased else "no"]
    return [
        row.name,
        number(aligned(row.worst), best=best and task.looks_at_worst),
        number(aligned(row.average), best=best and task.objective == "average"),
        *point,
        number(f"{row.bits:.1f}"),
        number(percent(row.mechanism.epsilon_upper / row.mechanism.epsilon)),
        *unbiased,
        row.sentence,
    ]


def _errors(found: DesignTable) -> Html:
    title = f"Chart of {error_words(found.task)} over the true values, one line a mechanism."
    caption = "What a report is off by, for every true value."
    if found.task.looks_at_worst and found.bound is not None:
        kind = "unbiased mechanism" if found.task.unbiased else "mechanism"
        caption += f" The worst case of no {kind} lies below the thin line."
    return figure("errors", error_curves(found), title=title, caption=caption)


def _law_words(found: DesignTable) -> list[Content]:
    law = found.optimal.mechanism
    return [bullets(in_words(law))] if isinstance(law, NumericMechanism) else []


def _law(found: DesignTable) -> Html:
    title = "The optimal law: how likely each report is for each true value."
    caption = (
        f"{_shown(found)} No report is more "
        f"than e^ε = {math.exp(found.task.epsilon):.3g} times likelier for one true value than for another."
    )
    return figure("law", law_picture(found), title=title, caption=caption)


def _shown(found: DesignTable) -> str:
    """What the picture of the law shows, by the kind of law."""
    if isinstance(found.optimal.mechanism, DesignedLaw):
        return POOLED
    if isinstance(found.optimal.mechanism, DesignedTable):
        return "Above each true label, the darker the likelier."
    return "One line for each true value, which is dotted."


def _use(found: DesignTable, file: str | None) -> list[Content]:
    if file is None:
        return ["Run noisewright design again with -o mechanism.json to keep the optimal law in a file."]
    said = f"The mechanism is in {file}. The file holds public numbers only; whoever reads it proves ε again."
    column = "" if found.task.finite else " NAME stands for the name of the column."
    return [said + column, listing("\n".join(usage(found.task, file)), "Commands that use the mechanism")]
