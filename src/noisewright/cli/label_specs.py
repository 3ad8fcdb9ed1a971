"""Reading ``name=labels`` and ``name=protocol`` options into mechanisms for labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from noisewright.cli.assignments import about, in_file_or, named, once
from noisewright.cli.at_files import file_of
from noisewright.cli.label_lists import read_labels
from noisewright.cli.mechanism_files import read_label_mechanism
from noisewright.domains import Categories
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.categorical.choice import AUTO, OracleChoice, best_oracle, oracle

CATEGORIES: Final = (
    "--categories wants name=@file with one label a line, or name=a,b,c, for example smoker=no,yes"
)
PROTOCOL: Final = "--protocol names one protocol for all columns of labels, or name=protocol for a column"

Choices = dict[str, OracleChoice]


def choice_facts(choice: OracleChoice) -> dict[str, Any]:
    """A choice in strict JSON values."""
    compared = [
        {"protocol": each.name, "variance": each.spread, "bits": each.bits} for each in choice.candidates
    ]
    return {"protocol": type(choice.mechanism).__name__, "reason": choice.reason, "candidates": compared}


def read_categories(texts: Sequence[str]) -> dict[str, Categories]:
    """The labels of each column that holds some.

    >>> read_categories(["smoker=no,yes"])
    {'smoker': Categories(['no', 'yes'])}
    """
    pairs = [in_file_or(text, CATEGORIES) for text in texts]
    given = once(pairs, "--categories")
    return {name: about(name, read_labels, labels) for name, labels in given.items()}


def read_protocols(
    chosen: Sequence[str], domains: Mapping[str, Categories], budgets: Mapping[str, float]
) -> tuple[dict[str, Mechanism], Choices]:
    """The mechanism of each column of labels, and how those came about that were chosen automatically.

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
    """What is asked for each column: its own protocol, or that for all, or an automatic choice."""
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
