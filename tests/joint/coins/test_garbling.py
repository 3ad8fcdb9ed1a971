"""The garbled circuit against the one in the clear, and what one wrong bit does to it."""

from __future__ import annotations

import numpy as np
import pytest

from joint.statistics import chi_square_rejects, pair_counts
from noisewright.errors import ProtocolError
from noisewright.joint.coins.garbling import (
    Lanes,
    compile_comparisons,
    evaluate,
    garble,
    gate_numbers,
    word_bits,
)
from noisewright.joint.coins.labels import (
    GateHash,
    colour_masks,
    colours,
    pack_bits,
    pack_labels,
    random_offset,
    unpack_bits,
    unpack_labels,
    where,
)
from noisewright.joint.coins.law import CoinLaw
from noisewright.randomness import SeededSource


def garbled_flags(law, left, right, seed=1, first_coin=0, evaluator_coin=None):
    stream, gate_hash = SeededSource(seed).stream(), GateHash(b"session")
    offset = random_offset(stream)
    zeros = stream.draw(2 * left.size * law.width).reshape(left.size, law.width, 2)
    garbled = garble(compile_comparisons(law, left), zeros, offset, gate_hash, first_coin)
    active = zeros ^ where(word_bits(right, law.width), offset)
    coin = first_coin if evaluator_coin is None else evaluator_coin
    first, second = evaluate(garbled.rows, active, gate_hash, coin)
    return colours(first) ^ garbled.first_colours, colours(second) ^ garbled.second_colours


@pytest.mark.parametrize("weights", [(7, 4, 4, 1), (0, 8, 8, 0), (16, 0, 0, 0), (0, 0, 0, 16), (3, 13, 0, 0)])
def test_all_words_of_four_bits(weights):
    law, words = CoinLaw(*weights, width=4), np.arange(16, dtype=np.uint64)
    left, right = np.repeat(words, 16), np.tile(words, 16)
    meant = law.flags((left + right) & np.uint64(15))
    got = garbled_flags(law, left, right)
    assert all((one == other).all() for one, other in zip(got, meant, strict=True))


def test_full_width_and_a_later_batch():
    law = CoinLaw(1 << 63, 1 << 62, 1 << 62, 0)
    left, right = SeededSource(5).words(300), SeededSource(6).words(300)
    got = garbled_flags(law, left, right, first_coin=1000)
    assert all((one == other).all() for one, other in zip(got, law.flags(left + right), strict=True))


@pytest.mark.slow
def test_the_garbled_circuit_draws_the_law():
    """10⁵ coins at level 10⁻⁹; a law that is 2 % off in one weight is told apart."""
    law, counts = CoinLaw(1 << 63, 1 << 62, 1 << 62, 0), np.zeros(4, dtype=int)
    for seed in range(100):
        left, right = SeededSource(2 * seed).words(1000), SeededSource(2 * seed + 1).words(1000)
        counts += pair_counts(*garbled_flags(law, left, right, seed))
    assert not chi_square_rejects(counts, law.weights)
    shift = (1 << 64) // 50
    assert chi_square_rejects(counts, (law.both + shift, law.first_only - shift, law.second_only, 0))


def test_rows_of_one_coin_do_not_open_as_another():
    """Gates are numbered through a session: under other numbers the same rows give noise."""
    law = CoinLaw(1 << 63, 1 << 62, 1 << 62, 0)
    left, right = SeededSource(5).words(300), SeededSource(6).words(300)
    first, _ = garbled_flags(law, left, right, first_coin=0, evaluator_coin=1)
    wrong = (first != law.flags(left + right)[0]).sum()
    assert 60 < wrong < 240  # about half of 300; a binomial leaves this range with probability 10⁻²⁵


def test_the_numbers_of_gates_never_repeat():
    numbers = [array[..., 0].ravel() for first in (0, 3) for array in gate_numbers(8, 3, first)]
    assert np.unique(np.concatenate(numbers)).size == 2 * 2 * 8 * 3 * 4


@pytest.mark.parametrize("share", [0, (1 << 64) - 1])
def test_rows_look_random_for_extreme_secrets(share):
    """Half of all bits are set, up to a deviation that chance makes once in 10⁹ runs."""
    law, stream = CoinLaw(1 << 63, 1 << 62, 1 << 62, 0), SeededSource(9).stream()
    offset, zeros = random_offset(stream), stream.draw(50 * 128).reshape(50, 64, 2)
    comparisons = compile_comparisons(law, np.full(50, share, dtype=np.uint64))
    rows = garble(comparisons, zeros, offset, GateHash(b"session")).rows
    deviation = int(np.bitwise_count(rows).sum()) - 32 * rows.size
    assert deviation**2 < 64 * rows.size * np.log(2e9) / 2  # Hoeffding


def test_the_offset_is_of_colour_one():
    assert all(colours(random_offset(SeededSource(seed).stream())) for seed in range(20))


def test_packing_comes_back_and_wrong_lengths_do_not():
    labels, bits = SeededSource(1).words(12).reshape(2, 3, 2), np.array([True, False, True])
    assert (unpack_labels(pack_labels(labels), (2, 3)) == labels).all()
    assert (unpack_bits(pack_bits(bits), 3) == bits).all()
    for data in (b"", b"1234567", pack_labels(labels)[:-1], pack_labels(labels) + bytes(16)):
        with pytest.raises(ProtocolError, match="wrong length"):
            unpack_labels(data, (2, 3))
    for data in (b"", b"\x00\x00", b"\x08"):
        with pytest.raises(ProtocolError, match="wrong number of bits"):
            unpack_bits(data, 3)


@pytest.mark.parametrize("count", [1, 4, 9])
def test_labels_in_lanes_are_hashed_and_masked_like_labels_in_arrays(count):
    gate_hash, stream = GateHash(b"session"), SeededSource(3).stream()
    labels, numbers = stream.draw(4 * count).reshape(2, 1, count, 2)
    lanes = Lanes(count, gate_hash)
    (number,), (tweak,) = lanes.read(labels), lanes.read(numbers)
    assert (lanes.write([number], (1, count)) == labels).all()
    assert (lanes.write([lanes.hash(number, tweak)], (1, count)) == gate_hash(labels, numbers)).all()
    masks = np.broadcast_to(colour_masks(labels), labels.shape)
    assert (lanes.write([lanes.masks(number)], (1, count)) == masks).all()
    assert (lanes.write([lanes.repeat(labels[0, 0])], (count,)) == labels[0, 0]).all()
