from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from noisewright import Categories, Circle, Interval
from noisewright.design.aims import Aim
from noisewright.design.window import AtDistance, UnderPrior, best_window, window_loss
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OGPM, CircularOGPM
from noisewright.mechanisms.tuned import TunedWindow

UNIT = Interval(0, 1)
EPSILONS = [0.05, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0]
POWERS = [0.5, 1.0, 1.5, 2.0, 8.0]


def ideal(epsilon, power):
    """The least worst case on [0, 1] by brute force: the loss at an end, over a million widths."""
    gain, share = math.expm1(epsilon), np.arange(1, 1_000_001) / 1_000_000
    return float(np.min((1 + gain * share ** (power + 1)) / ((1 + gain * share) * (power + 1))))


@pytest.mark.parametrize(
    ("epsilon", "best", "closed_form"),
    [(1.0, 0.2172985, 0.2209), (2.0, 0.1311145, 0.1379), (4.0, 0.0406356, 0.0492), (8.0, 0.0030237, 0.0062)],
)
def test_worst_squared_error_against_ogpm(epsilon, best, closed_form):
    mechanism = best_window(UNIT, epsilon, "squared")
    assert mechanism.worst_error("squared") == pytest.approx(best, abs=6e-8)
    assert round(OGPM(UNIT, epsilon).worst_error("squared"), 4) == closed_form


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("power", POWERS)
def test_the_lattice_costs_less_than_a_hundred_thousandth(epsilon, power):
    worst = best_window(UNIT, epsilon, power).worst_error(power)
    # at ε = 12 a window of some thousand cells and a coin of 24 bits are felt a little more
    assert worst == pytest.approx(ideal(epsilon, power), rel=1e-5 if epsilon <= 8 else 3e-5)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("domain", "known"), [(Interval(-1, 3), OGPM), (Circle(24), CircularOGPM)])
def test_for_the_worst_absolute_error_it_is_ogpm(domain, known, epsilon):
    found, published = best_window(domain, epsilon), known(domain, epsilon)
    assert found.worst_error() <= published.worst_error()
    assert found.worst_error() == pytest.approx(published.worst_error(), rel=5e-5)
    assert found.share == pytest.approx(published.window.width / published.window.cells, rel=2e-3)


def test_the_best_window_for_one_point():
    """Zheng 2026, example 8, where the density 1.5459 is cut to 1.54."""
    found = best_window(UNIT, 1.0, objective="point", point=0.2)
    density = float(found.law(0.2).density(0.2).item())
    assert math.floor(100 * density) / 100 == 1.54
    assert round(found.law(0.2).expected(), 3) == 0.241
    assert round(OGPM(UNIT, 1.0).law(0.2).expected(), 3) == 0.243


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
def test_a_window_made_for_a_point_tells_where_the_point_is(epsilon):
    """The source says of such a mechanism that it "contains no information about x₀" (5.5).

    Its width is public, rises with the distance of x₀ from the nearer end as long as that is less than half a
    window, and so can be read backwards: nothing is drawn, and ε does not cover it.
    """
    near = np.linspace(0, 0.5, 51)
    shares = np.array([AtDistance(1.0, x).best_share(epsilon) for x in near])
    telling = near < shares / 2
    assert (np.diff(shares[telling]) > 0).all()
    assert shares[telling].size >= 3
    # the mechanisms themselves: two points, two published widths, and two probabilities of a report
    one, other = (best_window(UNIT, epsilon, objective="point", point=x) for x in (0.0, near[telling][-1]))
    assert other.share > 1.05 * one.share
    assert other.window.threshold != one.window.threshold


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("epsilon", [0.1, 2.0, 6.0])
def test_on_a_circle_the_width_is_that_of_the_end_of_an_interval(power, epsilon):
    circle = best_window(Circle(24), epsilon, power)
    assert circle.worst_error(power) == pytest.approx(12**power * ideal(epsilon, power), rel=1e-5)
    for other in ({"objective": "average", "prior": [0.9, 0.1]}, {"objective": "point", "point": 7.0}):
        assert best_window(Circle(24), epsilon, power, **other).share == pytest.approx(circle.share, rel=1e-2)


def test_squared_error_on_the_circle_is_below_the_published_closed_form():
    ratios = [
        best_window(Circle(), epsilon, "squared").worst_error("squared")
        / CircularOGPM(Circle(), epsilon).worst_error("squared")
        for epsilon in (1.0, 4.0, 8.0)
    ]
    assert ratios == pytest.approx([0.984, 0.826, 0.487], abs=1e-3)


@pytest.mark.parametrize("objective", [{}, {"objective": "average"}, {"objective": "point", "point": 15.0}])
def test_scaling_a_domain_scales_its_window(objective):
    wide = best_window(Interval(10, 50), 2.0, "squared", **objective)
    scaled = {**objective, "point": 0.125} if "point" in objective else objective
    assert wide.share == best_window(UNIT, 2.0, "squared", **scaled).share


@settings(max_examples=60)
@given(
    st.floats(0.05, 12), st.floats(0.3, 8),
    st.one_of(st.floats(0, 0.5), st.lists(st.floats(0.01, 1), min_size=1, max_size=7)),
)  # fmt: skip
def test_no_width_does_better(epsilon, power, where):
    if isinstance(where, list):
        paper = UnderPrior(power, tuple(weight / sum(where) for weight in where))
    else:
        paper = AtDistance(power, where)
    least = paper.expected(paper.best_share(epsilon), epsilon)
    others = [paper.expected(share, epsilon) for share in np.geomspace(1e-5, 1, 300)]
    assert least <= min(others) * (1 + 1e-12)
    falls = np.diff(others) < 0
    assert not (falls[1:] & ~falls[:-1] & (np.diff(others)[1:] < -1e-12 * least)).any(), "a second valley"


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 3.7])
@pytest.mark.parametrize("share", [0.05, 0.4, 0.9, 1.0])
@pytest.mark.parametrize(
    "prior", [(1.0,), (0.2, 0.5, 0.3), (0.1, 0.2, 0.3, 0.4), (0.9, 0.0, 0.0, 0.05, 0.05)]
)
def test_the_closed_form_of_a_prior_is_its_integral(power, share, prior):
    def density(x):
        return prior[min(int(x * len(prior)), len(prior) - 1)] * len(prior)

    def at(x):
        return AtDistance(power, min(x, 1 - x))

    knots = sorted({*(k / len(prior) for k in range(len(prior))), 0.5, share / 2, 1 - share / 2, 0.0, 1.0})
    pieces = [(a, b) for a, b in itertools.pairwise(knots) if b - a > 1e-12]
    paper = UnderPrior(power, prior)
    for ours, theirs in ((paper.inside, "inside"), (paper.edge, "edge")):
        parts = [quad(lambda x: density(x) * getattr(at(x), theirs)(share), a, b)[0] for a, b in pieces]  # noqa: B023
        assert ours(share) == pytest.approx(sum(parts), rel=1e-7)


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("epsilon", [0.1, 2.0, 8.0])
@pytest.mark.parametrize("cells", [3, 8, 64, 1 << 20])
def test_the_worst_true_value_of_a_window_is_an_end_also_below_the_first_power(power, epsilon, cells):
    for share in (0.05, 0.4, 0.8):
        window = TunedWindow(Interval(0, 1, cells=cells), epsilon, share)
        assert window.law(0.0).expected(power) == pytest.approx(window.worst_error(power), rel=1e-12)


@pytest.mark.parametrize("cells", [2, 3, 8, 15, 40])
@pytest.mark.parametrize("loss", ["absolute", "squared", 0.5])
@pytest.mark.parametrize("epsilon", [0.3, 2.0, 5.0])
def test_on_a_coarse_lattice_every_width_is_beaten(cells, loss, epsilon):
    domain = Interval(0, 1, cells=cells)
    every = [TunedWindow(domain, epsilon, width / cells) for width in range(1, cells, 2)]
    least = min(window.worst_error(loss) for window in every)
    assert best_window(domain, epsilon, loss).worst_error(loss) == pytest.approx(least, rel=1e-12)


@pytest.mark.parametrize("prior", [None, [0.6, 0.3, 0.1], [0.0, 0.0, 0.0, 1.0]])
@pytest.mark.parametrize("loss", ["absolute", "squared", 3.0])
def test_the_average_over_a_prior_is_what_it_says_and_the_least(prior, loss):
    aim = Aim.read(UNIT, "average", prior=prior)
    best = best_window(UNIT, 2.0, loss, "average", prior=prior)
    paper = window_loss(aim, loss)
    assert aim.error(best, loss) == pytest.approx(paper.expected(best.share, 2.0), rel=2e-5)
    for share in np.linspace(0.05, 0.95, 19):
        assert aim.error(best, loss) <= aim.error(TunedWindow(UNIT, 2.0, share), loss) * (1 + 1e-9)


def test_an_even_prior_is_the_average_error():
    mechanism = OGPM(UNIT, 1.0)
    assert Aim.read(UNIT, "average").error(mechanism, "squared") == pytest.approx(
        mechanism.average_error("squared"), rel=1e-9
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"objective": "best"}, "objective must be one of worst, average, point"),
        ({"objective": ["worst"]}, "objective must be one of worst, average, point"),
        ({"objective": "point"}, "go together"),
        ({"point": 0.5}, "go together"),
        ({"prior": [1.0]}, "no effect with objective='worst'"),
        ({"objective": "point", "point": 1.5}, "point must lie in Interval"),
        ({"objective": "point", "point": math.nan}, "the point must be a finite number"),
        ({"objective": "average", "prior": [0.5, 0.4]}, "must sum to one, got 0.9"),
        ({"objective": "average", "prior": [1.5, -0.5]}, "at least zero"),
        ({"objective": "average", "prior": [math.nan, 1.0]}, "at least zero"),
        ({"objective": "average", "prior": []}, "a list of numbers"),
        ({"objective": "average", "prior": ["a"]}, "a list of numbers"),
        ({"objective": "average", "prior": [[0.5, 0.5]]}, "a list of numbers"),
        ({"objective": "average", "prior": [[0.5], [0.25, 0.25]]}, "a list of numbers"),
        ({"loss": "cubic"}, "a loss is"),
        ({"loss": -1.0}, "loss must be a number"),
        ({"epsilon": 0}, "epsilon must be"),
        ({"domain": Categories(["a", "b"])}, "needs a domain of kind Interval or Circle"),
    ],
)
def test_a_senseless_design_is_refused_in_a_sentence(arguments, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        best_window(**{"domain": UNIT, "epsilon": 1.0, **arguments})
