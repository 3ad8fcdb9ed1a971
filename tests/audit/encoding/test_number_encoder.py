"""Numbers pass through unchanged; what is not finite, not seen or not a number has a place that is stated."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding import fit_encoder
from noisewright.audit.encoding.encoder import NumberEncoder, row_keys
from noisewright.audit.encoding.float_bits import BitEncoder
from noisewright.errors import InvalidParameter

RNG = np.random.default_rng(1)


def encoder_of(left, right, **options):
    return fit_encoder(Outputs.of(left), Outputs.of(right), **options)


@pytest.mark.parametrize("width", [1, 3])
def test_finite_numbers_pass_without_a_copy(width):
    numbers = RNG.normal(size=(500, width))
    encoder = encoder_of(numbers, numbers)
    assert np.shares_memory(encoder.features(Outputs(numbers, listed=True)).table, numbers)
    assert encoder.atoms is None


def test_one_number_keeps_its_order_whatever_it_is():
    encoder = encoder_of(RNG.normal(size=50), RNG.normal(size=50))
    numbers = np.array([np.nan, -np.inf, -1e300, 0.0, 1e300, np.inf])
    table = encoder.features(Outputs.of(numbers)).table
    assert np.isfinite(table).all()
    assert (np.diff(table[:, 0]) > 0).all()


def test_vectors_carry_flags_for_what_fitting_saw():
    left = np.array([[1.0, np.nan], [2.0, 5.0]])
    encoder = encoder_of(left, np.array([[-np.inf, 4.0], [0.0, 6.0]]))
    assert encoder.columns == (
        "number 1", "number 2", "number 1 is -infinite", "number 2 is not a number"
    )  # fmt: skip
    table = encoder.features(Outputs.of([[-np.inf, np.nan], [np.inf, 5.5]])).table
    assert table.tolist() == [[0.0, 5.0, 1.0, 1.0], [2.0, 5.5, 0.0, 0.0]]


def test_few_different_outputs_have_codes_and_new_ones_the_last():
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [-0.0, 1.0]] * 40)
    encoder = encoder_of(rows, rows)
    assert sorted(encoder.atoms[:-1]) == ["[-0.0, 1]", "[0, 1]", "[1, 0]"]  # the sign of a zero may tell
    fresh = np.array([[0.0, 1.0], [1.0, 1.0], [np.nan, 0.0]])
    codes = encoder.features(Outputs(fresh)).atoms
    assert encoder.atoms[codes[0]] == "[0, 1]"
    assert codes[1:].tolist() == [3, 3]


def test_outputs_too_many_for_their_rows_have_no_codes():
    assert encoder_of(np.arange(100.0), np.arange(100.0)).atoms is None
    assert len(encoder_of(np.arange(2000) % 100, np.arange(2000) % 100).atoms) == 101


def test_keys_of_equal_rows_are_equal_and_those_of_different_rows_differ():
    rows = RNG.integers(0, 3, size=(3000, 6)).astype(float)
    different = {tuple(row) for row in rows.tolist()}
    assert len(np.unique(row_keys(rows))) == len(different)
    assert (row_keys(rows) == row_keys(rows.copy())).all()


def test_an_output_of_another_shape_is_no_number_and_no_atom():
    encoder = encoder_of([0, 1] * 40, [1, 1] * 40)
    features = encoder.features(Outputs.of([1, None, "garbage", [1, 2]]))
    assert features.atoms.tolist() == [1, 2, 2, 2]
    assert (features.table[1:, 0] < -1e308).all()


def test_a_list_of_one_number_is_not_that_number():
    plain, listed = encoder_of([0, 1] * 40, [1, 1] * 40), encoder_of([[0], [1]] * 40, [[1], [1]] * 40)
    numbers, lists, mixed = Outputs.of([1.0, 0.0]), Outputs.of([[1.0], [0.0]]), Outputs.of([1, [1], None])
    for encoder, whole, other, codes in (
        (plain, numbers, lists, [1, 2, 2]),
        (listed, lists, numbers, [2, 1, 2]),
    ):
        assert encoder.features(whole).atoms.tolist() == [1, 0]
        assert encoder.features(other).atoms.tolist() == [2, 2]
        assert encoder.features(mixed).atoms.tolist() == codes
    assert encoder_of([0, 1] * 40, [[0], [1]] * 40).atoms == ("0", "1", "[0]", "[1]", "any other output")


def test_a_whole_number_beyond_the_doubles_is_not_its_neighbour():
    encoder = encoder_of([2.0**53, 1.0] * 40, [1.0, 1.0] * 40)
    assert encoder.features(Outputs.of([2**53, 2**53 + 1])).atoms.tolist() == [1, 2]


def test_codes_and_tables_come_in_pieces_as_they_come_whole():
    encoder = pickle.loads(pickle.dumps(encoder_of([0, 1, 5] * 40, [1, 1, 0] * 40)))
    outputs = Outputs.of([0, 1, 2, 5])
    whole = encoder.features(outputs)
    parts = [encoder.features(outputs[:1]), encoder.features(outputs[1:])]
    assert np.concatenate([part.atoms for part in parts]).tolist() == whole.atoms.tolist()
    assert np.concatenate([part.table for part in parts]).tolist() == whole.table.tolist()
    assert whole[np.array([3, 0])].table.tolist() == [[5.0], [0.0]]


def test_bits_add_grain_and_exponent_of_every_number():
    encoder = encoder_of(RNG.normal(size=(60, 2)), RNG.normal(size=(60, 2)), bits=True)
    assert isinstance(encoder, BitEncoder)
    table = encoder.features(Outputs.of([[0.75, 6.0]])).table
    assert table.tolist() == [[0.75, 6.0, -2.0, 1.0, -1.0, 2.0]]
    assert encoder.atoms is None
    assert not encoder.exact


@pytest.mark.parametrize("word", ["a", "0101", b"ab", None, {"a"}, [], {"why": None}])
def test_bits_of_words_are_refused(word):
    with pytest.raises(InvalidParameter, match="bits"):
        encoder_of([word] * 5, ["b"] * 5, bits=True)


@pytest.mark.parametrize(
    ("output", "place"),
    [
        ({"mean": 0.75}, "place mean"),
        ([0.75, None], "place 0"),
        (0.75, "the output where it is a number"),
        ((None, 0.75, "a"), "place 1"),
    ],
)
def test_bits_of_numbers_among_other_things(output, place):
    encoder = encoder_of([output, None] * 5, [output, None] * 5, bits=True)
    table = encoder.features(Outputs.of([output, None])).table.T.tolist()
    seen = dict(zip(encoder.columns, table, strict=True))
    assert seen[f"grain of {place}"] == [-2.0, 2048.0]
    assert seen[f"exponent of {place}"] == [-1.0, 1024.0]


def test_values_have_words_unless_they_stand_for_others():
    one = NumberEncoder.fit(np.array([[0.5], [np.inf]]), np.array([[np.nan], [-np.inf]]))
    values = one.features(Outputs.of([0.5, np.inf, -np.inf, np.nan])).table[:, 0].tolist()
    assert [one.value_words(0, value) for value in values] == [
        "the output is exactly 0.5", "the output is +infinite", "the output is -infinite",
        "the output is no number",
    ]  # fmt: skip
    rows = np.array([[0.5, 1.0], [1.5, np.nan], [2.5, 3.0]])
    two = NumberEncoder.fit(rows, rows)
    assert two.value_words(0, 0.5) == "number 1 is exactly 0.5"
    assert [two.value_words(1, value) for value in (2.0, 2.5)] == [None, "number 2 is exactly 2.5"]
    assert (two.value_words(2, 1.0), two.value_words(2, 0.0)) == ("number 2 is not a number", None)
