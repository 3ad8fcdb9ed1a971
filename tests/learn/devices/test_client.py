"""What a device gives away: one answer, paid for once, whatever the server tries."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

from noisewright import Categories, Interval, PureLDP
from noisewright.errors import BadDocument, BadLedger, BadTable, BudgetSpent, InvalidParameter, OutOfDomain
from noisewright.learn.devices.client import Client, Purse
from noisewright.learn.devices.messages import Answer, Task, schema_name
from noisewright.learn.questions import FeedbackQuestion, SplitQuestion
from noisewright.learn.rules import LinearRule
from noisewright.learn.rules.schema import read_schema
from noisewright.ledger import Ledger
from noisewright.randomness import SeededSource

SCHEMA = read_schema({"age": Interval(0, 100), "smokes": Categories(["no", "yes"])}, 2)
ANNA = [63.0, "yes"]
RULE = LinearRule([1.0, 0.5], 0.0)


@pytest.fixture
def ledger(tmp_path) -> Ledger:
    return Ledger.create(tmp_path / "device.db", budget=1.0)


@pytest.fixture
def client(ledger) -> Client:
    return Client(ledger, "anna", SCHEMA)


def task(name: str = "t1", epsilon: float = 1.0, rule: LinearRule = RULE) -> Task:
    return Task(name, FeedbackQuestion(epsilon, rule), schema_name(SCHEMA))


def spent(ledger: Ledger) -> Fraction:
    return Fraction(ledger.spent("anna").epsilon)


# -- one payment, one answer ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        lambda client: client.training_report(ANNA, 1),
        lambda client: client.training_report(ANNA, 1, SplitQuestion(1.0, width=2, mechanism="PM")),
        lambda client: client.feedback(RULE, ANNA, 1),
        lambda client: client.answer(task(), ANNA, 1),
        lambda client: client.answer(task().to_json(), ANNA, 1),
        lambda client: [client.answer(task(name, 0.5), ANNA, 1) for name in ("server-a", "server-b")],
    ],
)
def test_every_path_costs_exactly_the_budget_and_then_no_more(client, ledger, path):
    path(client)
    assert spent(ledger) == 1
    path(client)  # remembered, so free
    assert spent(ledger) == 1
    with pytest.raises(BudgetSpent, match="nothing was spent"):
        client.answer(task("one-more", 0.001), ANNA, 1)
    assert spent(ledger) == 1


@pytest.mark.parametrize("epsilon", [0.1, 0.7, 3.3])
def test_two_halves_are_exactly_the_budget(tmp_path, epsilon):
    ledger = Ledger.create(tmp_path / "halves.db", budget=epsilon)
    client = Client(ledger, "anna", SCHEMA)
    for name in ("server-a", "server-b"):
        client.answer(task(name, epsilon / 2), ANNA, 1)
    assert spent(ledger) == Fraction(epsilon)


def test_the_same_task_gets_the_same_answer_even_for_a_changed_record(client):
    question = SplitQuestion(1.0, width=2)
    first = client.training_report(ANNA, 1, question)
    again = [client.training_report([20.0 + year, "no"], 0, question) for year in range(10)]
    assert {json.dumps(answer.value) for answer in again} == {json.dumps(first.value)}


def test_a_new_client_object_remembers_what_the_device_answered(client, ledger):
    first = client.training_report(ANNA, 1)
    assert Client(Ledger.open(ledger.path), "anna", SCHEMA).training_report(ANNA, 1) == first


def test_another_question_under_an_old_id_is_another_task(client):
    client.answer(task("t1"), ANNA, 1)
    with pytest.raises(BudgetSpent):
        client.answer(task("t1", rule=LinearRule([0.0, 1.0])), ANNA, 1)


def test_a_crash_while_drawing_costs_nothing(ledger):
    purse = Purse(ledger, "anna", "learning", 1.0)

    def crash() -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        purse.answer("t1", PureLDP(1.0), crash)
    assert spent(ledger) == 0
    assert purse.answer("t1", PureLDP(1.0), lambda: b"drawn") == b"drawn"


def test_what_was_paid_without_its_answer_is_not_drawn(client, ledger):
    ledger.spend("anna", "learning", PureLDP(1.0), receipt=task("t1").receipt)
    with pytest.raises(BudgetSpent, match="never drawn twice"):
        client.answer(task("t1"), ANNA, 1)


def test_many_threads_get_one_answer_for_one_payment(client, ledger):
    question = SplitQuestion(1.0, width=2)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: client.training_report(ANNA, 1, question), range(6)))
    assert all(answer == answers[0] for answer in answers)
    assert spent(ledger) == 1


def test_of_many_tasks_at_once_only_one_is_paid(client, ledger):
    def attempt(place: int) -> bool:
        try:
            return client.answer(task(f"t{place}"), ANNA, 1) is not None
        except BudgetSpent:
            return False

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(attempt, range(6))) == 1
    assert spent(ledger) == 1


def test_the_owner_may_allow_less_than_the_ledger(ledger):
    client = Client(ledger, "anna", SCHEMA, budget=0.25)
    with pytest.raises(BudgetSpent, match=r"learning may spend epsilon 0\.25"):
        client.answer(task(epsilon=0.5), ANNA, 1)
    client.feedback(RULE, ANNA, 1)
    assert spent(ledger) == Fraction(1, 4)


def test_other_reports_of_the_person_count_too(client, ledger):
    ledger.spend("anna", "heart_rate", PureLDP(0.5))
    with pytest.raises(BudgetSpent):
        client.answer(task(), ANNA, 1)


def test_a_key_of_another_ledger_is_refused(ledger, tmp_path):
    other = Ledger.create(tmp_path / "other.db", budget=1.0)
    with pytest.raises(BadLedger, match="key of another ledger"):
        Client(Ledger(ledger.path, other.key), "anna", SCHEMA).feedback(RULE, ANNA, 1)


# -- what a device refuses -----------------------------------------------------------------------------


def test_a_task_for_another_schema_is_refused(client, ledger):
    other = Task("t1", FeedbackQuestion(1.0, RULE), schema_name(read_schema(None, 2)))
    with pytest.raises(InvalidParameter, match="another schema"):
        client.answer(other, ANNA, 1)
    assert spent(ledger) == 0


def test_a_rule_of_another_width_is_refused_before_anything_is_paid(client, ledger):
    with pytest.raises(InvalidParameter):
        client.answer(task(rule=LinearRule([1.0] * 7)), ANNA, 1)
    assert spent(ledger) == 0


@pytest.mark.parametrize(
    "message",
    [
        b"\x80\x04\x95\x05\x00\x00\x00",
        "not json",
        "[]",
        '{"task": "t", "question": {"question": "pickle"}, "schema": "s"}',
        '{"task": "t", "question": {"question": "feedback", "epsilon": NaN}, "schema": "s"}',
        '{"task": "../t", "question": {"question": "split"}, "schema": "s"}',
        '{"task": "t", "question": {}, "schema": "s", "code": "import os"}',
        task().to_json().replace('"linear"', '["linear"]'),
        task().to_json().replace("0.5", "1e999"),
        Task("t", SplitQuestion(1.0, width=2), "s").to_json().replace('"Laplace"', "7"),
        '{"task": ' + "[" * 100_000,
        12,
    ],
)
def test_messages_that_are_no_tasks_are_refused(client, ledger, message):
    with pytest.raises((InvalidParameter, BadDocument)):
        client.answer(message, ANNA, 1)
    assert spent(ledger) == 0


def test_records_that_do_not_fit_cost_nothing_and_are_not_quoted(client, ledger):
    with pytest.raises(OutOfDomain) as refusal:
        client.feedback(RULE, ANNA, "ill")
    assert "ill" not in str(refusal.value)
    with pytest.raises(OutOfDomain):
        client.feedback(RULE, [231.0, "yes"], 1)
    assert spent(ledger) == 0
    Client(ledger, "anna", SCHEMA, out_of_domain="clip").feedback(RULE, [231.0, "yes"], 1)


def test_a_record_may_be_given_by_name(client):
    first = client.feedback(RULE, {"smokes": "yes", "age": 63.0}, 1)
    assert client.feedback(RULE, ANNA, 1) == first
    for wrong in ({"age": 63.0}, {"age": 63.0, "smoker": "yes"}, [63.0]):
        with pytest.raises(BadTable):
            client.feedback(RULE, wrong, 1)


def test_no_rule_makes_some_records_fail(tmp_path):
    ledger = Ledger.create(tmp_path / "many.db", budget=1.0)
    absurd = LinearRule([1e30, -1e30], 1e30)
    for place, record in enumerate([[0.0, "no"], [50.0, "yes"], [100.0, "yes"]]):
        client = Client(ledger, f"person {place}", SCHEMA)
        assert isinstance(client.answer(task(rule=absurd), record, 0).value, bool)


def test_seeded_noise_is_refused_for_real_people(ledger):
    with pytest.raises(InvalidParameter, match="seeded"):
        Client(ledger, "anna", SCHEMA, source=SeededSource(1)).feedback(RULE, ANNA, 1)


def test_no_name_shows(client):
    assert "anna" not in repr(client)
    assert "anna" not in repr(client.purse)


# -- what the answer is --------------------------------------------------------------------------------


def test_an_answer_fits_its_question_after_the_wire(client):
    question = SplitQuestion(1.0, width=2)
    answer = Answer.from_json(client.training_report(ANNA, 1, question).to_json())
    assert question.admit(answer.value).shape == (3,)


@pytest.mark.parametrize("question", [SplitQuestion(1.0, width=2), FeedbackQuestion(1.0, RULE)])
def test_the_answer_is_drawn_by_the_question_from_the_own_record(tmp_path, question):
    ledger = Ledger.create(tmp_path / "simulated.db", budget=1.0, simulated=True)
    client = Client(ledger, "anna", SCHEMA, classes=("well", "ill"), source=SeededSource(11))
    units = np.array([[2 * 63 / 100 - 1, 1.0]])
    expected = question.answers(units, np.array([1]), SeededSource(11))[0].tolist()
    assert client.answer(Task("t", question, schema_name(SCHEMA)), ANNA, "ill").value == expected


def test_a_fitted_classifier_needs_a_task_name(client):
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression().fit([[-1.0, -1.0], [1.0, 1.0]], [0, 1])
    with pytest.raises(InvalidParameter):
        client.feedback(model, ANNA, 1)
    assert client.feedback(model, ANNA, 1, task="visit-1") == client.feedback(model, ANNA, 1, task="visit-1")
