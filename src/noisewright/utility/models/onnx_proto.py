"""A reader of ONNX files that runs before onnxruntime: external files and declared classes.

An ONNX file is one protocol-buffer message. Only the few fields below are followed, and all weights are
skipped, so that reading takes no time and needs no further package.

The check is only useful if onnxruntime sees the same fields. Parsers of protocol buffers differ in their
handling of unusual encodings (some drop the upper bit of a 33-bit tag, or skip a field of the wrong wire
type), so everything unusual is refused: numbers that are not in their shortest form, tags beyond
32 bits, groups, and fields or wire types that onnx.proto does not have at that place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from noisewright.errors import BadModel

Field = tuple[int, int | memoryview]

VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5

# Field number -> kind of message, for all that may contain a tensor (the names are those of onnx.proto).
INSIDE: Final[dict[str, dict[int, str]]] = {
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

# The other fields of these messages by wire type; a list of numbers may come one by one or packed as bytes.
OTHERS: Final[dict[str, dict[int, tuple[int, ...]]]] = {
    "ModelProto": {VARINT: (1, 5), BYTES: (2, 3, 4, 6, 8, 14, 26)},
    "TrainingInfoProto": {BYTES: (3, 4)},
    "FunctionProto": {BYTES: (1, 4, 5, 6, 8, 9, 10, 12, 13, 14)},
    "GraphProto": {BYTES: (2, 10, 11, 12, 13, 14, 16)},
    "NodeProto": {BYTES: (1, 2, 3, 4, 6, 7, 8, 9, 10)},
    "AttributeProto": {VARINT: (3, 8, 20), FOUR: (2, 7), BYTES: (1, 4, 7, 8, 9, 13, 14, 15, 21)},
    "SparseTensorProto": {VARINT: (3,), BYTES: (3,)},
    "TensorProto": {
        VARINT: (1, 2, 5, 7, 11, 14),
        FOUR: (4,),
        EIGHT: (10,),
        BYTES: (1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16),
    },
    "StringStringEntryProto": {BYTES: (1, 2)},
}

KNOWN: Final = {
    kind: frozenset(
        {number << 3 | wire for wire, numbers in OTHERS[kind].items() for number in numbers}
        | {number << 3 | BYTES for number in INSIDE[kind]}
    )
    for kind in INSIDE
}
"""The tags that a message of each kind may have: field number and wire type in one."""

GRAPH, NODE, ATTRIBUTE = 7, 1, 5
MOST_DEPTH = 64


def external_files(model: memoryview) -> set[str]:
    """Return every location that some tensor of the model names for its data."""
    return {
        text
        for key, text in (_entry(message) for message in _messages("ModelProto", model, 0))
        if key == "location"
    }


def _messages(kind: str, message: memoryview, depth: int) -> Iterator[memoryview]:
    """Yield all key–value entries of tensors below a message."""
    if depth > MOST_DEPTH:
        raise BadModel(f"the ONNX file nests its graphs more than {MOST_DEPTH} deep")
    if kind == "StringStringEntryProto":
        yield message
        return
    for number, value in fields(kind, message):
        inner = INSIDE[kind].get(number)
        if inner is not None:
            yield from _messages(inner, _message(value), depth + 1)


def _entry(message: memoryview) -> tuple[str, str]:
    found: dict[int, str] = {}
    for number, value in fields("StringStringEntryProto", message):
        if number in found:  # it is unclear which of the two counts
            raise _malformed()
        found[number] = _text(value)
    return found.get(1, ""), found.get(2, "")


@dataclass
class Node:
    """One operation of the graph: its inputs and outputs, and the classes that a classifier declares."""

    operation: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    classes: list[Any] = field(default_factory=list)


def class_labels(model: memoryview, outputs: Sequence[str]) -> tuple[Any, ...] | None:
    """Return the classes declared by the operation behind the first output that has any."""
    graphs = [_message(value) for number, value in fields("ModelProto", model) if number == GRAPH]
    nodes = [
        _node(value) for graph in graphs for number, value in fields("GraphProto", graph) if number == NODE
    ]
    makers = {name: node for node in nodes for name in node.outputs}
    for output in outputs:
        if found := _origin(makers, output).classes:
            return tuple(found)
    return None


def _origin(makers: dict[str, Node], output: str) -> Node:
    """Return the operation that an output comes from, skipping those that only pass it on."""
    node = makers.get(output, Node())
    for _ in range(MOST_DEPTH):
        if node.operation not in ("Cast", "Identity") or not node.inputs:
            break
        node = makers.get(node.inputs[0], Node())
    return node


def _node(message: int | memoryview) -> Node:
    node = Node()
    for number, value in fields("NodeProto", _message(message)):
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
    """Return the items of ``classlabels_ints``, ``classlabels_int64s`` or ``classlabels_strings``."""
    name = ""
    found: list[Any] = []
    for number, value in fields("AttributeProto", attribute):
        if number == 1:
            name = _text(value)
        elif number == 8:
            found += [value] if isinstance(value, int) else list(_packed(value))
        elif number == 9:
            found.append(_text(value))
    signed = [x - (1 << 64) if isinstance(x, int) and x >> 63 else x for x in found]
    return signed if name.startswith("classlabels_") else []


def fields(kind: str, message: memoryview) -> Iterator[Field]:
    r"""Yield the numbered fields of a message, in order; bytes stay views into the file.

    >>> list(fields("NodeProto", memoryview(b"\x22\x01x")))[0][0]
    4
    >>> list(fields("NodeProto", memoryview(b"\xa2\x00\x01x")))  # the same tag in two bytes
    Traceback (most recent call last):
    ...
    noisewright.errors.BadModel: the file is not an ONNX model, is damaged, or has parts that ...
    """
    known, place, end = KNOWN[kind], 0, len(message)
    while place < end:
        tag, place = _varint(message, place)
        if tag not in known:
            raise _malformed()
        wire = tag & 7
        if wire == VARINT:
            value, place = _varint(message, place)
            yield tag >> 3, value
            continue
        if wire == BYTES:
            length, place = _varint(message, place)
        else:
            length = 8 if wire == EIGHT else 4
        if place + length > end:
            raise _malformed()
        yield tag >> 3, message[place : place + length]
        place += length


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    """Return a number of at most 64 bits in its shortest form, and the position after it."""
    value = 0
    for shift in range(0, 70, 7):
        if place >= len(message):
            break
        byte = message[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            if value >> 64 or (shift and not byte):
                break
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
    return BadModel(
        "the file is not an ONNX model, is damaged, or has parts that this version does not know; save it "
        "again with a current onnx"
    )
