"""Read the options about columns of a table into the mechanism of each column.

An option for one column overrides the option for all columns. So ``--for mean --mechanism age=pm`` means PM
for the age, and the mechanism for means for every other column; ``--for mean --bins age=10`` works alike. A
choice for all columns is refused if no column is left for it. The low end of an interval lies before the last
``:`` of its option; ``options.py`` says where names end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from noisewright.cli.mechanism_files import read_for, read_label_mechanism
from noisewright.cli.options import (
    about,
    assignment,
    file_of,
    in_file_or,
    named,
    named_domains,
    once,
    read_epsilon,
    read_labels,
    read_number,
    refuse_idle_delta,
)
from noisewright.design.purpose import BINS, BOTH, PURPOSES, Recommendation, recommend
from noisewright.domains import Categories, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.io import split_evenly
from noisewright.mechanisms import Mechanism, NumericMechanism
from noisewright.mechanisms.catalogue import check_fit, find, takes_delta
from noisewright.mechanisms.categorical.choice import AUTO, OracleChoice, best_oracle, oracle

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
    """Return the domain of each column of numbers.

    >>> read_domains(["temp=-40:60"], ["a=b:c=24"], ["age=0:99"])
    {'temp': Interval(-40.0, 60.0), 'age': Integers(0, 99), 'a=b:c': Circle(24.0)}
    """
    pairs = [
        *named_domains("interval", intervals, INTERVAL),
        *named_domains("integers", integers, INTEGERS),
        *named_domains("circle", circles, CIRCLE),
    ]
    return once(pairs, ANY_NUMBER)


def all_columns(numbers: Iterable[str], labels: Iterable[str]) -> list[str]:
    """Return the columns to randomize, each once; refuse an empty list."""
    names = once([(name, None) for name in (*numbers, *labels)], ANY_DOMAIN)
    if not names:
        raise InvalidParameter(f"name at least one column to randomize, with {ANY_DOMAIN}")
    return list(names)


def read_budgets(epsilons: Sequence[str], columns: Iterable[str]) -> dict[str, float]:
    """Return the ε of each column: equal parts of one number for the row, or one number each.

    >>> read_budgets(["2"], ["heart_rate", "wake_time"])
    {'heart_rate': 1.0, 'wake_time': 1.0}
    >>> read_budgets(["wake_time=0.5", "heart_rate=1.5"], ["heart_rate", "wake_time"])
    {'heart_rate': 1.5, 'wake_time': 0.5}
    """
    names = list(columns)
    if len(epsilons) == 1 and "=" not in epsilons[0]:
        return dict(zip(names, split_evenly(read_epsilon(epsilons[0]), len(names)), strict=True))
    if len(epsilons) > 1 and all("=" not in text for text in epsilons):
        raise InvalidParameter(f"--epsilon is given {len(epsilons)} times without a column; {EITHER}")
    given = named([assignment(text, EITHER) for text in epsilons], names, "--epsilon", ANY_DOMAIN)
    for name in names:
        if name not in given:
            raise InvalidParameter(f"column {name!r} has no --epsilon; {EITHER}")
    return {name: about(name, read_epsilon, given[name]) for name in names}


def read_mechanisms(
    chosen: Sequence[str],
    domains: Mapping[str, NumericDomain],
    budgets: Mapping[str, float],
    delta: float | None = None,
) -> dict[str, NumericMechanism]:
    """Return the mechanism of each column: its own choice, or the choice for all columns.

    >>> from noisewright import Interval
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
    """Say how to choose a mechanism only for the columns that it fits."""
    fitting = [
        f"--mechanism {name}={said}" for name, domain in domains.items() if isinstance(domain, kind.domains)
    ]
    return f"choose it for single columns: {' '.join(fitting)}" if fitting else None


CATEGORIES: Final = (
    "--categories wants name=@file with one label a line, or name=a,b,c, for example smoker=no,yes"
)
PROTOCOL: Final = "--protocol names one protocol for all columns of labels, or name=protocol for a column"

Choices = dict[str, OracleChoice]


def choice_facts(choice: OracleChoice) -> dict[str, Any]:
    """Return a choice in strict JSON values."""
    compared = [
        {"protocol": each.name, "variance": each.spread, "bits": each.bits} for each in choice.candidates
    ]
    return {"protocol": type(choice.mechanism).__name__, "reason": choice.reason, "candidates": compared}


def read_categories(texts: Sequence[str]) -> dict[str, Categories]:
    """Return the labels of each column of labels.

    >>> read_categories(["smoker=no,yes"])
    {'smoker': Categories(['no', 'yes'])}
    """
    pairs = [in_file_or(text, CATEGORIES) for text in texts]
    given = once(pairs, "--categories")
    return {name: about(name, read_labels, labels) for name, labels in given.items()}


def read_protocols(
    chosen: Sequence[str], domains: Mapping[str, Categories], budgets: Mapping[str, float]
) -> tuple[dict[str, Mechanism], Choices]:
    """Return the mechanism of each column of labels, and the reasons for automatic choices.

    >>> answers = Categories(["no", "yes"])
    >>> read_protocols(["krr"], {"smoker": answers}, {"smoker": 1.0})[0]
    {'smoker': KRR(domain=Categories(['no', 'yes']), epsilon=1.0)}
    """
    asked = _asked(chosen, list(domains))
    choices = {
        name: about(name, best_oracle, domain, budgets[name])
        for name, domain in domains.items()
        if asked[name].casefold() == AUTO
    }
    mechanisms: dict[str, Mechanism] = {
        name: choices[name].mechanism
        if name in choices
        else about(name, _chosen, asked[name], domain, budgets[name])
        for name, domain in domains.items()
    }
    return mechanisms, choices


def _asked(chosen: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Return the protocol asked for each column: its own, that for all columns, or an automatic choice."""
    for_all = [text for text in chosen if "=" not in text]
    if len(for_all) > 1:
        raise InvalidParameter(PROTOCOL)
    if chosen and not columns:
        raise InvalidParameter("--protocol is for labels, and no column has --categories")
    single = [in_file_or(text, PROTOCOL) for text in chosen if "=" in text]
    by_name = named(single, columns, "--protocol", "--categories")
    return {name: by_name.get(name, for_all[0] if for_all else AUTO) for name in columns}


def _chosen(asked: str, domain: Categories, epsilon: float) -> Mechanism:
    file = file_of(asked)
    return oracle(asked, domain, epsilon) if file is None else read_label_mechanism(file, domain, epsilon)


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
    """Return the mechanism of each column of numbers, and the reasons for those chosen by purpose.

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
    """Return a recommendation in strict JSON values."""
    name = type(found.mechanism).__name__
    return {"purpose": found.purpose, "mechanism": name, "reason": found.reason}


def _purposes(texts: Sequence[str], domains: Mapping[str, NumericDomain]) -> dict[str, str]:
    """Return the purpose of columns by name; the empty name stands for all columns."""
    if texts and not domains:
        raise InvalidParameter("--for is for numbers; of labels, only shares can be estimated")
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
    """Return the edges of bins, or the number of equal bins.

    >>> read_bins("0,18,65,100"), read_bins("10")
    ([0.0, 18.0, 65.0, 100.0], 10)
    """
    if "," not in text and text.strip().isdigit():
        return int(text)
    return [read_number(part, text, EDGES) for part in text.split(",")]
