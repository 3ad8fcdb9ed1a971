"""Fingerprints: equal for equal things in any process, different for anything that could move a result."""

import functools
import inspect
import subprocess
import sys
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from sklearn.cluster import KMeans

from noisewright.io.digest import digest


def adder(amount):
    return lambda rows: rows + amount


def countdown():
    def again(number):
        return again(number - 1) if number else {"a", "b", ...}

    return again


@dataclass
class Pair:
    left: object
    right: object


@dataclass
class Other:
    left: object
    right: object


def distinct():
    return [
        None, True, 1, 1.0, "1", b"1", (1,), [1], {1}, {"a": 1}, {"a": 2}, ("a", 1), np.array([1]),
        np.array([1.0]), np.array([[1.0]]), np.array([1.0], dtype=np.float32), np.float64(1), np.int64(1),
        np.array(["a", "b"]), np.array(["a", "b"], dtype=object), np.array([["a", "b"]], dtype=object),
        Pair(1, 2), Pair(2, 1), Other(1, 2), Pair, Other, adder(1), adder(2), countdown(), lambda rows: rows,
        lambda rows, extra=1: rows, lambda rows, extra=2: rows, functools.partial(adder, 1), functools.partial(adder, 2),
        Pair(1, 2).__eq__, KMeans(3), KMeans(4), np.mean, np.median, ["ab", "c"], ["a", "bc"], [["a"], "b"], [["a", "b"]],
        np.zeros(0), np.zeros((0, 2)),
    ]  # fmt: skip


def test_equal_things_have_one_fingerprint():
    assert [digest(each) for each in distinct()] == [digest(each) for each in distinct()]


def test_different_things_have_different_ones():
    for (left, first), (right, second) in combinations(enumerate(map(digest, distinct())), 2):
        assert first != second, (left, right)


def test_order_of_memory_does_not_matter():
    table = np.arange(6.0).reshape(2, 3)
    assert digest(np.asfortranarray(table)) == digest(table) != digest(table.T)


def remembered(word):
    return word in REMEMBERED


REMEMBERED = frozenset(["one", remembered])


def test_a_set_may_hold_who_uses_it():
    def closed_over(word):
        return word in those

    those = frozenset(["one", closed_over])
    assert len({digest(remembered), digest(closed_over), digest(those)}) == 3


def test_what_a_function_in_a_set_rests_on_counts():
    def resting_on(limit):
        return {functools.partial(max, limit), adder(1)}

    assert digest(resting_on(1)) == digest(resting_on(1)) != digest(resting_on(2))


WORDS = """digest(lambda word: word in {'one', 'two', 'three', 'four', 'five'}, {*'abcdefgh'}, [1.5, None])"""


def test_another_process_finds_the_same():
    """Hashes of words, and so the order of sets, differ from process to process."""
    alone = f"import runpy; digest = runpy.run_path({inspect.getfile(digest)!r})['digest']; print({WORDS})"
    found = subprocess.run([sys.executable, "-c", alone], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == eval(WORDS)
