"""Sets of outputs in words: few are named, the others counted, long ones cut."""

from itertools import permutations

import numpy as np

from noisewright.audit import audit
from noisewright.audit.basics.outputs import LONGEST, list_kinds, list_texts, shorten


def test_long_texts_are_cut_with_their_brackets():
    for opening, closing in ("[]", "{}", '""'):
        text = f"{opening}{'1' * 200}{closing}"
        assert shorten(text) == f"{text[:LONGEST]}…{closing}"
    assert shorten("1" * 200) == f"{'1' * LONGEST}…"
    assert shorten('"short"') == '"short"'
    assert list_texts(["[" + "1" * 200 + "]", "b"]) == f"one of [{'1' * (LONGEST - 1)}…], b"


def test_few_kinds_are_all_named():
    assert list_kinds(["zero", "one half"]) == "zero, or one half"
    assert list_kinds(["zero", "one half"], "not ") == "not zero, nor one half"
    assert list_kinds([f"kind {k}" for k in range(2000)]).startswith(
        "any of 2,000 kinds of numbers, such as kind 0"
    )


SHAPES = [None, {"alarm": True, "why": 'so "many"'}, "été", [1, {2}], b"\x07"]


def answer(data, count, generator):
    """The first three shapes, or the last two, three times out of four."""
    first = generator.random(count) < (0.75 if data else 0.25)
    places = np.where(first, generator.integers(0, 3, count), generator.integers(3, 5, count))
    return [SHAPES[place] for place in places]


def test_an_event_of_several_shapes_is_readable():
    found = audit(answer, 0, 1, samples=2_000, vectorized=True, seed=1)
    words = found.scorer.words
    assert in_any_order(words(1e-9, above=True), "[1, {2}]", "the bytes 07")
    assert in_any_order(words(-1e-9, above=False), "null", '{alarm: 1, why: "so "many""}', '"été"')


def in_any_order(event, *texts):
    return event in {f"the output is one of {', '.join(order)}" for order in permutations(texts)}


def test_kinds_of_doubles_take_one_line():
    def textbook(data, count, generator):
        return data + generator.laplace(scale=10, size=count)

    found = audit(textbook, 0.0, 1.0, samples=100_000, vectorized=True, bits=True, seed=1, score="counting")
    assert found.score == "counting of kinds of numbers"
    assert "kinds of numbers, such as an odd multiple of 2^-" in found.witness.event
    assert len(found.witness.event) < 200
    assert np.isfinite(found.epsilon_estimate())
