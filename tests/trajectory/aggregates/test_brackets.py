"""Brackets hold for every true value, whatever the channel."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Circle, Interval
from noisewright.trajectory.aggregates.brackets import Bracket, Moments, bracket_spans, upper_envelope
from noisewright.trajectory.aggregates.laws import law_of
from noisewright.trajectory.aggregates.regions import Span, equal_spans
from noisewright.trajectory.mechanisms.coordinate import build_channel

CHANNELS = [
    build_channel(name, domain, epsilon)
    for name in ("OGPM", "SW", "PM")
    for domain in (Interval(0, 1), Interval(-3, 5, cells=1000), Circle(360.0))
    for epsilon in (0.5, 4.0)
]


def spans_in(domain):
    start, length = domain.start, domain.length
    pairs = [(0.3, 0.6), (0.0, 0.11), (0.9, 1.0), (0.0, 1.0)] + [(0.8, 1.3)] * isinstance(domain, Circle)
    return tuple(Span.between(start + a * length, start + b * length) for a, b in pairs)


@pytest.mark.parametrize("channel", CHANNELS, ids=repr)
@pytest.mark.parametrize("price", [1.0, 100.0])
def test_expectations_bracket_the_indicator_at_every_true_value(channel, price):
    domain, law = channel.domain, law_of(channel)
    spans = spans_in(domain)
    bracket = bracket_spans(channel, spans, price, 0.03)
    cells = np.random.default_rng(3).integers(0, domain.lattice, 1500)
    for span, upper, lower in zip(spans, bracket.upper, bracket.lower, strict=True):
        near = np.concatenate([cells, span.ends(domain)])
        laws = law.at(near)
        assert (laws @ upper >= span.touched(domain, near) - 1e-9).all()
        assert (laws @ lower <= span.filled(domain, near) + 1e-9).all()


@pytest.mark.parametrize("name", ["T-SW", "T-PM", "optimal"])
def test_laws_without_a_known_window_are_bracketed_to_a_few_in_ten_thousand(name):
    channel = build_channel(name, Interval(0, 1), 4.0)
    domain, law, span = channel.domain, law_of(channel), Span.between(0.3, 0.6)
    bracket = bracket_spans(channel, (span,), 30.0, 0.03)
    cells = np.concatenate([np.random.default_rng(4).integers(0, domain.lattice, 4000), span.ends(domain)])
    laws = law.at(cells)
    assert (laws @ bracket.upper[0] >= span.touched(domain, cells) - 3e-4).all()
    assert (laws @ bracket.lower[0] <= span.filled(domain, cells) + 3e-4).all()


def test_a_higher_price_buys_less_slack_for_more_noise():
    channel = build_channel("OGPM", Interval(0, 1), 2.0)
    expected = law_of(channel).expected
    cheap, dear = (
        bracket_spans(channel, (Span.between(0.3, 0.6),), price, 0.03).moments(expected)
        for price in (1.0, 100.0)
    )
    assert 0.3 < dear.upper[0] < cheap.upper[0]
    assert cheap.lower[0] < dear.lower[0] < 0.3
    assert cheap.upper_squared[0] < dear.upper_squared[0]


def test_the_functions_are_those_of_least_cost():
    """No admissible move from the solution lowers Σ q·(G + price)²."""
    random = np.random.default_rng(5)
    laws = random.dirichlet(np.ones(6), 9)
    expected, target, price = laws.mean(axis=0), random.integers(0, 2, 9).astype(float), 3.0
    found = upper_envelope(laws, expected, target, price)
    for _ in range(300):
        other = found + 0.2 * random.normal(size=6)
        other += max((target - laws @ other).max(), 0.0)
        assert expected @ (found + price) ** 2 <= expected @ (other + price) ** 2 + 1e-9


def test_products_bracket_the_product():
    """Exact expectations over two channels, and for trips over four."""
    channels = [build_channel("OGPM", Interval(0, 1), epsilon) for epsilon in (1.0, 3.0)]
    spans = (Span.between(0.25, 0.5),)
    brackets = [bracket_spans(channel, spans, 10.0, 0.03) for channel in channels]
    places = np.linspace(0, (1 << 20) - 1, 200).astype(np.int64)
    upper, lower = (
        [law_of(c).at(places) @ getattr(b, side)[0] for c, b in zip(channels, brackets, strict=True)]
        for side in ("upper", "lower")
    )
    inside = (places > 0.25 * (1 << 20)) & (places < 0.5 * (1 << 20))
    # the expectation of a product of independent reports is the product of expectations
    together = Bracket(upper[0][None], lower[0][None], lower[0][None]).times
    for shift in range(0, 200, 7):
        turned = [np.roll(values[1], shift)[None] for values in (upper, lower)]
        product = together(Bracket(turned[0], turned[1], turned[1]))
        both = inside & np.roll(inside, shift)
        assert (product.upper[0] >= both - 1e-9).all()
        assert (product.lower[0] <= both + 1e-9).all()


def test_moments_of_a_product_follow_from_moments():
    random = np.random.default_rng(8)
    first, second = (Bracket(*random.normal(size=(3, 2, 40))) for _ in range(2))
    weights = np.full(40, 1 / 40)
    every = [np.repeat(np.arange(40), 40), np.tile(np.arange(40), 40)]
    exact = first.of(every[0]).times(second.of(every[1])).moments(np.full(1600, 1 / 1600))
    quick = first.moments(weights).times(second.moments(weights))
    for name in Moments.__dataclass_fields__:
        assert np.allclose(getattr(exact, name), getattr(quick, name).reshape(-1))


def test_equal_spans_cover_a_coordinate_once():
    domain = Interval(-2, 3, cells=999)
    cells = np.arange(999)
    touched = sum(span.touched(domain, cells).astype(int) for span in equal_spans(domain, 7))
    filled = sum(span.filled(domain, cells).astype(int) for span in equal_spans(domain, 7))
    assert touched.min() == 1
    assert filled.max() == 1
    assert (touched == 2).sum() <= 6
