"""The rules, the tests of boxes, the radius and the hyperrectangle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import beta, binom

from noisewright.errors import InvalidParameter
from noisewright.published.classifier_utility import (
    Prober,
    Rule,
    clopper_pearson_rule,
    coded_rule,
    find_radii,
    find_rectangles,
    hoeffding_rule,
    hoeffding_samples,
)
from noisewright.published.classifier_utility.robustness import find_rule, uniforms
from noisewright.randomness import SeededSource
from published.classifier_utility.small_models import Watched, asked, network, quadratic, records_of

BOTH = pytest.mark.parametrize("omega", [0.05, 1e-3])
TAUS = pytest.mark.parametrize("tau", [0.01, 0.02, 0.06])


def bench_of(answer, values, rule, seed=1):
    records = records_of(values)
    box, references = asked(answer, records)
    return Prober(box, records, references, rule, SeededSource(seed).stream())


# -- rules -------------------------------------------------------------------------------------------------


def test_sample_size_of_example_1():
    assert hoeffding_samples(0.05, 0.02 / 2) == 18_445  # the paper says about 1.8e4
    assert hoeffding_rule(0.05, 0.01) == Rule(73_778, 368)  # what its case studies would need


@BOTH
@TAUS
def test_rules_accept_a_box_that_fails_in_a_share_tau_with_probability_at_most_omega(omega, tau):
    for rule in (hoeffding_rule(omega, tau), clopper_pearson_rule(omega, tau)):
        assert binom.cdf(rule.allowed, rule.samples, tau) <= omega
        assert rule.allowed / rule.samples <= tau / 2 * 1.1


@BOTH
@TAUS
def test_the_exact_rule_is_the_shortest_that_bears_half_the_tolerance(omega, tau):
    rule = clopper_pearson_rule(omega, tau)
    assert beta.ppf(1 - omega, rule.allowed + 1, rule.samples - rule.allowed) <= tau * (1 + 1e-12)
    assert binom.cdf(rule.allowed, rule.samples - 1, tau) > omega
    for fewer in range(rule.allowed):
        assert binom.cdf(fewer, math.floor(2 * fewer / tau), tau) > omega
    assert rule.samples * 7 < hoeffding_rule(omega, tau).samples


def test_the_rule_of_the_program_hardly_tests_its_own_tolerance():
    rule = find_rule("as coded", 0.05, 0.03)
    assert rule == coded_rule(0.05, 0.03) == hoeffding_rule(0.05, 2 * 0.03)
    assert rule == Rule(hoeffding_samples(0.05, 0.03), math.floor(0.03 * rule.samples))
    assert 0.4 < binom.cdf(rule.allowed, rule.samples, 0.03) < 0.6


def test_pieces_of_a_test_add_up():
    for rule in (Rule(1, 0), Rule(512, 0), Rule(513, 0), hoeffding_rule(), clopper_pearson_rule()):
        assert sum(rule.pieces()) == rule.samples


@pytest.mark.parametrize(("test", "omega", "tau"), [("exact", 0.05, 0.01), ("hoeffding", 0, 0.01)])
def test_rules_that_do_not_exist_are_refused(test, omega, tau):
    with pytest.raises(InvalidParameter, match="must be"):
        find_rule(test, omega, tau)
    with pytest.raises(InvalidParameter, match="tau must be"):
        find_rule("clopper-pearson", 0.05, math.nan)


# -- points and verdicts -------------------------------------------------------------------------------------


def sup_distance(numbers) -> float:
    """The largest gap between an empirical distribution and the uniform one."""
    ordered = np.sort(numbers)
    ranks = np.arange(ordered.size + 1) / ordered.size
    return float(max(np.abs(ranks[1:] - ordered).max(), np.abs(ranks[:-1] - ordered).max()))


def test_points_are_uniform_in_their_box():
    # Dvoretzky–Kiefer–Wolfowitz: a gap beyond √(ln(2·10⁹)/(2n)) has probability at most 10⁻⁹ an axis
    points = 20_000
    limit = math.sqrt(math.log(2e9) / (2 * points))
    low, high = np.array([[0.4, 0.0], [0.1, 0.05]]), np.array([[0.6, 1.0], [0.3, 0.15]])
    records = records_of([[0.5, 0.7], [0.2, 0.1]])
    for record in range(2):
        box, chosen = Watched(), np.array([record])
        bench = Prober(box, records, np.zeros(2, dtype=np.int64), Rule(points, 0), SeededSource(3).stream())
        assert bench.test(chosen, low[chosen], high[chosen]).accepted.all()
        spread = (np.concatenate(box.rows) - low[record]) / (high - low)[record]
        assert all(sup_distance(spread[:, axis]) < limit for axis in range(2))
        assert sup_distance(spread[:, 0] ** 1.15) > limit


def test_uniform_numbers_are_multiples_of_a_unit_below_one():
    numbers = uniforms(SeededSource(1).stream(), 1000)
    assert (numbers * 2.0**53 == np.floor(numbers * 2.0**53)).all()
    assert 0 <= numbers.min() < 0.01
    assert 0.99 < numbers.max() < 1


@pytest.mark.parametrize("rule", [hoeffding_rule(), clopper_pearson_rule()], ids=["hoeffding", "exact"])
def test_verdicts_at_shares_far_from_the_limit(rule):
    # a failing share of 0.1 % is accepted and one of 3 % refused, each but for a probability below 10⁻⁴
    for share, verdict in ((0.001, True), (0.03, False)):
        bench = bench_of(lambda rows, share=share: rows[:, 0] < 1 - share, [[0.1]], rule)
        assert bench.test(np.array([0]), np.zeros((1, 1)), np.ones((1, 1))).accepted.tolist() == [verdict]


def test_a_hopeless_box_is_left_early_and_a_good_one_is_asked_to_the_end():
    bench = bench_of(lambda rows: rows[:, 0] < 0.5, [[0.25], [0.75]], hoeffding_rule())
    low, high = np.array([[0.0], [0.5]]), np.array([[1.0], [1.0]])
    before = bench.box.queries
    assert bench.test(np.array([0, 1]), low, high).accepted.tolist() == [False, True]
    assert 73_778 < bench.box.queries - before < 80_000


# -- radius and hyperrectangle -------------------------------------------------------------------------------


def test_radius_of_the_classifier_of_section_3():
    bench = bench_of(lambda rows: (rows[:, 0] >= 0.2) & (rows[:, 0] <= 0.8), [[0.5]], hoeffding_rule())
    [radius] = find_radii(bench)
    assert 0.3 - 1 / 128 <= radius <= 0.3 * (1 + 0.01)


def test_the_printed_network_is_not_the_one_of_the_figure():
    """Example 5 answers 2 at (0.5, 0.5), and its radius there is 0.385, not 0.20."""
    records = records_of([[0.5, 0.5]])
    assert network(records.values).tolist() == [1]
    edge = (3.71 - (0.94 + 0.58) / (3.05 + 4.02)) / (1.86 + 2.09)  # where both scores meet on the diagonal
    assert edge - 0.5 == pytest.approx(0.385, abs=5e-4)
    corners = np.array([[edge - 1e-4, edge - 1e-4], [edge + 1e-4, edge + 1e-4]])
    assert network(corners).tolist() == [1, 0]
    [radius] = find_radii(bench_of(network, records.values, hoeffding_rule(0.05, 0.02)))
    assert 0.385 < radius < 0.46  # a share of 1 % may fail, which the corner uses up


def test_the_circle_that_the_authors_trained_on_has_the_radius_of_the_figure():
    bench = bench_of(lambda rows: (rows**2).sum(axis=1) < 1, [[0.5, 0.5]], hoeffding_rule(0.05, 0.02))
    [radius] = find_radii(bench)
    assert 1 / math.sqrt(2) - 0.5 - 1 / 128 <= radius < 0.24


def test_boundary_of_the_quadratic_discriminant_of_example_4():
    turn = np.linspace(0.3, 1.2, 50)
    for step, answer in ((-1e-9, 0), (1e-9, 1)):
        far = 2 * math.sqrt(math.log(2) + 1) + step
        assert (quadratic(far * np.stack([np.cos(turn), np.sin(turn)], axis=1) - 1) == answer).all()
    # it reaches 0.840 on the diagonal: a radius of 0.340 at (0.5, 0.5), again not the 0.20 of the figure
    assert 2 * math.sqrt(math.log(2) + 1) / math.sqrt(2) - 1.5 == pytest.approx(0.340, abs=5e-4)


def test_a_rectangle_reaches_the_sides_of_the_region_and_the_unit_cube():
    def inside(rows):
        return (rows[:, 0] > 0.3) & (rows[:, 0] < 0.9) & (rows[:, 1] > 0.45)

    bench = bench_of(inside, [[0.5, 0.6], [0.8, 0.5]], hoeffding_rule())
    radii = find_radii(bench)
    low, high = find_rectangles(bench, radii)
    assert low == pytest.approx(np.tile([0.3, 0.45], (2, 1)), abs=0.02)
    assert high == pytest.approx(np.tile([0.9, 1.0], (2, 1)), abs=0.02)


def test_records_searched_together_get_what_they_get_alone():
    values = [[0.5, 0.6], [0.8, 0.5], [0.1, 0.1]]
    rule = Rule(400, 0)  # a region of boxes, and no failure allowed: the answer hardly depends on the points

    def inside(rows):
        return (rows[:, 0] > 0.3) & (rows[:, 0] < 0.9) & (rows[:, 1] > 0.45)

    together = bench_of(inside, values, rule)
    radii = find_radii(together)
    low, high = find_rectangles(together, radii)
    for at, value in enumerate(values):
        alone = bench_of(inside, [value], rule, seed=9)
        radius = find_radii(alone)
        corners = find_rectangles(alone, radius)
        assert [low[at], high[at]] == pytest.approx(np.concatenate(corners), abs=0.03)


def test_a_record_whose_reference_is_not_the_answer_gets_no_room():
    records = records_of([[0.5]])
    box, _ = asked(lambda rows: rows[:, 0] < 0.7, records)
    bench = Prober(box, records, np.array([0]), clopper_pearson_rule(), SeededSource(1).stream())
    assert find_radii(bench).tolist() == [0.0]
