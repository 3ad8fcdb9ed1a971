"""One to three coins, labels by transfers: what a party sees is independent of the partner's flag, given its own.

As in ``test_transcript``, at level 10⁻⁹ over all features of a view. Every session is a fresh one; they have one, two
and three coins in turn and words of four bits, two transfers each. Power, with 1,200 coins: a bit that tells the flag
in three coins of four and is random otherwise is found; the protocols that leak on purpose are caught with 480.
"""

from __future__ import annotations

import queue
from itertools import accumulate, cycle, takewhile

import numpy as np
import pytest

from joint.pipes import QueueMessages, draw_in_process
from joint.statistics import dependent_features
from joint.transcripts import FixedShare, dead_bit, evaluator_view, garbler_view, partly, record
from noisewright.joint.coins import coin, transfer
from noisewright.joint.coins.labels import colours, where
from noisewright.joint.coins.law import CoinLaw
from noisewright.joint.coins.messages import Kind
from noisewright.randomness import SeededSource

COINS, FEWER, WIDTH, SHARE = 1200, 480, 4, 11
LAW = CoinLaw(6, 4, 4, 2, width=WIDTH)


def sizes(coins: int) -> list[int]:
    """Coins of each session: one, two and three in turn."""
    ends = takewhile(lambda total: total <= coins, accumulate(cycle((1, 2, 3))))
    return np.diff([0, *ends]).tolist()


def sessions(coins, first_source, second_source):
    """Both parties' flags over many sessions, and for each its size and what both received."""
    flags, ends = [], []
    for number, size in enumerate(sizes(coins)):
        sources = first_source(10_000 + number), second_source(20_000 + number)
        *drawn, one, two = draw_in_process(LAW, size, *sources, session=b"%d" % number)
        flags.append(drawn)
        ends.append((size, dict(one.received), dict(two.received)))
        check_flags(drawn, SeededSource(10_000 + number if first_source is SeededSource else 20_000 + number))
    first, second = (np.concatenate(side) for side in zip(*flags, strict=True))
    return first, second, ends


def check_flags(flags, source) -> None:
    """That the protocol, leaky or not, computes the right flags: it leaks, it is not broken."""
    words = source.stream().draw(flags[0].size) >> np.uint64(64 - WIDTH)
    meant = LAW.flags((words + np.uint64(SHARE)) & np.uint64((1 << WIDTH) - 1))
    assert (np.array(flags) == np.array(meant)).all()


def fixed(seed: int) -> FixedShare:
    return FixedShare(seed, SHARE, WIDTH)


def by_coin(size: int, payload: bytes) -> np.ndarray:
    """A message's bytes, one row a coin."""
    return np.frombuffer(payload, np.uint8).reshape(size, -1)


def seen_by_evaluator(recorded, coins=COINS):
    """The first's flags, which must stay secret, the second's own, and all that it saw."""
    first, second, ends = sessions(coins, SeededSource, fixed)
    points = [np.repeat(by_coin(1, got[Kind.POINT]), size, axis=0) for size, _, got in ends]
    corrections = [by_coin(size, got[Kind.CORRECTION]) for size, _, got in ends]
    return first, second, evaluator_view(recorded, np.concatenate(points), np.concatenate(corrections))


def seen_by_garbler(recorded, coins=COINS):
    """The second's flags, which must stay secret, the first's own, and all that it saw."""
    first, second, ends = sessions(coins, fixed, SeededSource)
    answers = [by_coin(size, got[Kind.ANSWERS]) for size, got, _ in ends]
    # One byte has the colours of all coins of a session; moved so that each coin's own comes first.
    returned = [got[Kind.COLOURS][0] >> place for size, got, _ in ends for place in range(size)]
    shifted = np.array(returned, dtype=np.uint8)[:, None]
    return second, first, garbler_view(recorded, np.concatenate(answers), shifted)


@pytest.mark.parametrize(
    ("see", "features"),
    [(seen_by_evaluator, 4_096 + 3 * 1_792 + 2 + 2_048 + 256 + 1_536), (seen_by_garbler, 3 * 1_032)],
)
def test_a_party_sees_nothing_of_the_others_flag_and_the_test_would_notice(see, features, monkeypatch):
    secret, known, view = see(record(monkeypatch))
    assert view.shape == (COINS, features)
    probed = np.column_stack([view, partly(secret, 0.75)])
    assert dependent_features(probed, secret, known).nonzero()[0].tolist() == [features]  # the probe alone


def test_a_garbler_that_starts_anew_until_its_flag_needs_no_mask_is_caught(monkeypatch):
    """Then the colour of the T₁ label is T₁ itself."""
    recorded = record(monkeypatch)
    secret, known, view = seen_by_evaluator(recorded, 2 * FEWER)
    kept = ~recorded.masks[0]
    assert kept.sum() < 1.2 * FEWER
    assert dependent_features(view[kept], secret[kept], known[kept]).any()


def test_a_hash_that_leaves_the_colour_open_is_caught(monkeypatch):
    dead_bit(monkeypatch, 0)
    secret, known, view = seen_by_evaluator(record(monkeypatch), FEWER)
    assert dependent_features(view, secret, known).any()


@pytest.mark.parametrize("reused", [False, True])
def test_labels_that_are_used_again_in_other_sessions_are_caught(reused, monkeypatch):
    """Labels are handed over here, as the transfer is not what is tried; fresh ones show nothing."""
    hand_over_labels(monkeypatch, (lambda: 5) if reused else iter(range(5, 10_000)).__next__)
    recorded = record(monkeypatch)
    first, second, _ = sessions(FEWER, SeededSource, fixed)
    assert dependent_features(evaluator_view(recorded), first, second).any() == reused


def hand_over_labels(monkeypatch, next_seed) -> None:
    """Let the garbler take offset and labels from seeds, under one key of the hash, and the evaluator be given its own."""
    given: queue.Queue = queue.Queue()

    def send_labels(messages, offset, count, width, stream):
        offset[:], *zeros = SeededSource(next_seed()).words(2 + 2 * count * width).reshape(-1, 2)
        offset[0] |= np.uint64(1)
        given.put((np.array(zeros).reshape(count, width, 2), offset))
        return np.array(zeros).reshape(count, width, 2)

    def receive_labels(messages, choices, stream):
        zeros, offset = given.get(timeout=600)
        return zeros ^ where(choices, offset)

    hash_once = coin.GateHash
    monkeypatch.setattr(coin, "GateHash", lambda session: hash_once(b"one key for all"))
    monkeypatch.setattr(coin, "send_labels", send_labels)
    monkeypatch.setattr(coin, "receive_labels", receive_labels)


def test_devices_whose_generator_is_stuck_are_caught(monkeypatch):
    """With the same scalars in all sessions an answer is one of four points, as the evaluator chose."""
    scalar = transfer.random_scalar(SeededSource(3).stream())
    monkeypatch.setattr(transfer, "random_scalar", lambda stream: scalar)
    secret, known, view = seen_by_garbler(record(monkeypatch), FEWER)
    assert dependent_features(view, secret, known).any()


def test_an_evaluator_that_hides_the_other_colour_in_spare_bits_is_caught(monkeypatch):
    """And the garbler, who would refuse them, does not look: with the colour of the T₂ label it knows T₂."""
    recorded, send = record(monkeypatch), QueueMessages.send

    def stuffed(messages, kind, payload):
        if kind is Kind.COLOURS:
            _, second = recorded.evaluate[-1][1]
            payload = bytes([payload[0] | np.packbits(colours(second), bitorder="little")[0] << 4])
        send(messages, kind, payload)

    def lenient(data, count):
        return np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little").astype(bool)[:count]

    monkeypatch.setattr(QueueMessages, "send", stuffed)
    monkeypatch.setattr(coin, "unpack_bits", lenient)
    secret, known, view = seen_by_garbler(recorded, FEWER)
    assert dependent_features(view, secret, known).any()
