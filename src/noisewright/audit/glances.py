"""What can be told of some outputs at a glance."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding.atoms import row_keys
from noisewright.audit.encoding.leaves import leaves
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
    parts = (leaves(output).values() for output in _different(outputs))
    return any(isinstance(leaf, float) and not leaf.is_integer() for part in parts for leaf in part)


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
