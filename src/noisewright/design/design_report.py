"""The report of a design: mechanisms side by side, what is proved about the best, and how to use it."""

from __future__ import annotations

import math
from functools import partial
from shlex import quote

from noisewright.design.compare_report import spent_words
from noisewright.design.design_table import DesignTable, Row
from noisewright.design.designer import certificate_of
from noisewright.design.law_words import in_words
from noisewright.design.plots import POOLED, error_curves, law_picture
from noisewright.design.task import Task, error_words, objective_words, where
from noisewright.mechanisms import DesignedLaw, DesignedTable, NumericMechanism, OptimalWindow
from noisewright.report import Block, Bullets, Figure, Listing, Report, Section, Strong, Table, number
from noisewright.text import aligned, epsilon_words, short

PUBLIC_PRIOR = (
    "The prior is public knowledge, such as a published survey. It must never come from the data to be "
    "protected: the mechanism reveals what it was designed for."
)


def design_report(found: DesignTable, file: str | None = None) -> Report:
    """Describe a design as a document.

    Args:
        found: The table of the design.
        file: Where the mechanism was written, if it was.
    """
    task = found.task
    return Report(
        title=f"The best mechanism on {where(task.domain)}, ε = {epsilon_words(task.epsilon)}",
        lead=f"Best at {objective_words(task)}, by {error_words(task)}: exact numbers, nothing simulated.",
        sections=[
            Section("Side by side", [comparison_table(found), Strong(bound_words(found))]),
            Section(
                "What each gives away", [Bullets([f"{row.name}: {row.sentence}." for row in found.rows])]
            ),
            Section("How to read the numbers", [Bullets(notes(found))]),
            Section("Error over the true values", [_errors(found)]),
            Section("The optimal law", _law(found)),
            Section("What is proved", [Bullets(certificate_words(found))]),
            Section("How to use it", _use(found, file)),
        ],
        verb="design",
        data=found.to_dict(),
    )


def comparison_table(found: DesignTable) -> Table:
    """Return the table: a row a mechanism."""
    point = ["at point"] if found.task.objective == "point" else []
    unbiased = [] if found.task.finite else ["unbiased"]
    header = ["mechanism", "worst", "average", *point, "bits", "spent", *unbiased]
    words = error_words(found.task)
    caption = (
        f"{words[:1].upper()}{words[1:]}, the best first; ✗ breaks a condition of the task and comes last"
    )
    return Table(caption, header, [_row(row, found) for row in found.rows], captioned=True)


def _row(row: Row, found: DesignTable) -> list[object]:
    task, best = found.task, row is found.best
    point = [number(aligned(row.value), best=best, exact=row.value)] if task.objective == "point" else []
    unbiased = [] if task.finite else ["yes" if row.unbiased else "no"]
    spent = row.mechanism.epsilon_upper / row.mechanism.epsilon
    return [
        row.name if row.admitted else f"{row.name} ✗",
        number(aligned(row.worst), best=best and task.looks_at_worst, exact=row.worst),
        number(aligned(row.average), best=best and task.objective == "average", exact=row.average),
        *point,
        number(f"{row.bits:.1f}", exact=row.bits),
        number(spent_words(spent), exact=spent),
        *unbiased,
    ]


def _errors(found: DesignTable) -> Figure:
    title = f"Chart of {error_words(found.task)} over the true values, one line a mechanism."
    caption = "The expected error of a report, for every true value."
    if found.task.looks_at_worst and found.bound is not None:
        kind = "unbiased mechanism" if found.task.unbiased else "mechanism"
        caption += f" The worst case of no {kind} lies below the thin line."
    return Figure("errors", [(title, partial(error_curves, found))], caption)


def _law(found: DesignTable) -> list[Block]:
    """Return the optimal law in words, if it is one of numbers, and as a picture."""
    law = found.optimal.mechanism
    words: list[Block] = [Bullets(in_words(law))] if isinstance(law, NumericMechanism) else []
    if isinstance(law, DesignedLaw):
        pictured = POOLED
    elif isinstance(law, DesignedTable):
        pictured = "Above each true label, the darker the likelier."
    else:
        pictured = "One line for each true value, which is dotted."
    title = "The optimal law: how likely each report is for each true value."
    caption = (
        f"{pictured} No report is more "
        f"than e^ε = {math.exp(found.task.epsilon):.3g} times likelier for one true value than for another."
    )
    return [*words, Figure("law", [(title, partial(law_picture, found))], caption)]


def _use(found: DesignTable, file: str | None) -> list[Block]:
    if file is None:
        return ["Run noisewright design again with -o mechanism.json to keep the optimal law in a file."]
    said = f"The mechanism is in {file}. The file holds public numbers only; whoever reads it proves ε again."
    column = "" if found.task.finite else " NAME stands for the name of the column."
    return [said + column, Listing("\n".join(usage(found.task, file)), "Commands that use the mechanism")]


# -- sentences -------------------------------------------------------------------------------------------


def conditions(table: DesignTable) -> list[str]:
    """Return the conditions that a mechanism had to keep to take part."""
    found = []
    if table.limit is not None:
        found.append(f"The worst case may be at most {short(table.limit, 6)}.")
    if table.task.unbiased:
        found.append("The expected report must be the true value.")
    if table.task.prior is not None:
        found.append(PUBLIC_PRIOR)
    return found


def bound_words(table: DesignTable) -> str:
    """Return the lower bound of the table in words."""
    if table.bound is None:
        return "No bound is proved for this task: the budget makes noise finer than any table of this size."
    what = f"At {objective_words(table.task)}, by {error_words(table.task)},"
    return f"{what} {table.bound.sentence}."


def certificate_words(table: DesignTable) -> list[str]:
    """Return what is proved about the optimal law, and its limits."""
    certificate = certificate_of(table.optimal.mechanism)
    if certificate is None:
        return [bound_words(table)]
    what = "average" if table.task.objective == "lexicographic" else "value"
    spent = table.optimal.mechanism.epsilon_upper / table.task.epsilon
    return [
        bound_words(table),
        f"The optimal law carries a certificate: its {what} is {short(certificate.value, 7)}, and the "
        f"certificate proves that no law of its kind has less than {short(certificate.bound, 7)}. The gap of "
        f"{certificate.gap:.2g} is all that could be gained. {_kind(table)}",
        "The proof is one number for every constraint of the design. Anyone can check it in exact "
        "arithmetic, without trust in a solver: noisewright.design.verify does.",
        "Privacy does not depend on the certificate. ε is proved on the integers of the table whenever the "
        f"mechanism is built or read from a file; they spend {spent_words(spent)} of it.",
    ]


def _kind(table: DesignTable) -> str:
    law = table.optimal.mechanism
    if isinstance(law, OptimalWindow):
        return "On a circle this holds for every mechanism: the best window is the best law."
    if isinstance(law, DesignedLaw):
        inputs = "knots" if law.dithered else "equal parts of the domain as inputs"
        return (
            f"Its kind are the laws with {len(law.weights)} {inputs} and reports on a grid of "
            f"{law.reports.lattice} places."
        )
    return "Its kind are all mechanisms that report these labels."


def notes(table: DesignTable) -> list[str]:
    """Return what a reader must know about the numbers."""
    average = "over the prior" if table.task.prior is not None else "over all true values alike"
    return [
        f"Worst is at the true value whose reports err most; average is {average}.",
        "Bits are the length of one report, if all possible ones are numbered; spent is the share of ε "
        "that the sampler's integers use up.",
        *_together(table),
        *conditions(table),
        *(f"Not in the table: {refusal}." for refusal in table.absent),
    ]


def _together(table: DesignTable) -> list[str]:
    """Return what the best law for one report means for estimates from many."""
    law = table.optimal.mechanism
    if not isinstance(law, DesignedLaw):
        return []
    rows, kinds = len(law.weights), len(set(law.weights))
    merged = f" and gives one law to several of them, so that {kinds} are distinct" if kinds < rows else ""
    return [
        f"All of this is about one report. The optimal law has {len(law.outputs)} possible reports for "
        f"{rows} parts of the domain{merged}: many reports together may say less about a distribution than "
        "those of a window, which -o writes with --mechanism window."
    ]


def usage(task: Task, file: str) -> list[str]:
    """Return commands that use the file of a mechanism."""
    if task.finite:
        return [f"Mechanism.from_dict(json.load(open({file!r}))['mechanism']).perturb(labels)"]
    option = f"--{task.domain.kind}"
    ends = (task.domain.period,) if task.domain.kind == "circle" else task.domain.ends
    span = ":".join(f"{end:.17g}" for end in ends)
    return [
        f"noisewright explain {quote(f'@{file}')}",
        f"noisewright perturb readings.csv --epsilon NAME={task.epsilon:.17g} {option} NAME={span} "
        f"--mechanism {quote(f'NAME=@{file}')} -o reports.parquet",
        "noisewright estimate reports.parquet",
    ]
