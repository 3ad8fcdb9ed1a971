"""The coin between two parties in one process: right flags, right law, and nothing but the own flag to see."""

from __future__ import annotations

import numpy as np
import pytest

from joint.pipes import draw_in_process, queue_pair, together
from noisewright.errors import InvalidParameter, ProtocolError
from noisewright.joint.coins.coin import MAX_COINS, SECURITY_MODEL, draw_coins
from noisewright.joint.coins.law import CoinLaw
from noisewright.joint.coins.messages import Kind, Role
from noisewright.randomness import SeededSource

WHOLE = 1 << 64
LAW = CoinLaw(WHOLE // 2, WHOLE // 4, WHOLE // 4, 0)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 127, 128, 129, 300])
def test_flags_are_those_of_the_sum_that_nobody_opened(count):
    """Directly and by extension, in one batch and in several."""
    first, second, *_ = draw_in_process(LAW, count, SeededSource(1), SeededSource(2))
    words = SeededSource(1).stream().draw(count) + SeededSource(2).stream().draw(count)
    meant = LAW.flags(words)
    assert (first == meant[0]).all()
    assert (second == meant[1]).all()


@pytest.mark.parametrize("weights", [(WHOLE, 0, 0, 0), (0, WHOLE, 0, 0), (0, 0, WHOLE, 0), (0, 0, 0, WHOLE)])
@pytest.mark.parametrize("count", [1, 20])
def test_a_certain_outcome_is_certain(weights, count):
    first, second, *_ = draw_in_process(CoinLaw(*weights), count, SeededSource(1), SeededSource(2))
    both, first_only, second_only, _ = weights
    assert first.tolist() == [bool(both or first_only)] * count
    assert second.tolist() == [bool(both or second_only)] * count


def test_odd_widths_work_too():
    law = CoinLaw(9, 9, 9, 5, width=5)
    first, second, *_ = draw_in_process(law, 100, SeededSource(1), SeededSource(2))
    words = [SeededSource(seed).stream().draw(100) >> np.uint64(59) for seed in (1, 2)]
    meant = law.flags((words[0] + words[1]) & np.uint64(31))
    assert (first == meant[0]).all()
    assert (second == meant[1]).all()


@pytest.mark.parametrize("count", [0, -1, MAX_COINS + 1, 1.5, True])
def test_impossible_numbers_of_coins_are_refused(count):
    with pytest.raises(InvalidParameter, match="number of coins"):
        draw_coins(queue_pair()[0], Role.FIRST, LAW, count)


def test_the_model_is_stated():
    assert "honest but curious" in SECURITY_MODEL


MALFORMED = [
    (Kind.ANSWERS, lambda payload: payload[:-1]),
    (Kind.ANSWERS, lambda payload: bytes(len(payload))),
    (Kind.POINT, lambda payload: b"\xff" * len(payload)),
    (Kind.CORRECTION, lambda payload: payload + b"\0"),
    (Kind.ROWS, lambda payload: payload[:-16]),
    (Kind.ROWS, lambda payload: b""),
    (Kind.COLOURS, lambda payload: payload + b"\0"),
    (Kind.COLOURS, lambda payload: b""),
]


@pytest.mark.parametrize(("kind", "change"), MALFORMED)
@pytest.mark.parametrize("count", [1, 9])
def test_a_partner_that_sends_nonsense_is_refused(kind, change, count):
    first, second = queue_pair()
    for end in (first, second):
        send = end.send
        end.send = lambda came, payload, send=send: send(came, change(payload) if came is kind else payload)
        end.patience = 0.5
    with pytest.raises(ProtocolError):
        together(
            lambda: draw_coins(first, Role.FIRST, LAW, count, SeededSource(1)),
            lambda: draw_coins(second, Role.SECOND, LAW, count, SeededSource(2)),
        )
