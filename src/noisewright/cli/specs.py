"""Reading ``name=value`` options into mechanisms for numbers.

An interval's low end lies before the last ``:`` of its option; where names end is in ``assignments.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from noisewright.cli.assignments import about, assignment, in_file_or, named, once
from noisewright.cli.at_files import file_of
from noisewright.cli.mechanism_files import read_for
from noisewright.cli.numbers import read_ends, read_epsilon, read_number, read_whole_ends
from noisewright.cli.one_domain import refuse_idle_delta
from noisewright.domains import Circle, Integers, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.io import split_evenly
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.catalogue import check_fit, find, takes_delta

INTERVAL: Final = "--interval wants name=low:high, for example heart_rate=40:200"
INTEGERS: Final = "--integers wants name=low:high in whole numbers, for example age=0:99"
CIRCLE: Final = "--circle wants name=period, for example wake_time=24"
EITHER: Final = "--epsilon is one number for the whole row, or name=number for every column, but not both"
MECHANISM: Final = "--mechanism names one mechanism for all columns, or name=mechanism for a column"
ANY_NUMBER: Final = "--interval, --integers or --circle"
ANY_DOMAIN: Final = "--interval, --integers, --circle or --categories"


def read_domains(
    intervals: Sequence[str], circles: Sequence[str], integers: Sequence[str] = ()
) -> dict[str, NumericDomain]:
    """The domain of each column of numbers that is to be randomized.

    >>> read_domains(["temp=-40:60"], ["a=b:c=24"], ["age=0:99"])
    {'temp': Interval(-40.0, 60.0), 'age': Integers(0, 99), 'a=b:c': Circle(24.0)}
    """
    pairs: list[tuple[str, NumericDomain]] = []
    for text in intervals:
        name, bounds = assignment(text, INTERVAL)
        pairs.append((name, about(name, Interval, *read_ends(bounds, text, INTERVAL))))
    for text in integers:
        name, bounds = assignment(text, INTEGERS)
        pairs.append((name, about(name, Integers, *read_whole_ends(bounds, text, INTEGERS))))
    for text in circles:
        name, period = assignment(text, CIRCLE)
        pairs.append((name, about(name, Circle, read_number(period, text, CIRCLE))))
    return once(pairs, ANY_NUMBER)


def all_columns(numbers: Iterable[str], labels: Iterable[str]) -> list[str]:
    """The columns to randomize, each once and at least one."""
    names = once([(name, None) for name in (*numbers, *labels)], ANY_DOMAIN)
    if not names:
        raise InvalidParameter(f"name at least one column to randomize, with {ANY_DOMAIN}")
    return list(names)


def read_budgets(epsilons: Sequence[str], columns: Iterable[str]) -> dict[str, float]:
    """The ε of each column: even shares of one number for the row, or numbers set by hand.

    >>> read_budgets(["2"], ["heart_rate", "wake_time"])
    {'heart_rate': 1.0, 'wake_time': 1.0}
    >>> read_budgets(["wake_time=0.5", "heart_rate=1.5"], ["heart_rate", "wake_time"])
    {'heart_rate': 1.5, 'wake_time': 0.5}
    """
    names = list(columns)
    if len(epsilons) == 1 and "=" not in epsilons[0]:
        return dict(zip(names, split_evenly(read_epsilon(epsilons[0]), len(names)), strict=True))
    given = named([assignment(text, EITHER) for text in epsilons], names, "--epsilon", ANY_DOMAIN)
    for name in names:
        if name not in given:
            raise InvalidParameter(f"column {name!r} has no --epsilon; {EITHER}")
    return {name: read_epsilon(given[name]) for name in names}


def read_mechanisms(
    chosen: Sequence[str],
    domains: Mapping[str, NumericDomain],
    budgets: Mapping[str, float],
    delta: float | None = None,
) -> dict[str, NumericMechanism]:
    """The mechanism of each column, all of which have one chosen for them or for all.

    >>> read_mechanisms(["pm"], {"x": Interval(0, 1)}, {"x": 1.0})
    {'x': PM(domain=Interval(0.0, 1.0), epsilon=1.0)}
    """
    for_all = [text for text in chosen if "=" not in text]
    if len(for_all) > 1:
        raise InvalidParameter(MECHANISM)
    if chosen and not domains:
        raise InvalidParameter("--mechanism is for numbers; the protocol of labels is chosen with --protocol")
    single = [in_file_or(text, MECHANISM) for text in chosen if "=" in text]
    by_name = named(single, list(domains), "--mechanism", ANY_NUMBER)
    usual = for_all[0] if for_all else None
    said = {name: by_name.get(name) or usual or "" for name in domains}
    designed = {
        name: about(name, read_for, file, domains[name], budgets[name])
        for name, text in said.items()
        if (file := file_of(text)) is not None
    }
    kinds = {name: find(text) for name, text in said.items() if name not in designed}
    for name, kind in kinds.items():
        remedy = None if name in by_name else _one_by_one(kind, usual, domains)
        about(name, check_fit, kind, domains[name], remedy)
    with_delta = {name for name, kind in kinds.items() if takes_delta(kind)}
    refuse_idle_delta(delta, kinds.values())
    if delta is None and with_delta:
        name = min(with_delta)
        raise InvalidParameter(f"column {name!r}: {kinds[name].__name__} needs --delta, for example 1e-6")
    built = designed | {
        name: about(name, kind, domains[name], budgets[name], *([delta] if name in with_delta else []))
        for name, kind in kinds.items()
    }
    return {name: built[name] for name in domains}


def _one_by_one(
    kind: type[NumericMechanism], said: str | None, domains: Mapping[str, NumericDomain]
) -> str | None:
    """How to choose a mechanism for the columns that it fits, where it does not fit all."""
    fitting = [
        f"--mechanism {name}={said}" for name, domain in domains.items() if isinstance(domain, kind.domains)
    ]
    return f"choose it for single columns: {' '.join(fitting)}" if fitting else None
