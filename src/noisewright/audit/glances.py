"""What can be told of some outputs at a glance."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding.atoms import row_keys
from noisewright.audit.encoding.leaves import BITS, NUMBERS, WITHIN, leaves
from noisewright.audit.looks import TEXTS
from noisewright.audit.outputs import Outputs

FIRST_LOOK: Final = 20
"""Outputs that are compared before all of them are."""


def only(outputs: Outputs) -> str | None:
    """The text of the one output that all are, or None if they differ."""
    words = set(outputs[:FIRST_LOOK].as_words().tolist())
    if len(words) == 1:
        words = set(outputs.as_words().tolist())
    return str(words.pop()) if len(words) == 1 else None


def all_empty(outputs: Outputs) -> bool:
    """Whether nothing is said in any output.

    >>> all_empty(Outputs.of([None, "", [], [float("nan")]])), all_empty(Outputs.of([None, 0]))
    (True, False)
    """
    if outputs.numbers is not None:
        return bool(np.isnan(outputs.numbers).all())
    return all(map(_says_nothing, _different(outputs)))


def any_fraction(outputs: Outputs) -> bool:
    """Whether a number that is not whole stands in some output.

    >>> any_fraction(Outputs.of([1, 2.5])), any_fraction(Outputs.of(["2.5", [3.0]]))
    (True, False)
    """
    if outputs.numbers is not None:
        finite = outputs.numbers[np.isfinite(outputs.numbers)]
        return bool((finite != np.floor(finite)).any())
    parts = (leaves(output).items() for output in _different(outputs))
    return any(
        isinstance(leaf, float) and not leaf.is_integer() and WITHIN not in place
        for part in parts
        for place, leaf in part
    )


def kinds_of(outputs: Outputs) -> Counter[str]:
    """How many outputs are numbers, lists, texts, and so on.

    >>> kinds_of(Outputs.of([1, 2.5, "yes", None, [1, 2]])).most_common(2)
    [('numbers', 2), ('texts', 1)]
    """
    if outputs.numbers is not None:
        return Counter({"lists" if outputs.listed else "numbers": len(outputs)})
    return Counter(map(_kind, outputs.as_words().tolist()))


def _kind(word: str) -> str:
    """What a text of JSON stands for, by how it begins."""
    match word[:3]:
        case "nul":
            return "empty (null)"
        case '{"h' | '{"d' | '{"s':
            return {"h": "bytes", "d": "dictionaries", "s": "sets"}[word[2]]
        case start if start.startswith("["):
            return "lists"
        case start if start.startswith('"'):
            return _kind_of_text(json.loads(word))
    return "numbers"


def _kind_of_text(text: str) -> str:
    if BITS.fullmatch(text):
        return "bit strings"
    return "texts with numbers" if NUMBERS.search(text) else TEXTS


def _different(outputs: Outputs) -> Iterable[Any]:
    """Every different output, parsed, one after another."""
    return map(json.loads, dict.fromkeys(outputs.as_words().tolist()))


def _says_nothing(output: Any) -> bool:
    match output:
        case None | "" | {"float": "nan"} | {"hex": ""} | {"dict": []} | {"set": []}:
            return True
        case list():
            return all(map(_says_nothing, output))
    return False


def keys_of(outputs: Outputs) -> NDArray[Any]:
    """One word for each output; the same for equal ones."""
    if outputs.numbers is not None:
        return row_keys(outputs.numbers)
    return np.array([hash(word) for word in outputs.as_words()], dtype=np.int64)
