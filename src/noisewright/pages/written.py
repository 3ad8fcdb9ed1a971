"""The page of a file of reports: what was randomized, with what promise, and how the reports fall.

Everything on it comes from the reports and from public parameters; true values are never looked at.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from noisewright import __version__
from noisewright.domains import Floats
from noisewright.engine.files import Written
from noisewright.engine.numbers import floats
from noisewright.engine.reading import open_input
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import PALETTE, drawing_style, figure
from noisewright.pages.law_words import in_words
from noisewright.pages.markup import Content, bullets, facts
from noisewright.pages.proof_words import proof
from noisewright.pages.template import Section, page
from noisewright.pages.wording import domain_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS = 60


def written_page(written: Written) -> str:
    """The whole document."""
    about = written.description
    rows = "1 row" if written.rows == 1 else f"{written.rows:,} rows"
    lead = f"{rows} of reports, randomness: {about.randomness}."
    columns = [
        Section(name, column(written.path, name, mechanism, about.explain_column(name), place))
        for place, (name, mechanism) in enumerate(about.mechanisms.items(), 1)
    ]
    row: list[Content] = [about.explain_row()]
    if about.kept:
        row.append(f"Not randomized, as asked, and covered by no promise: {', '.join(about.kept)}.")
    footer = f"Written by noisewright perturb, version {__version__}."
    return page(f"Reports in {written.path.name}", lead, [Section("One row", row), *columns], footer)


def column(path: Path, name: str, mechanism: NumericMechanism, promise: str, place: int) -> list[Content]:
    """One randomized column: its mechanism, its promise, and a histogram of its reports."""
    title = f"Histogram of the reports of {name}."
    caption = "How many reports fall where. Noise and all: this is not the distribution of the true values."
    return [
        facts([
            ("Mechanism", type(mechanism).title),
            ("Domain", domain_words(mechanism.domain)),
            ("ε", f"{mechanism.epsilon:g}"),
        ]),
        bullets(in_words(mechanism)),
        promise,
        proof(mechanism),
        figure(f"reports-{place}", histogram(path, name, mechanism), title=title, caption=caption),
    ]  # fmt: skip


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
