"""The figures that only the tour has."""

from __future__ import annotations

import math

import numpy as np

from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import PALETTE, drawing_style, figure
from noisewright.pages.markup import Html
from noisewright.pages.tour.clinic import DAY, PRESSURE, WAKE
from noisewright.pages.tour.trip import Trip

BINS = 48


def pressures(trip: Trip) -> Html:
    """True values and reports as two histograms, one above the other."""
    reports = trip.reports(PRESSURE)
    edges = np.linspace(float(reports.min()), float(reports.max()), BINS + 1)
    with drawing_style():
        drawn = new_figure(10, 3.6)
        upper, lower = drawn.subplots(2, 1, sharex=True)
        for axes, values, name, colour in (
            (upper, trip.clinic.pressure, "true", PALETTE[0]),
            (lower, reports, "reports", PALETTE[1]),
        ):
            axes.hist(values, bins=edges, color=colour)
            axes.set_ylabel(name)
        lower.set_xlabel("mean arterial pressure, mmHg")
    title = "Two histograms: true pressures between 60 and 135 mmHg, and reports spread far wider."
    caption = (
        "How many patients have, and report, which pressure. A report says little about its patient; "
        "what all of them say together is estimated below."
    )
    return figure("pressures", drawn, title=title, caption=caption)


def wake_times(trip: Trip) -> Html:
    """True hours and reported hours on two dials."""
    busiest = []
    with drawing_style():
        drawn = new_figure(10, 4.2)
        for place, (values, name) in enumerate(
            ((trip.clinic.wake, "true"), (trip.reports(WAKE), "reports")), start=1
        ):
            axes = drawn.add_subplot(1, 2, place, projection="polar")
            counts, edges = np.histogram(values, bins=24, range=(0, DAY.period))
            busiest.append(int(edges[np.argmax(counts)]))
            turn = 2 * math.pi / DAY.period
            axes.bar(edges[:-1] * turn, counts, width=turn, align="edge", color=PALETTE[place - 1])
            axes.set_theta_zero_location("N")  # type: ignore[attr-defined]
            axes.set_theta_direction(-1)  # type: ignore[attr-defined]
            axes.set_xticks(np.arange(8) * math.pi / 4, [f"{3 * part}" for part in range(8)])
            axes.set_yticks([])
            axes.set_title(name)
    title = "Two dials of 24 hours: true wake times around 7 and midnight, and reported ones."
    caption = (
        f"How many wake up in each hour of the day. The busiest hour begins at {busiest[0]} o'clock in the "
        f"true times and at {busiest[1]} o'clock in the reports."
    )
    return figure("wake-times", drawn, title=title, caption=caption)
