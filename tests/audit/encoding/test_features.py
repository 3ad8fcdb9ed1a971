"""Outputs in words: no escapes, no names of our own making, nothing that steers a terminal."""

import json

import pytest

from noisewright.audit.basics.outputs import LONGEST, canonical, readable


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (3, "3"),
        (-0.0, "-0.0"),
        (2.5, "2.5"),
        (1 << 60, "1152921504606846976"),
        (None, "null"),
        (True, "1"),
        (float("-inf"), "-∞"),
        ("", "an empty text"),
        ("é \\ 'x' \"y\"", '"é \\ \'x\' "y""'),
        ("a\n\x1b[2J\u202eb", r'"a\n\x1b[2J\u202eb"'),
        (b"\x01\xff", "the bytes 01ff"),
        (b"", "no bytes"),
        ({"why": None, "n": (1, 2.5), 3: "x"}, '{n: [1, 2.5], why: null, 3: "x"}'),
        ({"a"}, '{"a"}'),
        ({}, "{}"),
        ([], "[]"),
        ("x" * 100, f'"{"x" * LONGEST}…"'),
    ],
)
def test_any_output_in_words(output, words):
    assert readable(json.loads(json.dumps(canonical(output)))) == words
