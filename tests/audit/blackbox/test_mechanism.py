"""Our own mechanisms as black boxes."""

import numpy as np
import pytest

from noisewright import Categories, Interval
from noisewright.audit.blackbox import MechanismBox, black_box
from noisewright.errors import BadMechanism
from noisewright.mechanisms import KRR, OGPM, OLH

OGPM_BOX = black_box(OGPM(Interval(0, 1), epsilon=1.0))


def test_reports_are_drawn_from_the_secure_source_whatever_the_seed():
    once, again = (OGPM_BOX.draw(0.25, 100, seed=1).numbers for _ in range(2))
    assert not (once == again).all()
    assert OGPM_BOX.title == "OGPM"


def test_simulated_reports_follow_from_the_seed():
    box = MechanismBox(OGPM(Interval(0, 1), epsilon=1.0), simulated=True)
    np.testing.assert_array_equal(box.draw(0.25, 100, seed=1).numbers, box.draw(0.25, 100, seed=1).numbers)
    assert not (box.draw(0.25, 100, seed=1).numbers == box.draw(0.25, 100, seed=2).numbers).all()


def test_labels_and_pairs_become_text_and_several_values_become_rows():
    labels = Categories(["no", "yes"])
    assert set(black_box(KRR(labels, epsilon=1.0)).draw("no", 200, seed=1).words) == {'"no"', '"yes"'}
    assert len(black_box(OLH(labels, epsilon=1.0)).draw("no", 20, seed=1)) == 20
    assert OGPM_BOX.draw([0.25, 0.5, 0.75], 20, seed=1).numbers.shape == (20, 3)


def test_a_value_outside_the_domain_is_not_shown():
    with pytest.raises(BadMechanism, match="raised OutOfDomain") as refusal:
        OGPM_BOX.draw(1.625, 5, seed=1)
    assert "1.625" not in str(refusal.value)
