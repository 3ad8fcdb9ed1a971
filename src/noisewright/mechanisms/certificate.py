"""The certificate of a designed law: its task, two numbers about its optimality, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.parameters import real

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Certificate:
    """How good a designed law is, how good any law could be, and the evidence.

    ``value`` is the loss of the law and ``bound`` a lower bound for every ε-LDP law with the same inputs and
    outputs. The evidence is a multiplier for every constraint of the design; it comes from a file like
    everything else, so it is a claim: ``noisewright.design.verify`` does the arithmetic again. Privacy does
    not depend on it.
    """

    loss: float | str | Rows
    objective: str
    value: float
    bound: float
    prior: tuple[float, ...] | None = None
    point: float | None = None
    ceiling: float | None = None
    situations: Rows = ()
    inputs: tuple[float, ...] = ()
    means: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for name in ("value", "bound", "point", "ceiling"):
            number = getattr(self, name)
            if number is not None or name in ("value", "bound"):
                object.__setattr__(self, name, real(f"the {name} of a certificate", number))
        for name in ("prior", "inputs", "means"):  # JSON knows lists only
            object.__setattr__(self, name, _numbers(name, getattr(self, name)))
        object.__setattr__(self, "situations", _table("situations", self.situations))
        if not isinstance(self.loss, str | int | float):
            object.__setattr__(self, "loss", _table("loss", self.loss))

    @property
    def gap(self) -> float:
        """The most by which the law may be worse than the best one: value − bound."""
        return max(self.value - self.bound, 0.0)

    def explain(self) -> str:
        """Say in one sentence what was achieved and what is possible.

        >>> Certificate(1.0, "worst", value=0.3161690, bound=0.3161689).explain()
        'The worst expected loss is 0.316169; no law for the same inputs and outputs gets below 0.316169.'
        """
        what = {"worst": "worst expected loss", "point": "expected loss at the point"}
        name = what.get(self.objective, "average loss")
        return (
            f"The {name} is {self.value:.6g}; no law for the same inputs and outputs gets below "
            f"{self.bound:.6g}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Describe the certificate in plain JSON values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def read(cls, description: object) -> Self | None:
        """Return a certificate as it is, from :meth:`to_dict`, or None."""
        if description is None or isinstance(description, cls):
            return description
        if not isinstance(description, Mapping):
            raise InvalidParameter("a certificate is described by a mapping")
        try:
            return cls(**description)
        except TypeError as broken:
            raise InvalidParameter(f"the description of a certificate is broken: {broken}") from broken


def _numbers(name: str, values: Any) -> Any:
    """Return a tuple of finite numbers, or None."""
    if values is None:
        return None
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.full(1, np.nan)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise InvalidParameter(f"the {name} of a certificate must be a list of finite numbers")
    return tuple(array.tolist())


def _table(name: str, rows: Any) -> Rows:
    if not isinstance(rows, list | tuple) or len({np.size(row) for row in rows}) > 1:
        raise InvalidParameter(f"the {name} of a certificate must be a table of numbers")
    return tuple(_numbers(name, row) for row in rows)
