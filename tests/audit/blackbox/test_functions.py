"""Functions as black boxes: their chance, and everything that they can do wrong."""

import asyncio
import random
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

from noisewright.audit.blackbox import Calls, Vectorized, black_box
from noisewright.errors import BadMechanism, InvalidParameter


def noisy(data, generator):
    return data + generator.laplace()


def test_a_function_is_called_once_an_output_and_its_chance_follows_from_the_seed():
    box = black_box(noisy)
    first, again, other = (box.draw(5.0, 20, seed).numbers for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert len(set(first[:, 0])) == 20
    assert not set(first[:, 0]) & set(other[:, 0])


@pytest.mark.parametrize("draw", [lambda data: random.random(), lambda data: np.random.rand()])  # noqa: NPY002
def test_global_states_follow_the_seed_and_are_put_back(draw):
    random.seed(3)
    np.random.seed(3)  # noqa: NPY002
    before = global_states()
    box = black_box(draw)
    first, again, other = (box.draw(0.0, 20, seed).numbers for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not set(first[:, 0]) & set(other[:, 0])
    assert global_states() == before


def global_states():
    return random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002


def test_outputs_of_different_shapes_are_outputs_all_the_same():
    shapes = iter([1.5, None, (1, 2), "no", b"\x01"])
    assert black_box(lambda data: next(shapes)).draw(0, 5, 1).words.tolist() == [
        "1.5",
        "null",
        "[1.0, 2.0]",
        '"no"',
        '{"hex": "01"}',
    ]


def crash(data):
    raise ValueError(f"bad record {data}")


def leave(data):
    sys.exit(f"bad record {data}")


def cancel(data):
    raise asyncio.CancelledError(f"bad record {data}")


def pretend(data):
    raise BadMechanism(f"bad record {data}")


CRASHES = [
    (crash, "ValueError"),
    (leave, "SystemExit"),
    (cancel, "CancelledError"),
    (pretend, "BadMechanism"),
]


@pytest.mark.parametrize(("function", "name"), CRASHES)
def test_a_crash_is_told_by_its_type_alone(function, name):
    with pytest.raises(BadMechanism, match=f"raised {name}; call it") as refusal:
        black_box(function).draw("Ada", 3, 1)
    assert "Ada" not in str(refusal.value)
    assert refusal.value.__suppress_context__


def test_ctrl_c_is_nobodys_crash():
    def interrupt(data):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        black_box(interrupt).draw(0, 1, 1)


@pytest.mark.parametrize("garbage", [(each for each in ()), print, object(), 1j])
def test_what_cannot_be_an_output_is_refused(garbage):
    with pytest.raises(BadMechanism, match="which is not an output"):
        black_box(lambda data: garbage).draw(0, 3, 1)


def stubborn(data):
    while True:
        with suppress(Exception):  # a mechanism may well catch what it should not
            time.sleep(30)


def spin(data):
    while True:
        pass


class Talkative:
    """What tells a secret when somebody tries to read it."""

    def __array__(self, *_, **__):
        raise RuntimeError("patient 17")

    def __len__(self):
        raise RuntimeError("patient 17")


@pytest.mark.parametrize("vectorized", [False, True])
def test_what_outputs_say_while_they_are_read_is_not_told(vectorized):
    def give(*_):
        return Talkative()

    with pytest.raises(BadMechanism) as refusal:
        black_box(give, vectorized=vectorized).draw(1, 3, seed=1)
    assert "17" not in str(refusal.value)


@pytest.mark.parametrize("hang", [stubborn, spin])
def test_a_hang_is_stopped(hang):
    former = signal.getsignal(signal.SIGALRM)
    with pytest.raises(BadMechanism, match=r"no output within 0\.05 seconds"):
        black_box(hang, timeout=0.05).draw(0, 1, 1)
    assert signal.getsignal(signal.SIGALRM) is former
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_time_is_allowed_anew_for_every_call_in_any_thread():
    box = black_box(lambda data: time.sleep(0.15), timeout=1.0)
    assert len(box.draw(0, 8, 1)) == 8
    with ThreadPoolExecutor(1) as other:
        assert len(other.submit(box.draw, 0, 8, 1).result(600)) == 8


def test_a_hang_outside_the_main_thread_is_left_behind():
    threads, over = [], threading.Event()

    def hang(data):
        threads.append(threading.current_thread())
        over.wait(600)

    with ThreadPoolExecutor(1) as other, pytest.raises(BadMechanism, match=r"no output within 0\.05 seconds"):
        other.submit(black_box(hang, timeout=0.05).draw, 0, 3, 1).result(600)
    over.set()
    threads[0].join(600)
    assert len(threads) == 1  # the two other calls are not made up for


def test_an_alarm_of_somebody_else_still_rings():
    rung = []
    former = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        black_box(lambda data: time.sleep(0.1)).draw(0, 1, 1)
        time.sleep(0.01)
        assert rung == [1]
    finally:
        signal.signal(signal.SIGALRM, former)


def test_a_vectorized_function_is_called_once():
    counts = []

    def many(data, count, generator):
        counts.append(count)
        return data + generator.laplace(size=(count, 2))

    assert black_box(many, vectorized=True).draw(1.0, 500, 1).numbers.shape == (500, 2)
    assert counts == [500]


@pytest.mark.parametrize("answer", [[1.0] * 9, np.zeros(11), np.zeros((1, 10)), [[0] * 10]])
def test_another_number_of_outputs_is_refused(answer):
    with pytest.raises(BadMechanism, match=r"gave \d+ outputs when asked for 10"):
        Vectorized(lambda data, count: answer).draw(0, 10, 1)


@pytest.mark.parametrize("answer", [3.5, np.float64(1), "0123456789", None, (each for each in range(10))])
def test_what_is_no_list_of_outputs_is_refused(answer):
    with pytest.raises(BadMechanism, match="must come as an array or a list"):
        Vectorized(lambda data, count: answer).draw(0, 10, 1)


def test_boxes_are_named_after_what_they_call():
    assert black_box(noisy).title == black_box(partial(noisy, generator=None)).title == "noisy"
    assert isinstance(black_box(noisy), Calls)
    assert black_box(box := Calls(noisy)) is box


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan"), "soon"])
def test_a_timeout_is_a_time(timeout):
    with pytest.raises(InvalidParameter, match="timeout"):
        black_box(noisy, timeout=timeout)


@pytest.mark.parametrize("thing", [3, None, [1, 2]])
def test_what_cannot_be_asked_is_refused(thing):
    with pytest.raises(InvalidParameter, match="a mechanism to audit is"):
        black_box(thing)
