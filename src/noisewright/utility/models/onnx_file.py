"""ONNX files as classifiers, run by onnxruntime: data, not code, so that opening one is safe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains.base import Floats
from noisewright.errors import BadModel, InvalidParameter, MissingExtra
from noisewright.utility.models.classifier import Labels, highest
from noisewright.utility.models.onnx_proto import class_labels, external_files

FLOATS: dict[str, type[np.floating[Any]]] = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
}

LABELS = ("tensor(int64)", "tensor(int32)", "tensor(string)", "tensor(bool)")
SCORES = tuple(FLOATS)
MAPS = ("seq(map(int64,tensor(float)))", "seq(map(string,tensor(float)))")

MOST_BYTES = 2 << 30
"""The largest size of a protocol-buffer message."""

THREADS = 2
SILENT = 4


class OnnxClassifier:
    """A classifier in an ONNX file: its label output, or the highest of its scores.

    In a model with one score per row, that score is the probability of the second class. External data files
    are read from the model's own folder only.

    Args:
        path: The file.
        classes: The class of each column of scores; None numbers them 0, 1, 2, …
        output: Name of the output to read; None takes the first of labels, else of maps, else of scores.
        threads: Threads of onnxruntime.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        classes: Sequence[Any] | None = None,
        output: str | None = None,
        threads: int = THREADS,
    ) -> None:
        self.path = Path(path)
        self._session = _open_session(self.path, threads)
        self._inputs = Inputs.read(self._session.get_inputs())
        outputs = self._session.get_outputs()
        self._output = Output.choose(outputs, output, classes)
        self.classes = self._output.classes
        if self._output.kind not in SCORES:  # the output names classes, so the file may declare all
            sources = [self._output.name, *(item.name for item in outputs if item.type in MAPS)]
            self.classes = class_labels(_bytes_of(self.path), sources) or self.classes

    def __repr__(self) -> str:
        return f"OnnxClassifier({self.path.name!r})"

    @property
    def name(self) -> str:
        return f"ONNX model {self.path.name}"

    @property
    def features(self) -> int | None:
        return self._inputs.features

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """The columns' names, if each is a separate input of the model."""
        return self._inputs.names

    def labels(self, rows: Floats) -> Labels:
        wanted = [self._output.name]
        pieces = [
            self._output.labels(self._session.run(wanted, feed)[0]) for feed in self._inputs.feeds(rows)
        ]
        return np.concatenate(pieces)[: len(rows)]


def _open_session(path: Path, threads: int) -> Any:
    """Return a session on the CPU with onnxruntime's own operators only."""
    try:
        import onnxruntime  # noqa: PLC0415  # heavy, and only ONNX files need it
    except ImportError as absent:
        raise MissingExtra.of("ONNX files need onnxruntime", "models") from absent
    _refuse_strange_files(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = SILENT
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common base class
        why = "".join(filter(str.isprintable, " ".join(str(error).split())))[:200]
        raise BadModel(f"onnxruntime {onnxruntime.__version__} cannot open {path.name}: {why}") from None


def _refuse_strange_files(path: Path) -> None:
    """Refuse a file that is too large, or that would make onnxruntime read outside the model's folder."""
    _check_size(path)
    folder = path.resolve().parent
    for location in external_files(_bytes_of(path)):
        try:
            file = (folder / location).resolve()
            # onnxruntime treats some names with a star as memory addresses, whatever is in the folder
            inside = "*" not in location and file.is_relative_to(folder) and file.is_file()
        except (OSError, ValueError):
            inside = False
        if not inside:
            raise BadModel(
                f"{path.name} keeps data in a file that is not in its own folder; it was not opened"
            )
        _check_size(file)


def _check_size(path: Path) -> None:
    if not 0 < path.stat().st_size <= MOST_BYTES:
        raise BadModel(f"{path.name} is empty or larger than {MOST_BYTES >> 30} GiB; it was not opened")


def _bytes_of(path: Path) -> memoryview:
    """Return the bytes of a file, memory-mapped."""
    return np.memmap(path, dtype=np.uint8, mode="r").data


@dataclass(frozen=True)
class Inputs:
    """All input tensors of a model: a single (n, d), or several that share the columns in their order."""

    slots: tuple[Slot, ...]

    @classmethod
    def read(cls, described: list[Any]) -> Inputs:
        """Return the inputs as onnxruntime describes them, or refuse them."""
        inputs = cls(tuple(_slot(item) for item in described))
        if not described or (len(described) > 1 and inputs.features is None):
            raise BadModel("the ONNX model must take one table of numbers, or inputs of known width each")
        if len({slot.rows for slot in inputs.slots}) > 1:
            raise BadModel("the ONNX model's inputs take different numbers of rows")
        return inputs

    @property
    def features(self) -> int | None:
        """The number of columns of a row, if the model declares it."""
        widths = [slot.width for slot in self.slots]
        return None if None in widths else sum(width for width in widths if width is not None)

    @property
    def names(self) -> tuple[str, ...] | None:
        """The columns' names, if each is a separate input."""
        alone = len(self.slots) > 1 and all(slot.width == 1 for slot in self.slots)
        return tuple(slot.name for slot in self.slots) if alone else None

    def feeds(self, rows: Floats) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the tensors of each run; the last is padded with copies if the batch size is fixed."""
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


@dataclass(frozen=True)
class Slot:
    """One input tensor: its type, its shape after the batch dimension, and how many columns that takes."""

    name: str
    type: type[np.floating[Any]]
    shape: tuple[int, ...] | None
    rows: int | None

    @property
    def width(self) -> int | None:
        """Number of columns that this tensor takes; None if the model leaves it open."""
        return None if self.shape is None else int(np.prod(self.shape, dtype=np.int64))

    def fill(self, columns: Floats) -> NDArray[Any]:
        """Return the columns in the tensor's type; numbers too large for it become infinite."""
        with np.errstate(over="ignore"):
            cast = np.ascontiguousarray(columns, dtype=self.type)
        return cast if self.shape is None else cast.reshape(len(columns), *self.shape)


def _slot(described: Any) -> Slot:
    if described.type not in FLOATS:
        raise BadModel(
            f"the ONNX model's input {described.name} is a {described.type}; export the model with float "
            "inputs, because reports are not whole numbers"
        )
    shape = list(described.shape)
    if len(shape) == 1 and isinstance(shape[0], int):
        raise BadModel(f"the ONNX model's input {described.name} takes one row without a batch dimension")
    known = bool(shape) and all(isinstance(size, int) and size > 0 for size in shape[1:])
    if not known and len(shape) > 2:
        raise BadModel(f"the ONNX model's input {described.name} does not fix the shape of a row")
    rows = shape[0] if shape and isinstance(shape[0], int) and shape[0] > 0 else None
    return Slot(described.name, FLOATS[described.type], tuple(shape[1:]) if known else None, rows)


@dataclass(frozen=True)
class Output:
    """The output that gives the class: labels, a map from label to score per row, or columns of scores."""

    name: str
    kind: str
    classes: tuple[Any, ...] | None

    @classmethod
    def choose(cls, described: list[Any], wanted: str | None, classes: Sequence[Any] | None) -> Output:
        """Return the requested output; by default the first of labels, else of maps, else of scores."""
        if wanted is not None and wanted not in [item.name for item in described]:
            raise InvalidParameter(f"the ONNX model has no output named {wanted!r}")
        candidates = [item for item in described if wanted in (None, item.name)]
        for kinds in (LABELS, MAPS, SCORES):
            for item in candidates:
                if item.type in kinds:
                    return cls(item.name, item.type, _classes(item, classes))
        raise BadModel("the ONNX model has no output of labels or scores")

    def labels(self, answer: Any) -> Labels:
        """Return one label per row."""
        if self.kind in MAPS:
            return _from_maps(answer)
        return self._from_scores(answer) if self.kind in SCORES else np.asarray(answer)

    def _from_scores(self, scores: NDArray[Any]) -> Labels:
        columns = scores.reshape(len(scores), -1) if scores.ndim < 2 else scores
        if columns.ndim != 2:
            raise BadModel(f"the ONNX model's output {self.name} is not a table of scores")
        if columns.shape[1] == 1:
            columns = _both_sides(columns[:, 0])
        classes = self.classes or tuple(range(columns.shape[1]))
        if len(classes) != columns.shape[1]:
            raise BadModel(
                f"the ONNX model gives {columns.shape[1]} scores a row, but {len(classes)} classes are given"
            )
        return highest(columns, classes)


def _both_sides(probability: NDArray[Any]) -> NDArray[Any]:
    """Return scores of both classes from the probability of the second; at ½ the first wins."""
    if ((probability < 0) | (probability > 1)).any():
        raise BadModel(
            "the ONNX model's single score is not a probability; end the model with a sigmoid, or give it "
            "one score per class"
        )
    return np.stack([np.full_like(probability, 0.5), probability], axis=1)


def _from_maps(answer: list[dict[Any, float]]) -> Labels:
    labels = np.empty(len(answer), dtype=object)
    for row, scores in enumerate(answer):
        unusable = not scores or any(np.isnan(score) for score in scores.values())
        labels[row] = np.nan if unusable else max(scores, key=scores.__getitem__)
    return labels


def _classes(described: Any, classes: Sequence[Any] | None) -> tuple[Any, ...] | None:
    """Return the classes given, or the numbers of the columns of scores, if their number is known."""
    if classes is not None:
        return tuple(classes)
    shape = list(described.shape)
    if described.type not in SCORES or not shape:
        return None
    width = shape[1] if len(shape) == 2 else 1
    return tuple(range(max(2, width))) if isinstance(width, int) and width > 0 else None
