"""The report of a search for the worst neighbour of a database, and of the audit of that pair."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any, Final

from noisewright.audit.neighbours.relative_spectrum import RelativeSpectrum
from noisewright.audit.spectrum.report import spectrum_report, standing
from noisewright.report import Block, Bullets, Details, Report, Section, Table, number
from noisewright.text import about, plain

HEADING: Final = "The most exposed person"
MADE_UP: Final = "The worst pair"
SHOWN: Final = 10
"""Neighbours that are listed, the most exposed first."""

RANKED: Final = "The screening on few runs; it ranks neighbours and bounds nothing"
LISTED: Final = 100
"""Neighbours that the JSON has."""


def search_report(found: RelativeSpectrum) -> Report:
    """Describe the audit of the worst pair as a document, with the search that found it."""
    left, right = pair_names(found)
    worst = replace(found.spectrum, left=left, right=right)
    became, data = standing(worst, found.verdict), {"search": search_facts(found)}
    return spectrum_report(worst, became=became, extra=[_section(found)], data=data)


def pair_names(found: RelativeSpectrum) -> tuple[str, str]:
    """Return the names of the two inputs of the worst pair; one database alone needs no number."""
    names = found.spectrum.left, found.spectrum.right
    if len(found.audited) == 1:
        names = _drop_number(names[0]), _drop_number(names[1])
    return plain(names[0]), plain(names[1])


def _drop_number(name: str) -> str:
    return name.replace("a database made up from database 1", "a made-up database").replace(
        "database 1", "the database"
    )


def _section(found: RelativeSpectrum) -> Section:
    seen = [
        (_name(found, each.name), about(max(each.statistic, 0.0)), each) for each in found.screened[:SHOWN]
    ]
    rows = [
        [name, number(looked), number(each.rounds), number(f"{each.samples:,}")]
        for name, looked, each in seen
    ]
    table = Table(RANKED, ["Neighbour", "ε suggested", "Rounds", "Runs"], rows)
    ranking = Bullets([f"{looked}: {name}" for name, looked, _ in seen])
    heading = MADE_UP if found.made_up else HEADING
    blocks: list[Block] = [
        search_words(found),
        f"{RANKED} (ε suggested):",
        ranking,
        Details("Rounds and runs", [table]),
    ]
    return Section(heading, blocks)


def search_words(found: RelativeSpectrum) -> str:
    """Say how the pair was found, and what that does not say."""
    kind = "pairs" if found.beyond else "neighbours"
    unseen = f" {found.passed_over:,} rows were not examined." if found.passed_over else ""
    counting = " (rows count from 0)" if re.search(r"\brow \d", found.worst) else ""
    return (
        f"The pair is {_name(found, found.worst)}{counting}, the most exposed of "
        f"{len(found.screened):,} {kind} that were screened. {_origin(found)}Its bounds rest on fresh runs, "
        f"so the search costs only runs.{unseen} Somebody who was screened out may be worse off, "
        "and so may other databases. Whoever reads this learns about the rows of the data: it is as private "
        "as they are."
    )


def _origin(found: RelativeSpectrum) -> str:
    """Return what a made-up pair does and does not show."""
    if not found.made_up:
        return ""
    refuted = "It refutes a claim that is meant for such data, too. " if found.verdict == "false" else ""
    return (
        "The search made this pair up: it shows what the mechanism gives away on some data, and need not be "
        f"about these people. {refuted}"
    )


def _name(found: RelativeSpectrum, name: str) -> str:
    """Return the name of a neighbour, with its database if there are several."""
    return plain(name if len(found.audited) > 1 else name.partition(": ")[2])


def search_facts(found: RelativeSpectrum) -> dict[str, Any]:
    """Return the search in strict JSON values."""
    return {
        "worst": found.worst,
        "made_up": found.made_up,
        "beyond": found.beyond,
        "verdict": found.verdict,
        "samples": found.samples,
        "neighbours": len(found.screened),
        "passed_over": found.passed_over,
        "screened": [
            {
                "name": each.name,
                "epsilon": round(each.statistic, 6) if math.isfinite(each.statistic) else None,
                "rounds": each.rounds,
                "samples": each.samples,
            }
            for each in found.screened[:LISTED]
        ],
    }
