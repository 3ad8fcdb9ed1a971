"""What a run is asked to do, read from a small TOML file; :data:`EXAMPLE` shows every key.

A file that says anything else (an unknown key, text where a number belongs, two keys that exclude each other)
is refused by the name of the key.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from noisewright.domains import Categories
from noisewright.errors import InvalidParameter
from noisewright.joint.groups.committee import FEWEST_MEMBERS, MOST_MEMBERS
from noisewright.joint.party import PATIENCE
from noisewright.parameters import EPSILON, as_float, shown, whole

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
            raise InvalidParameter(f"[{table}] has no meaning here; the tables are {', '.join(KEYS)}")
        for key, value in entries.items():
            kind = KEYS[table].get(key)
            if kind is None:
                raise InvalidParameter(f"[{table}] has no key {key!r}; its keys are {', '.join(KEYS[table])}")
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


EXAMPLE: Final = """\
# pairs.toml: joint randomized response between processes on this machine

[users]
count = 200                     # simulated people; for real ones: file = "visits.csv"
share = 0.1                     # how many of them are "yes";      column = "smokes"
categories = ["no", "yes"]      # a public list, never taken from the data

[privacy]
epsilon = 1.0                   # cap on the privacy number averaged over the random partner
colluders = 5                   # how many users may collude with the collector
expected-share = 0.1            # tunes the correlation; or a range, share-range = [0.05, 0.2]; without either
                                # nobody shares coins, unless most-loss = 0.01 at any share is accepted; or
                                # say it yourself, correlation = -0.3
cap-colluding = 3.0             # cap on the number given that the partner colludes; may be left out

[grouping]
method = "beacon"               # everyone learns the pairs; "committee": no minority of its members does
members = 3                     # of the committee

[run]
workers = 2                     # processes that hold the users' values
timeout = 30                    # seconds that a pair may take before both report alone
output = "pairs.parquet"        # where the reports go; may be left out
"""

METHODS: Final = ("beacon", "committee")
MOST_USERS: Final = 1_000_000
MOST_WORKERS: Final = 64
LARGEST: Final = 64 << 10
"""Bytes of the largest configuration; a public list of hundreds of labels fits in."""


@dataclass(frozen=True)
class RunConfig:
    """One run: who takes part, at what price, who groups them and with how many processes.

    Attributes:
        categories: The public list of labels.
        epsilon: Cap on ε averaged over the random partner.
        count: Number of simulated users; None if they come from a file.
        share: Share of simulated users with the second label.
        file: Table of true values; None for simulated users.
        column: Column of the file that holds the labels.
        colluders: Number of users who may collude with the collector.
        expected_share: Share of the second label that the correlation is tuned for.
        share_range: Lowest and highest share that it is tuned for, instead of one.
        most_loss: Relative increase of the variance that is accepted at any share.
        correlation: Correlation of the flags of a pair; None lets a plan find the best.
        cap_colluding: Cap on ε given that the partner colludes; None is no cap.
        method: Who groups the users, "beacon" or "committee".
        members: Number of members of the committee.
        workers: Number of processes that hold the users' values.
        timeout: Seconds that a pair may take before both report alone.
        output: File for the reports; None writes none.
    """

    categories: Categories
    epsilon: float
    count: int | None = None
    share: float | None = None
    file: Path | None = None
    column: str | None = None
    colluders: int = 0
    expected_share: float | None = None
    share_range: tuple[float, float] | None = None
    most_loss: float | None = None
    correlation: float | None = None
    cap_colluding: float | None = None
    method: str = "beacon"
    members: int = FEWEST_MEMBERS
    workers: int = 2
    timeout: float = 30.0
    output: Path | None = None

    @classmethod
    def read(cls, path: Path) -> Self:
        """The configuration in a file; files that it names are looked for beside it."""
        from noisewright.io.file_errors import small_text  # noqa: PLC0415  (Arrow takes a moment to load)

        return cls.of(small_text(path, LARGEST, "configuration"), path.parent)

    @classmethod
    def of(cls, text: str, folder: Path = Path()) -> Self:
        """The configuration that a text says.

        >>> RunConfig.of(EXAMPLE).method
        'beacon'
        """
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidParameter(f"the configuration is not TOML: {error}; see --example") from None
        except (ValueError, RecursionError):  # numbers without end, lists in lists without end
            raise InvalidParameter(
                "the configuration has an endless number, or lists in lists without end; see --example"
            ) from None
        check_keys(tables)
        users, privacy = tables.get("users", {}), tables.get("privacy", {})
        return cls(
            **_people(users, folder), **_privacy(privacy), **_grouping(tables.get("grouping", {})),
            **_processes(tables.get("run", {}), folder),
        )  # fmt: skip

    @property
    def simulated(self) -> bool:
        """Whether the people are made up."""
        return self.file is None


def _people(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    categories = Categories(table.get("categories", ("no", "yes")))
    if ("file" in table) == ("count" in table):
        raise InvalidParameter(
            "[users] needs either file and column, or count and share for simulated people"
        )
    if "file" in table:
        need(table, "users", "column")
        refuse(table, "users", "share", "it is for simulated people")
        return {"categories": categories, "file": folder / table["file"], "column": table["column"]}
    need(table, "users", "share")
    refuse(table, "users", "column", "it belongs to a file")
    if len(categories) != 2:
        raise InvalidParameter("share in [users] is for two categories; give a file for more")
    count = whole("count in [users]", table["count"], 2, MOST_USERS)
    return {"categories": categories, "count": count, "share": within(table, "users", "share", 0, 1)}


def _privacy(table: Mapping[str, Any]) -> dict[str, Any]:
    need(table, "privacy", "epsilon")
    if "expected-share" in table and "share-range" in table:
        raise InvalidParameter("[privacy] takes expected-share or share-range, not both")
    for key in ("expected-share", "share-range", "most-loss"):
        if key in table and "correlation" in table:
            raise InvalidParameter(
                f"[privacy] takes {key} or correlation, not both: one follows from the other"
            )
    chosen: dict[str, Any] = {"epsilon": EPSILON.check(table["epsilon"])}
    chosen["colluders"] = whole("colluders in [privacy]", table.get("colluders", 0), 0, MOST_USERS)
    if "expected-share" in table:
        chosen["expected_share"] = within(table, "privacy", "expected-share", 0, 1)
    if "share-range" in table:
        low, high = table["share-range"]
        if not 0 <= low <= high <= 1:
            raise InvalidParameter(
                "share-range in [privacy] must be two numbers from 0 to 1, the lower one first"
            )
        chosen["share_range"] = (float(low), float(high))
    if "most-loss" in table:
        chosen["most_loss"] = as_float(table["most-loss"])
        if not 0 <= chosen["most_loss"] < math.inf:
            raise InvalidParameter(
                "most-loss in [privacy] must be a number from 0 up; 0.01 is 1 % more variance"
            )
    if "correlation" in table:
        chosen["correlation"] = within(table, "privacy", "correlation", -1, 1)
    if "cap-colluding" in table:
        chosen["cap_colluding"] = replace(EPSILON, name="cap-colluding in [privacy]").check(
            table["cap-colluding"]
        )
    return chosen


def _grouping(table: Mapping[str, Any]) -> dict[str, Any]:
    method = table.get("method", METHODS[0])
    if method not in METHODS:
        raise InvalidParameter(f"method in [grouping] must be one of {', '.join(METHODS)}, got {method!r}")
    members = table.get("members", FEWEST_MEMBERS)
    return {
        "method": method,
        "members": whole("members in [grouping]", members, FEWEST_MEMBERS, MOST_MEMBERS),
    }


def _processes(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    chosen: dict[str, Any] = {"workers": whole("workers in [run]", table.get("workers", 2), 1, MOST_WORKERS)}
    chosen["timeout"] = replace(PATIENCE, name="timeout in [run]").check(table.get("timeout", 30.0))
    if "output" in table:
        chosen["output"] = folder / table["output"]
    return chosen
