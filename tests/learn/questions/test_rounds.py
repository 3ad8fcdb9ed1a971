"""Chance, and clients who answer once: everybody pays exactly what the question costs, or nobody is asked."""

from fractions import Fraction

import numpy as np
import pytest

from noisewright.errors import BudgetSpent, InvalidParameter
from noisewright.learn.questions import CellQuestion, FeedbackQuestion, SplitQuestion
from noisewright.learn.questions.rounds import Ask, Population, read_chance, simulate
from noisewright.learn.rules import Axis, ConstantRule
from noisewright.randomness import SeededSource


@pytest.mark.parametrize("state", [7, np.int64(7), np.random.RandomState(7), np.random.default_rng(7)])
def test_any_seed_makes_a_simulation(state):
    assert read_chance(state).simulated


def test_no_seed_is_private_and_nonsense_is_refused():
    assert read_chance(None).source is None
    assert not read_chance(None).simulated
    for nonsense in (True, -1, 0.5, "seed"):
        with pytest.raises(InvalidParameter, match="random_state"):
            read_chance(nonsense)


def test_the_same_seed_gives_the_same_draws():
    left, right = read_chance(3), read_chance(3)
    assert left.public.random() == right.public.random()
    assert (left.source.words(4) == right.source.words(4)).all()
    assert isinstance(left.source, SeededSource)


def population(people: int = 10, epsilon: float = 1.0) -> Population:
    return Population(np.zeros((people, 2)), np.zeros(people, dtype=int), epsilon, read_chance(1))


def test_clients_are_dealt_in_a_random_order_and_each_once():
    """At ε = 32 an answer is the client's own cell, so the order of the clients can be read off."""
    axis = Axis(0, 1, cells=128)
    units = np.zeros((128, 1))
    axis.fill(units, np.arange(128))
    people = Population(units, np.zeros(128, dtype=int), 32.0, read_chance(2))
    question = CellQuestion(32.0, axis, tuple(range(1, 128)))
    cells = np.concatenate([people.answer(Ask(question, 64)) for _ in range(2)]) // 2
    assert sorted(cells) == list(range(128))
    assert cells.tolist() != list(range(128))
    assert people.account.totals() == {Fraction(32): 128}


def test_asking_more_than_are_left_is_refused_before_anybody_pays():
    people = population()
    with pytest.raises(InvalidParameter, match="11 clients are to be asked, and 10 of 10 are left"):
        people.answer(Ask(FeedbackQuestion(1.0, ConstantRule(1)), 11))
    assert people.account.totals() == {Fraction(0): 10}


def test_a_question_that_costs_more_than_the_budget_is_refused():
    people = population(epsilon=0.5)
    with pytest.raises(BudgetSpent):
        people.answer(Ask(FeedbackQuestion(1.0, ConstantRule(1)), 1))
    assert people.left == 10


def test_a_procedure_gets_one_array_for_each_ask():
    def two_rounds():
        first = yield (Ask(FeedbackQuestion(1.0, ConstantRule(1)), 2), Ask(SplitQuestion(1.0, width=2), 3))
        (second,) = yield (Ask(SplitQuestion(1.0, width=2), 5),)
        return [answer.shape for answer in (*first, second)]

    people = population()
    assert simulate(two_rounds(), people) == [(2,), (3, 3), (5, 3)]
    assert people.left == 0
