"""References to other files in unusual encodings: what the scanner accepts, onnxruntime reads no differently.

onnxruntime is the oracle. The weights of a small model lie in a file beside it, and its answer shows whether
that file was read; then the scanner must have refused the model or named the file.
"""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper

from noisewright.errors import BadModel
from noisewright.utility.models.onnx_proto import external_files

LOCATION = b"weights.bin"
MARKS = np.array([[3.0, 7.0]], np.float32)
GRAPH, INITIALIZER, EXTERNAL, KEY, VALUE = 7, 5, 13, 1, 2
BYTES = 2


def varint(number, padding=0):
    """A number in base 128; ``padding`` bytes more than it needs."""
    out = bytearray()
    while number > 127 or padding > 0:
        padding -= number <= 127
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def part(number, body, tag=None):
    return (varint(number << 3 | BYTES) if tag is None else tag) + varint(len(body)) + body


def skeleton():
    """The model without its weights, and the weights' tensor without its reference."""
    made = helper.make_model(
        helper.make_graph(
            [helper.make_node("MatMul", ["X", "W"], ["Y"])],
            "g",
            [helper.make_tensor_value_info("X", TensorProto.FLOAT, [1, 1])],
            [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [1, 2])],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
    )
    made.ir_version = 8
    tensor = TensorProto(name="W", data_type=1, dims=[1, 2], data_location=TensorProto.EXTERNAL)
    return made.SerializeToString(), tensor.SerializeToString()


MODEL, TENSOR = skeleton()
ENTRY = part(KEY, b"location") + part(VALUE, LOCATION)


def with_reference(reference):
    return MODEL + part(GRAPH, part(INITIALIZER, TENSOR + reference))


def file_read(content, folder):
    """Whether onnxruntime reads the file of weights of a model."""
    path = folder / "model.onnx"
    path.write_bytes(content)
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        answer = session.run(None, {"X": np.ones((1, 1), np.float32)})[0]
    except Exception as error:  # its errors share no root; one about the file shows that it was looked for
        return "weights.bin" in str(error)
    return bool(np.array_equal(answer, MARKS))


def files_named(content):
    try:
        return external_files(memoryview(content))
    except BadModel:
        return None


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "weights.bin").write_bytes(MARKS.tobytes())
    return tmp_path


def test_a_plain_reference_is_seen_and_followed(folder):
    content = with_reference(part(EXTERNAL, ENTRY))
    assert files_named(content) == {"weights.bin"}
    assert file_read(content, folder)


@pytest.mark.parametrize(
    "reference",
    [
        part(EXTERNAL, ENTRY, tag=bytes.fromhex("EA80808010")),  # a bit beyond the 32 of a tag
        part(EXTERNAL, ENTRY + varint(KEY << 3 | 5) + b"abcd"),  # a key of a wire type that is skipped
        part(EXTERNAL, ENTRY + varint(VALUE << 3 | 1) + b"harmless"),
        part(EXTERNAL, part(KEY, b"offset") + part(KEY, b"location") + part(VALUE, LOCATION)),
        part(EXTERNAL, ENTRY, tag=varint(EXTERNAL << 3 | BYTES, padding=1)),
    ],
)
def test_disguises_that_onnxruntime_sees_through_are_refused(folder, reference):
    content = with_reference(reference)
    assert files_named(content) is None
    assert file_read(content, folder)


@pytest.mark.parametrize(
    "content",
    [
        b"\x02\x00",  # field 0
        b"\x0b\x0c",  # a group
        b"\x0e\x00", b"\x0f\x00",  # wire types that there are not
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",  # 65 bits
        b"\x08\x80", b"\x08", b"\x12\x05abc",  # cut short
        b"\x08\x80\x00",  # 0 in two bytes
        b"\xfa\x07\x00",  # a field that onnx.proto does not have
        b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",  # a length beyond every end
    ],
)  # fmt: skip
def test_what_a_reader_might_take_otherwise_is_refused(content):
    assert files_named(content) is None


class Mutation:
    """Random changes of a model with a reference: other forms of tags and lengths, fields in between, bytes."""

    def __init__(self, seed):
        self.chance = np.random.default_rng(seed)

    def model(self):
        entry = (
            self.noise()
            + self.part(KEY, b"location")
            + self.noise()
            + self.part(VALUE, LOCATION)
            + self.noise()
        )
        tensor = self.noise() + TENSOR + self.noise() + self.part(EXTERNAL, entry) + self.noise()
        content = MODEL + self.part(GRAPH, self.noise() + self.part(INITIALIZER, tensor) + self.noise())
        return self.damaged(content) if self.chance.random() < 0.3 else content

    def part(self, number, body):
        return self.tag(number << 3 | BYTES) + self.number(len(body)) + body

    def tag(self, tag):
        match self.chance.integers(12):
            case 0:
                return varint(tag, padding=int(self.chance.integers(1, 5)))
            case 1:
                return varint(tag | 1 << int(self.chance.integers(29, 64)))
            case 2:
                return varint(tag & ~7 | int(self.chance.integers(8)))
        return varint(tag)

    def number(self, number):
        match self.chance.integers(20):
            case 0:
                return varint(number, padding=int(self.chance.integers(1, 5)))
            case 1:
                return varint(number | 1 << int(self.chance.integers(31, 64)))
        return varint(number)

    def noise(self):
        """Mostly nothing, otherwise a field of some number and wire type with something in it."""
        if self.chance.random() < 0.85:
            return b""
        wire = int(self.chance.choice([0, 1, 2, 5, 3]))
        number = int(self.chance.choice([0, 1, 2, 5, 7, 9, 13, 14, 15, 99]))
        body = {0: b"\x01", 1: bytes(8), 2: b"\x04abcd", 5: b"abcd", 3: varint(number << 3 | 4)}[wire]
        return self.tag(number << 3 | wire) + body

    def damaged(self, content):
        changed = bytearray(content)
        for _ in range(int(self.chance.integers(1, 4))):
            changed[int(self.chance.integers(len(MODEL), len(changed)))] = int(self.chance.integers(256))
        return bytes(changed)


def test_onnxruntime_reads_no_file_that_the_scanner_has_not_named(folder):
    followed = refused = 0
    for seed in range(1500):
        content = Mutation(seed).model()
        named = files_named(content)
        if named is None or b"weights.bin" in (name.encode("utf-8", "surrogateescape") for name in named):
            refused += named is None
            followed += named is not None
            continue
        assert not file_read(content, folder), f"seed {seed}: {content.hex()}"
    assert followed > 50  # the plain ones still pass
    assert refused > 500
