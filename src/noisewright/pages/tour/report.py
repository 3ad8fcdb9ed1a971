"""Taking the tour: all stops in order, one HTML report at the end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noisewright import __version__
from noisewright.engine.sentences import writing
from noisewright.errors import BadTable
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.markup import Content, tag
from noisewright.pages.publish import write_text
from noisewright.pages.template import Section, page
from noisewright.pages.tour.clinic import clinic
from noisewright.pages.tour.stops import STOPS
from noisewright.pages.tour.trip import Stop, Trip
from noisewright.randomness import SIMULATED, SecureSource, Source


@dataclass(frozen=True)
class Tour:
    """What was seen, and where the report is."""

    report: Path
    seconds: float
    private: bool
    stops: tuple[Stop, ...]

    def to_dict(self) -> dict[str, Any]:
        """The tour in strict JSON values."""
        stops = [{"heading": stop.heading, **stop.facts} for stop in self.stops]
        return {
            "report": str(self.report),
            "seconds": round(self.seconds, 3),
            "private": self.private,
            "stops": stops,
        }


def take_tour(
    folder: str | os.PathLike[str],
    source: Source | None = None,
    tell: Callable[[Stop], None] = lambda _: None,
) -> Tour:
    """Visit every stop, telling of each as it is reached, and write ``index.html`` into a folder."""
    started = time.monotonic()
    new_figure(1, 1)  # refuses before any work where matplotlib is absent
    source, target = source or SecureSource(), Path(folder)
    if target.exists() and not target.is_dir():
        raise BadTable(f"cannot write to {target}: it is a file, not a folder")
    with writing(target):
        target.mkdir(parents=True, exist_ok=True)
    trip, stops = Trip(clinic(), target, source), []
    for visit in STOPS:
        stops.append(visit(trip))
        tell(stops[-1])
    report = write_text(target / "index.html", tour_page(stops, private=source.private))
    return Tour(report, time.monotonic() - started, source.private, tuple(stops))


def tour_page(stops: list[Stop], *, private: bool) -> str:
    """The report of the tour."""
    lead = "From a table of true values to reports, estimates, designs and proofs, on data that is public."
    warning: list[Content] = [tag("p", f"The noise of this tour was {SIMULATED}.", class_="warning")]
    first, *others = stops
    sections = [Section(first.heading, [*([] if private else warning), *first.content])]
    sections += [Section(stop.heading, stop.content) for stop in others]
    footer = f"Written by noisewright tour, version {__version__}."
    return page("A tour of Noisewright", lead, sections, footer)
