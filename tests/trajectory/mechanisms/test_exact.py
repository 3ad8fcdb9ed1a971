"""The guarantee of TraCS on small lattices, by enumeration over all pairs of locations and all reports."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from noisewright.design import optimal_law
from noisewright.mechanisms import PM, SW, SWC, TSW, CircularOGPM
from noisewright.mechanisms.basics.exact import within
from noisewright.trajectory import OptimalPoints, TraCSC, TraCSD
from small_locations import SQUARE, TALL, exact_law, locations, small_c, small_d

EPSILONS = (0.3, 1.0, 4.0, 13.5, 20.0)
"""Above 13.18 in total the published code releases the true direction."""


def largest_ratio_holds(mechanism, reference, epsilon):
    laws = [exact_law(mechanism, reference, location) for location in locations(mechanism.space)]
    support = set().union(*laws)
    assert all(set(law) == support for law in laws), "a report that only some locations can give proves them"
    return all(within(max(law[p] for law in laws), min(law[p] for law in laws), epsilon) for p in support)


@pytest.mark.parametrize("space", [SQUARE, TALL], ids=["square", "tall"])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_report_of_tracs_c_tells_two_locations_apart_by_more_than_epsilon(space, epsilon):
    mechanism = small_c(space, epsilon)
    assert largest_ratio_holds(mechanism, space.centre, epsilon)
    assert not largest_ratio_holds(mechanism, space.centre, epsilon * 0.95), "the test must see a larger ε"


@pytest.mark.parametrize("space", [SQUARE, TALL], ids=["square", "tall"])
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("place", ["centre", "corner", "side", "near a corner"])
def test_no_report_of_tracs_d_tells_two_locations_apart_by_more_than_epsilon(space, epsilon, place):
    left, bottom, right, top = space.bounds
    reference = {
        "centre": space.centre,
        "corner": np.array([left, bottom]),
        "side": np.array([right, (bottom + top) / 2]),
        "near a corner": np.array([np.nextafter(right, left), np.nextafter(top, bottom)]),
    }[place]
    mechanism = small_d(space, epsilon)
    assert largest_ratio_holds(mechanism, reference, epsilon)
    if place == "centre":
        assert not largest_ratio_holds(mechanism, reference, epsilon * 0.95)


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
@pytest.mark.parametrize("kind", [SW, SWC, PM, TSW, "designed"])
def test_other_channels_keep_the_guarantee_as_well(kind, epsilon):
    def flat(axis, share):
        return optimal_law(axis, share, inputs=6) if kind == "designed" else kind(axis, share)

    along_axes = small_c(SQUARE, epsilon, kinds=(flat, flat))
    assert largest_ratio_holds(along_axes, SQUARE.centre, epsilon)
    by_direction = small_d(SQUARE, epsilon, kinds=(SWC if kind is SWC else CircularOGPM, flat))
    assert largest_ratio_holds(by_direction, SQUARE.centre, epsilon)


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_a_route_of_two_locations_spends_twice_epsilon_and_no_more(epsilon):
    """All pairs of routes of two locations, all pairs of reports: references follow the reports."""
    mechanism = small_d(SQUARE, epsilon, cells=3)
    places = np.array([(0.0, 0.0), (0.5, 0.5), (1.0, 0.25)])
    laws = []
    for first, second in product(places, places):
        law = Counter()
        for report, many in exact_law(mechanism, SQUARE.centre, first).items():
            for after, more in exact_law(mechanism, np.array(report), second).items():
                law[report, after] += many * more
        laws.append(law)
    support = set().union(*laws)
    worst = [(max(law[pair] for law in laws), min(law[pair] for law in laws)) for pair in support]
    assert all(within(most, least, 2 * epsilon) for most, least in worst)
    assert not all(within(most, least, 1.5 * epsilon) for most, least in worst)


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 6.0])
def test_the_best_law_for_public_points_keeps_epsilon_on_its_own_integers(epsilon):
    stops = ((0.1, 0.1), (0.2, 0.1), (0.8, 0.9), (0.5, 0.5), (0.9, 0.1))
    law = OptimalPoints(SQUARE, epsilon, points=stops).law
    rows = [law.word_counts(cell)[0] for cell in range(len(stops))]
    for column in zip(*rows, strict=True):
        assert max(column) == 0 or within(max(column), min(column), epsilon)


@pytest.mark.parametrize("epsilon", [0.3, 2.0, 13.5, 20.0, 32.0])
@pytest.mark.parametrize("kind", [TraCSC, TraCSD])
def test_what_both_channels_spend_never_exceeds_the_budget(kind, epsilon):
    mechanism = kind(SQUARE, epsilon, split="heuristic")
    assert 0.99 * epsilon < mechanism.epsilon_upper <= epsilon
    assert mechanism.guarantee.epsilon == epsilon
