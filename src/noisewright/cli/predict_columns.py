"""Which columns of a table are the model's features, in its order, and what the others are for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noisewright.engine.naming import check_names
from noisewright.errors import BadTable, InvalidParameter


@dataclass(frozen=True)
class Roles:
    """What the options say about the columns of a table; a column in none of them is a feature."""

    sensitive: tuple[str, ...]
    features: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    answers: str | None = None
    groups: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for option, names in (("--ignore", self.ignored), ("--group", self.groups)):
            if twice := _repeated(names):
                raise InvalidParameter(f"column {twice!r} is named twice by {option}")
        for name in self.features:
            if name in self.ignored:
                raise InvalidParameter(f"column {name!r} cannot be both in --features and --ignore")
        if self.answers in self.groups:
            raise InvalidParameter(f"column {self.answers!r} cannot be both --answers and --group")
        for name in self.sensitive:
            if name in (self.answers, *self.ignored, *self.groups):
                other = _role(name, self)
                raise InvalidParameter(f"column {name!r} cannot be both --sensitive and {other}")

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns that hold labels and need not hold numbers."""
        return (*([self.answers] if self.answers is not None else []), *self.groups)

    def columns(self, present: Sequence[str], known: Sequence[str] | None, where: str) -> tuple[str, ...]:
        """The features in the order of the model; ``known`` are the names that the model itself has.

        >>> Roles(("age",), answers="stroke").columns(["id", "age", "bmi", "stroke"], ["bmi", "age"], "x.csv")
        ('bmi', 'age')
        >>> Roles(("age",), ignored=("id",)).columns(["id", "age", "bmi"], None, "x.csv")
        ('age', 'bmi')
        """
        check_names([*self.sensitive, *self.labels, *self.ignored], present, where=where)
        if self.features:
            return self._checked(self.features, present, where, "--features")
        if known is not None:
            return self._checked(tuple(known), present, where, "the model")
        rest = tuple(name for name in present if name not in (*self.labels, *self.ignored))
        return self._checked(rest, present, where, "the rest of the columns")

    def _checked(
        self, features: tuple[str, ...], present: Sequence[str], where: str, said_by: str
    ) -> tuple[str, ...]:
        check_names(features, present, where=where)
        for name in self.sensitive:
            if name not in features:
                raise InvalidParameter(
                    f"--sensitive names column {name!r}, which is none of the features of {said_by}"
                )
        if self.answers in features:
            raise InvalidParameter(f"column {self.answers!r} is both --answers and a feature of {said_by}")
        return features


def check_count(features: Sequence[str], wanted: int | None, where: str) -> None:
    """Refuse a table that has more or fewer features than the model takes."""
    if wanted is not None and len(features) != wanted:
        raise BadTable(
            f"the model takes {wanted} features, but {len(features)} columns of {where} would be given to "
            "it; name them in order with --features (groups can be among them), or use --ignore"
        )


def _role(name: str, roles: Roles) -> str:
    """The option that a column is named by; groups of sensitive values would show them."""
    return "--answers" if name == roles.answers else "--group" if name in roles.groups else "--ignore"


def _repeated(names: Iterable[str]) -> str | None:
    """The first name that comes twice.

    >>> _repeated(["a", "b", "a"])
    'a'
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
