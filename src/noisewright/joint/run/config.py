"""The configuration of a run, read from a small TOML file; :data:`EXAMPLE` shows every key.

Anything else in the file (an unknown key, text where a number belongs, two keys that exclude each other) is
refused with the name of the key.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from noisewright.domains import Categories
from noisewright.errors import InvalidParameter
from noisewright.joint.groups.committee import FEWEST_MEMBERS, MOST_MEMBERS
from noisewright.joint.party import PATIENCE
from noisewright.parameters import EPSILON, as_float, is_number, one_of, shown, whole

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


def _between(low: int, high: int) -> Callable[[str, Any], float]:
    def check(name: str, value: Any) -> float:
        if is_number(value) and low <= as_float(value) <= high:
            return as_float(value)
        raise InvalidParameter(f"{name} must be a number from {low} to {high}, got {shown(value)}")

    return check


def _loss(name: str, value: Any) -> float:
    if is_number(value) and 0 <= as_float(value) < math.inf:
        return as_float(value)
    raise InvalidParameter(f"{name} must be a number from 0 up; 0.01 is 1 % more variance")


def _range(name: str, value: Any) -> tuple[float, float]:
    match value:
        case [low, high] if is_number(low) and is_number(high) and 0 <= low <= high <= 1:
            return float(low), float(high)
    raise InvalidParameter(f"{name} must be two numbers from 0 to 1, the lower one first")


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidParameter(f"{name} must be text, got {shown(value)}")
    return value


def _labels(name: str, value: Any) -> Categories:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidParameter(f"{name} must be a list of texts, got {shown(value)}")
    return Categories(value)


KEYS: Final[dict[str, dict[str, Callable[[str, Any], Any]]]] = {
    "users": {
        "count": lambda name, value: whole(name, value, 2, MOST_USERS),
        "share": _between(0, 1),
        "file": _text,
        "column": _text,
        "categories": _labels,
    },
    "privacy": {
        "epsilon": lambda name, value: replace(EPSILON, name=name).check(value),
        "colluders": lambda name, value: whole(name, value, 0, MOST_USERS),
        "expected-share": _between(0, 1),
        "share-range": _range,
        "correlation": _between(-1, 1),
        "cap-colluding": lambda name, value: replace(EPSILON, name=name).check(value),
        "most-loss": _loss,
    },
    "grouping": {
        "method": lambda name, value: one_of(name, value, METHODS),
        "members": lambda name, value: whole(name, value, FEWEST_MEMBERS, MOST_MEMBERS),
    },
    "run": {
        "workers": lambda name, value: whole(name, value, 1, MOST_WORKERS),
        "timeout": lambda name, value: replace(PATIENCE, name=name).check(value),
        "output": _text,
    },
}
"""Every key of every table, with the function that reads or refuses its value; a key names a field."""


@dataclass(frozen=True)
class RunConfig:
    """One run: its users, its privacy, its grouping and its processes.

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
        method: How users are grouped, "beacon" or "committee".
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
        """Read the configuration in a file; files that it names are looked for beside it."""
        from noisewright.io.file_access import small_text  # noqa: PLC0415  (Arrow takes a moment to load)

        return cls.of(small_text(path, LARGEST, "configuration"), path.parent)

    @classmethod
    def of(cls, text: str, folder: Path = Path()) -> Self:
        """Read a configuration from text.

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
        given = {"categories": Categories(("no", "yes")), **_read_tables(tables)}
        _check_people(given)
        _check_privacy(given)
        for name in given.keys() & {"file", "output"}:
            given[name] = folder / given[name]
        return cls(**given)

    @property
    def simulated(self) -> bool:
        """Whether the people are simulated."""
        return self.file is None


def _read_tables(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return all values by the names of their fields; refuse tables and keys that do not exist."""
    given = {}
    for table, entries in tables.items():
        if table not in KEYS or not isinstance(entries, dict):
            raise InvalidParameter(f"[{table}] has no meaning here; the tables are {', '.join(KEYS)}")
        for key, value in entries.items():
            if key not in KEYS[table]:
                raise InvalidParameter(f"[{table}] has no key {key!r}; its keys are {', '.join(KEYS[table])}")
            given[key.replace("-", "_")] = KEYS[table][key](f"{key} in [{table}]", value)
    return given


def _check_people(given: Mapping[str, Any]) -> None:
    """Refuse keys of people that are missing, or make no sense beside the others."""
    if ("file" in given) == ("count" in given):
        raise InvalidParameter(
            "[users] needs either file and column, or count and share for simulated people"
        )
    needed, other, why = ("share", "column", "it belongs to a file")
    if "file" in given:
        needed, other, why = ("column", "share", "it is for simulated people")
    if needed not in given:
        raise InvalidParameter(f"[users] needs {needed}; see --example")
    if other in given:
        raise InvalidParameter(f"{other} has no place in this [users]: {why}")
    if "share" in given and len(given["categories"]) != 2:
        raise InvalidParameter("share in [users] is for two categories; give a file for more")


def _check_privacy(given: Mapping[str, Any]) -> None:
    """Refuse a [privacy] without ε, or with two keys of which one follows from the other."""
    if "epsilon" not in given:
        raise InvalidParameter("[privacy] needs epsilon; see --example")
    if "expected_share" in given and "share_range" in given:
        raise InvalidParameter("[privacy] takes expected-share or share-range, not both")
    for key in ("expected-share", "share-range", "most-loss"):
        if key.replace("-", "_") in given and "correlation" in given:
            raise InvalidParameter(
                f"[privacy] takes {key} or correlation, not both: one follows from the other"
            )
