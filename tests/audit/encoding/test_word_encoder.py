"""Outputs of any shape: places, categories, bits, lengths, and exact codes."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.audit import audit
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding import fit_encoder
from noisewright.audit.encoding.paths import Digits, leaves
from noisewright.audit.encoding.word_encoder import MOST_COLUMNS


def encoder_of(left, right):
    return fit_encoder(Outputs.of(left), Outputs.of(right))


@pytest.mark.parametrize(
    ("output", "parts"),
    [
        (None, {"": "null"}),
        (True, {"": 1.0}),
        ({"float": "nan"}, {"": "nan"}),
        ({"hex": "05"}, {"": Digits("00000101")}),
        (["0" * 999], {"0": Digits("0" * 999)}),
        ({"set": ["1.0"]}, {"1.0": "present"}),
        ({"hex": ""}, {"": ""}),
        ({"b": [1, "x"], "c": {}}, {"b.0": 1.0, "b.1": "x"}),
        ([], {}),
        (2**53, {"": 2.0**53}),
        (-(2**53) - 2, {"": Digits("01" + "0" * 51 + "1", -(2.0**53) - 2)}),
        (10**400, {"": Digits(f"{10**400:b}"[::-1], 1e300)}),
    ],
)
def test_every_shape_is_taken_apart(output, parts):
    assert leaves(output) == parts


def test_columns_for_numbers_categories_absence_and_length():
    encoder = encoder_of([[1.0, "a"], [2.0]] * 5, [[None, "b", 7.0]] * 5)
    outputs = Outputs.of([[3.5, "b"], ["new", "a", 8.0, "beyond"]])
    table = dict(zip(encoder.columns, encoder.features(outputs).table.T.tolist(), strict=True))
    assert table["length"] == [2.0, 4.0]
    assert table["place 0"] == pytest.approx([3.5, 1.5])  # no number there: the middle of those seen
    assert table["place 0 is null"] == [0.0, 0.0]
    assert table["place 1 is a"] == [0.0, 1.0]
    assert table["place 1 is b"] == [1.0, 0.0]
    assert table["place 2 is absent"] == [1.0, 0.0]


def test_equal_numbers_are_one_atom_however_they_were_written():
    encoder = encoder_of([1, None] * 40, [1.0, None] * 40)
    assert encoder.atoms == ("1", "null", "any other output")
    later = encoder.features(Outputs(np.array([[1.0], [2.0]])))  # a piece in which all were numbers
    assert later.atoms.tolist() == [0, 2]


def test_the_two_zeros_in_a_list_are_two_atoms():
    encoder = encoder_of([[0.0, "a"], [-0.0, "a"]] * 40, [[0, "a"], None] * 40)
    assert encoder.atoms == ('[0, "a"]', '[-0.0, "a"]', "null", "any other output")
    later = encoder.features(Outputs.of([[0, "a"], [-0.0, "a"], None]))
    assert later.atoms.tolist() == [0, 1, 2]


def test_endless_texts_have_no_atoms_and_a_table_of_bounded_width():
    rng = np.random.default_rng(2)
    texts = [[f"w{k}" for k in row] for row in rng.integers(0, 10**6, size=(200, 9))]
    encoder = encoder_of(texts, texts)
    assert encoder.atoms is None
    assert len(encoder.columns) <= MOST_COLUMNS
    assert encoder.features(Outputs.of(["", None, {"x": 1}, []])).table.shape == (4, len(encoder.columns))


@pytest.mark.parametrize(
    "text", ["mean: {:.3f} ms", "{:.6f}", "INFO started 7\nresult {:.2e} of 40 rows", "a;{:.1f};b"]
)
def test_a_number_inside_a_text_is_seen(text):
    """Nearly without noise, in a text that never comes twice."""

    def release(data, generator):
        return text.format(data + generator.normal(0, 0.1)) + " " + generator.bytes(4).hex()

    found = audit(release, 10.0, 11.0, claim=1.0, samples=1_000, jobs=1, seed=1)
    assert found.verdict == "false"
    assert any(column.startswith("number ") for column in found.scorer.encoder.columns)


def test_numbers_as_large_as_doubles_go_are_no_hindrance():
    def release(data, generator):
        return [1.7e308 * (-1) ** generator.integers(2), "word", data + generator.laplace()]

    found = audit(release, 0.0, 5.0, claim=1.0, samples=1_000, jobs=1, seed=1)
    assert found.verdict == "false"


def test_bit_strings_come_bit_by_bit():
    words = ["0110", "1010"] * 3
    encoder = encoder_of(words, words)
    assert encoder.features(Outputs.of(["0111"])).table[0].tolist() == [4.0, 0.0, 1.0, 1.0, 1.0]


def test_a_whole_number_beyond_the_doubles_has_its_bits_and_counts_once():
    encoder = encoder_of([2**60, 2**60 + 1], [2**60 + 3, 7])
    table = encoder.features(Outputs.of([2**60 + 2, 5])).table.T
    row = dict(zip(encoder.columns, table.tolist(), strict=True))
    assert row["length"] == [1.0, 1.0]
    assert row["the output"] == [2.0**60, 5.0]
    assert row["bit 1 of the output"] == [1.0, 0.0]
    assert row["bit 1 of the output is absent"] == [0.0, 1.0]


def test_many_texts_have_columns_for_how_they_are_written():
    """What is alike in all texts has none, and texts that are told apart one by one need none."""
    texts = [f"a {number / 7:.{3 + number % 2}f}" for number in range(100)]
    encoder = encoder_of(texts, texts)
    shapes = [name for name in encoder.columns if name.startswith("the number of")]
    assert shapes == [f"the number of {look} in the output" for look in ("characters", "decimals", "digits")]
    column = encoder.columns.index("the number of decimals in the output")
    assert encoder.features(Outputs.of(["a 1.25 2.5", "b", 1.5, None])).table[:, column].tolist() == [
        3,
        0,
        -1,
        0,
    ]
    assert encoder.value_words(column, 3.0) == "the number of decimals in the output is 3"
    few = encoder_of(texts[:9] * 40, texts[:9] * 40)
    assert not [name for name in few.columns if name.startswith("the number of")]


def test_a_number_that_stands_for_a_missing_one_has_no_words():
    answers = [[0.0], [-0.0], [None], [1.0]] * 30
    encoder = encoder_of(answers, answers)
    column = encoder.columns.index("place 0")
    values = encoder.features(Outputs.of([[0.0], [-0.0], [None]])).table[:, column].tolist()
    said = [encoder.value_words(column, value) for value in values]
    assert said == ["place 0 is exactly 0", "place 0 is exactly -0.0", None]
    flag = encoder.columns.index("place 0 is null")
    assert (encoder.value_words(flag, 1.0), encoder.value_words(flag, 0.0)) == ("place 0 is null", None)
