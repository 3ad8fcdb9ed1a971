"""Stops about the table: where it comes from, how it is randomized, what the reports say of themselves."""

from __future__ import annotations

import json

from noisewright.engine import read_description
from noisewright.pages.markup import Html, bullets, listing
from noisewright.pages.tables import number, table
from noisewright.pages.tour.clinic import PRESSURE, WAKE
from noisewright.pages.tour.pictures import pressures
from noisewright.pages.tour.trip import Stop, Trip
from noisewright.pages.wording import domain_words

SHOWN_ROWS = 5


def the_data(trip: Trip) -> Stop:
    """Where the data come from, and why true answers may be shown here."""
    rows, origin = trip.clinic.rows, trip.clinic.origin
    told = (
        f"{rows} patients in {trip.readings.name}. {origin}; wake times made up at random. All of it is "
        "public or made up, so this tour may show true answers beside reports. With anybody's own data "
        "Noisewright never does that, neither on a page nor in a log."
    )
    facts = {"rows": rows, "columns": [PRESSURE, WAKE], "origin": origin}
    return Stop("The data", [told], facts, [told])


def randomizing(trip: Trip) -> Stop:
    """A file of true values becomes a file of reports."""
    written = trip.written
    through = " and ".join(
        f"{name} through {type(mechanism).__name__} on {domain_words(mechanism.domain)}"
        for name, mechanism in trip.mechanisms.items()
    )
    told = (
        f"The engine behind “noisewright perturb” turned the {written.rows} rows of {trip.readings.name} "
        f"into {written.path.name}: {through}. No mechanism was named, so each was chosen for the mean and "
        f"the distribution. For the pressure: {trip.chosen[PRESSURE].reason}."
    )
    facts = {"reports": str(written.path), "rows": written.rows, "randomness": written.description.randomness}
    return Stop("From true values to reports", [told], facts, [told, _first_rows(trip), pressures(trip)])


def _first_rows(trip: Trip) -> Html:
    columns = zip(
        trip.clinic.pressure, trip.reports(PRESSURE), trip.clinic.wake, trip.reports(WAKE), strict=True
    )
    rows = [
        [f"patient {row}", *(number(f"{value:.2f}") for value in values)]
        for row, values in zip(range(1, SHOWN_ROWS + 1), columns, strict=False)
    ]
    header = ["Patient", "true pressure", "reported", "true wake time", "reported"]
    return table(f"The first {SHOWN_ROWS} patients; one report says little about its owner", header, rows)


def the_description(trip: Trip) -> Stop:
    """Reports say themselves what they are."""
    found = read_description(trip.written.path)
    sentences = [f"{name}: {found.explain_column(name)}" for name in found.mechanisms]
    sentences.append(f"Both columns of a row together: {found.explain_row()}")
    text = json.dumps(found.to_dict(), indent=2, ensure_ascii=False)
    told = "Read back from the metadata of the file, with every guarantee proved again:"
    content = [told, bullets(sentences), listing(text, "The description as it stands in the file")]
    return Stop("What the file says of itself", [told, *sentences], found.to_dict(), content)
