"""A search for the worst neighbour of a database, in words and in a table."""

from __future__ import annotations

import math
import re
import textwrap
from typing import Any, Final

from noisewright.audit.neighbours import RelativeSpectrum, Screened
from noisewright.audit.rounding import about
from noisewright.pages.audit_text import WIDTH, Part, wrapped
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section
from noisewright.text import plain

HEADING: Final = "Who is worst off"
MADE_UP: Final = "The worst pair"
SHOWN: Final = 10
"""Neighbours that are listed, the most exposed first."""

RANKED: Final = "What a screening on few runs saw; it ranks and bounds nothing"
LISTED: Final = 100
"""Neighbours that the JSON has."""


def pair_names(found: RelativeSpectrum) -> tuple[str, str]:
    """What the two inputs of the worst pair are called; one database alone needs no number."""
    names = found.spectrum.left, found.spectrum.right
    if len(found.audited) == 1:
        names = _unnumbered(names[0]), _unnumbered(names[1])
    return plain(names[0]), plain(names[1])


def _unnumbered(name: str) -> str:
    return name.replace("a database made up from database 1", "a made-up database").replace(
        "database 1", "the database"
    )


def search_words(found: RelativeSpectrum) -> str:
    """How the pair was found, and what that does not say."""
    kind = "pairs" if found.beyond else "neighbours"
    unseen = f" {found.passed_over:,} rows were not looked at." if found.passed_over else ""
    return (
        f"The pair is {_name(found, found.worst)}{_counting(found.worst)}, the most exposed of "
        f"{len(found.screened):,} {kind} that were screened. {_origin(found)}Its bounds rest on fresh runs, "
        f"so the search costs nothing but samples.{unseen} Somebody who was screened out may be worse off, "
        "and so may other databases. Whoever reads this learns about the rows of the data: it is as private "
        "as they are."
    )


def _counting(name: str) -> str:
    """How to read the number of a row, where there is one."""
    return " (rows count from 0)" if re.search(r"\brow \d", name) else ""


def _origin(found: RelativeSpectrum) -> str:
    """What a pair that nobody handed over does and does not show."""
    if not found.made_up:
        return ""
    refuted = "It refutes a claim that is meant for such data, too. " if found.verdict == "false" else ""
    return (
        "The search made this pair up: it shows what the mechanism gives away on some data, and need not be "
        f"about these people. {refuted}"
    )


def _heading(found: RelativeSpectrum) -> str:
    return MADE_UP if found.made_up else HEADING


def _name(found: RelativeSpectrum, name: str) -> str:
    """A neighbour; which database it belongs to is said only where there are several."""
    return plain(name if len(found.audited) > 1 else name.partition(": ")[2])


def search_part(found: RelativeSpectrum) -> Part:
    """The search for the terminal."""
    lines = [line for each in found.screened[:SHOWN] for line in _ranked(found, each)]
    words = [*wrapped(search_words(found)), "", *wrapped(f"{RANKED} (ε as it looked):")]
    return _heading(found), [*words, *lines]


def _ranked(found: RelativeSpectrum, each: Screened) -> list[str]:
    """A neighbour in the ranking; a long name goes on in the next line."""
    line = f"{about(max(each.statistic, 0.0)):>8}  {_name(found, each.name)}"
    return textwrap.wrap(line, WIDTH - 2, subsequent_indent=" " * 12)


def search_section(found: RelativeSpectrum) -> Section:
    """The search for the page."""
    rows = [
        [
            _name(found, each.name),
            number(about(max(each.statistic, 0.0))),
            number(each.rounds),
            number(f"{each.samples:,}"),
        ]
        for each in found.screened[:SHOWN]
    ]
    header = ["Neighbour", "ε as it looked", "Rounds", "Runs"]
    return Section(_heading(found), [search_words(found), table(RANKED, header, rows)])


def search_facts(found: RelativeSpectrum) -> dict[str, Any]:
    """The search in strict JSON values."""
    return {
        "worst": found.worst,
        "made_up": found.made_up,
        "beyond": found.beyond,
        "verdict": found.verdict,
        "samples": found.samples,
        "neighbours": len(found.screened),
        "passed_over": found.passed_over,
        "screened": [_fact(each) for each in found.screened[:LISTED]],
    }


def _fact(each: Screened) -> dict[str, Any]:
    looked = round(each.statistic, 6) if math.isfinite(each.statistic) else None
    return {"name": each.name, "epsilon": looked, "rounds": each.rounds, "samples": each.samples}
