"""The privacy card: bounds on the safe side, loud about what is not promised, silent about the pool."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release import MutualInformation, Release
from noisewright.release.algorithms import LinearSVM, Mean, Scaled
from noisewright.release.attacks import SuccessCertificate
from noisewright.release.basics.budgets import generalized_prior, posterior_success
from noisewright.release.basics.worlds import Worlds
from noisewright.release.card import Card
from noisewright.release.card.parts import LEAST_PRIOR, guesses, noise_groups
from noisewright.release.card.report import (
    NOT_PRIVATE,
    POOL,
    UNPROVED,
    bound,
    not_promised,
    number_up,
    percent_up,
    promise,
)
from noisewright.release.noise import plan_noise

NASTY = "\x1b[2J\x9b31m\u202e\r\n<script>"
GENERATOR = np.random.default_rng(4)
ROWS = GENERATOR.normal(size=(60, 3)) + np.repeat([[0, 0, 0], [2, 1, 0], [0, 2, 1]], 20, axis=0)
LABELS = np.repeat(["a", "b", "c"], 20)


@pytest.fixture(scope="module")
def release() -> Release:
    return Release(LinearSVM(0.1), MutualInformation(1 / 16), worlds=32, random_state=1).fit(ROWS, LABELS)


@pytest.fixture(scope="module")
def card(release) -> Card:
    drawn = replace(release.released_, simulated=False)
    return Card.of(drawn, noise="optimal", search="the best of 8 variants")


def test_the_card_tells_everything_in_a_hundred_columns(card):
    text = str(card)
    assert max(map(len, text.splitlines())) <= 100
    flat = " ".join(text.replace("•", "").split())
    for said in (POOL, "in secret from 32 public worlds", "C 0.1", "12, all of them with noise", "60 records",
                 "at most 0.0625 nats", "Classes: a, b, c.", "the best of 8 variants", "67.5 %",
                 card.explain(), *not_promised(card)):  # fmt: skip
        assert said in flat, said


def test_a_simulated_card_promises_nothing(card):
    void = replace(card, simulated=True)
    text = str(void)
    assert void.explain() == NOT_PRIVATE
    assert " ".join(text.split()).index(NOT_PRIVATE) < text.index("What was released")
    assert text.count("no bound") == len(card.guesses)
    assert "67.5 %" not in text[text.index("how often") :]
    assert "NOT PRIVATE" not in str(card)
    assert "no bound" not in str(card)


def test_bounds_are_rounded_up_and_hold_for_the_nats(card):
    assert card.success == posterior_success(1 / 16)
    for guess in card.guesses:
        assert guess.at_most >= posterior_success(1 / 16, guess.blind)
        assert float(percent_up(guess.at_most).removesuffix(" %")) / 100 >= guess.at_most - 1e-15
    assert float(number_up(card.epsilon)) >= card.epsilon
    assert card.epsilon == pytest.approx(math.log(card.success / (1 - card.success)))


def test_naming_many_members_has_the_prior_of_its_mode():
    """With public worlds a guess can follow the list, so its prior is larger than among all halves."""
    worlds, success = Worlds(100, 64), posterior_success(0.25)
    listed, free = guesses(0.25, 100, worlds, success), guesses(0.25, 100, None, success)
    assert [guess.question for guess in listed] == [guess.question for guess in free]
    assert "35 or more" in free[4].question
    assert free[4].blind == generalized_prior(100, 35)
    assert listed[4].blind == worlds.prior_upper(35) > 1 / 64
    assert listed[4].at_most > free[4].at_most


def test_large_pools_have_a_card_in_no_time():
    assert guesses(0.1, 1_000_000, None, 0.7)[-1].blind == LEAST_PRIOR


def one_of_several(release, total):
    """A release as a secret with a total in nats makes it, after others of 3/16 nats."""
    made = release.released_
    calibrated = replace(made.calibrated, spent=1 / 4, total=total)
    return replace(made, calibrated=calibrated, simulated=False)


def test_a_budget_beyond_ln_2_says_that_single_records_are_not_covered(release):
    vast = Card.of(one_of_several(release, 2.0))
    assert vast.success == 1
    assert "With 2 nats" in vast.explain()
    assert "With 1 nat the" in bound(replace(vast, total=1.0))
    assert "nothing about single records" in vast.explain()
    assert "no finite ε" in str(vast)
    assert vast.to_dict()["equivalent_epsilon"] is None


def test_several_releases_are_covered_by_their_total(release):
    several = Card.of(one_of_several(release, 0.5))
    assert several.success == posterior_success(0.5)
    assert (several.added, several.nats) == (1 / 16, 1 / 4)
    assert "all releases from the same world" in several.explain()
    carries = (
        "this one adds at most 0.0625 nats about which world was used; with the earlier ones at most 0.25"
    )
    assert carries in " ".join(str(several).split())
    assert "earlier" not in str(replace(several, nats=1 / 16))  # the first of them


def test_a_calibrated_success_is_told_with_its_confidence(release):
    certificate = SuccessCertificate(0.6, 0.999, 4096, worst_success=0.59, nats=1 / 16, worst_record=17)
    calibrated = replace(release.released_.calibrated, certificate=certificate)
    card = Card.of(replace(release.released_, calibrated=calibrated, simulated=False))
    assert card.success == 0.6
    assert "60 %" in card.explain()
    assert "4,096 times, at a confidence of 99.9 %" in card.explain()
    assert "17" not in json.dumps(card.to_dict()["certificate"])
    with pytest.raises(InvalidParameter, match="more than its nats"):  # they alone allow 67.5 %
        replace(card, certificate=None)


def test_without_a_proof_the_card_promises_nothing(card):
    bare = replace(card, nats=None, guesses=(), worlds=None)
    assert promise(bare) == UNPROVED
    assert bare.success == 1
    assert "NOTHING IS PROVED" in str(bare)
    failing = replace(card, worlds=None, failure=1e-6)
    assert "1e-06" in failing.explain()
    assert any("0.000001" in said for said in not_promised(failing))


def test_the_card_survives_json_and_refuses_to_promise_more(card):
    described = json.loads(json.dumps(card.to_dict(), allow_nan=False))
    assert Card.from_dict(described) == card
    for broken in ({"nats": 0.2}, {"nats": -1.0}, {"nats": "1"}, {"names": ["a"]}, {"records": 0},
                   {"simulated": "no"}, {"title": 3}, {"noised": 13}, {"noised": 11},
                   {"worlds": 1}, {"added": 0}):  # fmt: skip
        with pytest.raises(InvalidParameter):
            Card.from_dict({**described, **broken})


def test_the_card_has_neither_secret_nor_outputs_nor_seed(release, card):
    """Nothing on the card changes with the world that was drawn, or tells the seed of the worlds."""
    other = Release(
        LinearSVM(0.1), MutualInformation(1 / 16), worlds=release.released_.worlds, random_state=2
    )
    assert Card.of(other.fit(ROWS, LABELS).released_).to_dict() == Card.of(release.released_).to_dict()
    assert not np.array_equal(other.vector_, release.vector_)
    assert "seed" not in card.to_dict()
    seeded = replace(release.released_, worlds=Worlds(60, 32, seed=987654321))
    assert "987654321" not in json.dumps(Card.of(seeded).to_dict())


def test_noise_is_told_by_coordinates_and_adds_up():
    outputs = GENERATOR.normal(size=(64, 3)) * [1, 5, 0] + [0, 0, 7]
    plan = plan_noise(outputs, 0.25)
    groups = noise_groups(plan, ["first", "second", "constant"])
    assert sum(group.deviation**2 for group in groups) == pytest.approx(plan.total_variance, rel=0.01)
    assert groups[2].deviation == groups[2].signal_to_noise == 0.0
    signal = (outputs[:, 1] - outputs[:, 1].mean()).var()
    assert groups[1].signal_to_noise == pytest.approx(signal / groups[1].deviation ** 2, rel=0.02)
    assert groups[1].moved == pytest.approx(math.sqrt(signal), rel=0.02)
    many = noise_groups(
        plan_noise(GENERATOR.normal(size=(64, 30)), 1.0), [f"part {i} of x" for i in range(30)]
    )
    assert [(group.name, group.numbers) for group in many] == [("part", 30)]


def test_numbers_without_noise_are_counted():
    rows = ROWS * [1, 1000, 1]
    made = Release(Scaled(LinearSVM()), MutualInformation(0.1), worlds=32, random_state=1).fit(rows, LABELS)
    assert made.card_.title.endswith("on scaled columns")
    assert (made.card_.numbers, made.card_.noised) == (24, 18)
    assert "24, 18 of them with noise; 6 are the same in all worlds" in " ".join(str(made.card_).split())


def test_numbers_without_noise_are_named():
    """A column that is the same for everybody has the same mean in every world, whatever it says of them."""
    wide = np.column_stack([ROWS[:4, 0], np.ones((4, 10))])
    for columns, said in (
        (2, "the same in all worlds: mean of x1."),
        (11, "mean of x8 and 2 more."),
    ):
        card = Release(Mean(), MutualInformation(0.1), worlds=32, random_state=1).fit(wide[:, :columns]).card_
        assert said in " ".join(str(card).split())
        assert f"{columns - 1} {'is' if columns == 2 else 'are'} the same" in " ".join(str(card).split())
    assert "from 32 public worlds, at most 6 of them different" in " ".join(str(card).split())
    assert Card.from_dict(json.loads(json.dumps(card.to_dict()))) == card


def test_names_cannot_steer_a_terminal(card):
    nasty = replace(card, names=(NASTY, "b", "c"), classes=(NASTY,), search=NASTY, title=NASTY)
    assert all(line.isprintable() for line in str(nasty).split("\n"))
