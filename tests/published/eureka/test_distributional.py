"""Algorithm 3: what the randomness of data alone hides."""

from __future__ import annotations

import time

import numpy as np
import pytest

from noisewright.audit import truth
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.published.eureka import Fixed, FreshData, Population, eureka_distributional


def coin(generator, count):
    return generator.integers(0, 2, count)


COINS = {"coins": Population.alike(coin, rows=20)}


def totals(databases, generator):
    return databases.sum(axis=1)


def sleepy(*_):
    time.sleep(5)


def test_a_histogram_of_bits_follows_its_exact_curve() -> None:
    grid = np.array([0.0, 0.3])
    found = eureka_distributional(
        totals, COINS, [0, 1], grid, positions=[3], samples=8000, together=True, seed=2
    )
    # six standard errors of e^ε/√4000 each, and what a maximum of two adds
    assert np.all(np.abs(found.deltas - truth.ddp_histogram(20, grid)) < 6.2 * np.exp(grid) / np.sqrt(4000))
    assert truth.ddp_histogram(2, 0.0) - found.deltas[0] > 0.2  # two people hide each other less than twenty
    assert found.worst == (("coins", 3), ("coins", 3))
    assert "independent" in found.assumption
    assert "not a bound" in found.label


def test_every_row_and_ordered_pair_is_tried_and_the_bare_row_is_found() -> None:
    told = []
    found = eureka_distributional(
        lambda databases, generator: databases[:, 0], {"three": Population.alike(coin, rows=3)}, [0, 1, 2], [0.0],
        samples=200, together=True, seed=1, progress=told.append,
    )  # fmt: skip
    assert found.deltas.tolist() == [1.0]
    assert found.worst == (("three", 0),)
    assert told == list(range(1, 3 * 6 + 1))


def test_a_black_box_is_run_on_one_database_after_the_other() -> None:
    seen = set()

    def last(database, generator):
        seen.add((tuple(database), generator.random()))
        return float(database[-1])

    one = {"pairs": Population((lambda generator, count: generator.random(count),) * 2)}
    found = eureka_distributional(last, one, [0.25, 0.75], [0.0], positions=[1], samples=100, seed=1)
    assert found.deltas.tolist() == [1.0]
    assert len({database for database, _ in seen}) == len({chance for _, chance in seen}) == len(seen) >= 200


def test_a_fixed_row_is_fixed_and_the_others_are_not() -> None:
    rows = FreshData(lambda databases, generator: databases, Population.alike(coin, rows=4))
    assert rows.title == "<lambda>"
    numbers = rows.draw(Fixed(2, 1), 600, seed=1).numbers
    assert numbers[:, 2].tolist() == [1.0] * 600
    # 600 fair coins give fewer than 225 or more than 375 ones once in 10⁹
    assert all(225 < ones < 375 for ones in numbers[:, [0, 1, 3]].sum(axis=0))


@pytest.mark.parametrize("place", ["mechanism", "sampler"])
@pytest.mark.parametrize(
    ("broken", "kind"), [(lambda *_: 1 / 0, "ZeroDivision"), (sleepy, "TookTooLong|within 0.05")]
)
def test_code_that_fails_or_hangs_is_told_in_a_sentence(place, broken, kind) -> None:
    mechanism, sampler = (broken, coin) if place == "mechanism" else (totals, broken)
    box = FreshData(mechanism, Population.alike(sampler, rows=2), timeout=0.05)
    with pytest.raises(BadMechanism, match=f"{kind}.*to see"):
        box.draw(Fixed(0, 1), 5, seed=1)


def test_what_has_no_meaning_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="at least two values"):
        eureka_distributional(totals, COINS, [0], [0.0], together=True)
    with pytest.raises(InvalidParameter, match="row 20 is not one of the 20"):
        eureka_distributional(totals, COINS, [0, 1], [0.0], positions=[20], samples=200, together=True)
    with pytest.raises(BadMechanism, match="return one each"):
        FreshData(lambda databases, generator: [1], COINS["coins"]).draw(Fixed(0, 1), 5, seed=1)


def letter(generator, count):
    return np.array(["a", "b"])[generator.integers(0, 2, count)]


def person(generator, count):
    return np.column_stack([generator.integers(0, 2, count), generator.integers(0, 2, count)])


def record(generator, count):
    return [("Ann", int(age)) for age in generator.integers(0, 2, count)]


def has_long_word(databases, generator):
    return (np.strings.str_len(databases) == 3).any(axis=1)


@pytest.mark.parametrize(
    ("sampler", "values", "mechanism"),
    [
        (coin, [0, 0.5], lambda databases, generator: databases.sum(axis=1)),
        (letter, ["a", "abc"], has_long_word),
        (person, [(0, 9), (0, 5)], lambda databases, generator: databases[:, :, 1].max(axis=1)),
        (record, [("Ann", 9), ("Bob", 9)], lambda databases, generator: [one[0][0] for one in databases]),
        (coin, ["yes", "no"], lambda databases, generator: databases[:, 0]),
    ],
    ids=["fractions", "words", "attributes", "records", "other kinds"],
)
def test_a_value_that_is_seen_in_the_output_is_told_from_the_other(sampler, values, mechanism) -> None:
    rows = {"three": Population.alike(sampler, rows=3)}
    found = eureka_distributional(
        mechanism, rows, values, [0.0], positions=[0], samples=1000, together=True, seed=1
    )
    assert found.deltas.tolist() == [1.0]


def test_only_the_fixed_attributes_tell_and_all_of_them_are_fixed() -> None:
    """Of two attributes one is published: the other, and the rows besides, do not matter."""
    rows = {"two": Population.alike(person, rows=2)}
    shown = {}
    for attribute in (0, 1):
        found = eureka_distributional(
            lambda databases, generator, place=attribute: databases[:, 0, place], rows, [(0, 0), (0, 1)], [0.0],
            positions=[0], samples=4000, together=True, seed=1,
        )  # fmt: skip
        shown[attribute] = found.deltas[0]
    assert shown[1] == 1.0
    assert shown[0] < 6.2 / np.sqrt(2000)  # six standard errors, and what a maximum of two adds


def test_the_type_of_a_database_does_not_tell_the_value_of_a_row() -> None:
    """Were databases integers with a 0 and floats with a ½, a row that is not fixed would tell which."""
    coins = {"two": Population.alike(coin, rows=2)}
    found = eureka_distributional(
        lambda database: repr(database[1]), coins, [0, 0.5], [0.0], positions=[0], samples=2000, seed=1
    )
    assert found.deltas[0] < 6.2 / np.sqrt(1000)


def test_rows_of_different_kinds_reach_a_black_box_as_they_are() -> None:
    seen = set()

    def kinds(database, generator):
        seen.add(tuple(type(row) for row in database))
        return generator.random()

    mixed = {"mixed": Population((coin, letter, record))}
    eureka_distributional(kinds, mixed, [0, 1], [0.0], positions=[0], samples=100, seed=1)
    assert seen == {(int, str, tuple)}


def test_without_rows_there_is_nothing_to_compare() -> None:
    for positions, population in (([], COINS["coins"]), (None, Population(()))):
        with pytest.raises(InvalidParameter, match="one of its rows"):
            eureka_distributional(
                totals, {"a": population}, [0, 1], [0.0], positions=positions, together=True
            )
