"""The stop about people who are asked more than once."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from noisewright.collect import Ledger, Status
from noisewright.collect.words import status_words
from noisewright.errors import BudgetSpent
from noisewright.pages.markup import listing, paragraph, tag
from noisewright.pages.tour.clinic import PRESSURE
from noisewright.pages.tour.trip import EPSILON, Stop, Trip
from noisewright.pages.wording import short

BUDGET = 2 * EPSILON
ASKED = 100
"""How often one patient is asked again through the ledger."""

FRESH = 10_000
"""Reports of one value without a ledger: enough to undo the noise."""


@dataclass(frozen=True)
class _Kept:
    """What happened with a ledger."""

    people: int
    repeated: int
    refusal: str
    status: Status


def asking_again(trip: Trip) -> Stop:
    """Averaging repeated reports undoes noise; a ledger remembers reports and stops at a budget."""
    true, mechanism = float(trip.clinic.pressure[0]), trip.mechanisms[PRESSURE]
    fresh = float(mechanism.perturb([true] * FRESH, trip.source).mean())
    kept = _keep(trip, true)
    told = f"{_attack(true, fresh)} {_defence(kept)}"
    more = "The ledger of this stop was thrown away with its key. What it said of all patients at the end:"
    facts = {"true": true, "average_of_fresh_reports": fresh, "asked_again": ASKED,
             "repeated": kept.repeated, "refusal": kept.refusal, "status": kept.status.to_dict()}  # fmt: skip
    words = listing(status_words(kept.status), "The status of the ledger")
    command = tag("code", "noisewright budget --ledger people.db create --budget 4")
    return Stop("Asking again", [told], facts, [told, more, words, paragraph("To keep one: ", command)])


def _keep(trip: Trip, true: float) -> _Kept:
    """Everybody reports once, the first patient again and again, and then with other values."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.create(Path(folder) / "people.db", budget=BUDGET, simulated=not trip.source.private)
        reports = _everybody_reports(ledger, trip)
        repeated = sum(_report(ledger, true, trip) == reports[0] for _ in range(ASKED))
        _report(ledger, true + 5, trip)
        refusal = _refusal(ledger, true + 10, trip)
        return _Kept(len(reports), repeated, refusal, ledger.status())


def _attack(true: float, fresh: float) -> str:
    return (
        f"Whoever asks the first patient {FRESH:,} times and averages fresh reports gets {short(fresh)}; the "
        f"truth is {short(true)}, and the noise is undone."
    )


def _defence(kept: _Kept) -> str:
    return (
        f"Through a ledger, {kept.people} patients report once and the first is asked {ASKED} times more: "
        f"{kept.repeated} of those reports repeat the first, and they cost nothing. A changed pressure gets "
        f"fresh noise, and ε = {EPSILON:g} is spent again; the next change is refused: {kept.refusal}."
    )


def _everybody_reports(ledger: Ledger, trip: Trip) -> list[float]:
    """One report of every patient, all in one transaction."""
    names = [_name(row) for row in range(trip.clinic.rows)]
    mechanism = trip.mechanisms[PRESSURE]
    found = ledger.perturb_many(names, PRESSURE, trip.clinic.pressure, mechanism, trip.source)
    return [float(report) for report in found]


def _report(ledger: Ledger, value: float, trip: Trip) -> float:
    """A report of the first patient."""
    return float(ledger.perturb(_name(0), PRESSURE, value, trip.mechanisms[PRESSURE], trip.source))


def _refusal(ledger: Ledger, value: float, trip: Trip) -> str:
    """What the ledger says to a patient whose budget is spent."""
    try:
        _report(ledger, value, trip)
    except BudgetSpent as refusal:
        return str(refusal)
    raise AssertionError("two reports have spent the whole budget")


def _name(row: int) -> str:
    return f"patient {row + 1}"
