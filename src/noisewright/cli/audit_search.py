"""How the neighbours of a database are searched, as it was typed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from noisewright.audit.neighbours import Relation
from noisewright.audit.neighbours.databases import rows_of
from noisewright.audit.neighbours.rows import Label, Range
from noisewright.cli.numbers import read_ends
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

BOUNDS: Final = "--bounds wants a rising range, such as 0:1, or some for columns: age=0:120,pay=0:1e6"
QUERIES: Final = "queries"


@dataclass(frozen=True)
class SearchOptions:
    """What a neighbour is, and where else to look; None for what was not typed."""

    relation: str | None = None
    beyond: bool | None = None
    bounds: str | None = None
    sensitivity: float | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        if self.relation is not None and self.relation not in get_args(Relation):
            raise InvalidParameter(
                f"--relation is one of {', '.join(get_args(Relation))}; got {self.relation!r}"
            )
        if self.sensitivity is not None and not (math.isfinite(self.sensitivity) and self.sensitivity > 0):
            raise InvalidParameter(f"--sensitivity must be above 0; got {self.sensitivity:g}")
        if self.most is not None:
            whole("--most", self.most, 1, 1 << 40)
        if self.bounds is not None:
            read_bounds(self.bounds)

    def typed(self) -> list[str]:
        """The options that were given."""
        values = {
            "--relation": self.relation,
            "--beyond": self.beyond,
            "--bounds": self.bounds,
            "--sensitivity": self.sensitivity,
            "--most": self.most,
        }
        return [name for name, value in values.items() if value is not None]

    def check(self, *, searched: bool) -> None:
        """Refuse options that mean nothing: without a database, or beside each other."""
        typed = self.typed()
        if typed and not searched:
            raise InvalidParameter(f"{typed[0]} is for the search of a --database; a pair has no use for it")
        if self.relation == QUERIES and (self.bounds is not None or self.most is not None):
            raise InvalidParameter("--bounds and --most are for rows; --relation queries has answers instead")
        if self.relation != QUERIES and self.sensitivity is not None:
            raise InvalidParameter("--sensitivity says how far one person moves answers: --relation queries")
        if self.beyond is False and self.bounds is not None and self.relation != "change":
            raise InvalidParameter(
                "--bounds is for rows that the search makes up, and --no-beyond makes up none; leave one out"
            )

    def keywords(self, database: Any, columns: Sequence[str] | None) -> dict[str, Any]:
        """What ``audit_database`` takes; ``columns`` are the names that an array has lost."""
        found = {name: getattr(self, name) for name in ("relation", "beyond", "sensitivity", "most")}
        if self.bounds is not None:
            found["bounds"] = _labelled(read_bounds(self.bounds), database, columns)
        return {name: value for name, value in found.items() if value is not None}


def read_bounds(text: str) -> Range | dict[str, Range]:
    """One range for all columns, or ranges by the names of columns.

    >>> read_bounds("0:1"), read_bounds("age=0:120, pay=0:1e6")
    ((0.0, 1.0), {'age': (0.0, 120.0), 'pay': (0.0, 1000000.0)})
    """
    if "=" not in text:
        return _range(text, text)
    found: dict[str, Range] = {}
    for part in text.split(","):
        name, _, ends = part.rpartition("=")
        if not name.strip():
            raise InvalidParameter(f"{BOUNDS}; got {text!r}")
        if name.strip() in found:
            raise InvalidParameter(f"--bounds names the column {name.strip()!r} twice")
        found[name.strip()] = _range(ends, text)
    return found


def _range(ends: str, text: str) -> Range:
    low, high = read_ends(ends, text, BOUNDS)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InvalidParameter(f"{BOUNDS}; got {text!r}")
    return low, high


def _labelled(
    bounds: Range | dict[str, Range], database: Any, columns: Sequence[str] | None
) -> Range | dict[Label, Range]:
    """Ranges by what the database calls its columns of numbers: an array knows only their places."""
    if not isinstance(bounds, dict):
        return bounds
    labels = {
        columns[label] if columns and isinstance(label, int) else str(label): label
        for label in rows_of(database).ranges()
    }
    for name in bounds:
        if name not in labels:
            raise InvalidParameter(f"--bounds names {name!r}, which is no column of numbers of the database")
    return {labels[name]: span for name, span in bounds.items()}
