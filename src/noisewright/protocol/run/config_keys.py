"""The keys of a run's configuration: which there are, what type each has, and how others are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from noisewright.errors import InvalidParameter
from noisewright.parameters import as_float, shown

KEYS: Final = {
    "users": {"count": int, "share": float, "file": str, "column": str, "categories": list},
    "privacy": {
        "epsilon": float,
        "colluders": int,
        "expected-share": float,
        "share-range": tuple,
        "correlation": float,
        "cap-colluding": float,
        "most-loss": float,
    },
    "grouping": {"method": str, "members": int},
    "run": {"workers": int, "timeout": float, "output": str},
}
WORDS: Final = {
    int: "a whole number",
    float: "a number",
    str: "text",
    list: "a list of texts",
    tuple: "a list of two numbers",
}


def check_keys(tables: Mapping[str, Any]) -> None:
    """Refuse tables and keys that do not exist, and values of another type."""
    for table, entries in tables.items():
        if table not in KEYS or not isinstance(entries, dict):
            raise InvalidParameter(f"[{table}] has no meaning here; the tables are {listed(KEYS)}")
        for key, value in entries.items():
            kind = KEYS[table].get(key)
            if kind is None:
                raise InvalidParameter(f"[{table}] has no key {key!r}; its keys are {listed(KEYS[table])}")
            if not _is(kind, value):
                raise InvalidParameter(f"{key} in [{table}] must be {WORDS[kind]}, got {shown(value)}")


def _is(kind: type, value: object) -> bool:
    if isinstance(value, bool):
        return False
    if kind is tuple:
        return isinstance(value, list) and len(value) == 2 and all(_is(float, item) for item in value)
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, int | float if kind is float else kind)


def need(table: Mapping[str, Any], name: str, key: str) -> None:
    """Refuse a table that lacks a key."""
    if key not in table:
        raise InvalidParameter(f"[{name}] needs {key}; see --example")


def refuse(table: Mapping[str, Any], name: str, key: str, why: str) -> None:
    """Refuse a key that makes no sense beside the others."""
    if key in table:
        raise InvalidParameter(f"{key} has no place in this [{name}]: {why}")


def within(table: Mapping[str, Any], name: str, key: str, low: int, high: int) -> float:
    """The number under a key, which must lie in a range."""
    number = as_float(table[key])
    if not low <= number <= high:
        raise InvalidParameter(
            f"{key} in [{name}] must be a number from {low} to {high}, got {shown(table[key])}"
        )
    return number


def listed(names: Iterable[str]) -> str:
    """Names for a sentence."""
    return ", ".join(names)
