"""Samplers of locations against their laws, fast loops against plain ones, and long routes against short ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from noisewright.randomness import SeededSource
from noisewright.trajectory import Rectangle, Routes, TraCSC, TraCSD
from noisewright.trajectory.mechanisms import polar_loop
from noisewright.trajectory.mechanisms.location import follow
from small_locations import SQUARE, TALL, exact_law, small_c, small_d

LEVEL = 1e-9
DRAWS = 60_000


def p_value(mechanism, reference, location, drawn):
    """Pearson's test of drawn reports against the exact law of a location."""
    law = exact_law(mechanism, reference, location)
    points = sorted(law)
    number = {point: place for place, point in enumerate(points)}
    seen = np.bincount([number[tuple(point)] for point in drawn.tolist()], minlength=len(points))
    expected = np.array([law[point] for point in points], dtype=np.float64)
    expected *= seen.sum() / expected.sum()
    return stats.chisquare(seen, expected).pvalue


@pytest.mark.parametrize("build", [small_c, small_d], ids=["C", "D"])
@pytest.mark.parametrize(
    "location", [(0.5, 0.5), (0.0, 1.0), (0.3, 0.9)], ids=["reference", "corner", "inside"]
)
def test_reports_follow_the_exact_law_and_no_other(build, location):
    mechanism, truth = build(SQUARE, 3.0), np.array(location)
    starts = np.arange(DRAWS)  # every location a route of its own: all refer to the centre
    routes = Routes(np.repeat(truth[None], DRAWS, axis=0), np.append(starts, DRAWS), tuple(map(str, starts)))
    drawn = mechanism.perturb_routes(routes, SeededSource(5)).points
    assert p_value(mechanism, SQUARE.centre, truth, drawn) > LEVEL
    assert p_value(build(SQUARE, 2.7), SQUARE.centre, truth, drawn) < LEVEL, "10 % less ε must be seen"


def test_the_two_coordinates_are_drawn_independently():
    mechanism = TraCSC(SQUARE, 2.0)
    drawn = mechanism.perturb(np.full((DRAWS, 2), 0.4), SeededSource(6))
    table = np.histogram2d(drawn[:, 0], drawn[:, 1], bins=8)[0]
    assert stats.chi2_contingency(table).pvalue > LEVEL
    shifted = np.histogram2d(drawn[:, 0], drawn[:, 0] + 0.2 * drawn[:, 1], bins=8)[0]
    assert stats.chi2_contingency(shifted[:, shifted.sum(axis=0) > 0]).pvalue < LEVEL


class Words:
    """A stream that hands out given words: one array after another."""

    def __init__(self, *arrays):
        self._arrays = list(arrays)

    def draw(self, count):
        words = self._arrays.pop(0)
        assert words.size == count
        return words


@pytest.mark.parametrize("space", [SQUARE, TALL], ids=["square", "tall"])
@pytest.mark.parametrize("epsilon", [0.5, 4.0, 14.0])
def test_the_fused_loop_agrees_with_the_plain_form_word_for_word(space, epsilon):
    """The loop takes its own reports as references; the plain form is given them. Only sines may differ."""
    kernels = pytest.importorskip("noisewright.trajectory.mechanisms.polar_kernels")
    mechanism = TraCSD(space, epsilon, split="heuristic")
    truth = space.spread(4000)
    left, bottom, right, top = space.bounds
    truth[:6] = [(left, bottom), (right, top), space.centre, (left, top), (left, top), (right, bottom)]
    words = SeededSource(8).words(2 * len(truth))
    begins = np.arange(len(truth)) % 57 == 0
    numbers = [polar_loop._numbers(channel) for channel in mechanism.channels]
    for first in (space.centre, np.array([left, bottom]), np.array([right, (bottom + top) / 2])):
        fast = np.empty_like(truth)
        kernels.polar_reports(truth, begins, words, fast, first.copy(), space.bounds, first, *numbers)
        references = np.concatenate([first[None], fast[:-1]])
        references[begins] = first
        plain = mechanism.draw(references, truth, Words(words[::2].copy(), words[1::2].copy()))
        same = np.abs(fast - plain).max(axis=1) < 1e-9 * space.diameter
        assert same.mean() > 0.999, "a direction on the edge of a cell may fall on either side of it"
        assert space.contains(fast).all()


def test_long_routes_many_routes_and_single_steps_have_the_same_errors():
    """The loop over routes, the loop over steps and the stepper are three ways to one law."""
    mechanism, truth = TraCSD(SQUARE, 4.0, split="heuristic"), SQUARE.spread(20_000)
    one = SQUARE.distance(mechanism.perturb(truth, SeededSource(1)), truth)
    routes = Routes.of(np.split(truth, 400))
    many = SQUARE.distance(mechanism.perturb_routes(routes, SeededSource(2)).points, truth)
    stream = SeededSource(3).stream()
    plain = follow(mechanism.draw, mechanism.first_reference(), truth, routes.starts, stream)
    steps = SQUARE.distance(plain, truth)
    for sample in (many, steps):
        assert stats.ks_2samp(one, sample).pvalue > LEVEL
    weaker = TraCSD(SQUARE, 3.6, split="heuristic").perturb(truth, SeededSource(4))
    assert stats.ks_2samp(one, SQUARE.distance(weaker, truth)).pvalue < LEVEL


@pytest.mark.parametrize("space", [SQUARE, TALL, Rectangle(139.47, 35.51, 139.9, 35.86)])
@pytest.mark.parametrize("kind", [TraCSC, TraCSD])
@pytest.mark.parametrize("channel", ["OGPM", "SW", "TSW", "PM", "TPM"])
def test_reports_stay_in_the_space_whatever_the_channel(space, kind, channel):
    left, bottom, right, top = space.bounds
    corners = np.array([(left, bottom), (left, top), (right, bottom), (right, top), space.centre])
    reports = kind(space, 1.0, "even", channel).perturb(np.repeat(corners, 400, axis=0), SeededSource(3))
    assert space.contains(reports).all()
