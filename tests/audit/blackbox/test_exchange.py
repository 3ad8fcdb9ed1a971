"""Printed texts as outputs: what is told apart stays apart, and what is a number stays one."""

import math

import numpy as np
import pytest

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox.exchange import parse_output
from noisewright.audit.encoding.encoder import fit_encoder


def told_apart(*printed):
    """How many different outputs some texts are."""
    return len(set(Outputs.of([parse_output(text.encode()) for text in printed]).as_words()))


@pytest.mark.parametrize(
    "printed",
    [
        ("1", "01", "0001", "+01", "-01", "-0001"),
        ("0", "00", "000"),
        ("0.5", "00.5", "000.5"),
        ("00e1", "000e1", "00e2"),  # hexadecimal digits look like this
        ("0" * 40 + "0", "0" * 40 + "1"),
        ("01" * 16 + "0", "01" * 16 + "1"),
        ("1" * 400 + "0", "1" * 400 + "1"),
        ("2" * 400, "2" * 399 + "3", "+" + "2" * 398 + "33"),
        ("9" * 5000, "9" * 5001, "-" + "9" * 5000, "inf", "-inf"),
        ("1e999", "1e1000", "-1e999", "+1e999", "1" + "0" * 400 + ".", "inf"),
        ("[1e999]", "[2e999]", "[Infinity]"),
        (f"[1, {'9' * 5000}]", f"[1, {'9' * 5001}]"),
        ("7", "٧", "007"),
        ("yes", "yes ", " yes", "yes\n\n"),
        ('{"a": 1}', '{"a": 1, "a": 1}', '{"a": 2, "a": 1}'),
    ],
)
def test_different_texts_stay_different_outputs(printed):
    assert told_apart(*printed) == len(printed)


@pytest.mark.parametrize(
    "text", ["01", "-007", "+00", "00.5", "01010101", "10000000", "11111111", "0" * 5000, "1" * 5000]
)
def test_codes_and_bit_strings_stay_text(text):
    assert parse_output(f"{text}\n".encode()) == text


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("0", 0),
        ("-7", -7),
        ("+12345678901234567891", 12345678901234567891),
        ("1011", 1011),
        ("-10000000", -10_000_000),
        ("10000002", 10_000_002),
        ("2" * 4000, int("2" * 4000)),
        ("[10000000, 0.5]", [10_000_000, 0.5]),
        ("1e05", 1e5),
        ("0.10000000", 0.1),
    ],
)
def test_numbers_are_read_exactly(printed, value):
    found = parse_output(printed.encode())
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("printed", "value"),
    [("+.5", 0.5), (".5", 0.5), ("5.", 5.0), ("+5e1", 50.0), ("inf", math.inf), ("-Infinity", -math.inf)],
)
def test_notations_that_json_lacks_are_floats(printed, value):
    found = parse_output(printed.encode())
    assert (found, type(found)) == (value, float)


def test_what_is_not_finite_is_read_inside_documents_too():
    assert math.isnan(parse_output(b"nan"))
    first, *others = parse_output(b"[NaN, Infinity, -Infinity, 1e999, -1.5]")
    assert math.isnan(first)
    assert others == [math.inf, -math.inf, "1e999", -1.5]


def test_a_number_too_long_to_be_one_leaves_the_rest_of_its_document_readable():
    assert parse_output(b"[1, " + b"9" * 5000 + b"]") == [1, "9" * 5000]


@pytest.mark.parametrize("first", "01")
def test_every_bit_of_a_printed_bit_string_is_a_column(first):
    """The last of 40 bits says which input it was, and nothing else does."""
    bits = np.random.default_rng(1).integers(2, size=(2, 60, 38)).astype(str)
    left, right = (
        Outputs.of([parse_output((first + "".join(row) + last).encode()) for row in rows])
        for rows, last in zip(bits, "01", strict=True)
    )
    encoder = fit_encoder(left, right)
    last_bit = encoder.columns.index("bit 39 of the output")
    assert encoder.features(left).table[:, last_bit].tolist() == [0.0] * 60
    assert encoder.features(right).table[:, last_bit].tolist() == [1.0] * 60
