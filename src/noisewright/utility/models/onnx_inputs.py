"""How rows of doubles become the input tensors of an ONNX model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains.base import Floats
from noisewright.errors import BadModel

FLOATS: dict[str, type[np.floating[Any]]] = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
}


@dataclass(frozen=True)
class Slot:
    """One input tensor: its type, its shape after the batch dimension, and how many columns that takes."""

    name: str
    type: type[np.floating[Any]]
    shape: tuple[int, ...] | None
    rows: int | None

    @property
    def width(self) -> int | None:
        """Columns of a row that this tensor takes; None if the model leaves it open."""
        return None if self.shape is None else int(np.prod(self.shape, dtype=np.int64))

    def fill(self, columns: Floats) -> NDArray[Any]:
        """The columns as the tensor wants them; too large for its type becomes infinite, as in the model."""
        with np.errstate(over="ignore"):
            cast = np.ascontiguousarray(columns, dtype=self.type)
        return cast if self.shape is None else cast.reshape(len(columns), *self.shape)


@dataclass(frozen=True)
class Inputs:
    """All input tensors of a model: a single (n, d), or several that share the columns in their order."""

    slots: tuple[Slot, ...]

    @classmethod
    def read(cls, described: list[Any]) -> Inputs:
        """The plan for the inputs as onnxruntime describes them, or a refusal."""
        inputs = cls(tuple(_slot(item) for item in described))
        if not described or (len(described) > 1 and inputs.features is None):
            raise BadModel("the ONNX model must take one table of numbers, or inputs of known width each")
        if len({slot.rows for slot in inputs.slots}) > 1:
            raise BadModel("the ONNX model's inputs take different numbers of rows")
        return inputs

    @property
    def features(self) -> int | None:
        """How many columns a row has, if the model says so."""
        widths = [slot.width for slot in self.slots]
        return None if None in widths else sum(width for width in widths if width is not None)

    @property
    def names(self) -> tuple[str, ...] | None:
        """The columns' names, where each is an input of its own."""
        alone = len(self.slots) > 1 and all(slot.width == 1 for slot in self.slots)
        return tuple(slot.name for slot in self.slots) if alone else None

    def feeds(self, rows: Floats) -> Iterator[dict[str, NDArray[Any]]]:
        """The tensors of one or more runs; the last is filled up with copies if the batch size is fixed."""
        size = self.slots[0].rows or len(rows)
        for start in range(0, len(rows), size):
            piece = rows[start : start + size]
            yield self._feed(np.concatenate([piece, np.repeat(piece[-1:], size - len(piece), axis=0)]))

    def _feed(self, rows: Floats) -> dict[str, NDArray[Any]]:
        if len(self.slots) == 1:
            return {self.slots[0].name: self.slots[0].fill(rows)}
        ends = np.cumsum([slot.width for slot in self.slots])[:-1]
        parts = np.split(rows, ends.tolist(), axis=1)
        return {slot.name: slot.fill(part) for slot, part in zip(self.slots, parts, strict=True)}


def _slot(described: Any) -> Slot:
    if described.type not in FLOATS:
        raise BadModel(
            f"the ONNX model's input {described.name} is a {described.type}; export the model with float "
            "inputs, because reports are no whole numbers"
        )
    shape = list(described.shape)
    if len(shape) == 1 and isinstance(shape[0], int):
        raise BadModel(f"the ONNX model's input {described.name} takes one row without a batch dimension")
    known = bool(shape) and all(isinstance(size, int) and size > 0 for size in shape[1:])
    if not known and len(shape) > 2:
        raise BadModel(f"the ONNX model's input {described.name} leaves the shape of a row open")
    rows = shape[0] if shape and isinstance(shape[0], int) and shape[0] > 0 else None
    return Slot(described.name, FLOATS[described.type], tuple(shape[1:]) if known else None, rows)
