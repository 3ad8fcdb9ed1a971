"""Every neighbour differs as its name says, and no name shows a value."""

import pickle

import numpy as np
import pytest

from noisewright.audit.neighbours import proposals
from noisewright.audit.neighbours.proposals import patterns
from noisewright.errors import BadTable, InvalidParameter

DATA = np.array([52.75, 13.25, 98.5, 41.125, 7.375])


def propose(database, relation="remove", seed=None, **search):
    return proposals.propose(database, proposals.SearchRequest(relation=relation, **search), seed=seed)


def test_everybody_is_removed_once():
    pairs = propose(DATA, beyond=False).pairs
    assert [pair.name for pair in pairs] == [f"row {row} removed" for row in range(5)]
    for row, pair in enumerate(pairs):
        assert pair.left.tolist() == DATA.tolist()
        assert pair.right.tolist() == np.delete(DATA, row).tolist()


def test_everybody_is_changed_to_both_extremes_and_to_somebody_else():
    pairs = propose(DATA, "change", beyond=False, bounds=(0, 100), seed=1).pairs
    assert len(pairs) == 3 * len(DATA)
    for number, pair in enumerate(pairs):
        changed = np.flatnonzero(pair.right != DATA)
        assert changed.tolist() == [number // 3]
        assert pair.right[number // 3] in [{0}, {100}, set(DATA) - {DATA[number // 3]}][number % 3]


@pytest.mark.parametrize("relation", ["remove", "change"])
def test_inventions_are_neighbours_too(relation):
    found = propose(DATA, relation, times=3, seed=2)
    given = {pair.made_up is None: np.array_equal(pair.left, DATA) for pair in found.pairs}
    assert given == {True: True, False: False}
    assert any(pair.name.startswith("random half 3: row ") for pair in found.pairs)
    for pair in found.pairs:
        if relation == "remove":
            kept = any(
                np.array_equal(np.delete(pair.left, place), pair.right) for place in range(len(pair.left))
            )
            assert kept, pair.name
        else:
            assert len(pair.left) == len(pair.right)
            assert np.count_nonzero(pair.left != pair.right) <= 1


def test_rows_of_random_halves_are_named_by_their_place_in_the_database():
    for pair in propose(DATA, times=5, seed=3).pairs:
        if pair.name.startswith("random"):
            row = int(pair.name.split("row ")[1].split()[0])
            assert DATA[row] in pair.left
            assert DATA[row] not in pair.right


@pytest.mark.parametrize("relation", ["remove", "change", "queries"])
def test_no_name_and_no_repr_shows_a_value(relation):
    secrets = [repr(value) for value in DATA.tolist()]
    for pair in propose(DATA, relation, seed=4).pairs:
        assert not any(secret in f"{pair.name} {pair!r}" for secret in secrets)


def test_queries_move_by_the_sensitivity_at_most():
    pairs = propose([3.0, 3.0, 8.0], "queries", sensitivity=0.5, seed=5).pairs
    assert {pair.left.tolist() == [3, 3, 8] for pair in pairs} == {True, False}
    for pair in pairs:
        moves = pair.right - pair.left
        assert np.isin(moves, [-0.5, 0, 0.5]).all()
        assert moves.any()
    assert all(
        pair.left.tolist() == [3, 3, 8] for pair in propose([3.0, 3.0, 8.0], "queries", beyond=False).pairs
    )
    assert set(patterns(1)) == {"all up", "all down"}


def test_a_long_database_is_looked_at_by_chance_and_says_so():
    found = propose(np.arange(1000.0), beyond=False, most=50, seed=6)
    assert (len(found.pairs), found.people, found.passed_over) == (50, 1000, 950)
    again = propose(np.arange(1000.0), beyond=False, most=50, seed=7)
    assert [pair.name for pair in found.pairs] != [pair.name for pair in again.pairs]


def test_pairs_go_to_workers():
    pair = pickle.loads(pickle.dumps(propose(DATA, seed=8).pairs[1]))
    assert pair.right.tolist() == np.delete(DATA, 1).tolist()


def test_what_has_no_meaning_is_refused():
    with pytest.raises(InvalidParameter, match="relation"):
        propose(DATA, "swap")
    with pytest.raises(InvalidParameter, match="sensitivity"):
        propose(DATA, "queries", sensitivity=0)
    for answers in ([], [[1.0]], ["x"], [np.nan]):
        with pytest.raises(BadTable, match="answers"):
            propose(answers, "queries")
