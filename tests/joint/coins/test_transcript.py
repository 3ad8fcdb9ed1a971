"""Many coins, labels by extension: what a party sees is independent of the partner's flag, given its own.

All bits that arrive for a coin, all labels computed from them and sums with the colours are tried at once, at level
10⁻⁹ over all of them (Hoeffding and Bonferroni). Power, with 2,048 coins: a bit that tells the flag in two coins of
five and is random otherwise is found, and so is every protocol below that was changed to leak. Words have eight bits
here, so that every bit of a transcript fits.
"""

from __future__ import annotations

import numpy as np
import pytest

from joint.pipes import draw_in_process
from joint.statistics import dependent_features
from joint.transcripts import FixedShare, dead_bit, evaluator_view, garbler_view, partly, record
from noisewright.joint.coins import delivery
from noisewright.joint.coins.delivery import BATCH
from noisewright.joint.coins.law import CoinLaw
from noisewright.joint.coins.messages import Kind
from noisewright.randomness import SeededSource

COINS, WIDTH, SHARE = 2048, 8, 77
LAW = CoinLaw(96, 64, 64, 32, width=WIDTH)


def seen_by_evaluator(monkeypatch):
    """The first's flags, which must stay secret, the second's own, and all that it saw."""
    recorded = record(monkeypatch)
    first, second, *_ = draw_in_process(LAW, COINS, SeededSource(1), FixedShare(2, SHARE, WIDTH))
    check_flags(first, second, SeededSource(1))
    return first, second, evaluator_view(recorded)


def seen_by_garbler(monkeypatch):
    """The second's flags, which must stay secret, the first's own, and all that it saw."""
    recorded = record(monkeypatch)
    first, second, end, _ = draw_in_process(LAW, COINS, FixedShare(1, SHARE, WIDTH), SeededSource(2))
    check_flags(first, second, SeededSource(2))
    corrections = [np.frombuffer(data, np.uint8) for kind, data in end.received if kind is Kind.CORRECTION]
    by_coin = [part.reshape(128, BATCH).T for part in corrections]  # a byte a column: eight bits a coin
    (answer,) = (data for kind, data in end.received if kind is Kind.COLOURS)
    colour = np.unpackbits(np.frombuffer(answer, np.uint8), bitorder="little")
    return second, first, garbler_view(recorded, np.concatenate(by_coin), colour[:, None])


def check_flags(first, second, source) -> None:
    """That the protocol, leaky or not, computes the right flags: it leaks, it is not broken."""
    words = source.stream().draw(COINS) >> np.uint64(64 - WIDTH)
    meant = LAW.flags((words + np.uint64(SHARE)) & np.uint64((1 << WIDTH) - 1))
    assert (first == meant[0]).all()
    assert (second == meant[1]).all()


@pytest.mark.parametrize(("see", "features"), [(seen_by_evaluator, 19_202), (seen_by_garbler, 3 * 2_056)])
def test_a_party_sees_nothing_of_the_others_flag_and_the_test_would_notice(see, features, monkeypatch):
    secret, known, view = see(monkeypatch)
    assert view.shape == (COINS, features)
    probed = np.column_stack([view, partly(secret, 0.4)])
    assert dependent_features(probed, secret, known).nonzero()[0].tolist() == [features]  # the probe alone


@pytest.mark.parametrize("place", [0, 79])
def test_a_hash_that_leaves_one_bit_of_labels_open_is_caught(place, monkeypatch):
    """Bit 0 is the colour, so that of the T₁ label is not masked; bit 79 is one that this session's offset has."""
    dead_bit(monkeypatch, place)
    secret, known, view = seen_by_evaluator(monkeypatch)
    assert dependent_features(view, secret, known).any()


def test_one_column_of_128_that_is_not_stretched_is_caught(monkeypatch):
    """Then the correction of this column is the evaluator's word in the clear."""
    draw = delivery._draw

    def lazy(columns, words):
        drawn = draw(columns, words)
        drawn[40] = 0
        return drawn

    monkeypatch.setattr(delivery, "_draw", lazy)
    secret, known, view = seen_by_garbler(monkeypatch)
    assert dependent_features(view, secret, known).any()
