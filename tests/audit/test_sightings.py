"""What is remembered of all runs: counts and values of what may bound from above, and sameness."""

import numpy as np
import pytest

from noisewright.audit import Outputs
from noisewright.audit.encoding import fit_encoder
from noisewright.audit.sightings import Sightings
from noisewright.errors import BadMechanism

FEW = np.tile([0.0, 1.0], 40)


def sightings(left=FEW, right=FEW, **options):
    seen = Sightings(fit_encoder(Outputs.of(left), Outputs.of(right)), **options)
    for side, values in (("left", left), ("right", right)):
        see(seen, side, values)
    return seen


def see(seen, side, values):
    outputs = Outputs.of(values)
    seen.add(side, outputs, seen.encoder.features(outputs))


def test_every_run_is_counted_until_all_is_forgotten():
    seen = sightings(keeps_values=True)
    see(seen, "left", np.array([1.0, 7.0]))
    assert seen.counts_outputs
    assert seen.atoms()[0].tolist() == [40, 41, 1]  # 7 has no atom of its own
    assert seen.values()[0].size == 82
    seen.forget()
    assert seen.atoms() is None
    see(seen, "left", np.array([0.0]))
    see(seen, "right", np.array([1.0]))
    assert [each.tolist() for each in seen.atoms()] == [[1, 0, 0], [0, 1, 0]]


def test_inputs_are_identified_while_each_has_an_output_of_its_own():
    seen = sightings(np.zeros(40), np.ones(40))
    assert seen.looks.identified
    seen.forget()
    see(seen, "left", np.zeros(100))
    assert seen.looks.identified
    see(seen, "left", np.append(np.zeros(50), 1.0))
    assert not seen.looks.identified
    see(seen, "left", np.zeros(100))  # once seen, it stays seen
    assert not seen.looks.identified
    assert not sightings(np.zeros(40), np.zeros(40)).looks.identified
    assert not Sightings(seen.encoder).looks.identified


def test_outputs_that_are_no_numbers_are_noticed_after_learning_too():
    seen = sightings(np.arange(80.0), np.arange(80.0))
    assert not seen.looks.nan
    see(seen, "left", np.array([0.5, -np.inf]))
    assert not seen.looks.nan
    see(seen, "right", [1.0, None])
    assert seen.looks.nan
    vectors = sightings(np.zeros((40, 2)), np.full((40, 2), np.nan))
    assert not vectors.looks.nan


def test_values_without_a_place_on_the_line_are_refused():
    with pytest.raises(BadMechanism, match="NaN is none"):
        see(sightings(keeps_values=True), "left", np.array([np.nan]))
    with pytest.raises(BadMechanism, match="single numbers"):
        see(sightings(keeps_values=True), "left", np.zeros((3, 2)))
