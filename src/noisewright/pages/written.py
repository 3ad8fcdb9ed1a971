"""The page of a file of reports: what was randomized, with what promise, and how the reports fall.

Everything on it comes from the reports and from public parameters; true values are never looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from noisewright import __version__
from noisewright.domains import FiniteDomain, Floats
from noisewright.engine.files import Written
from noisewright.engine.numbers import floats
from noisewright.engine.reading import open_input
from noisewright.engine.tallying import tally_file
from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import Mechanism, NumericMechanism
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import PALETTE, drawing_style, figure
from noisewright.pages.label_charts import MOST_BARS
from noisewright.pages.label_rows import shortened
from noisewright.pages.law_words import in_words
from noisewright.pages.markup import Content, bullets, facts
from noisewright.pages.oracle_words import label_law_words
from noisewright.pages.proof_words import proof
from noisewright.pages.template import Section, page
from noisewright.pages.wording import domain_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS = 60


def written_page(written: Written, reasons: Mapping[str, str] | None = None) -> str:
    """The whole document.

    Args:
        written: the file of reports.
        reasons: why columns have their mechanisms, by name, for those that were chosen for the user.
    """
    about = written.description
    rows = "1 row" if written.rows == 1 else f"{written.rows:,} rows"
    lead = f"{rows} of reports, randomness: {about.randomness}."
    why = reasons or {}
    columns = [
        Section(name, column(written.path, name, mechanism, about.explain_column(name), place, why.get(name)))
        for place, (name, mechanism) in enumerate(about.mechanisms.items(), 1)
    ]
    row: list[Content] = [about.explain_row()]
    if about.kept:
        row.append(f"Not randomized, as asked, and covered by no promise: {', '.join(about.kept)}.")
    footer = f"Written by noisewright perturb, version {__version__}."
    return page(f"Reports in {written.path.name}", lead, [Section("One row", row), *columns], footer)


def column(
    path: Path, name: str, mechanism: Mechanism, promise: str, place: int, reason: str | None = None
) -> list[Content]:
    """One randomized column: its mechanism and why it has that, its promise, and how its reports fall."""
    law = in_words(mechanism) if isinstance(mechanism, NumericMechanism) else label_law_words(mechanism)
    return [
        facts([
            ("Mechanism", type(mechanism).title),
            ("Domain", domain_words(mechanism.domain)),
            ("ε", epsilon_words(mechanism.epsilon)),
        ]),
        *([] if reason is None else [f"{reason[:1].upper()}{reason[1:]}"]),
        bullets(law),
        promise,
        proof(mechanism),
        _picture(path, name, mechanism, f"reports-{place}"),
    ]  # fmt: skip


def _picture(path: Path, name: str, mechanism: Mechanism, anchor: str) -> Content:
    if isinstance(mechanism, NumericMechanism):
        drawn, title = histogram(path, name, mechanism), f"Histogram of the reports of {name}."
    elif isinstance(mechanism.reports, FiniteDomain):
        drawn, title = bars(path, name), f"Bars of the most frequent reports of {name}."
    else:
        return "A report is a code that says little by itself; noisewright estimate decodes all together."
    caption = "How many reports fall where. Noise and all: this is not the distribution of the true values."
    return figure(anchor, drawn, title=title, caption=caption)


def bars(path: Path, name: str) -> Figure:
    """How often labels were reported, the most frequent first."""
    group = tally_file(path, [name])[name].groups[0]
    order = np.argsort(-group.counts, kind="stable")[:MOST_BARS]
    texts = [shortened(group.mechanism.reports.labels[place]) for place in order]
    with drawing_style():
        drawn = new_figure(10, 1.0 + 0.28 * len(texts))
        axes = drawn.subplots()
        axes.barh(np.arange(len(texts)), group.counts[order], height=0.7, color=PALETTE[0])
        axes.set_yticks(np.arange(len(texts)), texts)
        axes.set_ylim(len(texts) - 0.4, -0.6)
        axes.set_xlabel(f"reports of each {name}")
    return drawn


def histogram(path: Path, name: str, mechanism: NumericMechanism) -> Figure:
    """Where the reports of a column fall, counted batch by batch."""
    counts, edges = counted(path, name, mechanism)
    with drawing_style():
        drawn = new_figure(10, 2.6)
        axes = drawn.subplots()
        axes.stairs(counts, edges, fill=True, color=PALETTE[0])
        axes.set_xlabel(f"reported {name}")
        axes.set_ylabel("reports")
    return drawn


def counted(path: Path, name: str, mechanism: NumericMechanism) -> tuple[NDArray[np.int64], Floats]:
    """Reports in bins over the domain and half its length to either side; the outer bins take the rest."""
    beyond = mechanism.domain.length / 2
    low = max(mechanism.reports.start, mechanism.domain.start - beyond)
    high = min(
        mechanism.reports.start + mechanism.reports.length,
        mechanism.domain.start + mechanism.domain.length + beyond,
    )
    edges = np.linspace(low, high, BINS + 1)
    counts = np.zeros(BINS, dtype=np.int64)
    for batch in open_input(path).batches([name], []):
        values = np.clip(floats(batch.column(name), name), low, high)
        counts += np.histogram(values, bins=edges)[0]
    return counts, edges
