"""Evidence for repeated chance: it stays fair for independent outputs of any law, and adds up for copies."""

from itertools import product

import numpy as np
import pytest

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.experiment.sampler import Repeats, fingerprint, gain
from noisewright.errors import BadMechanism

SIZE = 6


def blocks(generator, count, size, rate):
    return [Outputs.of((generator.random(size) < rate).astype(float)) for _ in range(count)]


def refused(drawn, size):
    repeats = Repeats()
    try:
        for each in drawn:
            repeats.check(each, size)
    except BadMechanism:
        return True
    return False


@pytest.mark.parametrize("history", [1, 5, 40])
def test_the_evidence_gains_nothing_on_average_whatever_the_law(history):
    """By enumeration of all blocks: with a mean of at most 1, Ville bounds the false alarms."""
    repeats = Repeats()
    for each in blocks(np.random.default_rng(history), history, SIZE, 0.2):
        repeats.check(each, SIZE)
    every = [np.array(bits, float) for bits in product((0, 1), repeat=SIZE)]
    heads = [Outputs.of(bits) for bits in every]
    factors = np.array([2 ** gain(repeats.staked(fingerprint(head)), head) for head in heads])
    hits = np.array([bits.sum() for bits in every])
    for rate in np.linspace(0, 1, 41):
        assert (rate**hits * (1 - rate) ** (SIZE - hits)) @ factors <= 1 + 1e-12


@pytest.mark.parametrize(("size", "rate"), [(1024, 0.008), (1024, 0.0004), (64, 0.008), (4, 0.3), (1, 0.5)])
def test_independent_blocks_are_not_refused(size, rate):
    assert not refused(blocks(np.random.default_rng(4), 1500, size, rate), size)


@pytest.mark.parametrize(("size", "rate"), [(1024, 0.008), (64, 0.03), (16, 0.2)])
def test_two_workers_with_equal_streams_are_refused(size, rate):
    """Each draws chunks of five blocks in turn, from states that were equal at the start."""
    stream = blocks(np.random.default_rng(5), 500, size, rate)
    chunks = [stream[start : start + 5] for start in range(0, 500, 5)]
    assert refused([each for chunk in chunks for each in chunk * 2], size)


def test_copies_that_begin_late_are_refused():
    honest = blocks(np.random.default_rng(6), 1000, 64, 0.3)
    assert refused(honest + honest[-3:], 64)


def test_vectors_and_words_are_told_apart():
    draw = np.random.default_rng(7)
    vectors, words = Outputs.of(draw.normal(size=(20, 2))), Outputs.of(list("abcdefghijklmnopqrst"))
    assert refused([vectors, vectors], 20)
    assert refused([words, words], 20)
    assert not refused([vectors, vectors[::-1]], 20)
