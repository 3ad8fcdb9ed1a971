"""ONNX files as classifiers, run by onnxruntime: data, not code, so that opening one is safe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from noisewright.domains.base import Floats
from noisewright.errors import BadModel, MissingExtra
from noisewright.utility.models.classifier import Labels
from noisewright.utility.models.onnx_inputs import Inputs
from noisewright.utility.models.onnx_outputs import MAPS, Output
from noisewright.utility.models.onnx_proto import class_labels, external_files

MOST_BYTES = 2 << 30
"""No protocol-buffer message is larger."""

THREADS = 2
SILENT = 4


class OnnxClassifier:
    """A classifier in an ONNX file: its label output, or the highest of its scores.

    A model of one score a row is taken to give the probability of the second class. ``classes`` names the
    columns of scores (0, 1, 2, … otherwise); ``output`` chooses an output by name. Data that the file keeps
    in others is read from its own folder only.
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
        if self._output.names_labels:
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
        """The columns' names, where the model takes each as an input of its own."""
        return self._inputs.names

    def labels(self, rows: Floats) -> Labels:
        wanted = [self._output.name]
        pieces = [
            self._output.labels(self._session.run(wanted, feed)[0]) for feed in self._inputs.feeds(rows)
        ]
        return np.concatenate(pieces)[: len(rows)]


def _open_session(path: Path, threads: int) -> Any:
    """A session on the CPU with nothing registered but what onnxruntime itself brings."""
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
    except Exception as error:  # onnxruntime's errors share no root
        why = "".join(filter(str.isprintable, " ".join(str(error).split())))[:200]
        raise BadModel(f"onnxruntime {onnxruntime.__version__} cannot open {path.name}: {why}") from None


def _refuse_strange_files(path: Path) -> None:
    """Refuse a file that is too large, or that would make onnxruntime read outside the model's folder."""
    _check_size(path)
    folder = path.resolve().parent
    for location in external_files(_bytes_of(path)):
        try:
            file = (folder / location).resolve()
            # onnxruntime takes some names with a star for addresses in memory, whatever lies in the folder
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
    """The bytes of a file, mapped, not read."""
    return np.memmap(path, dtype=np.uint8, mode="r").data
