"""The key: what a copy of a ledger shows without it, and what happens when it is lost."""

from __future__ import annotations

import os
import stat

import pytest

from noisewright import Interval, PureLDP
from noisewright.errors import BadLedger
from noisewright.ledger import Ledger
from noisewright.ledger.keys import KEY_BYTES, Key, digest
from noisewright.mechanisms import OGPM

COARSE = OGPM(Interval(0, 100, cells=10), epsilon=1.0)


@pytest.fixture
def ledger(tmp_path) -> Ledger:
    return Ledger.create(tmp_path / "people.db", budget=4.0)


def stored(ledger: Ledger) -> list[tuple[bytes, bytes, int]]:
    import sqlite3

    connection = sqlite3.connect(ledger.path)
    rows = connection.execute("SELECT person, tag, report FROM spends ORDER BY number").fetchall()
    connection.close()
    return rows


def test_a_copy_of_the_ledger_names_nobody_and_shows_no_receipt(ledger):
    ledger.perturb("anna.schmidt@example.org", "heart_rate", 71.0, COARSE)
    ledger.spend("anna.schmidt@example.org", "age", PureLDP(1.0), receipt="visit to the clinic")
    content = ledger.path.read_bytes()
    assert b"anna" not in content
    assert b"clinic" not in content
    assert b"heart_rate" in content  # columns are public
    (person, tag, report), (same, other, nothing) = stored(ledger)
    assert person == same != tag != other
    assert len(person) == len(tag) == 32
    assert (report in range(10), nothing) == (True, None)


def test_tags_cannot_be_matched_without_the_key(tmp_path):
    """The same person with the same value has other tags in another ledger."""
    twins = [Ledger.create(tmp_path / f"{name}.db", budget=1.0) for name in "ab"]
    for twin in twins:
        twin.perturb("anna", "x", 50.0, COARSE)
    ((left, left_tag, _),), ((right, right_tag, _),) = map(stored, twins)
    assert left != right
    assert left_tag != right_tag


def test_who_holds_the_key_can_guess_a_value_of_a_small_lattice(ledger):
    """Documented, so here is the proof: the key is worth as much as the data."""
    ledger.perturb("anna", "x", 73.0, COARSE)
    key = Key(ledger.key.read_bytes())
    ((person, tag, _),) = stored(ledger)
    subject = digest(["x", COARSE.to_dict()])
    assert key.person("anna") == person
    assert [cell for cell in range(10) if key.value(person, subject, cell) == tag] == [7]


def test_tags_of_different_things_differ():
    key = Key(os.urandom(KEY_BYTES))
    person, subject = key.person("anna"), digest(["x", {}])
    tags = [
        key.fingerprint,
        person,
        key.person("bert"),
        *(key.value(person, subject, cell) for cell in range(100)),
        key.value(key.person("bert"), subject, 0),
        key.value(person, digest(["y", {}]), 0),
        key.receipt(person, "x", "1"),
        key.receipt(person, "x1", ""),
    ]
    assert len(set(tags)) == len(tags)


def test_the_files_are_for_their_owner_only(ledger):
    assert ledger.key.stat().st_size == KEY_BYTES
    for path in (ledger.path, ledger.key):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_nothing_shows_the_key(ledger):
    secret = ledger.key.read_bytes()
    assert repr(secret)[2:-1] not in repr(Key(secret))
    assert secret not in ledger.path.read_bytes()


def test_a_key_may_lie_elsewhere(tmp_path):
    (tmp_path / "safe").mkdir()
    key = tmp_path / "safe" / "people.key"
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0, key=key)
    ledger.spend("anna", "x", PureLDP(0.5))
    assert key.exists()
    assert not (tmp_path / "people.db.key").exists()
    assert Ledger.open(tmp_path / "people.db", key=key).remaining("anna") == 0.5


def test_without_its_key_a_ledger_gives_no_new_budget(ledger):
    ledger.spend("anna", "x", PureLDP(4.0))
    ledger.key.unlink()
    for attempt in (ledger.remaining, ledger.statement, lambda who: ledger.spend(who, "x", PureLDP(1.0))):
        with pytest.raises(BadLedger, match=r"the key .*people\.db\.key is missing; put it back"):
            attempt("anna")
    assert ledger.status().people == 1  # needs no key
    assert not ledger.key.exists()


def test_the_key_of_another_ledger(ledger, tmp_path):
    other = Ledger.create(tmp_path / "other.db", budget=1.0)
    with pytest.raises(BadLedger, match="is the key of another ledger"):
        Ledger.open(ledger.path, key=other.key).spend("anna", "x", PureLDP(1.0))
    assert ledger.status().people == 0


@pytest.mark.parametrize("content", [b"", b"short", bytes(KEY_BYTES + 1)])
def test_a_file_that_is_no_key(ledger, content):
    ledger.key.write_bytes(content)
    with pytest.raises(BadLedger, match="is not the key of a ledger"):
        ledger.remaining("anna")


@pytest.mark.skipif(os.name != "posix", reason="rights are those of posix")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_is_refused(ledger, mode):
    ledger.key.chmod(mode)
    with pytest.raises(BadLedger, match="is open to others; take their rights away with chmod 600"):
        ledger.remaining("anna")


def test_a_key_that_is_there_already_is_kept(tmp_path):
    """A ledger may have been moved away from its key; overwriting the key would destroy it."""
    first = Ledger.create(tmp_path / "people.db", budget=1.0)
    first.spend("anna", "x", PureLDP(0.5))
    moved = first.path.rename(tmp_path / "moved.db")
    Ledger.create(tmp_path / "people.db", budget=1.0)
    assert Ledger.open(moved, key=first.key).remaining("anna") == 0.5


def test_a_key_without_a_folder_is_refused_before_a_file_is_made(tmp_path):
    with pytest.raises(BadLedger, match="cannot be written, because it has no folder; make that first"):
        Ledger.create(tmp_path / "people.db", budget=1.0, key=tmp_path / "nowhere" / "key")
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_cannot_be_written_leaves_no_ledger(tmp_path, monkeypatch):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadLedger, match="cannot be written: No space left"):
        Ledger.create(tmp_path / "people.db", budget=1.0)
    monkeypatch.undo()
    with pytest.raises(BadLedger, match="is not a ledger"):
        Ledger.open(tmp_path / "people.db")
    assert [path.name for path in tmp_path.iterdir()] == ["people.db"]
    assert Ledger.create(tmp_path / "people.db", budget=1.0).remaining("anna") == 1.0
