"""What the gallery says of its exhibits agrees with what they really spend."""

from __future__ import annotations

import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.audit.basics.outputs import Outputs
from noisewright.errors import InvalidParameter
from noisewright.published.gallery import GALLERY, exhibit
from noisewright.published.gallery.exhibit import PATTERNS, pattern
from noisewright.published.gallery.sparse_vector import algorithm

SLACK = 1 + 1e-9
EACH = pytest.mark.parametrize("shown", GALLERY, ids=lambda shown: shown.name)


@EACH
def test_an_exhibit_is_right_exactly_if_it_spends_no_more_than_it_claims(shown):
    assert shown.right == (shown.true_epsilon <= shown.claim.epsilon * SLACK)


@EACH
def test_no_pair_spends_more_than_the_whole_exhibit_and_a_wrong_one_shows_on_its_first_pair(shown):
    spent = [shown.mechanism.epsilon(*pair, shown.claim.delta) for pair in shown.pairs]
    assert shown.pair_epsilon == spent[0]
    assert all(each is None or each <= shown.true_epsilon * SLACK + 1e-12 for each in spent)
    if not shown.right and spent[0] is not None:
        assert spent[0] > shown.claim.epsilon * 1.1


@EACH
def test_an_exhibit_draws_as_many_outputs_as_asked_from_the_generator_it_was_given(shown):
    first, again, other = (
        shown.mechanism(shown.pairs[0][0], 200, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert len(first) == len(Outputs.of(first)) == 200
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other, equal_nan=True)


@EACH
def test_an_exhibit_travels_to_other_processes_and_its_fields_rebuild_it(shown):
    copy = pickle.loads(pickle.dumps(shown))
    assert copy == shown
    assert dataclasses.replace(shown.mechanism) == shown.mechanism


@EACH
def test_an_exhibit_says_what_it_claims_and_what_it_keeps(shown):
    assert f"claims {shown.claim}" in shown.sentence
    assert shown.note.endswith(".")
    assert ("no ε" in shown.sentence) == math.isinf(shown.true_epsilon)


def test_the_twenty_published_findings_lie_below_what_their_exhibits_spend():
    found = [shown for shown in GALLERY if shown.published]
    assert len(found) == 20
    assert all(shown.published.best < shown.true_epsilon for shown in found)


def test_one_published_bound_exceeds_what_its_pair_can_spend():
    rappor = exhibit("rappor")
    assert rappor.published.network > rappor.pair_epsilon == pytest.approx(0.3000625)


def test_names_are_different_and_an_unknown_one_is_refused():
    assert len({shown.name for shown in GALLERY}) == len(GALLERY)
    with pytest.raises(InvalidParameter, match="no 'svt-7'"):
        exhibit("svt-7")


def test_patterns_are_neighbours():
    for name in PATTERNS:
        left, right = pattern(name, 5)
        assert len(left) == len(right) == 5
        assert np.abs(np.subtract(left, right)).max() == 1
    with pytest.raises(InvalidParameter, match="one below"):
        pattern("diagonal", 5)


# -- the sparse vector technique spends what the catalogue says, in the limit and never more --------------


@pytest.mark.parametrize(("name", "falls"), [("svt-1", 1), ("svt-2", 1), ("svt-4", 1), ("svt-6", 5)])
def test_queries_far_from_the_threshold_reach_the_epsilon(name, falls):
    shown = exhibit(name)
    left = (300.0,) * (10 - falls) + (-300.0,) * falls
    right = (301.0,) * (10 - falls) + (-301.0,) * falls
    assert shown.mechanism.epsilon(left, right) == pytest.approx(shown.true_epsilon, rel=1e-3)


def test_two_answers_above_the_threshold_cost_form_4_as_much_as_its_authors_proved():
    left, right = (300.0,) * 8 + (-300.0,) * 2, (301.0,) * 8 + (-301.0,) * 2
    assert algorithm(4, 0.1, 1.0, positives=2).epsilon(left, right) == pytest.approx(0.325, rel=1e-3)


def test_form_3_is_not_among_those_that_answer_with_flags():
    with pytest.raises(InvalidParameter, match="published_values"):
        algorithm(3, 0.1, 1.0)


@settings(max_examples=12)
@given(
    st.sampled_from(["svt-1", "svt-2", "svt-4", "noisy-max-1", "noisy-max-2"]),
    st.lists(st.tuples(st.floats(-100, 100), st.floats(-1, 1)), min_size=5, max_size=5),
)
def test_no_neighbours_spend_more(name, rows):
    shown, left = exhibit(name), tuple(value for value, _ in rows)
    right = tuple(value + move for value, move in rows)
    assert shown.mechanism.epsilon(left, right) <= shown.true_epsilon * SLACK
