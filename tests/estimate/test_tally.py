"""Tallies: whole numbers that add up in any order, and refusals of what is no report."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue import KINDS, NAMES, build
from noisewright import Bins, Categories, Circle, Integers, Interval, MetricSpace
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.estimate import Tally, frequencies, mean
from noisewright.estimate.groups import BLOCK
from noisewright.mechanisms import KRR, OGPM, PM, SW, SWC, CircularOGPM, DesignedLaw, Laplace
from noisewright.randomness import SeededSource


def same(left: Tally, right: Tally) -> bool:
    return left.to_dict() == right.to_dict()


@given(cuts=st.lists(st.integers(1, 999), max_size=5), seed=st.integers(0, 5))
def test_parts_add_up_to_the_whole_in_any_order(cuts, seed):
    mechanism = PM(Interval(0, 1), 1.0)
    reports = mechanism.perturb(np.random.default_rng(seed).random(1000), SeededSource(seed))
    pieces = np.split(reports, sorted(set(cuts)))
    tallies = [Tally.of(piece, mechanism) for piece in pieces]
    np.random.default_rng(seed).shuffle(tallies)
    assert same(Tally.of(tallies), Tally.of(reports, mechanism))


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_mean_and_variance_of_the_reports_are_exact(kind, domain):
    mechanism = build(kind, domain, 1.0)
    truth = mechanism.domain.start + np.random.default_rng(1).random(5000) * mechanism.domain.length * 0.999
    reports = mechanism.perturb(truth, SeededSource(2))
    (group,) = Tally.of(reports, mechanism).groups
    assert group.count == 5000
    assert group.mean == pytest.approx(reports.mean(), rel=1e-9, abs=1e-9)
    assert group.variance == pytest.approx(reports.var(ddof=1), rel=1e-7)


def test_sums_of_squares_do_not_overflow_on_the_widest_lattices():
    mechanism = Laplace(Interval(40, 200), 2.0)
    assert mechanism.reports.lattice > 1 << 24
    reports = mechanism.perturb(np.full(BLOCK, 199.0), SeededSource(3))
    (group,) = Tally.of(reports, mechanism).groups
    assert group.variance == pytest.approx(reports.var(ddof=1), rel=1e-7)
    assert mean(reports, mechanism).stderr == pytest.approx(reports.std(ddof=1) / math.sqrt(BLOCK), rel=1e-3)


def test_a_tally_travels_as_json():
    one, two = (PM(Interval(0, 1), epsilon) for epsilon in (0.5, 2.0))
    tally = Tally.of(one.perturb([0.1, 0.9]), one) + Tally.of(two.perturb([0.5]), two)
    assert same(Tally.from_dict(json.loads(json.dumps(tally.to_dict()))), tally)


def test_reports_of_the_same_mechanism_share_a_group_and_others_do_not():
    one, two = (PM(Interval(0, 1), epsilon) for epsilon in (0.5, 2.0))
    tally = Tally.of([Tally.of(m.perturb([0.3]), m) for m in (one, two, one, two)])
    assert [group.count for group in tally.groups] == [2, 2]


def test_single_precision_reports_are_still_reports():
    mechanism = OGPM(Interval(0, 1), 1.0)
    reports = mechanism.perturb(np.random.default_rng(4).random(1000))
    assert same(Tally.of(reports.astype(np.float32), mechanism), Tally.of(reports, mechanism))


@pytest.mark.parametrize("shape", [(10, 1), (2, 5), (10,)])
def test_any_shape_is_counted(shape):
    mechanism = OGPM(Interval(0, 1), 1.0)
    assert Tally.of(mechanism.perturb(np.full(shape, 0.5)), mechanism).count == 10


def test_true_values_in_place_of_reports_are_refused_without_being_quoted():
    mechanism = OGPM(Interval(40, 200), 1.0)
    with pytest.raises(OutOfDomain, match="true values must never be given") as refusal:
        mean(np.random.default_rng(5).uniform(40, 200, 100), mechanism)
    assert "report[" in str(refusal.value)


@pytest.mark.parametrize(
    ("reports", "sentence"),
    [
        ([], "no reports"),
        ([math.nan], "not made by this mechanism"),
        ([math.inf], "not made by this mechanism"),
        ([5.0], "not made by this mechanism"),
        (["a"], "text"),
        ([True], "boolean"),
    ],
)
def test_what_is_no_report_is_refused(reports, sentence):
    with pytest.raises((BadTable, OutOfDomain), match=sentence):
        mean(reports, OGPM(Interval(0, 1), 1.0))


def test_mixed_domains_are_refused():
    day, pulse = CircularOGPM(Circle(24), 1.0), SW(Interval(40, 200), 1.0)
    with pytest.raises(BadTable, match=r"different domains .*: some are about a circle, others about an"):
        Tally.of(day.perturb([3.0]), day) + Tally.of(pulse.perturb([70.0]), pulse)


HOURS, METRES = Integers(0, 23), [[0, 1], [1, 0]]
DIFFERENT = [
    (Interval(0, 100), Interval(0, 120), "the high end is 100 in some and 120 in others"),
    (Integers(-5, 9), Integers(0, 9), "the low end is -5 in some and 0 in others"),
    (Circle(24), Circle(7), "the period is 24 in some and 7 in others"),
    (Bins(HOURS, [0, 6, 24]), Bins(HOURS, [0, 8, 24]), "edge 2 is 5.5 in some and 7.5 in others"),
    (Bins(HOURS, [0, 6, 24]), Bins(HOURS, 4), "there are 3 edges in some and 5 in others"),
    (Bins(HOURS, 2), Bins(Integers(0, 11), 2), "the high end is 23 in some and 11 in others"),
    (Bins(HOURS, 2), Categories("ab"), "some are about bins, others about labels"),
    (Categories("ab"), Categories("abc"), "there are 2 labels in some and 3 in others"),
    (Categories("ab"), Categories("ac"), "label 2 is 'b' in some and 'c' in others"),
    (Categories("ab"), Categories("ba"), "the labels are the same, but not in the same order"),
    (MetricSpace("ab", METRES), MetricSpace("ab", np.multiply(2, METRES)), "distances differ"),
]


def one_report(domain):
    mechanism = {Circle: SWC, Interval: SW, Integers: SW}.get(type(domain), KRR)(domain, 1.0)
    truth = domain.labels[0] if isinstance(domain, Categories | MetricSpace) else 3
    return Tally.of(mechanism.perturb([truth]), mechanism)


@pytest.mark.parametrize(("one", "other", "said"), DIFFERENT)
def test_a_refusal_of_two_domains_names_the_parameter_that_differs(one, other, said):
    first, second = (one_report(domain) for domain in (one, other))
    with pytest.raises(BadTable) as refusal:
        first + second
    assert str(refusal.value) == f"reports about different domains cannot be estimated together: {said}"


def test_bins_on_two_lattices_belong_together():
    fine, coarse = (KRR(Bins(Interval(0, 1, cells=cells), 2), 1.0) for cells in (1 << 20, 1 << 10))
    labels = fine.domain.labels
    together = Tally.of([labels[0]] * 60, fine) + Tally.of([labels[1]] * 40, coarse)
    assert together.count == 100
    assert frequencies(together).value.sum() == pytest.approx(1)


def test_another_mechanism_than_the_tallys_own_is_refused():
    one, two = (PM(Interval(0, 1), epsilon) for epsilon in (0.5, 2.0))
    with pytest.raises(InvalidParameter, match="another mechanism"):
        mean(Tally.of(one.perturb([0.1, 0.2]), one), two)


def test_reports_without_a_mechanism_are_refused():
    with pytest.raises(InvalidParameter, match="need the mechanism"):
        mean(np.array([0.1, 0.2]))


@pytest.mark.parametrize("broken", [{}, {"groups": []}, {"groups": [{}]}, {"groups": 3}])
def test_a_broken_description_is_refused(broken):
    with pytest.raises(BadTable):
        Tally.from_dict(broken)


def test_counts_that_do_not_fit_their_mechanism_are_refused():
    mechanism = PM(Interval(0, 1), 1.0)
    described = Tally.of(mechanism.perturb([0.1]), mechanism).to_dict()
    described["groups"][0]["counts"] = [1, 2, 3]
    with pytest.raises(BadTable, match="do not fit"):
        Tally.from_dict(described)


def test_labels_are_no_numbers():
    assert Categories("ab").lattice == 2
    with pytest.raises(InvalidParameter):
        Tally.of(["a"], None)


@pytest.mark.parametrize(
    "numbers",
    [
        {"counts": [2**62] * 8},
        {"counts": [2**63] + [0] * 7},
        {"counts": [1.9] + [0] * 7},
        {"counts": [True] + [0] * 7},
        {"counts": ["3"] + [0] * 7},
        {"counts": [-1, 2] + [0] * 6},
        {"cells": 10**400},
        {"cells": -1},
        {"squares": 1e400},
    ],
)
def test_tallies_of_strangers_are_checked_number_by_number(numbers):
    mechanism = OGPM(Interval(0, 1, cells=8), 1.0)
    described = Tally.of(mechanism.perturb([0.1, 0.9]), mechanism).to_dict()
    described["groups"][0].update(numbers)
    with pytest.raises(BadTable):
        Tally.from_dict(described)


def test_reports_that_a_designed_law_never_makes_are_refused():
    half = 1 << 51
    law = DesignedLaw(Interval(0, 1), 1.0, Interval(0, 1, cells=8), (2, 5), ((half, half),) * 2)
    assert Tally.of(law.perturb([0.1, 0.9]), law).count == 2
    with pytest.raises(OutOfDomain, match="never makes"):
        Tally.of([0.4375], law)


def test_a_coarse_lattice_takes_its_centres_and_nothing_near_them():
    mechanism = OGPM(Interval(0, 1, cells=8), 1.0)
    with pytest.raises(OutOfDomain, match="not made"):
        Tally.of([0.1, 0.2, 0.8], mechanism)


@pytest.mark.parametrize("mechanism", [OGPM(Interval(0, 1, cells=100), 1.0), PM(Interval(0, 1), 1.0)])
def test_reports_that_happen_to_be_alike_do_not_make_an_interval_of_no_width(mechanism):
    report = mechanism.reports.centres(3)
    found = mean(np.full(20, report), mechanism)
    assert found.high - found.low > 0.05
    assert found.stderr > 0.01
