"""Bounds that hold for every mechanism, tested on every mechanism there is."""

from __future__ import annotations

import numpy as np
import pytest

from design.samples import best_bound, best_law
from noisewright import Categories, Circle, Interval
from noisewright.design import best_window, bounds, lower_bound, optimal_law
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.mechanisms.catalogue import applicable, build

UNIT = Interval(0, 1)


@pytest.mark.parametrize("domain", [UNIT, Circle(1.0)])
@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_no_mechanism_of_the_catalogue_gets_below(domain, loss):
    bound = lower_bound(domain, 2.0, loss, knots=33)
    mechanisms = [build(kind, domain, 2.0) for kind in applicable(domain)]
    errors = [each.worst_error(loss) for each in mechanisms if isinstance(each.guarantee, PureLDP)]
    assert len(errors) >= 3
    assert bound <= min([*errors, best_window(domain, 2.0, loss).worst_error(loss)]) * (1 + 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "loss", "apart"),
    [(1.0, "absolute", 1e-6), (1.0, "squared", 1e-5), (4.0, "absolute", 2e-3), (4.0, "squared", 2e-3)],
)
def test_the_designed_law_is_the_best_of_all_mechanisms_but_for_so_much(epsilon, loss, apart):
    bound, law = best_bound(epsilon, loss), best_law(epsilon, loss)
    assert bound <= law.worst_error(loss) <= bound * (1 + apart)


def test_the_bound_scales_with_the_interval():
    wide = lower_bound(Interval(-5, 15), 4.0, 1.5, knots=33)
    assert wide == pytest.approx(20**1.5 * lower_bound(UNIT, 4.0, 1.5, knots=33), rel=1e-12)


def test_reports_between_the_grid_points_are_covered(monkeypatch):
    """Fewer outputs in the program leave reports unpriced; the check for all of them must then give way."""
    full = lower_bound(UNIT, 4.0, "squared", knots=17)
    law = optimal_law(UNIT, 4.0, "squared", inputs=64).worst_error("squared")
    assert 0.5 * law < full <= law

    def careless(knots, weights, levels, epsilon, exponent):
        places = np.linspace(0, 1, 2 * (knots.size - 1) + 1)
        charges = weights[:, None] * np.abs(knots[:, None] - places) ** exponent - levels[:, None]
        return float(bounds._slack(charges, epsilon).min())

    monkeypatch.setattr(bounds, "_least_slack", careless)
    assert lower_bound(UNIT, 4.0, "squared", knots=17) > full


def test_more_knots_bring_the_bound_closer():
    coarse, fine = (lower_bound(UNIT, 4.0, knots=knots) for knots in (9, 65))
    assert 0 < coarse < fine


def test_labels_are_sent_to_the_certificate():
    with pytest.raises(InvalidParameter, match="certificate"):
        lower_bound(Categories("ab"), 1.0)
    with pytest.raises(InvalidParameter, match="epsilon"):
        lower_bound(UNIT, -1.0)
    with pytest.raises(InvalidParameter, match="knots"):
        lower_bound(UNIT, 1.0, knots=1)
