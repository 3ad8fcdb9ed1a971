"""The stop about labels: how many patients are in which band of blood pressure."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate import Frequencies, frequencies
from noisewright.mechanisms.categorical.choice import best_oracle
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import DASHES, PALETTE, drawing_style, figure
from noisewright.pages.label_charts import draw_shares
from noisewright.pages.markup import Html, paragraph, tag
from noisewright.pages.oracle_words import label_law_words
from noisewright.pages.tables import number, table
from noisewright.pages.tour.clinic import BANDS
from noisewright.pages.tour.trip import EPSILON, Stop, Trip
from noisewright.pages.wording import percent, short


def the_bands(trip: Trip) -> Stop:
    """Counts of labels, from reports alone, by the protocol that has the least variance."""
    cells = trip.clinic.bands
    truth = np.bincount(cells, minlength=len(BANDS)) / cells.size
    choice = best_oracle(BANDS, EPSILON)
    found = frequencies(choice.mechanism.perturb(BANDS.centres(cells), trip.source), choice.mechanism)
    held = int(np.sum((found.low <= truth) & (truth <= found.high)))
    told = (
        f"Each patient also reports one of {len(BANDS)} bands of blood pressure, a label. auto chose "
        f"{choice.reason} {held} of the {len(BANDS)} intervals of {100 * found.level:g} % hold the true "
        "share."
    )
    facts = {"true_shares": truth.tolist(), "intervals_that_hold": held, "reason": choice.reason,
             **found.to_dict()}  # fmt: skip
    command = tag(
        "code", "noisewright perturb clinic.csv --epsilon 2 --categories band=low,normal,raised,high -o FILE"
    )
    law = " ".join(label_law_words(choice.mechanism))
    content = [told, law, _picture(found, truth), _table(found, truth), paragraph("To do it: ", command)]
    return Stop("Counts of labels", [told, law], facts, content)


def _picture(found: Frequencies, truth: Floats) -> Html:
    with drawing_style():
        drawn = new_figure(10, 2.8)
        axes = drawn.subplots()
        draw_shares(axes, found)
        rows = np.arange(len(truth))
        axes.vlines(truth, rows - 0.4, rows + 0.4, color=PALETTE[1], linestyle=DASHES[0], label="true share")
        axes.set_xlabel("share of patients in each band of blood pressure")
        axes.legend(loc="lower right")
    title = "Bars of the estimated shares of four bands of blood pressure, with intervals and true shares."
    caption = (
        "Estimated shares as bars with intervals as lines, from reports alone; upright lines are the truth."
    )
    return figure("bands", drawn, title=title, caption=caption)


def _table(found: Frequencies, truth: Floats) -> Html:
    columns = zip(found.labels, truth, found.value, found.low, found.high, strict=True)
    rows = [
        [
            band,
            number(percent(true)),
            number(percent(value)),
            number(f"{short(100 * low, 3)} to {short(100 * high, 3)} %"),
        ]
        for band, true, value, low, high in columns
    ]
    header = ["Band", "true share", "estimate", f"{100 * found.level:g} % interval"]
    return table("Shares of patients; the true ones may be shown because the table is public", header, rows)
