"""A procedure in the field: the same result as simulated, whoever comes, drops out or lies."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright import Interval, PureLDP
from noisewright.errors import BadDocument, InvalidParameter, OutOfDomain
from noisewright.learn.bases import find_base
from noisewright.learn.devices.client import Client
from noisewright.learn.devices.coordinator import Coordinator
from noisewright.learn.devices.messages import Answer
from noisewright.learn.ensemble import Mixing, Plan, mrma_procedure
from noisewright.learn.questions import FeedbackQuestion, SplitQuestion
from noisewright.learn.questions.rounds import Ask
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.learn.rules.schema import read_schema
from noisewright.ledger import Ledger
from noisewright.randomness import SeededSource

SCHEMA = read_schema({"age": Interval(0, 100), "weight": Interval(30, 130)}, 2)


def learn(records: int = 3, judges: int = 2, seed: int = 0):
    """Records first; then feedback on a public random direction and on a constant."""
    (reports,) = yield (Ask(SplitQuestion(1.0, width=2), records),)
    rule = LinearRule(np.random.default_rng(seed).normal(size=2))
    ones, twos = yield (
        Ask(FeedbackQuestion(1.0, rule), judges),
        Ask(FeedbackQuestion(1.0, ConstantRule(1)), judges),
    )
    return reports.shape, [len(ones), len(twos)], float(reports.sum()), [ones.tolist(), twos.tolist()]


def serve(coordinator: Coordinator, people, answer) -> None:
    for person in people:
        if (task := coordinator.task_for(person)) is not None:
            coordinator.receive(answer(task))


def made_up(task) -> Answer:
    """An answer that fits and shows which task it belongs to."""
    if isinstance(task.question, SplitQuestion):
        return Answer(task.id, [0.0, 0.0, 1.0])
    return Answer(task.id, isinstance(task.question.rule, ConstantRule))


def test_devices_and_server_talk_json_only_and_everybody_pays_once(tmp_path):
    ledger = Ledger.create(tmp_path / "devices.db", budget=1.0)
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    people = [f"person {place}" for place in range(7)]
    for person in people:
        task = coordinator.task_for(person)
        coordinator.receive(Client(ledger, person, SCHEMA).answer(task.to_json(), [50.0, 70.0], 1).to_json())
    assert coordinator.done
    assert coordinator.result[:2] == ((3, 3), [2, 2])
    assert {ledger.spent(person) for person in people} == {PureLDP(1.0)}


def test_nobody_is_asked_twice_and_an_open_task_can_be_fetched_again():
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    first = coordinator.task_for("a")
    assert coordinator.task_for("a") == first
    coordinator.receive(made_up(first))
    assert coordinator.task_for("a") is None
    serve(coordinator, ["b", "c"], made_up)
    assert coordinator.task_for("a") is None  # nor in the second round


def test_a_full_round_has_no_task_until_a_seat_comes_free():
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    tasks = [coordinator.task_for(person) for person in "abc"]
    assert coordinator.task_for("d") is None
    coordinator.reissue(tasks[1].id)
    again = coordinator.task_for("d")
    assert again.id != tasks[1].id
    assert coordinator.task_for("b") is None
    with pytest.raises(InvalidParameter, match="reissued"):
        coordinator.receive(made_up(tasks[1]))


def test_answers_reach_the_question_they_belong_to_in_any_order():
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    serve(coordinator, "abc", made_up)
    tasks = [coordinator.task_for(person) for person in "defg"]
    for task in reversed(tasks):
        coordinator.receive(made_up(task))
    assert coordinator.result[3] == [[False, False], [True, True]]


def test_early_and_late_people_are_spread_over_the_questions():
    coordinator = Coordinator(learn(records=0), SCHEMA, epsilon=1.0)
    kinds = [type(coordinator.task_for(person).question.rule) for person in "abcd"]
    assert kinds == [LinearRule, ConstantRule, LinearRule, ConstantRule]


def test_a_round_may_be_closed_with_few_answers_or_none():
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    serve(coordinator, "a", made_up)
    coordinator.close_round()
    coordinator.close_round()
    assert coordinator.result[:2] == ((1, 3), [0, 0])
    empty = Coordinator(learn(records=0, judges=0), SCHEMA, epsilon=1.0)
    assert empty.result[:2] == ((0, 3), [0, 0])


@pytest.mark.parametrize(
    "value",
    [True, None, "1", [0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.5], [1e9, float("nan"), 1.0], {}, [{}, 0, 1]],
)
def test_answers_that_fit_no_question_are_refused_and_the_task_stays_open(value):
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    task = coordinator.task_for("a")
    with pytest.raises((InvalidParameter, OutOfDomain)):
        coordinator.receive(Answer(task.id, value))
    coordinator.receive(made_up(task))


@pytest.mark.parametrize(
    "message", ["", "{}", '{"task": "x", "answer": true}', b"\xff", '{"task": 1, "answer": 1}']
)
def test_messages_from_nowhere_are_refused(message):
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    with pytest.raises((InvalidParameter, BadDocument)):
        coordinator.receive(message)


def test_an_answer_counts_once():
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    task = coordinator.task_for("a")
    coordinator.receive(made_up(task))
    with pytest.raises(InvalidParameter, match="answered"):
        coordinator.receive(made_up(task))


def test_a_procedure_that_asks_too_much_is_refused():
    with pytest.raises(InvalidParameter, match=r"above epsilon 0\.5"):
        Coordinator(learn(), SCHEMA, epsilon=0.5)


def test_a_result_is_not_there_before_the_end_and_no_answer_is_taken_after():
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    with pytest.raises(InvalidParameter, match="not done"):
        _ = coordinator.result
    serve(coordinator, "abcdefg", made_up)
    with pytest.raises(InvalidParameter, match="done"):
        coordinator.receive(Answer("late", True))
    assert coordinator.task_for("h") is None


@pytest.mark.parametrize("answered", range(8))
def test_a_server_that_crashed_goes_on_where_it_was(answered):
    people = "abcdefg"
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    serve(coordinator, people[:answered], made_up)
    pending = coordinator.task_for("slow") if answered < len(people) else None
    kept = json.loads(json.dumps(coordinator.to_dict()))

    again = Coordinator.replay(learn(), SCHEMA, kept)
    assert [again.task_for(person) for person in people[:answered]] == [None] * answered
    if pending is not None:
        assert again.task_for("slow").id == pending.id
        again.receive(made_up(pending))
    serve(again, people[answered:], made_up)
    assert again.done
    assert again.result[1] == [2, 2]


def test_a_replay_of_another_procedure_is_noticed():
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    serve(coordinator, "abcd", made_up)
    with pytest.raises(InvalidParameter, match="same public seed"):
        Coordinator.replay(learn(seed=1), SCHEMA, coordinator.to_dict())


@pytest.mark.parametrize(("trainers", "judges"), [(60, 80), (7, 3), (0, 5), (0, 0)])
def test_mrma_in_the_field_copes_with_whoever_comes(trainers, judges):
    """With few answers, or none, it still ends in a rule, and a replay of the record ends in the same."""
    units = np.random.default_rng(2).uniform(-1, 1, (140, 2))
    labels = (units[:, 0] > 0).astype(np.int64)

    def procedure():
        plan, base = Plan(weak=4, training=60, subset=30, evaluation=80), find_base("logistic")
        return mrma_procedure(SplitQuestion(2.0, width=2), plan, base, Mixing(), np.random.default_rng(3))

    coordinator, source = Coordinator(procedure(), SCHEMA, epsilon=2.0), SeededSource(4)
    for start, comers in ((0, trainers), (60, judges)):
        for place in range(start, start + comers):
            task = coordinator.task_for(str(place))
            row = task.question.answers(units[place : place + 1], labels[place : place + 1], source)[0]
            coordinator.receive(Answer(task.id, row.tolist()).to_json())
        if comers < (60 if start == 0 else 80):
            coordinator.close_round()
    mixture = coordinator.result
    assert mixture.evaluation.asked.sum() == judges
    assert mixture.rule.predict(units).shape == (140,)
    again = Coordinator.replay(procedure(), SCHEMA, json.loads(json.dumps(coordinator.to_dict())))
    assert again.result.rule.to_dict() == mixture.rule.to_dict()


def test_tokens_are_not_kept_as_they_are():
    coordinator = Coordinator(learn(), SCHEMA, epsilon=1.0)
    coordinator.task_for("anna@example.org")
    assert "anna" not in json.dumps(coordinator.to_dict())
