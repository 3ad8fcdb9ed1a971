"""Files that cannot be used as a ledger: one sentence each, and nothing is spent or broken."""

from __future__ import annotations

import os
import sqlite3
from functools import partial
from pathlib import Path

import pytest

from noisewright import Interval, PureLDP
from noisewright.errors import BadLedger
from noisewright.ledger import Ledger, database, rows
from noisewright.mechanisms import OGPM

MECHANISM = OGPM(Interval(0, 1), 1.0)


@pytest.fixture
def ledger(tmp_path) -> Ledger:
    made = Ledger.create(tmp_path / "people.db", budget=4.0)
    made.spend("anna", "age", PureLDP(1.0))
    return made


def sql(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_a_missing_file(tmp_path):
    with pytest.raises(BadLedger, match=r"there is no ledger .*people\.db; create it first"):
        Ledger.open(tmp_path / "people.db")
    assert list(tmp_path.iterdir()) == []


def test_a_folder(tmp_path):
    for attempt in (Ledger.open, partial(Ledger.create, budget=1.0)):
        with pytest.raises(BadLedger, match="is not a file, so it is not a ledger"):
            attempt(tmp_path)


def test_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(BadLedger, match="cannot be created: No such file or directory"):
        Ledger.create(tmp_path / "nowhere" / "people.db", budget=1.0)


def test_a_file_of_another_kind_is_left_as_it_is(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("person,heart_rate\nanna,71\n" * 100)
    before = path.read_bytes()
    for attempt in (Ledger.open, partial(Ledger.create, budget=1.0)):
        with pytest.raises(BadLedger, match="is not a ledger"):
            attempt(path)
    assert path.read_bytes() == before


def test_a_database_of_somebody_else_is_left_as_it_is(tmp_path):
    path = tmp_path / "other.db"
    sql(path, "CREATE TABLE terms (budget REAL)")
    before = path.read_bytes()
    with pytest.raises(BadLedger, match="is not a ledger"):
        Ledger.open(path)
    with pytest.raises(BadLedger, match="exists already"):
        Ledger.create(path, budget=1.0)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_newer_version(ledger):
    sql(ledger.path, f"PRAGMA user_version = {rows.VERSION + 1}")
    with pytest.raises(BadLedger, match="is a ledger of version 2; update Noisewright, which knows 1"):
        Ledger.open(ledger.path)


def test_a_creation_that_was_cut_off_can_be_repeated(tmp_path):
    path = tmp_path / "people.db"
    path.touch()
    with pytest.raises(BadLedger, match="is not a ledger"):
        Ledger.open(path)
    Ledger.create(path, budget=1.0).spend("anna", "age", PureLDP(1.0))


def test_a_damaged_file(ledger):
    ledger.perturb_many([f"p{i}" for i in range(500)], "x", [0.5] * 500, MECHANISM)
    content = bytearray(ledger.path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    ledger.path.write_bytes(content)
    with pytest.raises(BadLedger, match="is damaged; restore it from a copy"):
        ledger.status()


def test_a_file_that_cannot_be_written_can_still_be_looked_at(ledger, monkeypatch):
    connect = sqlite3.connect
    monkeypatch.setattr(
        database.sqlite3, "connect", lambda where, **how: connect(where.replace("mode=rw", "mode=ro"), **how)
    )
    assert ledger.status().people == 1
    assert ledger.remaining("anna") == 3.0
    with pytest.raises(BadLedger, match="cannot be written; nothing was spent"):
        ledger.spend("anna", "age", PureLDP(1.0))
    monkeypatch.undo()
    assert ledger.remaining("anna") == 3.0


def test_a_full_disk(ledger, monkeypatch):
    connect = sqlite3.connect

    def small(*arguments: object, **how: object) -> sqlite3.Connection:
        connection = connect(*arguments, **how)
        connection.execute("PRAGMA max_page_count = 1")  # becomes the pages there are
        return connection

    monkeypatch.setattr(database.sqlite3, "connect", small)
    with pytest.raises(BadLedger, match="the disk is full; nothing was spent"):
        ledger.perturb_many([f"p{i}" for i in range(500)], "x", [0.5] * 500, MECHANISM)
    monkeypatch.undo()
    assert ledger.status().people == 1


def test_others_who_never_finish(ledger, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with (
        database.writing(ledger.path),
        pytest.raises(BadLedger, match="in use by others for 60 seconds; nothing was spent, try again"),
    ):
        ledger.spend("anna", "age", PureLDP(1.0))
    assert ledger.remaining("anna") == 3.0


def test_a_ledger_that_vanishes(ledger):
    ledger.path.unlink()
    with pytest.raises(BadLedger, match="there is no ledger"):
        ledger.spend("anna", "age", PureLDP(1.0))


@pytest.mark.parametrize("statement", ["DELETE FROM spends", "UPDATE spends SET epsilon = 0"])
def test_spends_are_final(ledger, statement):
    with pytest.raises(sqlite3.IntegrityError, match="spends are final"):
        sql(ledger.path, statement)
    assert ledger.remaining("anna") == 3.0


def test_an_error_inside_leaves_no_trace(ledger, monkeypatch):
    """Whatever happens after the draw and before the commit, nothing is spent."""

    class Broken(Exception):
        pass

    def fail(*_: object) -> None:
        raise Broken

    monkeypatch.setattr("noisewright.ledger.rows.Book.add", fail)
    with pytest.raises(Broken):
        ledger.perturb("anna", "x", 0.5, MECHANISM)
    monkeypatch.undo()
    assert ledger.status().reports == 1
