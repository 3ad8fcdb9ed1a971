"""What a black box under audit is run on: two inputs, or a database whose neighbours are searched."""

from __future__ import annotations

from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path
from typing import Any, Final

from noisewright.cli.audit_inputs import column_names, read_data, read_for_programs, read_value
from noisewright.engine.sentences import existing_file
from noisewright.errors import InvalidParameter

INPUTS: Final = "--pair LEFT RIGHT, --left V --right V, or --database FILE"


@dataclass(frozen=True)
class Subject:
    """Two inputs with names for people, or a database with those of its columns; values are never shown."""

    left: Any = None
    right: Any = None
    names: tuple[str, str] = ("the left input", "the right input")
    database: Any = None
    columns: tuple[str, ...] | None = None


@dataclass(frozen=True)
class InputOptions:
    """The inputs as they were typed."""

    pair: tuple[str, str] | None = None
    database: str | None = None
    left: str | None = None
    right: str | None = None

    def __post_init__(self) -> None:
        given = [self.pair is not None, self.database is not None, (self.left, self.right) != (None, None)]
        if sum(given) > 1:
            raise InvalidParameter(f"inputs are given once: {INPUTS}")
        if (self.left is None) != (self.right is None):
            raise InvalidParameter("--left and --right are two inputs; give both")

    @property
    def given(self) -> bool:
        """Whether there are any."""
        return self != InputOptions()

    def read(self, *, for_programs: bool = False) -> Subject:
        """What was given; ``for_programs`` hands files on as they are, not what Python makes of them."""
        if self.pair is not None:
            left, right = map(existing_file if for_programs else read_data, self.pair)
            _refuse_same(cmp(*self.pair, shallow=False), "both files of --pair hold the same")
            return Subject(left, right, (Path(self.pair[0]).name, Path(self.pair[1]).name))
        if self.database is not None:
            database = (read_for_programs if for_programs else read_data)(self.database)
            return Subject(database=database, columns=column_names(self.database))
        if self.left is None or self.right is None:
            raise InvalidParameter(f"an audit needs inputs: {INPUTS}")
        _refuse_same(self.left == self.right, "--left and --right are the same")
        return Subject(read_value(self.left), read_value(self.right))


def _refuse_same(same: bool, said: str) -> None:
    if same:
        raise InvalidParameter(f"{said}; an audit needs two inputs that differ, as in one person")
