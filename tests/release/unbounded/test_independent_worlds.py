"""The secret world is uniform among all halves, and public worlds have the same interface."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource, Stream
from noisewright.release.basics.worlds import IndependentWorlds
from noisewright.release.unbounded.secret_run import draw_secret_world
from release.unbounded.small import all_halves

ALARM = 1e-9
DRAWS = 12_000


def looks_uniform(counts: NDArray[np.int64]) -> bool:
    expected = counts.sum() / counts.size
    return bool(((counts - expected) ** 2 / expected).sum() <= chi2.isf(ALARM, counts.size - 1))


def tally(member: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How often each half occurs, of all that there are."""
    codes = 1 << np.arange(member.shape[1])
    return np.bincount(member @ codes, minlength=1 << codes.size)[
        (all_halves(codes.size) @ codes).astype(int)
    ]


@pytest.mark.parametrize("records", [5, 6])
def test_every_half_is_hidden_equally_often(records: int) -> None:
    stream, member = SeededSource(1).stream(), np.zeros((DRAWS, records), dtype=bool)
    for row in member:
        row[:] = draw_secret_world(records, stream).member
    counts = tally(member)
    assert counts.sum() == DRAWS
    assert looks_uniform(counts)


@pytest.mark.parametrize("records", [5, 6])
def test_public_halves_have_the_law_of_the_hidden_one(records: int) -> None:
    counts = tally(IndependentWorlds(records, DRAWS, seed=2).member)
    assert counts.sum() == DRAWS
    assert looks_uniform(counts)


def test_the_check_finds_halves_that_are_ten_per_cent_off() -> None:
    chances = np.where(np.arange(20) < 10, 1.1, 0.9) / 20
    assert not looks_uniform(np.random.default_rng(3).multinomial(DRAWS, chances))


class Repeating(Stream):
    """Gives equal words once, and different ones afterwards."""

    def __init__(self) -> None:
        self.calls = 0

    def draw(self, count: int) -> NDArray[np.uint64]:
        self.calls += 1
        return np.arange(count, dtype=np.uint64) // np.uint64(2 if self.calls == 2 else 1)


def test_equal_words_are_drawn_anew() -> None:
    stream = Repeating()
    assert np.flatnonzero(draw_secret_world(6, stream).member).tolist() == [0, 1, 2]
    assert stream.calls == 3


def test_seeds_of_hidden_and_public_halves_have_one_range() -> None:
    stream = SeededSource(4).stream()
    hidden = np.array([draw_secret_world(4, stream).seed for _ in range(2000)])
    public = IndependentWorlds(4, 2000, seed=5).seeds
    for seeds in (hidden, public):
        assert seeds.min() >= 0
        assert 2**31 * 0.98 < seeds.max() < 2**31  # 0.98^2000 is 3e-18


def test_a_hidden_half_does_not_show_itself() -> None:
    assert repr(draw_secret_world(6, SeededSource(1).stream())) == "SecretWorld(…)"


def test_halves_are_read_as_worlds_are() -> None:
    halves = IndependentWorlds(7, 50, seed=1)
    assert halves.rows(3).tolist() == np.flatnonzero(halves.member[3]).tolist()
    assert set(halves.member.sum(axis=1).tolist()) == {3, 4}
    assert (halves.member == IndependentWorlds(7, 50, seed=1).member).all()
    assert (halves.member != IndependentWorlds(7, 50, seed=2).member).any()


@pytest.mark.parametrize("wrong", [{"records": 3}, {"count": 0}, {"seed": -1}, {"seed": True}])
def test_refusals(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter, match="whole number"):
        IndependentWorlds(**({"records": 6, "count": 2, "seed": 0} | wrong))
