"""What published code got wrong, written down so that nobody repeats it: each number is what it really spent."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisewright.published.routes import LSRR, NGram, RealGuarantee, Strawman
from noisewright.trajectory.spaces import Rectangle
from published.routes import naive
from published.routes.naive import CLUSTER

SQUARE = Rectangle(0, 0, 1, 1)


def test_k_rr_that_flips_with_the_wrong_probability_spends_3_7_where_one_was_asked_for():
    flips = 1 / (6 - 1 + math.exp(1))  # of one other label, taken for that of any other
    published = math.log((1 - flips + flips / 6) / (flips / 6))
    assert published == pytest.approx(3.7, abs=0.05)
    ours = Strawman(SQUARE, 1.25, sectors=6, split=0.8).response
    assert naive.epsilon([ours.word_counts(sector)[0] for sector in range(6)]) <= 1.0


def test_a_staircase_with_epsilon_in_place_of_its_exponential_is_another_mechanism():
    rows = np.array([naive.staircase(CLUSTER, x, (0.3, 0.6), 4.0) for x in range(len(CLUSTER))])
    written = np.log((rows.max(axis=0) / rows.min(axis=0)).max())
    assert written < 2.5  # e² for a nominal ε of 4
    assert LSRR(CLUSTER, 4.0, space=SQUARE).real_guarantee.real > 4.5


def test_one_report_of_ngram_as_evaluated_rules_places_out():
    method = NGram(CLUSTER, 1.0, reach=0.6, around="location", space=SQUARE)
    report = int(method.weights_around(np.array([0]))[0].argmax())
    impossible = [x for x in range(len(CLUSTER)) if method.weights_around(np.array([x]))[0][report] == 0]
    assert impossible
    assert "∞" in method.real_guarantee.sentence


def test_a_sensitivity_taken_from_the_true_location_breaks_its_epsilon():
    """Code that divides scores by their range at the true location, as was published, exceeds its ε."""
    places = [(x, 0.5) for x in np.linspace(0, 1, 60)]
    rows = []
    for truth in range(60):
        spread = max(naive.gap(places[truth], place) for place in places)
        rows.append(naive.exponential(places, truth, range(60), 4.0 / (2 * spread)))
    table = np.array(rows)
    right = NGram(places, 4.0, around="location", reach=1.0, space=SQUARE).real_guarantee.real
    assert right < 4.0 / 2 + 1e-3 < np.log((table.max(axis=0) / table.min(axis=0)).max())


def test_the_sentence_rounds_up_and_says_what_is_only_a_bound():
    assert "really 4.001:" in RealGuarantee(4.0, 4.0001, "why").sentence
    assert "really at most 2:" in RealGuarantee(4.0, 2.0, "why", exact=False).sentence
