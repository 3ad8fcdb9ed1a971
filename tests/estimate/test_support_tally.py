"""Tallies of labels and of frequency oracles: nothing is merged, everything adds up, strangers are checked."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright import Categories
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.estimate import Tally, frequencies
from noisewright.estimate.groups import LabelGroup, SupportGroup
from noisewright.mechanisms import (
    KRR,
    OLH,
    OUE,
    RR,
    SUE,
    DesignedTable,
    HadamardResponse,
    SubsetSelection,
)
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.randomness import SeededSource

LABELS = Categories(range(10))
ORACLES = [
    KRR(LABELS, 1.0),
    RR(Categories(["no", "yes"]), 1.0),
    OUE(LABELS, 1.0),
    SUE(LABELS, 1.0),
    OLH(LABELS, 1.0),
    SubsetSelection(LABELS, 1.0),
    HadamardResponse(LABELS, 1.0),
    JointRandomizedResponse(LABELS, 1.0, users=1000),
]
HALF = 1 << 51


def name(mechanism):
    return type(mechanism).__name__


def reports_of(mechanism, people=600, seed=1):
    cells = np.random.default_rng(seed).integers(0, len(mechanism.domain), people)
    return mechanism.perturb(mechanism.domain.centres(cells), SeededSource(seed))


def described(mechanism):
    return json.loads(json.dumps(Tally.of(reports_of(mechanism), mechanism).to_dict()))


@pytest.mark.parametrize("mechanism", ORACLES, ids=name)
def test_parts_add_up_and_travel(mechanism):
    reports = reports_of(mechanism)
    whole = Tally.of(reports, mechanism)
    parts = Tally.of([Tally.of(piece, mechanism) for piece in (reports[:1], reports[1:250], reports[250:])])
    assert parts.to_dict() == whole.to_dict()
    assert len(parts.groups) == 1
    assert whole.count == 600
    assert whole.domain == mechanism.domain
    assert Tally.from_dict(described(mechanism)).to_dict() == whole.to_dict()
    assert whole.of_kind(SupportGroup)[0].counts.tolist() == mechanism.supports(reports).tolist()


def test_a_long_list_keeps_every_label():
    """Beyond 4,096 labels, two neighbours must still have two counts."""
    domain = Categories(range(5000))
    tally = Tally.of([3, 4, 4, 4999], KRR(domain, 1.0))
    assert np.flatnonzero(tally.groups[0].counts).tolist() == [3, 4, 4999]
    table = DesignedTable(Categories("ab"), 1.0, (7, 8), ((HALF, HALF),) * 2, tuple(range(5000)))
    (group,) = Tally.of([7, 8, 8], table).of_kind(LabelGroup)
    assert group.counts[[7, 8]].tolist() == [1, 2]
    assert group.count == 3


def test_kosarak_sized_lists_need_no_matrix():
    """23,496 labels: a square matrix of them would take 4 GB, a tally takes 23,497 numbers."""
    mechanism = OLH(Categories(range(23_496)), 4.0)
    held = np.random.default_rng(1).multinomial(10**6, np.full(23_496, 1 / 23_496))
    draw = np.random.default_rng(2)
    supports = draw.binomial(held, mechanism.hit) + draw.binomial(10**6 - held, mechanism.miss)
    tally = Tally.of_supports(supports, 10**6, mechanism)
    for consistency in ("none", "norm-sub", "em"):
        found = frequencies(tally, consistency=consistency)
        assert found.value.shape == (23_496,)
    inside = ((found.low <= 1 / 23_496) & (found.high >= 1 / 23_496)).mean()
    assert 0.94 < inside < 0.96  # one share is off by 0.0014; seven of those are once in 10¹¹


def test_reports_of_two_budgets_stay_apart():
    one, two = KRR(LABELS, 1.0), KRR(LABELS, 2.0)
    tally = Tally.of([3, 4], one) + Tally.of([3], two) + Tally.of([5], one)
    assert [group.count for group in tally.groups] == [3, 1]


def test_lists_of_labels_that_differ_are_refused_and_not_quoted_in_full():
    long, longer = KRR(Categories(range(1000)), 1.0), KRR(Categories(range(1001)), 1.0)
    with pytest.raises(BadTable, match="different domains") as refusal:
        Tally.of([1], long) + Tally.of([1], longer)
    assert len(str(refusal.value)) < 400


@pytest.mark.parametrize("mechanism", ORACLES, ids=name)
def test_no_reports_are_refused(mechanism):
    with pytest.raises(BadTable, match="no reports"):
        Tally.of(reports_of(mechanism)[:0], mechanism)


def test_what_is_no_report_is_refused():
    with pytest.raises(OutOfDomain, match=r"report\[1\]"):
        Tally.of([3, 11], KRR(LABELS, 1.0))
    with pytest.raises(InvalidParameter, match="list of labels"):
        Tally.of("yes", RR(Categories(["no", "yes"]), 1.0))
    table = DesignedTable(Categories("ab"), 1.0, (0, 1), ((HALF, HALF),) * 2, ("x", "y", "z"))
    with pytest.raises(OutOfDomain, match="never makes"):
        Tally.of(["x", "z"], table)


BROKEN = [
    {"reports": 0},
    {"reports": -600},
    {"reports": 600.0},
    {"reports": True},
    {"reports": 1 << 53},
    {"reports": None},
    {"supports": []},
    {"supports": [1] * 9},
    {"supports": [601] + [0] * 9},
    {"supports": [-601] + [0] * 9},
    {"supports": [1 << 62] * 10},
    {"supports": [1.0] * 10},
    {"supports": [True] * 10},
    {"supports": "1111111111"},
    {"supports": {str(n): 1 for n in range(10)}},
]


@pytest.mark.parametrize("broken", BROKEN, ids=str)
@pytest.mark.parametrize("mechanism", [m for m in ORACLES if len(m.domain) == 10], ids=name)
def test_tallies_of_strangers_are_checked_number_by_number(mechanism, broken):
    part = described(mechanism)
    part["groups"][0].update(broken)
    with pytest.raises(BadTable):
        Tally.from_dict(part)


@pytest.mark.parametrize("key", ["supports", "reports", "mechanism"])
def test_a_missing_number_is_refused(key):
    part = described(ORACLES[0])
    del part["groups"][0][key]
    with pytest.raises(BadTable):
        Tally.from_dict(part)


@pytest.mark.parametrize("mechanism", [ORACLES[0], SubsetSelection(LABELS, 1.0), ORACLES[-1]], ids=name)
def test_counts_that_no_reports_can_have_made_are_refused(mechanism):
    """A report of k-RR names one label and one of subset selection always as many: the sum is known."""
    part = described(mechanism)
    part["groups"][0]["supports"][0] += 1
    with pytest.raises(BadTable, match="number of reports"):
        Tally.from_dict(part)


def test_only_signed_counts_may_be_negative():
    assert Tally.of_supports([-600] + [0] * 9, 600, HadamardResponse(LABELS, 1.0)).count == 600
    with pytest.raises(BadTable, match="negative"):
        Tally.of_supports([-1] + [0] * 9, 600, OUE(LABELS, 1.0))


def test_a_tally_of_labels_from_a_stranger_is_checked():
    table = DesignedTable(Categories("ab"), 1.0, (0, 1), ((HALF, HALF),) * 2, ("x", "y", "z"))
    part = Tally.of(["x", "y"], table).to_dict()
    for counts in ([1, 1], [0, 0, 0], [1, 1, 1], [1, -1, 0], [1 << 52, 1 << 52, 0]):
        part["groups"][0]["counts"] = counts
        with pytest.raises(BadTable):
            Tally.from_dict(part)
