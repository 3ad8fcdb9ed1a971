"""Stops about designing: the best mechanism for one report, and one that is made for a mean."""

from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq

from noisewright.design import optimal_law
from noisewright.design.designer import tabulate
from noisewright.engine import perturb_file
from noisewright.estimate import Estimate, mean
from noisewright.mechanisms import DesignedLaw, Hybrid
from noisewright.pages.design_charts import error_curves
from noisewright.pages.design_page import comparison
from noisewright.pages.design_words import bound_words
from noisewright.pages.figures import figure
from noisewright.pages.markup import paragraph, tag
from noisewright.pages.tour.clinic import PRESSURE, PRESSURE_RANGE
from noisewright.pages.tour.trip import EPSILON, Stop, Trip
from noisewright.pages.wording import percent, short, span

PARTS = 64
"""Parts that the range is cut into: half as many as usual, for a tour of a few seconds."""


def designing(trip: Trip) -> Stop:
    """The mechanism with the least worst error of all, beside the simple ones."""
    found = tabulate(PRESSURE_RANGE, EPSILON, inputs=PARTS)
    usual = found.reference
    assert usual is not None
    told = (
        f"A linear program finds the best of all mechanisms for one report: it is off by "
        f"{short(found.optimal.worst)} mmHg in the worst case, where OGPM is off by {short(usual.worst)}. "
        f"{bound_words(found)} The price is the average over all true values, {short(found.optimal.average)} "
        f"against {short(usual.average)}."
    )
    drawn = figure(
        "design-errors",
        error_curves(found),
        title="Expected error over the true values: flat for the optimal law, lowest in the middle for OGPM.",
        caption="What a report is off by, for every true value. No worst case lies below the thin line.",
    )
    hint = paragraph("More: ", tag("code", "noisewright design --interval 50:150 --epsilon 2 --html FILE"))
    return Stop(
        "The best mechanism there is", [told], found.to_dict(), [told, comparison(found), drawn, hint]
    )


def designing_for_the_mean(trip: Trip) -> Stop:
    """A law without bias for means of many reports, used on the same table."""
    law = optimal_law(PRESSURE_RANGE, EPSILON, "squared", unbiased=True)
    assert isinstance(law, DesignedLaw)
    best, hybrid = (mechanism.worst_error("squared") for mechanism in (law, Hybrid(PRESSURE_RANGE, EPSILON)))
    found, truth = _mean_through(law, trip), float(trip.clinic.pressure.mean())
    told = (
        f"A mean of many reports asks for no bias and little variance. The best such law on a grid has a "
        f"worst variance of {short(best)}, {percent(1 - best / hybrid)} below Hybrid's {short(hybrid)}. "
        f"{trip.clinic.rows} reports through it say {short(found.value)} (95 % interval "
        f"{span(found.low, found.high)}), where the true mean is {short(truth)}."
    )
    more = (
        "The patients have now reported their pressure twice, and each report cost ε = "
        f"{EPSILON:g}: both together cost {2 * EPSILON:g}. Keeping such accounts is what a ledger is for."
    )
    command = "noisewright design --interval 50:150 --epsilon 2 --loss squared --unbiased -o pressure.json"
    facts = {"worst_variance": best, "worst_variance_of_hybrid": hybrid, "true_mean": truth,
             **found.to_dict()}  # fmt: skip
    content = [told, more, paragraph("To keep such a law in a file: ", tag("code", command))]
    return Stop("A mechanism made for the mean", [told, more], facts, content)


def _mean_through(law: DesignedLaw, trip: Trip) -> Estimate:
    """The mean pressure from a file of reports that a law made."""
    target = trip.folder / "designed.parquet"
    written = perturb_file(trip.readings, target, {PRESSURE: law}, source=trip.source, replace=True)
    column = pq.read_table(written.path, columns=[PRESSURE]).column(PRESSURE)
    return mean(np.asarray(column.to_pylist(), dtype=np.float64), law)
