"""Tallies: both kinds count alike, and halves and sums lose nobody."""

import numpy as np
import pytest

from noisewright.audit.bounds.tally import AtomTally, ScoreTally, combine

SCORES = np.array([0.5, -1.0, 2.0, 0.5])
CODES = np.random.default_rng(3).integers(0, 4, (2, 101))
THRESHOLDS = np.array([-2.0, -1.0, 0.0, 0.5, 2.0, 3.0])


def both(left=CODES[0], right=CODES[1]):
    return AtomTally.of(SCORES, left, right), ScoreTally(SCORES[left], SCORES[right])


def above(scores):
    return [(scores > threshold).sum() for threshold in THRESHOLDS]


@pytest.mark.parametrize("tally", both(), ids=["atoms", "scores"])
def test_counts_are_those_of_the_outputs(tally):
    counts = tally.counts(THRESHOLDS)
    assert counts.left_above.tolist() == above(SCORES[CODES[0]])
    assert counts.right_above.tolist() == above(SCORES[CODES[1]])
    assert (counts.left, counts.right) == tally.rows == (101, 101)


@pytest.mark.parametrize("tally", both(), ids=["atoms", "scores"])
def test_halves_are_dealt_in_turn(tally):
    first, second = (half.counts(THRESHOLDS) for half in tally.halves())
    assert first.left_above.tolist() == above(SCORES[CODES[0][::2]])
    assert second.right_above.tolist() == above(SCORES[CODES[1][1::2]])


@pytest.mark.parametrize("place", [0, 1], ids=["atoms", "scores"])
def test_several_tallies_make_one(place):
    parts = [both(CODES[0, :40], CODES[1, :40])[place], both(CODES[0, 40:], CODES[1, 40:])[place]]
    whole, expected = (each.counts(THRESHOLDS) for each in (combine(parts), both()[place]))
    assert (whole.left_above == expected.left_above).all()
    assert (whole.right_above == expected.right_above).all()


def test_thresholds_tell_all_atoms_apart():
    atoms, _ = both()
    assert atoms.thresholds().tolist() == [-1.0, 0.5, 2.0]
    assert atoms.atoms()[0].tolist() == np.bincount(CODES[0], minlength=4).tolist()
