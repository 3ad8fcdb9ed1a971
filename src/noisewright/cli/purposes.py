"""Reading ``--for``, ``--bins`` and ``--mechanism`` into the mechanism of each column of numbers.

What is said of one column goes before what is said of all: ``--for mean --mechanism age=pm`` is PM for the
age and the law for means for every other column, and so is ``--for mean --bins age=10``. A choice for all
columns that is left with none is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from noisewright.cli.assignments import about, assignment, in_file_or, named
from noisewright.cli.numbers import read_number
from noisewright.cli.specs import ANY_NUMBER, MECHANISM, read_mechanisms
from noisewright.design.purpose import BINS, BOTH, PURPOSES, Recommendation, recommend
from noisewright.domains import NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism

FOR: Final = f"--for wants one of {', '.join(PURPOSES)}, for all columns or as name=purpose"
EDGES: Final = "--bins wants name=edges or name=number, for example age=0,18,65,100 or age=10"

Recommendations = dict[str, Recommendation]


def read_numbers(
    mechanism: Sequence[str],
    purpose: Sequence[str],
    bins: Sequence[str],
    domains: Mapping[str, NumericDomain],
    budgets: Mapping[str, float],
    delta: float | None = None,
) -> tuple[dict[str, Mechanism], Recommendations]:
    """The mechanism of each column of numbers, and how those came about that were chosen by purpose.

    >>> from noisewright import Interval
    >>> columns, budgets = {"pulse": Interval(40, 200), "age": Interval(0, 100)}, {"pulse": 1.0, "age": 1.0}
    >>> found, chosen = read_numbers(["pulse=pm"], ["single"], [], columns, budgets)
    >>> [type(each).__name__ for each in found.values()], list(chosen)
    (['PM', 'OGPM'], ['age'])
    """
    by_hand = [in_file_or(text, MECHANISM)[0] for text in mechanism if "=" in text]
    purposes = _purposes(purpose, domains)
    cut = named([assignment(text, EDGES) for text in bins], list(domains), "--bins", ANY_NUMBER)
    for name in by_hand:
        if name in purposes or name in cut:
            other = "--bins" if name in cut else "--for"
            raise InvalidParameter(f"column {name!r} has both --mechanism and {other}; give one of them")
    usual, every = [text for text in mechanism if "=" not in text], purposes.get("")
    if usual and every:
        raise InvalidParameter("--mechanism and --for are both given for all columns; give one of them")
    single = [name for name in domains if name in by_hand or name in purposes or name in cut]
    if cut and every not in (None, BINS) and len(single) == len(domains):
        raise InvalidParameter(f"--for {every} is for no column: every one has --bins, or its own choice")
    chosen = {
        name: _recommended(name, domain, budgets[name], purposes.get(name), cut.get(name), every or BOTH)
        for name, domain in domains.items()
        if name not in by_hand and (not usual or name in purposes or name in cut)
    }
    rest = {name: domain for name, domain in domains.items() if name not in chosen}
    if usual and domains and not rest:
        raise InvalidParameter(f"--mechanism {usual[0]} is for no column: every one has --for or --bins")
    built: Mapping[str, Mechanism] = (
        read_mechanisms(mechanism, rest, budgets, delta) if rest or mechanism or delta is not None else {}
    )
    return {name: chosen[name].mechanism if name in chosen else built[name] for name in domains}, chosen


def recommendation_facts(found: Recommendation) -> dict[str, Any]:
    """A recommendation in strict JSON values."""
    name = type(found.mechanism).__name__
    return {"purpose": found.purpose, "mechanism": name, "reason": found.reason}


def _purposes(texts: Sequence[str], domains: Mapping[str, NumericDomain]) -> dict[str, str]:
    """The purpose of columns by name; under the empty name that of all."""
    if texts and not domains:
        raise InvalidParameter("--for is for numbers; labels have shares and nothing else")
    for_all = [text for text in texts if "=" not in text]
    if len(for_all) > 1:
        raise InvalidParameter(FOR)
    pairs = [assignment(text, FOR) for text in texts if "=" in text]
    found = named(pairs, list(domains), "--for", ANY_NUMBER)
    for purpose in (*for_all, *found.values()):
        if purpose not in PURPOSES:
            raise InvalidParameter(f"{FOR}; got {purpose!r}")
    return found | ({"": for_all[0]} if for_all else {})


def _recommended(
    name: str, domain: NumericDomain, epsilon: float, own: str | None, cut: str | None, every: str
) -> Recommendation:
    if cut is not None and own not in (None, BINS):
        raise InvalidParameter(f"column {name!r} has both --bins and --for {name}={own}; give one of them")
    purpose = BINS if cut is not None else own or every
    if purpose == BINS and cut is None:
        raise InvalidParameter(
            f"column {name!r} is wanted for bins but has none; give it --bins {name}=EDGES, or --bins "
            f"{name}=10 for ten equal ones, fixed before anybody is asked"
        )
    edges = None if cut is None else about(name, read_bins, cut)
    found = about(name, recommend, domain, epsilon, purpose, edges)
    if cut is not None and own is None and every not in (BOTH, BINS):
        return replace(found, reason=f"{found.reason}; --bins of one column goes before --for {every} of all")
    return found


def read_bins(text: str) -> int | list[float]:
    """Edges of bins, or how many equal ones.

    >>> read_bins("0,18,65,100"), read_bins("10")
    ([0.0, 18.0, 65.0, 100.0], 10)
    """
    if "," not in text and text.strip().isdigit():
        return int(text)
    return [read_number(part, text, EDGES) for part in text.split(",")]
