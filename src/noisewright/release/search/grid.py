"""Grids of public parameters: the variants of an algorithm that take part in a search."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Final, TypeAlias

from noisewright.errors import InvalidParameter
from noisewright.release.algorithms.base import Algorithm

Grid: TypeAlias = Mapping[str, Sequence[Any]]
"""Values to try, by the name of the parameter."""

USUAL: Final[dict[str, tuple[float, ...]]] = {
    "C": (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
    "alpha": (0.01, 0.1, 1.0, 10.0, 30.0, 100.0, 300.0, 1000.0),
    "neighbour_weight": (0.0, 0.3, 0.5),
    "sparsity": (0.0, 0.05, 0.5, 5.0),
}
"""Usual values of the parameters that make outputs depend less on single records."""

FIELDS: Final = "__dataclass_fields__"

MOST: Final = 1000
"""Most variants of one search; each runs in many worlds."""


def expand(algorithm: Algorithm, grid: Grid | None = None) -> list[Algorithm]:
    """Return all variants of an algorithm over a grid.

    Args:
        algorithm: Algorithm whose parameters are varied.
        grid: Values to try, by the name of the parameter, at most 1000 combinations. A name that the
            algorithm does not have is looked for in the algorithm inside it. None takes :func:`default_grid`.

    >>> from noisewright.release.algorithms import LinearSVM
    >>> expand(LinearSVM(), {"C": [0.1, 1.0]})
    [LinearSVM(C=0.1), LinearSVM(C=1.0)]
    """
    given = default_grid(algorithm) if grid is None else grid
    values = {name: _value_list(name, some) for name, some in given.items()}
    variants = 1
    for name, some in values.items():
        variants *= len(some)
        if not has(algorithm, name):
            raise InvalidParameter(
                f"{type(algorithm).__name__} has no parameter {name!r} to search; it has {_names(algorithm)}"
            )
    if not values or not 1 <= variants <= MOST:
        raise InvalidParameter(f"a grid must make from 1 to {MOST} variants, got {variants if values else 0}")
    return [
        _variant(algorithm, dict(zip(values, chosen, strict=True))) for chosen in product(*values.values())
    ]


def _value_list(name: str, values: Any) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidParameter(f"the grid must list values to try for {name}, as in {{{name!r}: [0.1, 1.0]}}")
    return list(values)


def default_grid(algorithm: Algorithm) -> dict[str, tuple[float, ...]]:
    """Return the regularization of an algorithm, or of the one inside it, with usual values.

    Args:
        algorithm: Algorithm whose parameters are varied.

    >>> from noisewright.release.algorithms import Ridge
    >>> list(default_grid(Ridge()))
    ['alpha']
    """
    found = {name: values for name, values in USUAL.items() if has(algorithm, name)}
    if not found:
        raise InvalidParameter(
            f"{type(algorithm).__name__} has no regularization to search; leave out the search, or give a "
            f"grid of some of {_names(algorithm) or 'its parameters'}"
        )
    return found


def has(algorithm: Algorithm, name: str) -> bool:
    """Return whether an algorithm, or the one inside it, has a parameter of that name."""
    return name in _fields(algorithm) or any(has(inner, name) for inner in _inside(algorithm).values())


def _variant(algorithm: Algorithm, chosen: Mapping[str, Any]) -> Algorithm:
    if not chosen:
        return algorithm
    own = {name: value for name, value in chosen.items() if name in _fields(algorithm)}
    rest = {name: value for name, value in chosen.items() if name not in own}
    inside = {
        field: _variant(inner, {name: value for name, value in rest.items() if has(inner, name)})
        for field, inner in _inside(algorithm).items()
    }
    changed: Algorithm = dataclasses.replace(algorithm, **(inside | own))  # type: ignore[type-var]
    return changed


def _fields(algorithm: Algorithm) -> list[str]:
    kind: Any = type(algorithm)
    return [field.name for field in dataclasses.fields(kind) if field.init] if hasattr(kind, FIELDS) else []


def _inside(algorithm: Algorithm) -> dict[str, Algorithm]:
    held = {name: getattr(algorithm, name) for name in _fields(algorithm)}
    return {name: value for name, value in held.items() if isinstance(value, Algorithm)}


def _names(algorithm: Algorithm) -> str:
    inside = _inside(algorithm)
    own = [name for name in _fields(algorithm) if name not in inside]
    return ", ".join([*own, *(_names(inner) for inner in inside.values())])
