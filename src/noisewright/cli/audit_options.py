"""How far an audit goes, and how neighbours are searched, as it was typed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np

from noisewright.audit.audits import SEARCHED_SAMPLES
from noisewright.audit.basics.budget import MOST
from noisewright.audit.bounds.lower import AIMS
from noisewright.audit.neighbours import Relation
from noisewright.audit.neighbours.databases import rows_of
from noisewright.audit.neighbours.rows import Label, Range
from noisewright.audit.scores import SCORES
from noisewright.audit.spectrum import AuditRequest
from noisewright.cli.numbers import read_ends, read_number, read_whole
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

CURVE: Final = AIMS[0]

PATIENCE: Final = 60.0
"""Seconds that a command or an endpoint is asked for, where no budget is given: every run takes its time."""

FEW_SEARCHED: Final = 20_000
"""Runs of a search through a command or an endpoint."""

POINTS: Final = 121

HIGHEST: Final = 32.0

RANGE: Final = "--epsilon wants a range such as 0:4"

COUNT: Final = "--samples wants a number of runs over both inputs, such as 2e6"

MOST_SEED: Final = (1 << 62) - 1


@dataclass(frozen=True)
class Scope:
    """Everything about an audit but the mechanism, checked; a budget of None is for the target to choose."""

    confidence: float
    samples: int | None = None
    seconds: float | None = None
    epsilons: Floats | None = None
    score: str = "auto"
    assume: str | None = None
    aim: str = CURVE
    bits: bool = False
    jobs: int | None = None
    keep: str | None = None
    seed: int | None = None

    @classmethod
    def of(cls, samples: str | None, epsilon: str | None, **others: Any) -> Scope:
        """Read the options and refuse what has no meaning, before anything is run."""
        return cls(
            samples=None if samples is None else read_count(samples),
            epsilons=None if epsilon is None else read_range(epsilon),
            **others,
        )

    def __post_init__(self) -> None:
        if self.seconds is not None and not (math.isfinite(self.seconds) and self.seconds > 0):
            raise InvalidParameter(f"--seconds must be above 0; got {self.seconds:g}")
        if self.samples is not None and self.seconds is not None:
            raise InvalidParameter("--samples and --seconds are two budgets; give one of them")
        _one_of("--aim", self.aim, AIMS)
        _one_of("--score", self.score, ("auto", *SCORES))
        self.request()
        if self.jobs is not None:
            whole("--jobs", self.jobs, 1, 4096)
        if self.seed is not None:
            whole("--seed", self.seed, 0, MOST_SEED)
        if self.keep is not None and Path(self.keep).exists() and not Path(self.keep).is_dir():
            raise InvalidParameter(f"--keep {self.keep} is a file; name a folder for the samples")

    def request(self, **others: Any) -> AuditRequest:
        """What is asked; ``others`` are the claim and the budget."""
        return AuditRequest(
            epsilons=self.epsilons, confidence=self.confidence, score=self.score, assume=self.assume,
            aim=self.aim, bits=self.bits, **others,
        )  # fmt: skip

    def budget(self, *, patient: bool) -> dict[str, float]:
        """Samples or seconds, as they were given or as suits the kind of black box."""
        if self.seconds is not None:
            return {"seconds": self.seconds}
        if self.samples is None and patient:
            return {"seconds": PATIENCE}
        return {} if self.samples is None else {"samples": self.samples}

    def search_samples(self, *, patient: bool) -> int:
        """Runs of a search with its bounds; it cannot be cut short by the clock."""
        if self.seconds is not None:
            raise InvalidParameter(
                "a search of a --database is planned in runs; give --samples, not --seconds"
            )
        usual = FEW_SEARCHED if patient else SEARCHED_SAMPLES
        return usual if self.samples is None else self.samples


def _one_of(option: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise InvalidParameter(f"{option} is one of {', '.join(names)}; got {name!r}")


def read_count(text: str) -> int:
    """A number of runs, which may have an exponent.

    >>> read_count("2e6"), read_count("4_000")
    (2000000, 4000)
    """
    count = read_whole(text, text, COUNT)
    if not 1 <= count <= MOST:
        raise InvalidParameter(f"{COUNT}, and no more than {MOST:.0e}; got {text!r}")
    return count


def read_range(text: str) -> Floats:
    """The grid of ε between two ends.

    >>> read_range("0:4")[[0, 60, -1]].tolist()
    [0.0, 2.0, 4.0]
    """
    low, high = read_ends(text, text, RANGE) if ":" in text else (0.0, read_number(text, text, RANGE))
    if not 0 <= low < high <= HIGHEST:
        raise InvalidParameter(f"{RANGE}, from 0 up to {HIGHEST:g}; got {text!r}")
    return np.linspace(low, high, POINTS)


# -- the search ----------------------------------------------------------------------------------------


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
