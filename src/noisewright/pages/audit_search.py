"""A search for the worst neighbour of a database, in words and in a table."""

from __future__ import annotations

from typing import Any, Final

from noisewright.audit.neighbours import RelativeSpectrum, Screened
from noisewright.audit.rounding import about
from noisewright.pages.audit_text import Part, wrapped
from noisewright.pages.plain import plain
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section

HEADING: Final = "Who is worst off"
SHOWN: Final = 10
"""Neighbours that are listed, the most exposed first."""

RANKED: Final = "What a screening on few runs saw; it ranks and bounds nothing"
LISTED: Final = 100
"""Neighbours that the JSON has."""


def pair_names(found: RelativeSpectrum) -> tuple[str, str]:
    """What the two inputs of the worst pair are called."""
    return "the database", f"its neighbour ({_name(found, found.worst)})"


def search_words(found: RelativeSpectrum) -> str:
    """How the pair was found, and what that does not say."""
    return (
        f"The pair is {_name(found, found.worst)} (rows count from 0), the most exposed of "
        f"{len(found.screened):,} neighbours that were screened; its bounds rest on fresh runs, so the "
        "search costs nothing but samples. Somebody who was screened out may be worse off, and so may other "
        "databases. Whoever reads this learns which row is most exposed: it is as private as the data."
    )


def _name(found: RelativeSpectrum, name: str) -> str:
    """A neighbour; which database it belongs to is said only where there are several."""
    return plain(name if len(found.audited) > 1 else name.partition(": ")[2])


def search_part(found: RelativeSpectrum) -> Part:
    """The search for the terminal."""
    lines = [f"{about(each.statistic):>8}  {_name(found, each.name)}" for each in found.screened[:SHOWN]]
    return HEADING, [*wrapped(search_words(found)), "", *wrapped(f"{RANKED} (ε as it looked):"), *lines]


def search_section(found: RelativeSpectrum) -> Section:
    """The search for the page."""
    rows = [
        [
            _name(found, each.name),
            number(about(each.statistic)),
            number(each.rounds),
            number(f"{each.samples:,}"),
        ]
        for each in found.screened[:SHOWN]
    ]
    header = ["Neighbour", "ε as it looked", "Rounds", "Runs"]
    return Section(HEADING, [search_words(found), table(RANKED, header, rows)])


def search_facts(found: RelativeSpectrum) -> dict[str, Any]:
    """The search in strict JSON values."""
    return {
        "worst": found.worst,
        "verdict": found.verdict,
        "samples": found.samples,
        "neighbours": len(found.screened),
        "screened": [_fact(each) for each in found.screened[:LISTED]],
    }


def _fact(each: Screened) -> dict[str, Any]:
    looked = about(each.statistic, 6).replace(",", "")
    return {"name": each.name, "epsilon": looked, "rounds": each.rounds, "samples": each.samples}
