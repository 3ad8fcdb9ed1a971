"""A box asks in batches, on time and within its budget, and believes only labels."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest

from noisewright.errors import BadModel, BadTable, InvalidParameter, MissingExtra
from noisewright.utility.models import BlackBox
from utility.models.trained import rows, trained

SECRET = 61.25
TABLE = np.array([[39.5], [SECRET], [40.0], [77.5]])
NUMBERS = np.array([3, 5, 8, 13])


def over_forty(table):
    return table[:, 0] > 40


def answering(answer):
    return BlackBox(lambda table: answer, classes=(0, 1, 2), timeout=None)


def test_codes_are_places_among_the_classes():
    box = BlackBox(trained("linear", "texts"))
    codes = box.ask(rows(), np.arange(len(rows())))
    assert box.classes == ("no", "yes")
    assert [box.classes[code] for code in codes] == trained("linear", "texts").predict(rows()).tolist()


def test_batches_cover_every_row_once_and_are_counted():
    sizes = []

    def model(table):
        sizes.append(len(table))
        return over_forty(table)

    box = BlackBox(model, batch=4, classes=(False, True))
    values = np.arange(35.0, 46.0)[:, None]
    assert box.ask(values, 1).tolist() == (values[:, 0] > 40).astype(int).tolist()
    assert sizes == [4, 4, 3]
    assert box.queries == 11


def test_nothing_is_asked_about_no_rows():
    assert BlackBox(over_forty).ask(np.empty((0, 1)), 1).tolist() == []


def test_a_model_cannot_change_our_rows():
    def vandal(table):
        table[:] = 0.0
        return np.zeros(len(table), int)

    table = TABLE.copy()
    BlackBox(vandal).ask(table, 1)
    assert (table == TABLE).all()


def test_the_budget_is_refused_before_anything_is_asked():
    asked = []
    box = BlackBox(lambda table: asked.append(len(table)) or over_forty(table), budget=6)
    box.ask(TABLE, NUMBERS)
    with pytest.raises(InvalidParameter, match="4 more questions would exceed budget=6: 4 were asked"):
        box.ask(TABLE, NUMBERS)
    assert asked == [4]
    assert box.ask(TABLE[:2], NUMBERS[:2]).tolist() == [0, 1]
    assert box.queries == 6


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([0, 1, np.nan, 1], "record 8 is missing .NaN"),
        ([0, 1, None, 1], "record 8 is missing .None"),
        ([0, np.inf, 0, 1], "record 5 is infinite"),
        ([0, 1, 0, 0.5], "record 13 is a fraction"),
        ([0, 1, 0, 1e300], "record 13 is a fraction"),
        (["0", "1", ["1"], "0"], "rectangular"),
        (np.array([0, [1], 2, 3], dtype=object), "record 5 is neither a whole number nor a text .list"),
        (np.array([b"a", b"b", b"c", b"d"]), "record 3 is neither a whole number nor a text"),
        (np.array([1j, 1, 1, 1]), "record 3 is neither"),
        (np.array(["2020-01-01"] * 4, dtype="M8[D]"), "record 3 is neither"),
        ([0, 1, 0], "records 3 to 13 has the wrong shape: 3 instead of 4"),
        ([0, 1, 0, 1, 1], "wrong shape: 5 instead of 4"),
        (1, "a single value instead of 4"),
        (np.zeros((4, 2), int), "4 x 2 instead of 4"),
        (np.zeros((4, 2)), "4 x 2 instead of 4"),
        (np.zeros((2, 2)), "2 x 2 instead of 4"),
        (np.zeros((4, 1, 1)), "4 x 1 x 1 instead of 4"),
        (None, "a single value"),
        ([0, 1, 2, 3], "record 13 is not one of its 3 known classes; declare all classes"),
        ([0, 1, "", 2], "record 8 is not one"),
        (np.array([[0.1, 0.2, 0.7], [0.1, np.nan, 0.0], [1, 0, 0], [1, 0, 0]]), "record 5 is missing .NaN"),
    ],
)
def test_what_is_no_label_is_refused_by_record(answer, words):
    with pytest.raises(BadModel, match=words):
        answering(answer).ask(TABLE, NUMBERS)


@pytest.mark.parametrize(
    "answer",
    [
        [0, 1, 2, 0],
        (0, 1, 2, 0),
        [0.0, 1.0, 2.0, 0.0],
        np.array([0, 1, 2, 0], np.uint8),
        np.array([0, 1, 2, 0], np.float32),
        np.array([[0], [1], [2], [0]]),
        np.array([0, 1, 2, 0], dtype=object),
        np.array([False, True, 2, 0.0], dtype=object),
        ["0", "1", "2", "0"],
        np.array(["0", "1", "2", "0"]),
        np.array([[9, 1, 0], [0, 5, 1], [0, 0, np.inf], [1, 1, 1]], dtype=float),
    ],
)
def test_labels_in_every_dress_are_understood(answer):
    assert answering(answer).ask(TABLE, NUMBERS).tolist() == [0, 1, 2, 0]


def test_a_series_is_an_answer():
    import pandas as pd

    assert answering(pd.Series(["0", "1", "2", "0"], index=[7, 3, 2, 1])).ask(TABLE, 1).tolist() == [
        0,
        1,
        2,
        0,
    ]


class Remote:
    """A model that is no function of this program and declares no classes."""

    name, features, classes = "remote", None, None

    def labels(self, table):
        return np.digitize(table[:, 0], [10.0, 20.0, 30.0])


def test_labels_of_a_remote_model_are_learned_from_the_first_question_alone():
    box = BlackBox(Remote())
    assert not box.settled
    assert box.ask([[5.0], [25.0]], [1, 2]).tolist() == [0, 1]
    assert box.ask([[25.0]], 1).tolist() == [1]
    with pytest.raises(BadModel, match=r"record 2 is not one of its 2 known classes.*classes="):
        box.ask([[5.0], [15.0]], [1, 2])
    assert box.ask([[15.0]], 1, learn=True).tolist() == [2]
    assert box.ask([[5.0], [15.0]], [1, 2]).tolist() == [0, 2]
    assert box.classes == (0, 2, 1)


def test_labels_of_a_function_are_learned_from_every_question():
    box = BlackBox(Remote().labels)
    assert box.settled
    assert box.ask([[5.0], [25.0]], [1, 2]).tolist() == [0, 1]
    assert box.ask([[5.0], [15.0], [35.0]], [1, 2, 3]).tolist() == [0, 2, 3]
    assert box.classes == (0, 2, 1, 3)
    with pytest.raises(BadModel, match="record 9 is a fraction"):
        BlackBox(lambda table: table[:, 0]).ask([[0.5]], 9)


def test_declared_classes_are_not_extended_by_learning():
    box = BlackBox(lambda table: table[:, 0].astype(int), classes=(0, 1))
    with pytest.raises(BadModel, match="record 9"):
        box.ask([[2.0]], 9, learn=True)


def test_classes_typed_as_text_stand_for_numbers():
    box = BlackBox(lambda table: table[:, 0].astype(int), classes=("0", "1"))
    assert box.ask([[1.0], [0.0]], 1).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("classes", "words"),
    [
        ((0, 1, 1.0), "class 3 is named twice"),
        ((0, None), "class 2"),
        ((0.5, 1), "class 1"),
        ((1, "1"), "twice"),
    ],
)
def test_bad_classes_are_refused(classes, words):
    with pytest.raises(InvalidParameter, match=words):
        BlackBox(over_forty, classes=classes)


def test_the_order_of_classes_is_the_model_s():
    assert BlackBox(trained("linear", "texts"), classes=("yes", "no")).classes == ("no", "yes")
    with pytest.raises(InvalidParameter, match="classes lists 3 labels, which are not the 2"):
        BlackBox(trained("linear", "texts"), classes=("yes", "no", "maybe"))


def test_true_answers_get_the_codes_of_their_labels():
    box = BlackBox(trained("linear", "numbers"))
    assert box.codes([1.0, 0.0], [1, 2]).tolist() == box.codes(["1", "0"], [1, 2]).tolist() == [1, 0]
    with pytest.raises(BadTable, match="true answer of record 6 is not a class"):
        box.codes([1, 2], [4, 6])
    with pytest.raises(BadTable, match="record 4 is missing"):
        box.codes([np.nan, 1], [4, 6])
    open_box = BlackBox(over_forty)
    open_box.ask([[30.0]], 1)
    assert open_box.codes([True, False], [1, 2]).tolist() == [1, 0]


def test_an_exception_is_traced_to_its_record_and_told_by_its_type():
    def model(table):
        if (table[:, 0] == SECRET).any():
            raise KeyError(f"no rule for {SECRET}")
        return over_forty(table)

    box = BlackBox(model, classes=(False, True))
    with pytest.raises(BadModel, match=r"raised KeyError when asked about record 5$") as refusal:
        box.ask(TABLE, NUMBERS)
    assert str(SECRET) not in "".join(traceback.format_exception(refusal.value))
    assert box.queries <= 3 * len(TABLE)


def test_tracing_respects_the_budget():
    def model(table):
        raise ValueError

    box = BlackBox(model, budget=5)
    with pytest.raises(BadModel, match="raised ValueError when asked about records 3 to 13"):
        box.ask(TABLE, NUMBERS)
    assert box.queries <= 5


def test_a_failure_of_the_whole_batch_names_the_whole_batch():
    def model(table):
        if len(table) > 3:
            raise MemoryError
        return over_forty(table)

    with pytest.raises(BadModel, match="raised MemoryError when asked about records 3 to 13"):
        BlackBox(model).ask(TABLE, NUMBERS)


def test_one_record_with_many_rows_needs_no_tracing():
    def model(table):
        raise ValueError

    box = BlackBox(model)
    with pytest.raises(BadModel, match=r"record 7$"):
        box.ask(np.zeros((100, 2)), 7)
    assert box.queries == 100


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_a_model_that_exits_is_refused(timeout):
    with pytest.raises(BadModel, match="raised SystemExit"):
        BlackBox(lambda table: sys.exit(0), timeout=timeout).ask(TABLE, NUMBERS)


def test_a_missing_extra_stays_what_it_is():
    def model(table):
        raise MissingExtra("needs more")

    with pytest.raises(MissingExtra, match="needs more"):
        BlackBox(model).ask(TABLE, 1)


def test_a_hanging_model_is_left_and_not_asked_again():
    release = threading.Event()
    box = BlackBox(lambda table: release.wait(600), timeout=0.1)
    try:
        with pytest.raises(BadModel, match=r"within 0\.1 seconds when asked about records 3 to 13; raise"):
            box.ask(TABLE, NUMBERS)
        with pytest.raises(BadModel, match="still works on an earlier question"):
            box.ask(TABLE, NUMBERS)
    finally:
        release.set()


def test_the_interpreter_exits_past_a_hanging_model():
    code = (
        "import time, numpy\n"
        "from noisewright.errors import BadModel\n"
        "from noisewright.utility.models import BlackBox\n"
        "try:\n"
        "    BlackBox(lambda rows: time.sleep(600), timeout=0.1).ask(numpy.zeros((1, 1)), 4)\n"
        "except BadModel as refusal:\n"
        "    print(refusal)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "record 4" in done.stdout


def test_the_settings_of_numpy_hold_inside_the_thread():
    with np.errstate(divide="raise"), pytest.raises(BadModel, match="FloatingPointError"):
        BlackBox(lambda table: 1 / np.zeros(len(table)), timeout=5.0).ask(TABLE, 1)


@pytest.mark.parametrize(
    ("table", "numbers", "words"),
    [
        (np.zeros((2, 2)), 1, "takes 3 columns, got 2 columns"),
        (np.zeros(3), 1, "takes 3 columns, got an array of 1 dimension"),
        ([["Ann", 1, 2]], 1, "table of numbers"),
        (np.zeros((2, 3)), [1, 2, 3], "every row needs a record number"),
        ([[0, 0, 0], [0, np.nan, 0]], [7, 9], "record 9 has a missing"),
    ],
)
def test_bad_rows_are_refused(table, numbers, words):
    with pytest.raises(InvalidParameter, match=words) as refusal:
        BlackBox(trained("linear", "numbers")).ask(table, numbers)
    assert "Ann" not in str(refusal.value)


@pytest.mark.parametrize(
    "settings",
    [{"batch": 0}, {"batch": 1.5}, {"timeout": 0}, {"timeout": -1}, {"timeout": "long"}, {"budget": 0}],
)
def test_bad_settings_are_refused(settings):
    with pytest.raises(InvalidParameter, match=next(iter(settings))):
        BlackBox(over_forty, **settings)


def by_chance():
    draws = np.random.default_rng(5)
    return lambda table: draws.integers(0, 2, len(table))


def by_batch(table):
    """Like a network that normalizes over the batch: above the others, or not."""
    return table[:, 0] > table[:, 0].mean()


def by_place(table):
    return np.arange(len(table)) % 2


def drifting():
    answers = iter([0] * 3 + [1] * 1000)
    return lambda table: np.full(len(table), next(answers))


@pytest.mark.parametrize("model", [by_chance(), by_batch, by_place, drifting()])
def test_a_model_that_changes_its_answers_is_refused(model):
    with pytest.raises(BadModel, match=r"two answers for record \d+; a prediction needs"):
        BlackBox(model).check_repeatable(rows(), np.arange(1, len(rows()) + 1))


def test_the_check_is_paid_in_full_or_not_begun():
    box = BlackBox(over_forty, budget=7)
    with pytest.raises(InvalidParameter, match="8 more questions would exceed budget=7: 0 were asked"):
        box.check_repeatable(TABLE, NUMBERS)
    assert box.queries == 0


@pytest.mark.parametrize("count", [1, 2, 7, 300])
def test_a_steady_model_passes(count):
    box = BlackBox(trained("forest", "three"))
    box.check_repeatable(rows()[:count], np.arange(count))
    assert 2 <= box.queries <= 128


def test_two_records_are_enough_to_see_chance_of_batches():
    with pytest.raises(BadModel, match="two answers"):
        BlackBox(by_batch).check_repeatable([[1.0], [2.0]], [1, 2])


def test_a_box_does_not_wait_longer_than_the_model_needs():
    box = BlackBox(lambda table: (time.sleep(0.05), over_forty(table))[1], timeout=600)
    assert box.ask(TABLE, NUMBERS).tolist() == [0, 1, 0, 1]
