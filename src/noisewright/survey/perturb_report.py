"""The document about a file of reports: what was randomized, the promise, and how the reports are spread.

Everything in it comes from the reports and from public parameters; true values are never looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noisewright.design.law_words import in_words, label_law_words, proof
from noisewright.domains import FiniteDomain, Floats
from noisewright.io.files import Written
from noisewright.io.location import Location
from noisewright.io.numbers import floats
from noisewright.io.partitions import find_partitions
from noisewright.io.tallies import tally_file
from noisewright.mechanisms import Mechanism, NumericMechanism
from noisewright.report import Block, Bullets, Details, Facts, Figure, Report, Section
from noisewright.report.plots import PAGE_WIDTH, new_figure
from noisewright.report.svg import PALETTE, drawing_style
from noisewright.survey.plots import LONGEST, MOST_BARS
from noisewright.text import counted, epsilon_words, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

BINS = 60
FALL = "How the reports are spread, noise included: this is not the distribution of the true values."
CODES = "A report is a code that says little by itself; noisewright estimate decodes all together."


def perturb_report(
    written: Written, reasons: Mapping[str, str] | None = None, extra: Mapping[str, Any] | None = None
) -> Report:
    """Describe a file of reports as a document.

    Args:
        written: The file of reports.
        reasons: Why columns have their mechanisms, by name, for those that were chosen for the user.
        extra: More facts for JSON, such as how mechanisms were chosen.
    """
    about = written.description
    beside = f", described in {written.sidecar.name}" if written.sidecar else ""
    if written.parts is not None:
        beside = f", {counted(written.parts, 'part')}"
    why = reasons or {}
    columns = [
        Section(f"{name}: {type(mechanism).__name__} on {mechanism.domain.words}",
                _column(written, name, mechanism, place, why.get(name)))
        for place, (name, mechanism) in enumerate(about.mechanisms.items(), 1)
    ]  # fmt: skip
    row: list[Block] = [f"{about.guarantee.numbers()}. {about.explain_row()}"]
    if about.kept:
        row.append(f"NOT randomized, as asked: {', '.join(about.kept)}; no promise covers them.")
    rows = counted(written.rows, "row")
    return Report(
        title=f"{rows} of reports in {written.path.name}{beside}",
        lead=f"Randomness: {about.randomness}.",
        sections=[*columns, Section("One row", row)],
        verb="perturb",
        data={
            "rows": written.rows,
            **({} if written.parts is None else {"parts": written.parts}),
            "private": about.private,
            **about.to_dict(),
            **(extra or {}),
        },
    )


def _column(written: Written, name: str, mechanism: Mechanism, place: int, reason: str | None) -> list[Block]:
    """Describe one column: its promise, the reason for its mechanism, its law, and its reports."""
    law = in_words(mechanism) if isinstance(mechanism, NumericMechanism) else label_law_words(mechanism)
    facts = Facts([("Mechanism", type(mechanism).title), ("ε", epsilon_words(mechanism.epsilon))])
    return [
        f"{mechanism.guarantee.numbers()}. {written.description.explain_column(name)}",
        *([f"{reason[:1].upper()}{reason[1:]}"] if reason else []),
        Details("The mechanism and its proof", [facts, Bullets(law), proof(mechanism)]),
        *_picture(written.path, name, mechanism, f"reports-{place}"),
    ]


def _picture(path: Path | Location, name: str, mechanism: Mechanism, anchor: str) -> list[Block]:
    if isinstance(mechanism, NumericMechanism):
        title = f"Histogram of the reports of {name}."
        return [Figure(anchor, [(title, lambda: histogram(path, name, mechanism))], FALL)]
    if isinstance(mechanism.reports, FiniteDomain):
        title = f"Bars of the most frequent reports of {name}."
        return [Figure(anchor, [(title, lambda: bars(path, name))], FALL)]
    return [Details("The reports", [CODES])]


def bars(path: Path | Location, name: str) -> Drawing:
    """Draw how often labels were reported, the most frequent first."""
    group = tally_file(path, [name])[name].groups[0]
    order = np.argsort(-group.counts, kind="stable")[:MOST_BARS]
    texts = [shortened(group.mechanism.reports.labels[place], LONGEST) for place in order]
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 1.0 + 0.28 * len(texts))
        axes = drawn.subplots()
        axes.barh(np.arange(len(texts)), group.counts[order], height=0.7, color=PALETTE[0])
        axes.set_yticks(np.arange(len(texts)), texts)
        axes.set_ylim(len(texts) - 0.4, -0.6)
        axes.set_xlabel(f"reports of each {name}")
    return drawn


def histogram(path: Path | Location, name: str, mechanism: NumericMechanism) -> Drawing:
    """Draw where the reports of a column fall, counted batch by batch."""
    counts, edges = binned_reports(path, name, mechanism)
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 2.6)
        axes = drawn.subplots()
        axes.stairs(counts, edges, fill=True, color=PALETTE[0])
        axes.set_xlabel(f"reported {name}")
        axes.set_ylabel("reports")
    return drawn


def binned_reports(
    path: Path | Location, name: str, mechanism: NumericMechanism
) -> tuple[NDArray[np.int64], Floats]:
    """Count reports in bins over the domain and half its length beyond; the outer bins take the rest."""
    beyond = mechanism.domain.length / 2
    low = max(mechanism.reports.start, mechanism.domain.start - beyond)
    high = min(
        mechanism.reports.start + mechanism.reports.length,
        mechanism.domain.start + mechanism.domain.length + beyond,
    )
    edges = np.linspace(low, high, BINS + 1)
    counts = np.zeros(BINS, dtype=np.int64)
    for part in find_partitions(path):
        for batch in part.open().batches([name], []):
            values = np.clip(floats(batch.column(name), name), low, high)
            counts += np.histogram(values, bins=edges)[0]
    return counts, edges
