"""The published experiments on the unit square and on a long rectangle, with our own figures."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.published.routes import Strawman
from noisewright.randomness import SeededSource
from noisewright.trajectory import (
    Disk,
    LonLatBox,
    Parallelogram,
    Polygon,
    Rectangle,
    Routes,
    TraCSC,
    TraCSD,
    choose_tracs,
)
from noisewright.trajectory.mechanisms.coordinate import NAMED_SPLITS
from noisewright.trajectory.perturb_request import PerturbRequest

SQUARE, LONG = Rectangle(0, 0, 1, 1), Rectangle(0, 0, 2, 10)
EPSILONS = (2, 4, 6, 8, 10)
ALONG_AXES = dict(zip(EPSILONS, (0.392, 0.279, 0.190, 0.124, 0.079), strict=True))
DIRECTION = dict(zip(EPSILONS, (0.448, 0.324, 0.230, 0.166, 0.125), strict=True))


def mean_error(mechanism, space=SQUARE, routes=None, repeats=5):
    """The mean error of 100 routes of 100 points all over the space, in another order each time."""
    generator, errors = np.random.default_rng(11), []
    for repeat in range(repeats):
        points = generator.permutation(space.spread(10_000)[:10_000]).reshape(100, 100, 2)
        truth = Routes.of(points) if routes is None else routes
        reports = mechanism.perturb_routes(truth, SeededSource(repeat))
        errors.append(space.distance(truth.points, reports.points).mean())
    return float(np.mean(errors))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_errors_on_the_unit_square_are_the_published_ones(epsilon):
    """50,000 draws: the mean is good to 0.3 %."""
    assert mean_error(TraCSC(SQUARE, epsilon, split="even")) == pytest.approx(ALONG_AXES[epsilon], rel=0.02)
    assert mean_error(TraCSD(SQUARE, epsilon, split="heuristic")) == pytest.approx(
        DIRECTION[epsilon], rel=0.02
    )


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_tracs_d_errs_less_than_the_strawman_once_that_is_what_it_claims_to_be(epsilon):
    split = NAMED_SPLITS["heuristic"]
    assert mean_error(TraCSD(SQUARE, epsilon, split=split)) < mean_error(
        Strawman(SQUARE, epsilon, split=split)
    )


def test_tracs_d_errs_less_on_routes_along_the_short_side():
    """Figure 6.5: every way to the boundary is short. At the end of the space 0.36 of the error remains on
    average where the figure has 0.50; on a route across the middle, 0.88.
    """
    for height, most in ((0.0, 0.45), (5.0, 0.95)):
        along = Routes.of([np.stack([np.linspace(0, 2, 100), np.full(100, height)], axis=-1)] * 50)
        ratios = []
        for epsilon in EPSILONS:
            error_c = mean_error(TraCSC(LONG, epsilon, split="even"), LONG, along, repeats=2)
            ratios.append(
                mean_error(TraCSD(LONG, epsilon, split="heuristic"), LONG, along, repeats=2) / error_c
            )
        assert max(ratios) < 1
        assert np.mean(ratios) < most


@pytest.mark.parametrize("space", [SQUARE, LONG], ids=["square", "long"])
@pytest.mark.parametrize("epsilon", [1.0, 2.0, 6.0, 10.0])
def test_the_expected_error_is_the_one_that_routes_show(space, epsilon):
    """Of the integral 0.3 %, of 100,000 draws 0.7 % at most; a budget 10 % off shows 2 to 9 %."""
    for mechanism in (
        TraCSC(space, epsilon),
        TraCSD(space, epsilon),
        TraCSD(space, epsilon, reference="centre"),
    ):
        error = mean_error(mechanism, space, repeats=10)
        assert error == pytest.approx(mechanism.expected_error(), rel=0.02)


@pytest.mark.parametrize("space", [SQUARE, LONG], ids=["square", "long"])
@pytest.mark.parametrize("epsilon", [1.0, 4.0, 10.0])
def test_the_best_split_errs_no_more_than_any_other(space, epsilon):
    for kind in (TraCSC, TraCSD):
        best = kind(space, epsilon).expected_error()
        for split in (0.1, 0.2, 0.35, "even", 0.65, "heuristic", 0.9):
            assert best <= 1.005 * kind(space, epsilon, split=split).expected_error()


OTHERS = {
    "middling": Rectangle(0, 0, 1, 3),
    "disk": Disk(0, 0, 1),
    "slanted": Parallelogram((0, 0), (3, 1), (0, 1)),
    "corner": Polygon(((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))),
    "city": LonLatBox(139.47, 35.51, 139.90, 35.86),
}


@pytest.mark.parametrize("space", [SQUARE, LONG, *OTHERS.values()], ids=["square", "long", *OTHERS])
@pytest.mark.parametrize("epsilon", [1.0, 4.0, 10.0])
def test_auto_is_never_worse_than_the_better_of_both_by_more_than_one_percent(space, epsilon):
    choice = choose_tracs(space, epsilon, purpose="single")
    rivals = [TraCSC(space, epsilon), TraCSD(space, epsilon), TraCSD(space, epsilon, reference="centre")]
    rivals += [TraCSC(space, epsilon, split="even"), TraCSD(space, epsilon, split="heuristic")]
    least = min(mean_error(rival, space) for rival in rivals)
    assert mean_error(choice.mechanism, space) <= 1.01 * least
    assert choice.method in choice.reason
    assert len(choice.errors) == 3


def test_python_and_the_command_line_choose_alike_by_default():
    mechanism, reason = PerturbRequest(2.0).mechanism(SQUARE, 2.0)
    choice = choose_tracs(SQUARE, 2.0)
    assert (choice.mechanism, choice.reason) == (mechanism, reason)
    assert choice.purpose == "reconstruction"
    assert choice.method == "TraCS-C"
