"""States that copies of a box would share, wherever they are held."""

import random
from functools import cache, partial

import numpy as np
import pytest

from noisewright.audit.blackbox import Command, black_box, carries_state

beside = np.random.default_rng(3)


def draws_beside(data):
    return data + beside.normal()


class Holding:
    def __init__(self, generator):
        self.generator = generator

    def __call__(self, data):
        return data + self.generator.random()

    def perturb(self, values):
        return values + self.generator.random(len(values))


def closing_over(generator):
    return lambda data: data + generator.random()


@pytest.mark.parametrize(
    "mechanism",
    [
        Holding(np.random.default_rng(1)).__call__,
        closing_over(random.Random(1)),
        closing_over(np.random.RandomState(1)),
        partial(lambda generator_, data: data + generator_.random(), np.random.default_rng(1)),
        draws_beside,
        partial(draws_beside),
    ],
)
def test_a_state_is_seen(mechanism):
    assert carries_state(black_box(mechanism), 0.0)


def test_an_object_with_perturb_is_seen_through():
    assert carries_state(black_box(Holding(np.random.default_rng(1))), 0.0)


@cache
def learned(data):
    return data + 1


class Caching:
    found = None

    def __call__(self, data):
        self.found = learned(data)
        return self.found + random.random() + np.random.normal()  # noqa: NPY002  (the global state)


@pytest.mark.parametrize(
    "box",
    [
        black_box(Caching()),
        black_box(lambda data, generator: data + generator.normal()),
        black_box(lambda data, count, generator: generator.normal(size=count), vectorized=True),
        Command("/no/such/tool {input}"),  # not even started
    ],
)
def test_caches_and_chance_that_is_handed_over_are_no_state(box):
    assert not carries_state(box, 0.0)
