"""What the best law of all achieves, against every mechanism that has a name; and what it refuses."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from design.samples import best_law
from noisewright import Categories, Circle, Interval, MetricSpace, Product
from noisewright.design import best_window, optimal_law, verify
from noisewright.design.aims import Aim
from noisewright.design.charges import grid_task
from noisewright.design.solver import solve
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import (
    OGPM,
    PM,
    CircularOGPM,
    DesignedLaw,
    DesignedTable,
    Duchi,
    Hybrid,
    OptimalWindow,
)
from noisewright.mechanisms.basics.losses import power

UNIT = Interval(0, 1)


# -- on an interval --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "published", "saved"), [(1.0, 0.3161690, 0.15), (4.0, 0.0781454, 0.30)])
def test_worst_absolute_error_is_far_below_ogpm(epsilon, published, saved):
    law, ogpm = best_law(epsilon, "absolute"), OGPM(UNIT, epsilon)
    assert isinstance(law, DesignedLaw)
    assert law.worst_error() <= (1 - saved) * ogpm.worst_error()
    assert law.worst_error() == pytest.approx(published, abs=1e-6)
    assert law.worst_error() == pytest.approx(law.certificate.value, abs=1e-9)
    assert verify(law).gap < 1e-6
    assert 0 < law.epsilon_upper <= epsilon


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "share"), [(1.0, 0.955), (2.0, 0.95), (4.0, 0.95), (8.0, 0.95)])
def test_with_the_worst_case_held_below_ogpm_the_average_is_below_it_too(epsilon, share):
    ogpm = OGPM(UNIT, epsilon)
    limit = share * ogpm.worst_error()
    law = optimal_law(UNIT, epsilon, objective="average", worst_at_most=limit, inputs=128)
    assert law.worst_error() <= limit * (1 + 1e-8)
    assert law.average_error() < ogpm.average_error()
    assert law.average_error() == pytest.approx(law.certificate.value, rel=1e-9)
    assert law.certificate.gap < 1e-6


@pytest.mark.slow
def test_at_epsilon_one_five_percent_of_the_worst_case_cost_half_a_percent_of_the_average():
    """For true values anywhere in the interval, both below OGPM at once ends a little above a share of 0.95."""
    ogpm = OGPM(UNIT, 1.0)
    limit = 0.95 * ogpm.worst_error()
    values = [
        optimal_law(UNIT, 1.0, objective="average", worst_at_most=limit, inputs=inputs).certificate
        for inputs in (32, 64, 128)
    ]
    assert values[2].bound == pytest.approx(0.24544, abs=1e-5)
    assert values[1].value - values[2].value < (values[0].value - values[1].value) / 2  # no finer grid helps
    assert values[2].bound > ogpm.average_error()


REQUESTS = [
    ("worst", {}),
    ("average", {}),
    ("average", {"prior": [0.7, 0.2, 0.1]}),
    ("point", {"point": 0.2}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("objective", "extra"), REQUESTS)
@pytest.mark.parametrize("loss", [0.5, "absolute", "squared", 3.0])
def test_never_above_the_best_window(objective, extra, loss):
    for epsilon in (0.1, 1.0, 4.0, 8.0, 12.0):
        law = optimal_law(UNIT, epsilon, loss, objective, **extra, inputs=32)
        window = best_window(UNIT, epsilon, loss, objective, **extra)
        aim = Aim.read(UNIT, objective, **extra)
        # an average is measured at 2049 places, which tell steps of the law from a slope to this digit
        assert aim.error(law, loss) <= aim.error(window, loss) * (1 + 2e-4)
        if law.certificate is not None:
            assert law.certificate.value <= aim.error(window, loss)
            assert law.certificate.gap < 1e-6


def test_a_window_takes_over_where_the_grid_is_coarser_than_the_noise():
    law = optimal_law(UNIT, 16.0, inputs=16)
    assert isinstance(law, OptimalWindow)
    assert law.worst_error() == best_window(UNIT, 16.0).worst_error()
    at_point = optimal_law(UNIT, 16.0, objective="point", point=0.2, inputs=16)
    assert isinstance(at_point, OptimalWindow)


def test_lexicographic_is_as_good_in_the_worst_case_and_better_on_average():
    worst, both = (optimal_law(UNIT, 4.0, "squared", aim, inputs=32) for aim in ("worst", "lexicographic"))
    assert both.worst_error("squared") <= worst.worst_error("squared") * (1 + 1e-8)
    assert both.average_error("squared") < worst.average_error("squared")


def test_a_cap_trades_the_average_for_the_worst_case():
    least = optimal_law(UNIT, 2.0, inputs=32).worst_error()
    caps = (1.0, 1.05, 1.2, 2.0)
    laws = [optimal_law(UNIT, 2.0, objective="average", cap_worst=cap, inputs=32) for cap in caps]
    for cap, law in zip(caps, laws, strict=True):
        assert law.worst_error() <= cap * least * (1 + 1e-8)
    averages = [law.average_error() for law in laws]
    assert all(left > right for left, right in itertools.pairwise(averages[:3]))
    free = optimal_law(UNIT, 2.0, objective="average", inputs=32)
    assert averages[3] >= free.average_error() * (1 - 1e-9)


def test_a_point_is_served_without_a_worse_worst_case():
    law, window = optimal_law(UNIT, 1.0, objective="point", point=0.2, inputs=32), best_window(
        UNIT, 1.0, objective="point", point=0.2
    )  # fmt: skip
    assert law.law(0.2).expected() < 0.8 * window.law(0.2).expected()
    assert law.worst_error() <= window.worst_error() * (1 + 1e-9)


def test_scale_and_place_of_the_interval_do_not_matter():
    here, there = (optimal_law(domain, 1.0, "squared", inputs=16) for domain in (UNIT, Interval(-40, 160)))
    assert there.worst_error("squared") == pytest.approx(200**2 * here.worst_error("squared"), rel=1e-6)
    assert there.certificate.gap < 1e-6 * 200**2


def test_lattices_that_no_grid_divides_still_get_an_honest_certificate():
    law = optimal_law(Interval(0, 1, cells=101), 1.0, inputs=16)
    assert law.worst_error() == pytest.approx(law.certificate.value, rel=1e-9)
    assert law.certificate.gap < 1e-6
    tiny = optimal_law(Interval(0, 1, cells=3), 1.0)
    assert len(tiny.weights) == 3


# -- unbiased --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "saved"), [(0.5, 0.03), (1.0, 0.06), (2.0, 0.15), (4.0, 0.40), (8.0, 0.6)]
)
def test_unbiased_law_has_less_variance_than_duchi_pm_and_hybrid(epsilon, saved):
    domain = Interval(-1, 1)
    law = optimal_law(domain, epsilon, "squared", unbiased=True, inputs=33 if epsilon < 8 else 65)
    known = min(kind(domain, epsilon).worst_error("squared") for kind in (Duchi, PM, Hybrid))
    assert law.worst_error("squared") < (1 - saved) * known
    values = np.linspace(-1, 1, 501)
    centres = domain.centres(domain.snap(values))
    np.testing.assert_allclose(law.law(values).mean(), centres, atol=1e-10)
    assert law.certificate.gap < 1e-6


def test_unbiased_law_for_an_average_and_with_a_reach():
    domain = Interval(0, 10)
    free = optimal_law(domain, 2.0, "squared", "average", unbiased=True, inputs=17)
    held = optimal_law(domain, 2.0, "squared", "average", unbiased=True, inputs=17, reach=1.5)
    assert free.average_error("squared") == pytest.approx(free.certificate.value, rel=1e-3)
    assert free.certificate.value < held.certificate.value
    furthest = held.reports.centres(np.array(held.outputs))
    assert np.abs(furthest - 5).max() <= 7.5 + 1e-9
    with pytest.raises(InvalidParameter, match="no law"):
        optimal_law(domain, 0.5, "squared", unbiased=True, inputs=9, reach=1.1)


# -- on a circle -----------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 6.0])
@pytest.mark.parametrize("loss", [0.5, "absolute", "squared", 3.0])
def test_on_a_circle_the_best_window_is_proved_optimal(epsilon, loss):
    circle = Circle(1.0)
    law = optimal_law(circle, epsilon, loss)
    assert isinstance(law, OptimalWindow)
    assert 0 <= law.worst_error(loss) - verify(law).bound < 1e-6 * law.worst_error(loss)
    ogpm = CircularOGPM(circle, epsilon).worst_error(loss)
    if loss == "absolute":
        assert ogpm == pytest.approx(verify(law).bound, rel=1e-6)  # OGPM is proved optimal
    else:
        assert law.worst_error(loss) < ogpm * (1 - 1e-4)


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_the_closed_form_on_a_circle_bounds_the_program_on_its_grid(loss):
    bound = optimal_law(Circle(1.0), 2.0, loss).certificate.bound
    task = grid_task(Circle(1.0), power(loss), 48)
    average = replace(task.program(2.0), average=task.average((1.0,)))
    assert bound < average.value(solve(average).law) < bound * 1.005


def test_a_prior_on_a_circle_helps_within_the_cap():
    hours = np.array([1, 1, 1, 1, 1, 2, 4, 8, 9, 7, 5, 4, 4, 4, 4, 5, 6, 7, 8, 6, 4, 3, 2, 1])
    law = optimal_law(
        Circle(24), 2.0, "squared", "average", prior=hours / hours.sum(), cap_worst=1.1, inputs=32
    )
    window = best_window(Circle(24), 2.0, "squared")
    aim = Aim.read(Circle(24), "average", prior=hours / hours.sum())
    assert aim.error(law, "squared") < aim.error(window, "squared")
    assert law.worst_error("squared") <= 1.1 * window.worst_error("squared") * 1.01
    assert law.certificate.gap < 1e-6


# -- on labels -------------------------------------------------------------------------------------


def twelve_points():
    points = np.random.default_rng(3).random((12, 2))
    return MetricSpace(range(12), np.linalg.norm(points[:, None] - points, axis=2))


def direct_encoding(size, epsilon):
    law = np.ones((size, size)) + np.expm1(epsilon) * np.eye(size)
    return law / law.sum(axis=1, keepdims=True)


def exponential(distances, epsilon):
    law = np.exp(-epsilon * distances / (2 * distances.max()))
    return law / law.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("power", [1.0, 2.0])
def test_on_twelve_points_it_beats_direct_encoding_and_the_exponential_mechanism(epsilon, power):
    space = twelve_points()
    law = optimal_law(space, epsilon, power)
    losses = space.distances**power
    for rival in (direct_encoding(12, epsilon), exponential(space.distances, epsilon)):
        assert law.worst_error(power) < 0.9 * (rival * losses).sum(axis=1).max()
    assert verify(law).gap < 1e-6


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 8.0])
def test_direct_encoding_is_proved_optimal_for_counting_wrong_answers(epsilon):
    law = optimal_law(Categories("abcdefghij"), epsilon, "zero-one")
    wrong = 1 - direct_encoding(10, epsilon)[0, 0]
    assert verify(law).bound == pytest.approx(wrong, rel=1e-9)
    assert law.worst_error("zero-one") == pytest.approx(wrong, rel=1e-9)


def test_a_loss_matrix_may_have_reports_of_its_own():
    law = optimal_law(Categories("ab"), 1.0, [[0, 1, 0.3], [1, 0, 0.3]], outputs=["a", "b", "do not know"])
    assert isinstance(law, DesignedTable)
    assert law.reports.labels[2] == "do not know"
    # saying "do not know" would always cost 0.3; randomized response costs 1/(e + 1) = 0.269
    assert law.worst_error([[0, 1, 0.3], [1, 0, 0.3]]) < 0.2690


def test_one_label_can_be_favoured_within_a_cap():
    law = optimal_law(Categories("abc"), 1.0, "zero-one", "point", point="b", cap_worst=1.2)
    even = optimal_law(Categories("abc"), 1.0, "zero-one")
    assert law.law(["b"]).expected("zero-one")[0] < even.worst_error("zero-one") - 0.05
    assert law.worst_error("zero-one") <= 1.2 * even.worst_error("zero-one") * (1 + 1e-8)


# -- refusals --------------------------------------------------------------------------------------

SQUARE = MetricSpace("ab", [[0, 1], [1, 0]])
BAD = [
    (UNIT, {"objective": "best"}, "objective"),
    (UNIT, {"loss": "cubic"}, "loss"),
    (UNIT, {"loss": "zero-one"}, "labels"),
    (UNIT, {"loss": [[0, 1], [1, 0]]}, "loss matrix"),
    (UNIT, {"loss": 0}, "loss must be a number"),
    (UNIT, {"epsilon": 0}, "epsilon"),
    (UNIT, {"objective": "average", "prior": [0.5, 0.4]}, "sum to one"),
    (UNIT, {"objective": "average", "prior": [1.5, -0.5]}, "at least zero"),
    (UNIT, {"objective": "worst", "prior": [1.0]}, "prior"),
    (UNIT, {"objective": "point"}, "point"),
    (UNIT, {"objective": "point", "point": 1.5}, "point"),
    (UNIT, {"cap_worst": 1.1}, "cap_worst"),
    (UNIT, {"objective": "average", "cap_worst": 0.9}, "cap_worst"),
    (UNIT, {"objective": "average", "cap_worst": 1.1, "worst_at_most": 0.4}, "one of them"),
    (UNIT, {"objective": "average", "worst_at_most": 0.2, "inputs": 16}, "least possible is 0.316"),
    (UNIT, {"objective": "average", "worst_at_most": -1}, "worst_at_most"),
    (UNIT, {"inputs": 1}, "inputs"),
    (UNIT, {"inputs": 10_000}, "inputs"),
    (UNIT, {"reach": 2.0}, "reach"),
    (UNIT, {"outputs": "ab"}, "outputs"),
    (UNIT, {"unbiased": True, "reach": 0.5}, "reach"),
    (Circle(24), {"unbiased": True}, "interval"),
    (Circle(24), {"objective": "average", "worst_at_most": 1.0}, "least possible"),
    (Product(x=UNIT), {}, "optimal_law needs"),
    (SQUARE, {"unbiased": True}, "unbiased"),
    (SQUARE, {"loss": [[0, float("nan")], [1, 0]]}, "finite"),
    (SQUARE, {"loss": [[0, -1], [1, 0]]}, "negative"),
    (SQUARE, {"loss": [[0, 1, 2], [1, 0, 2]]}, "2 × 2"),
    (SQUARE, {"loss": [["a", "b"], ["c", "d"]]}, "numbers"),
    (SQUARE, {"objective": "average", "prior": [0.2, 0.3, 0.5]}, "labels"),
    (SQUARE, {"objective": "average", "prior": [0.2, 0.3]}, "sum to one"),
    (SQUARE, {"prior": [0.5, 0.5]}, "prior"),
    (SQUARE, {"objective": "point", "point": "a"}, "cap_worst"),
    (SQUARE, {"objective": "average", "worst_at_most": 0.01}, "least possible is 0.268"),
]


@pytest.mark.parametrize(("domain", "arguments", "sentence"), BAD)
def test_senseless_designs_are_refused_in_a_sentence(domain, arguments, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        optimal_law(domain, **{"epsilon": 1.0, **arguments})
