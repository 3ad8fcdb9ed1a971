"""Looking into an ONNX file before anything opens it: which other files it names, which classes it declares.

An ONNX file is one protocol-buffer message. Only the few fields below are followed; all weights are skipped
unread, so that a look takes no time and needs no further package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from noisewright.errors import BadModel

Field = tuple[int, int | memoryview]

# Field number -> kind of message, for all that may hold a tensor (the names are those of onnx.proto).
INSIDE: dict[str, dict[int, str]] = {
    "ModelProto": {7: "GraphProto", 20: "TrainingInfoProto", 25: "FunctionProto"},
    "TrainingInfoProto": {1: "GraphProto", 2: "GraphProto"},
    "FunctionProto": {7: "NodeProto", 11: "AttributeProto"},
    "GraphProto": {1: "NodeProto", 5: "TensorProto", 15: "SparseTensorProto"},
    "NodeProto": {5: "AttributeProto"},
    "AttributeProto": {
        5: "TensorProto",
        6: "GraphProto",
        10: "TensorProto",
        11: "GraphProto",
        22: "SparseTensorProto",
        23: "SparseTensorProto",
    },
    "SparseTensorProto": {1: "TensorProto", 2: "TensorProto"},
    "TensorProto": {13: "StringStringEntryProto"},
    "StringStringEntryProto": {},
}
GRAPH, NODE, ATTRIBUTE = 7, 1, 5
MOST_DEPTH = 64
VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5


def external_files(model: memoryview) -> set[str]:
    """Every location that some tensor of the model names for its data."""
    return {
        text
        for key, text in (_entry(message) for message in _messages("ModelProto", model, 0))
        if key == "location"
    }


def _messages(kind: str, message: memoryview, depth: int) -> Iterator[memoryview]:
    """All key–value entries of tensors below a message."""
    if depth > MOST_DEPTH:
        raise BadModel(f"the ONNX file nests its graphs more than {MOST_DEPTH} deep")
    if kind == "StringStringEntryProto":
        yield message
        return
    for number, value in fields(message):
        inner = INSIDE[kind].get(number)
        if inner is not None and isinstance(value, memoryview):
            yield from _messages(inner, value, depth + 1)


def _entry(message: memoryview) -> tuple[str, str]:
    found = {number: _text(value) for number, value in fields(message)}
    return found.get(1, ""), found.get(2, "")


@dataclass
class Node:
    """One operation of the graph: what it reads and writes, and the classes that a classifier declares."""

    operation: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    classes: list[Any] = field(default_factory=list)


def class_labels(model: memoryview, outputs: Sequence[str]) -> tuple[Any, ...] | None:
    """The classes declared by the operation that an output comes from; of the first output where one does."""
    graphs = [_message(value) for number, value in fields(model) if number == GRAPH]
    nodes = [_node(value) for graph in graphs for number, value in fields(graph) if number == NODE]
    makers = {name: node for node in nodes for name in node.outputs}
    for output in outputs:
        if found := _origin(makers, output).classes:
            return tuple(found)
    return None


def _origin(makers: dict[str, Node], output: str) -> Node:
    """The operation that an output comes from, past those that only pass it on."""
    node = makers.get(output, Node())
    for _ in range(MOST_DEPTH):
        if node.operation not in ("Cast", "Identity") or not node.inputs:
            break
        node = makers.get(node.inputs[0], Node())
    return node


def _node(message: int | memoryview) -> Node:
    node = Node()
    for number, value in fields(_message(message)):
        if number == 1:
            node.inputs.append(_text(value))
        elif number == 2:
            node.outputs.append(_text(value))
        elif number == 4:
            node.operation = _text(value)
        elif number == ATTRIBUTE:
            node.classes += _classes(_message(value))
    return node


def _classes(attribute: memoryview) -> list[Any]:
    """The items of an attribute ``classlabels_ints``, ``classlabels_int64s`` or ``classlabels_strings``."""
    name = ""
    found: list[Any] = []
    for number, value in fields(attribute):
        if number == 1:
            name = _text(value)
        elif number == 8:
            found += [value] if isinstance(value, int) else list(_packed(value))
        elif number == 9:
            found.append(_text(value))
    signed = [x - (1 << 64) if isinstance(x, int) and x >> 63 else x for x in found]
    return signed if name.startswith("classlabels_") else []


def fields(message: memoryview) -> Iterator[Field]:
    """The numbered fields of a message, in order; bytes stay views into the file."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        kind = key & 7
        if kind == VARINT:
            value, place = _varint(message, place)
            yield key >> 3, value
            continue
        if kind == BYTES:
            length, place = _varint(message, place)
        elif kind in (EIGHT, FOUR):
            length = 8 if kind == EIGHT else 4
        else:
            raise _malformed()
        if place + length > len(message):
            raise _malformed()
        yield key >> 3, message[place : place + length]
        place += length


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if place >= len(message):
            break
        byte = message[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
    raise _malformed()


def _packed(message: memoryview) -> Iterator[int]:
    place = 0
    while place < len(message):
        value, place = _varint(message, place)
        yield value


def _message(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise _malformed()
    return value


def _text(value: int | memoryview) -> str:
    return bytes(_message(value)).decode("utf-8", errors="surrogateescape")


def _malformed() -> BadModel:
    return BadModel("the file is no ONNX model, or it is damaged")
