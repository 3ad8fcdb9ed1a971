"""Designs for whole numbers: only they count, and the bound is for them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright import Integers, Interval, MetricSpace
from noisewright.design import best_window, lower_bound, optimal_law, verify
from noisewright.design.aims import Aim, whole_weights
from noisewright.design.designer import tabulate
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.tuned import TunedWindow


@pytest.mark.parametrize(("low", "size"), [(0, 2), (-7, 5), (3, 9)])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_best_law_is_that_of_the_numbers_as_labels_with_distances(low, size, epsilon):
    domain = Integers(low, low + size - 1)
    gaps = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    labels = optimal_law(MetricSpace(list(map(str, range(size))), gaps.tolist()), epsilon, "absolute")
    law = optimal_law(domain, epsilon)
    assert law.worst_error() == pytest.approx(labels.worst_error("absolute"), rel=1e-6)
    # no report whatsoever helps beyond the numbers themselves: between two of them the loss is linear
    assert lower_bound(domain, epsilon) == pytest.approx(law.worst_error(), rel=1e-6)
    assert law.worst_error() < optimal_law(domain.as_interval(), epsilon, inputs=size).worst_error()


@pytest.mark.parametrize(
    "arguments",
    [
        {"objective": "average"},
        {"objective": "average", "prior": [0.5, 0.2, 0.1, 0.1, 0.1]},
        {"objective": "point", "point": 3},
        {"objective": "lexicographic", "loss": 0.5},
        {"unbiased": True, "loss": "squared"},
        {"inputs": 4},
    ],
)
def test_certificates_are_about_whole_numbers_and_survive_a_file(arguments):
    law = optimal_law(Integers(0, 9), 1.0, **arguments)
    again = Mechanism.from_dict(json.loads(json.dumps(law.to_dict())))
    assert again == law
    found = verify(again)
    assert found.value == pytest.approx(law.certificate.value, rel=1e-9)
    assert found.gap < 1e-6 * found.value
    if arguments.get("unbiased"):
        assert law.law(np.arange(10)).mean() == pytest.approx(np.arange(10), abs=1e-7)
        assert not law.dithered
    if "prior" in arguments:
        errors = law.law(np.arange(10)).expected()
        assert found.value == pytest.approx(np.repeat(arguments["prior"], 2) / 2 @ errors, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.5, 4.0])
@pytest.mark.parametrize("loss", ["absolute", "squared"])
@pytest.mark.parametrize("domain", [Integers(0, 1), Integers(-3, 3), Integers(0, 99)])
def test_no_other_window_does_better(domain, loss, epsilon):
    for objective, measure in (("worst", "worst_error"), ("average", "average_error")):
        best = getattr(best_window(domain, epsilon, loss, objective), measure)(loss)
        for share in np.geomspace(1e-3, 0.99, 40).tolist():
            assert best <= getattr(TunedWindow(domain, epsilon, share), measure)(loss) * (1 + 1e-6)


def test_no_mechanism_of_the_table_is_below_the_bound():
    for arguments in ({}, {"unbiased": True, "loss": "squared"}, {"objective": "average"}):
        table = tabulate(Integers(-4, 8), 1.0, **arguments)
        assert all(row.value >= table.bound.value * (1 - 1e-9) for row in table.rows if row.admitted)


def test_more_numbers_than_inputs_share_them():
    law = optimal_law(Integers(-300, 300), 2.0, inputs=16)
    assert law.worst_error() == pytest.approx(verify(law).value, rel=1e-9)
    assert lower_bound(Integers(-300, 300), 2.0, knots=33) < law.worst_error()
    assert Aim.read(Integers(0, 99_999), "average").values()[0].size == 4096


def test_what_has_no_meaning_is_refused():
    assert whole_weights(Integers(0, 3), np.arange(4.0), (1.0,)).tolist() == [0.25] * 4
    for arguments, sentence in (
        ({"objective": "average", "prior": [0.05] * 20}, "finer than the 10 numbers"),
        ({"objective": "point", "point": 3.5}, "point must lie in"),
        ({"inputs": 11}, "inputs must be a whole number from 2 to 10"),
        ({"unbiased": True, "inputs": 4}, "has 10 inputs"),
    ):
        with pytest.raises(InvalidParameter, match=sentence):
            optimal_law(Integers(0, 9), 1.0, **arguments)
    with pytest.raises(InvalidParameter, match=r"at most 255; design for the interval from -0.5 to 999.5"):
        optimal_law(Integers(0, 999), 1.0, unbiased=True)
    with pytest.raises(InvalidParameter, match="hold no whole number"):
        optimal_law(Integers(0, 4, cells=6), 1.0)
    assert optimal_law(Interval(-0.5, 4.5), 1.0, inputs=5).domain == Interval(-0.5, 4.5)
