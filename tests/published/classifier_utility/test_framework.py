"""The published utility from end to end, and models on which it claims more than is true."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.errors import InvalidParameter
from noisewright.published.classifier_utility import (
    AS_PUBLISHED,
    CAVEATS,
    PAPER_MECHANISMS,
    ball_utility,
    box_masses,
    empirical_utility,
    published_utility,
    rectangle_utility,
)
from noisewright.randomness import SeededSource
from noisewright.utility import make_curve
from published.classifier_utility.small_models import Watched, asked, records_of

CURVE = make_curve(PAPER_MECHANISMS, [1.0, 2.0, 8.0])
PM = CURVE.where("PM")
STRIP = 0.004
rules = pytest.mark.parametrize("test", ["hoeffding", "clopper-pearson"])


def middle(rows):
    return (rows[:, 0] >= 0.2) & (rows[:, 0] <= 0.8)


def but_a_strip(rows):
    """The same answer everywhere but in a strip of 0.4 % of the interval, right beside the record at 0.5."""
    return ~((rows[:, 0] > 0.5) & (rows[:, 0] <= 0.5 + STRIP))


def claim(answer, values, curve=CURVE, seed=1, **options):
    records = records_of(values)
    box, references = asked(answer, records)
    return published_utility(box, records, references, curve, source=SeededSource(seed), **options)


@rules
def test_the_classifier_of_section_3(test):
    found = claim(middle, [[0.5]], test=test)
    assert found.low == pytest.approx(0.2, abs=0.02)
    assert found.high == pytest.approx(0.8, abs=0.02)
    expected = box_masses(CURVE, np.array([[0.5]]), found.low, found.high)
    assert found.rho == pytest.approx(expected)
    assert found.rho[0, PM, 1] == pytest.approx(1 - 0.4 / math.e, abs=0.02)


def test_a_published_number_says_what_it_is():
    found = claim(middle, [[0.5]], test="clopper-pearson")
    assert found.label == AS_PUBLISHED
    assert "not a bound" in found.label
    assert found.caveats == CAVEATS
    assert all(sentence.endswith(".") for sentence in CAVEATS)


def test_average_and_worst_over_records():
    found = claim(middle, [[0.5], [0.3], [0.1]], test="clopper-pearson")
    assert found.rho.shape == (3, *CURVE.shape)
    assert found.average == pytest.approx(found.rho.mean(axis=0))
    assert found.worst == pytest.approx(found.rho.min(axis=0))
    assert (found.worst <= found.average).all()


def test_the_same_seed_gives_the_same_claim_and_questions_are_counted():
    records = records_of([[0.5], [0.3]])
    box, references = asked(middle, records)
    start = box.queries
    first = published_utility(box, records, references, CURVE, tau=0.06, source=SeededSource(4))
    assert first.queries == box.queries - start
    again = claim(middle, [[0.5], [0.3]], seed=4, tau=0.06)
    assert (first.queries, first.low.tolist()) == (again.queries, again.low.tolist())


def test_the_conservative_form_keeps_the_factor_that_section_5_1_drops():
    bold = claim(middle, [[0.5]], test="clopper-pearson")
    careful = claim(middle, [[0.5]], test="clopper-pearson", conservative=True)
    assert careful.rho == pytest.approx(bold.rho * 0.95 * 0.99)
    units = np.array([[0.5, 0.5]])
    square = ball_utility(CURVE, units, 0.3, omega=0.05, tau=0.01)
    assert square == pytest.approx(box_masses(CURVE, units, units - 0.3, units + 0.3) * 0.95 * 0.99)
    assert rectangle_utility(CURVE, units, units - 0.3, units + 0.3) == pytest.approx(square / 0.95 / 0.99)


@pytest.mark.parametrize("test", ["hoeffding", "clopper-pearson"])
def test_the_published_number_exceeds_the_truth_on_a_model_with_a_thin_strip(test):
    """The box 0..1 fails in 0.4 % of its volume and is accepted, but 22 % of the reports at ε = 8 fail."""
    found = claim(but_a_strip, [[0.5]], test=test)
    assert (found.low, found.high) == (pytest.approx(0.0, abs=0.01), pytest.approx(1.0, abs=0.01))
    strip = np.array([[0.5]]), np.array([[0.5 + STRIP]])
    truth = 1 - box_masses(CURVE, np.array([[0.5]]), *strip)[0, PM, 2]
    assert truth == pytest.approx(1 - STRIP * math.exp(4), abs=1e-3)
    assert found.rho[0, PM, 2] > 0.99
    assert found.rho[0, PM, 2] * 0.95 * 0.99 > truth + 0.15  # the dropped factor would not have saved it


def test_references_must_match_the_records():
    records = records_of([[0.5], [0.3]])
    with pytest.raises(InvalidParameter, match="one reference answer, got 1 for 2 records"):
        published_utility(Watched(), records, np.array([0]), CURVE)


@pytest.mark.parametrize(
    "options", [{"omega": 0}, {"tau": 0.7}, {"precision": 0}, {"test": "none"}, {"precision": math.nan}]
)
def test_parameters_without_a_meaning_are_refused_before_the_model_is_asked(options):
    box = Watched()
    with pytest.raises(InvalidParameter, match=f"^{next(iter(options))} must be"):
        published_utility(box, records_of([[0.5]]), np.array([0]), CURVE, **options)
    assert box.queries == 0


# -- the empirical yardstick -------------------------------------------------------------------------------


def test_empirical_shares_follow_the_exact_law_and_not_one_that_is_ten_percent_off():
    # 10⁻⁹ for all pairs together, by exact binomial quantiles
    draws, curve = 20_000, make_curve(PAPER_MECHANISMS, [1.0, 4.0])
    records = records_of([[0.5], [0.9]])
    box, references = asked(middle, records)
    references = np.ones_like(references)
    found = empirical_utility(box, records, references, curve, draws=draws, source=SeededSource(8))
    limits = (np.full((2, 1), 0.2), np.full((2, 1), 0.8))
    truth = box_masses(curve, records.units(), *limits)
    tail = 1e-9 / (2 * truth.size)
    low, high = (binom.ppf(side, draws, truth) / draws for side in (tail, 1 - tail))
    assert ((low <= found) & (found <= high)).all()
    wrong = box_masses(make_curve(PAPER_MECHANISMS, [1.1, 4.4]), records.units(), *limits)
    assert not ((binom.ppf(tail, draws, wrong) / draws <= found) & (found <= high)).all()


def test_lost_reports_are_not_asked_and_count_as_failures():
    records, box = records_of([[0.5]]), Watched()
    curve = make_curve(["Laplace"], [1.0])
    found = empirical_utility(box, records, np.array([0]), curve, draws=5000, source=SeededSource(2))
    assert box.queries / 5000 == found[0, 0, 0]
    assert found[0, 0, 0] == pytest.approx(1 - math.exp(-0.5), abs=0.05)


def test_yardstick_has_2000_draws_unless_told():
    box = Watched()
    empirical_utility(
        box, records_of([[0.5]]), np.array([0]), make_curve(["OGPM"], [1.0]), source=SeededSource(2)
    )
    assert box.queries == 2000
