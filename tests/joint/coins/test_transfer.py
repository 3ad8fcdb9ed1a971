"""Oblivious transfer: the right key for each choice, no other key, and the extension against the base."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from noisewright.errors import ProtocolError
from noisewright.joint.coins import transfer as group
from noisewright.joint.coins.delivery import (
    COLUMNS,
    ExtensionReceiver,
    ExtensionSender,
    choices_of,
    chosen_labels,
    correlate,
    offset_bits,
)
from noisewright.joint.coins.labels import random_offset, where
from noisewright.joint.coins.transfer import KeyReceiver, KeySender
from noisewright.randomness import SeededSource


def transfer(choices, alternatives=2, session=b"s", receiver_session=b"s"):
    sender = KeySender(session, SeededSource(1).stream(), alternatives)
    receiver = KeyReceiver(
        receiver_session, sender.point, np.array(choices), SeededSource(2).stream(), alternatives
    )
    return sender.keys(receiver.points, len(choices)), receiver


@pytest.mark.parametrize("alternatives", [2, 4])
def test_every_choice_gets_its_key_and_only_that(alternatives):
    choices = list(range(alternatives)) * 3
    keys, receiver = transfer(choices, alternatives)
    for choice, own, all_keys in zip(choices, receiver.keys, keys, strict=True):
        assert [own == key for key in all_keys] == [place == choice for place in range(alternatives)]
    assert len({key for all_keys in keys for key in all_keys}) == 3 * alternatives**2


def test_another_session_reads_nothing():
    keys, receiver = transfer([0, 1], receiver_session=b"t")
    assert not {key for pair in keys for key in pair} & set(receiver.keys)


def test_labels_of_bits_by_keys_and_a_wrong_key_reads_noise():
    bits, offset = SeededSource(3).words(1), random_offset(SeededSource(4).stream())
    choices = ((bits >> np.arange(63, dtype=np.uint64)) & np.uint64(1)).astype(bool)  # an odd number of bits
    digits = choices_of(choices)
    keys, receiver = transfer(digits, 4)
    zeros, message = correlate(keys, offset)
    labels = chosen_labels(receiver.keys, digits, message)[:63]
    assert (labels == zeros[:63] ^ where(choices, offset)).all()
    stolen = chosen_labels(receiver.keys, (digits + 1) % 4, message)[
        :63
    ]  # the keys are those of other choices
    assert not (stolen == zeros[:63]).all(axis=1).any()
    assert not (stolen == zeros[:63] ^ offset).all(axis=1)[choices].any()


@pytest.mark.parametrize("count", [1, 63, 64, 65, 640])
def test_the_extension_gives_what_base_transfers_would(count):
    offset = random_offset(SeededSource(5).stream())
    keys, base = transfer(offset_bits(offset))
    receiver, sender = ExtensionReceiver(keys), ExtensionSender(base.keys, offset)
    seen = set()
    for seed in (6, 7):  # two batches from the same base
        choices = (SeededSource(seed).words(count) & np.uint64(1)).astype(bool)
        labels, message = receiver.extend(choices)
        zeros = sender.extend(message, count)
        assert (labels == zeros ^ where(choices, offset)).all()
        seen |= {label.tobytes() for label in zeros}
    assert len(seen) == 2 * count


def test_an_extension_message_of_wrong_length_is_refused():
    offset = random_offset(SeededSource(5).stream())
    _, base = transfer(offset_bits(offset))
    for length in (0, COLUMNS * 8 - 1, COLUMNS * 16):
        with pytest.raises(ProtocolError, match="wrong length"):
            ExtensionSender(base.keys, offset).extend(bytes(length), 64)


NOT_POINTS = [b"", bytes(32), b"\xff" * 32, bytes(31), b"\x01" + bytes(31)]


@pytest.mark.parametrize("point", NOT_POINTS)
def test_what_is_no_point_is_refused_on_both_sides(point):
    with pytest.raises(ProtocolError, match="not a point"):
        KeyReceiver(b"s", point, np.array([0]), SeededSource(1).stream())
    with pytest.raises(ProtocolError, match=r"not a point|wrong length"):
        KeySender(b"s", SeededSource(1).stream()).keys(point, 1)


def test_answers_of_wrong_number_are_refused():
    sender = KeySender(b"s", SeededSource(1).stream())
    with pytest.raises(ProtocolError, match="wrong length"):
        sender.keys(sender.point * 3, 2)


def test_the_group_computes_as_a_group():
    left, right = (group.random_scalar(SeededSource(seed).stream()) for seed in (1, 2))
    assert group.times(left, group.base_times(right)) == group.times(right, group.base_times(left))
    total = group.add(group.base_times(left), group.base_times(right))
    assert group.subtract(total, group.base_times(right)) == group.base_times(left)


def test_the_library_leaves_no_file_behind(tmp_path):
    code = "import noisewright.joint.coins.transfer as g; g.base_times(bytes([1]) + bytes(31))"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []
