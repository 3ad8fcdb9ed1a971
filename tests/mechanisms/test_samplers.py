"""Samplers against their own integers: every word of a small sampler, edge words of the real one, twins."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from catalogue import KINDS, NAMES, build
from noisewright import Circle, Interval
from noisewright.errors import OutOfDomain
from noisewright.mechanisms import OGPM, PM, CircularOGPM, Laplace, fused
from noisewright.mechanisms.basics.tables import Table, to_integers
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.duchi import BITS, ROUNDING_BITS, Bit
from noisewright.mechanisms.noise import Noise
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.randomness import SeededSource

COIN, POSITION = 5, 9
WORDS = np.arange(1 << (COIN + POSITION), dtype=np.uint64)


@pytest.mark.parametrize(
    "placement",
    [
        {"slope": 1.0, "offset": -2.0, "circular": False},
        {"slope": 1.0, "offset": -2.0, "circular": True},
        {"slope": 0.6, "offset": 0.8, "circular": False},
    ],
)
@pytest.mark.parametrize(("cells", "width"), [(16, 5), (12, 1), (13, 7), (7, 6)])
def test_every_word_of_a_small_window_sampler_is_accounted_for(cells, width, placement):
    window = Window(
        cells=cells, width=width, threshold=19, coin_bits=COIN, position_bits=POSITION, **placement
    )
    for cell in range(cells):
        reports = window.draw(np.full(WORDS.size, cell), WORDS)
        counted = np.bincount(reports, minlength=cells).tolist()
        counts, total = window.word_counts(cell)
        assert counted == counts
        assert total == WORDS.size


def test_calibration_of_a_small_window_is_the_best_that_its_bits_allow():
    window = Window.calibrate(
        1.0, cells=16, width=5, slope=1.0, offset=-2.0, coin_bits=COIN, position_bits=POSITION
    )
    counts = [window.word_counts(cell)[0] for cell in range(16)]
    ratio = max(max(column) / min(column) for column in zip(*counts, strict=True))
    assert (
        ratio
        <= np.e
        < 1
        + (ratio - 1)
        * window.threshold
        / (window.threshold - 1)
        * (32 - window.threshold + 1)
        / (32 - window.threshold)
    )


def test_every_word_of_a_small_table_is_accounted_for():
    table = Table(np.array([[3, 9, 1, 3], [1, 1, 1, 13], [4, 4, 4, 4]]), bits=4)
    words = np.arange(16, dtype=np.uint64)
    for row in range(3):
        drawn = table.draw_rows(np.full(16, row), words)
        assert np.bincount(drawn, minlength=4).tolist() == table.weights[row].tolist()
    single = Table(np.array([3, 9, 1, 3]), bits=4)
    np.testing.assert_array_equal(single.draw(words), table.draw_rows(np.zeros(16, dtype=np.int64), words))


@pytest.mark.parametrize("size", [2, 3, 5, 8, 31, 100])
def test_row_search_agrees_with_numpy_for_any_number_of_columns(size):
    generator = np.random.default_rng(size)
    table = Table(to_integers(generator.dirichlet(np.full(size, 0.3), size=7)))
    words = generator.integers(0, 1 << 64, 2000, dtype=np.uint64)
    rows = generator.integers(0, 7, 2000)
    expected = [np.searchsorted(np.cumsum(table.weights[r]), int(w) & ((1 << 62) - 1), side="right")
                for r, w in zip(rows, words, strict=True)]  # fmt: skip
    assert table.draw_rows(rows, words).tolist() == expected


def test_every_outcome_of_small_noise_is_accounted_for():
    noise = Noise(
        starts=np.array([-9, -5, -1, 2, 6]), widths=np.array([1, 4, 3, 4, 1]),
        table=Table(np.array([1, 4, 6, 4, 1]), bits=4), position_bits=6,
    )  # fmt: skip
    first, second = np.meshgrid(np.arange(16), np.arange(64) << 58)
    words = np.stack([first.ravel(), second.ravel()], axis=-1).astype(np.uint64)
    assert Counter(noise.draw(words).tolist()) == noise.outcomes()
    assert sum(noise.outcomes().values()) == noise.total == 1024


def test_edge_words_of_the_real_window():
    window = OGPM(Interval(0, 1), 1.0).window
    top, coins = (1 << 40) - 1, window.threshold
    cells = np.array([0, 500_000, (1 << 20) - 1])
    begin = window.begin(cells)
    for position, anywhere, inside in ((0, 0, begin), (top, (1 << 20) - 1, begin + window.width - 1)):
        last_free = np.full(3, (position << 24) | (coins - 1), dtype=np.uint64)
        first_bound = np.full(3, (position << 24) | coins, dtype=np.uint64)
        np.testing.assert_array_equal(window.draw(cells, last_free), np.full(3, anywhere))
        np.testing.assert_array_equal(window.draw(cells, first_bound), inside)


def test_edge_words_of_the_binary_channel():
    bit = Bit(cells=1 << 20, honest=3 << (BITS - 2))
    cells = np.array([0, (1 << 20) - 1])

    class Fixed:
        def __init__(self, *values):
            self.values = list(values)

        def draw(self, count):
            return np.full(count, self.values.pop(0))

    edge = bit.upward(cells).astype(np.uint64)
    for rounding, up in ((edge - np.uint64(1), 1), (edge, 0)):
        for answer, honest in ((bit.honest - 1, 1), (bit.honest, 0)):
            words = (rounding << np.uint64(64 - ROUNDING_BITS), np.uint64(answer << (64 - BITS)))
            assert bit.draw(cells, Fixed(*words)).tolist() == [1 if up == honest else 0] * 2


WINDOWS = [pair for pair in KINDS if issubclass(pair[0], WindowMechanism)]


@pytest.mark.parametrize(
    ("kind", "domain"), WINDOWS, ids=[n for p, n in zip(KINDS, NAMES, strict=True) if p in WINDOWS]
)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 12.0])
def test_fused_loop_agrees_with_its_numpy_twin_word_for_word(kind, domain, epsilon, monkeypatch):
    pytest.importorskip("numba")
    mechanism = build(kind, domain, epsilon)
    size = fused.WORTH_COMPILING + 777
    values = mechanism.domain.start + np.random.default_rng(1).random(size) * mechanism.domain.length
    values[:3] = (
        mechanism.domain.start,
        np.nextafter(mechanism.domain.start + mechanism.domain.length, -99),
        1.0,
    )
    fast = mechanism.perturb(values, SeededSource(11))
    monkeypatch.setattr(fused, "kernels", lambda: None)
    np.testing.assert_array_equal(fast, mechanism.perturb(values, SeededSource(11)))


def test_fused_loop_refuses_what_its_twin_refuses():
    pytest.importorskip("numba")
    size = fused.WORTH_COMPILING
    for mechanism, bad in (
        (OGPM(Interval(0, 1), 1.0), (np.nan, np.inf, -np.inf, -1e-300, 1.0000001)),
        (CircularOGPM(Circle(24), 1.0), (np.nan, np.inf, -1e-300, 24.0)),
    ):
        for value in bad:
            values = np.full(size, 0.5)
            values[size - 2] = value
            with pytest.raises(OutOfDomain, match=rf"value\[{size - 2}\]"):
                mechanism.perturb(values)


def test_fused_loop_takes_exactly_the_values_of_the_domain():
    """−10.7 + 22.6 rounds to more than 11.9: the end of the interval counts, not the sum."""
    interval = Interval(-10.7, 11.9)
    beyond = np.nextafter(11.9, 99)
    for size in (10, fused.WORTH_COMPILING):
        with pytest.raises(OutOfDomain):
            OGPM(interval, 1.0).perturb(np.full(size, beyond))
        assert OGPM(interval, 1.0).perturb(np.full(size, 11.9)).size == size


@pytest.mark.parametrize(
    "mechanism", [OGPM(Interval(0, 1), 1.0), Laplace(Interval(0, 1), 1.0)], ids=["window", "noise"]
)
def test_values_that_change_during_the_draw_never_bring_out_raw_memory(mechanism, monkeypatch):
    """A draw that refuses a block after which the values look fine again must still return nothing."""
    monkeypatch.setattr(type(mechanism), "_draw_block", lambda *_: False)
    with pytest.raises(OutOfDomain, match="changed"):
        mechanism.perturb([0.5, 0.25])


def test_a_report_never_depends_on_more_than_the_cell_of_its_value():
    mechanism = PM(Interval(0, 1, cells=64), 1.0)
    left, right = np.full(1000, 10 / 64), np.full(1000, np.nextafter(11 / 64, 0))
    np.testing.assert_array_equal(
        mechanism.perturb(left, SeededSource(2)), mechanism.perturb(right, SeededSource(2))
    )


def test_uninitialized_memory_never_reaches_a_report():
    # every word of a large odd-sized draw must have been overwritten
    words = SeededSource(1).words(3 * (1 << 14) + 5)
    assert np.unique(words).size == words.size
    assert Laplace(Interval(0, 1), 1.0).perturb(np.zeros(40_000)).std() == pytest.approx(2**0.5, rel=0.1)
