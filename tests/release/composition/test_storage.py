"""Secrets in files: kept across processes, refused when damaged, charged before anything leaves."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import signal
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

from noisewright.errors import BadLedger, BudgetSpent, InvalidParameter
from noisewright.ledger import database
from noisewright.randomness import SeededSource
from noisewright.release.basics.budgets import MutualInformation
from noisewright.release.composition import Secret, storage
from release.composition.pools import EIGHTH, LABELS, QUARTER, ROWS, Averages, Twins, simulated


@pytest.fixture
def saved(tmp_path):
    secret = simulated(total=1.0)
    secret.release(Averages(), QUARTER)
    secret.save(tmp_path / "secret.db")
    return secret


@pytest.fixture
def shared(tmp_path):
    """A secret for unseeded noise: nothing that is released from it names a world, see ``Twins``."""
    secret = simulated(total=1.0)
    secret.release(Twins(), QUARTER)
    secret.save(tmp_path / "shared.db")
    return secret


def path_of(secret):
    return secret._storage.path


def again(secret, **more):
    return Secret.open(path_of(secret), ROWS, LABELS, **more)


def state_of(secret):
    return secret._storage.state.to_json()


def test_a_saved_secret_goes_on_where_it_was(saved):
    other = again(saved)
    assert state_of(other) == state_of(saved)
    assert other.simulated
    released = other.release(Averages(), QUARTER)
    assert released.plan.weights.max() > 1.01 / 16
    assert saved.account.left == 0.5
    with pytest.raises(BudgetSpent):
        saved.release(Averages(), MutualInformation(0.75))


def test_a_saved_and_a_kept_secret_release_the_same(saved):
    kept = simulated(total=1.0)
    kept.release(Averages(), QUARTER)
    for shape in ("optimal", "isotropic"):
        one, two = (secret.release(Averages(), QUARTER, shape) for secret in (kept, saved))
        assert one.vector.tolist() == two.vector.tolist()
    assert (
        kept._storage.state.posterior.log_weights.tolist()
        == saved._storage.state.posterior.log_weights.tolist()
    )


def test_only_the_owner_may_read_it(saved):
    path = path_of(saved)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with pytest.raises(BadLedger, match="is open to others; take their rights away with chmod 600"):
        again(saved)


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        (ROWS + 1e-9, LABELS),
        (ROWS[:, ::-1], LABELS),
        (ROWS, LABELS[::-1]),
        (ROWS, None),
        (ROWS[:-1], LABELS[:-1]),
    ],
)
def test_other_data_are_refused(saved, rows, labels):
    with pytest.raises(BadLedger, match="is the secret of other rows or labels"):
        Secret.open(path_of(saved), rows, labels)


def test_a_secret_has_one_file(saved, tmp_path):
    with pytest.raises(BadLedger, match="is in a file already"):
        saved.save(tmp_path / "second.db")
    content = path_of(saved).read_bytes()
    with pytest.raises(BadLedger, match="exists already; open it, or choose another name"):
        simulated().save(path_of(saved))
    assert path_of(saved).read_bytes() == content


def test_a_secret_whose_saving_failed_lives_on(tmp_path):
    secret = simulated()
    with pytest.raises(BadLedger, match="cannot be created"):
        secret.save(tmp_path / "nowhere" / "secret.db")
    secret.release(Averages(), QUARTER)
    assert Secret.open(secret.save(tmp_path / "secret.db"), ROWS, LABELS).account.left == 0.75


def test_a_private_secret_takes_no_seeded_source(tmp_path):
    path = Secret(ROWS, total=QUARTER, worlds=16).save(tmp_path / "secret.db")
    with pytest.raises(InvalidParameter, match="takes no seeded source"):
        Secret.open(path, ROWS, source=SeededSource(1))
    assert not Secret.open(path, ROWS).simulated


def test_a_file_put_in_its_place_is_noticed(saved):
    path = path_of(saved)

    def swap(done, count):
        if done == count:
            path.unlink()
            simulated(total=2.5, seed=4).save(path)

    with pytest.raises(BadLedger, match="was replaced; nothing was spent"):
        saved.release(Averages(), QUARTER, progress=swap)
    assert again(saved).account.spent == 0


# -- damage --------------------------------------------------------------------------------------------


def test_any_damage_is_refused_or_harmless(saved):
    path, generator = path_of(saved), np.random.default_rng(6)
    whole, state = path.read_bytes(), state_of(saved)
    at = whole.index(b'"account"')
    places = [
        *range(0, 100, 3),
        *range(at - 80, at + 300, 7),
        *generator.integers(len(whole), size=60).tolist(),
    ]
    refused = 0
    for place in places:
        content = bytearray(whole)
        content[place] ^= 1 << int(generator.integers(8))
        path.write_bytes(content)
        try:
            assert state_of(again(saved)) == state
        except BadLedger:
            refused += 1
    assert refused > 60
    for length in (0, 1, 99, 512):
        path.write_bytes(whole[:length])
        with pytest.raises(BadLedger):
            again(saved)
    for length in (len(whole) // 2, len(whole) - 1):  # what is lost may be an empty page
        path.write_bytes(whole[:length])
        with suppress(BadLedger):
            assert state_of(again(saved)) == state


CHANGES = {
    "a world that is none": {"world": 16},
    "a world that is no number": {"world": True},
    "worlds that are odd": {"worlds": [20, 15, 0]},
    "worlds that are too many": {"worlds": [20, 1 << 40, 0]},
    "worlds of another count": {"worlds": [20, 18, 0]},
    "worlds that are no list": {"worlds": 3},
    "an account that is overdrawn": {"account": {"total": 1.0, "entries": [["mean", 0.75]] * 2}},
    "an account that is refunded": {"account": {"total": 1.0, "entries": [["mean", -0.75]]}},
    "an account without a total": {"account": {"entries": []}},
    "an account with odd entries": {"account": {"total": 1.0, "entries": [["mean"]]}},
    "an account without an end": {"account": {"total": 1.0, "entries": [["mean", 1e-5]] * 1025}},
    "weights that are too few": {"posterior": [0.0]},
    "weights that are texts": {"posterior": ["0"] * 16},
    "weights that are too large": {"posterior": [1.0] * 16},
    "weights that rule out the world": {"posterior": [None] * 16},
    "a fingerprint that is short": {"fingerprint": "00"},
    "a key that is no text": {"key": 5},
    "a flag that is no flag": {"simulated": 1},
    "a field too many": {"more": 1},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_state_without_meaning_is_refused(saved, change):
    rewrite(saved, json.dumps(json.loads(state_of(saved)) | change).encode())
    with pytest.raises(BadLedger, match="is damaged; restore it from a copy"):
        again(saved)


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"NaN", b"{" * 20_000, b'{"world": 1, "world": 2}', b"\xff" * 40]
)
def test_a_state_that_is_no_strict_json_is_refused(saved, text):
    rewrite(saved, text)
    with pytest.raises(BadLedger, match="is damaged"):
        again(saved)


def test_a_state_that_is_too_large_is_not_read(saved, monkeypatch):
    monkeypatch.setattr(storage, "LARGEST", len(state_of(saved)) - 1)
    with pytest.raises(BadLedger, match="is damaged"):
        again(saved)


def rewrite(secret, text: bytes) -> None:
    with database.writing(path_of(secret)) as connection:
        connection.execute("UPDATE secret SET state = ?, checksum = ?", (text, hashlib.sha256(text).digest()))


def test_files_of_other_kinds(saved, tmp_path):
    with pytest.raises(BadLedger, match="there is no ledger"):
        Secret.open(tmp_path / "none.db", ROWS)
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE secret (state BLOB, checksum BLOB)")
    connection.close()
    other.chmod(0o600)
    with pytest.raises(BadLedger, match="is not a secret that noisewright saved"):
        Secret.open(other, ROWS)
    with database.writing(path_of(saved)) as connection:
        connection.execute(f"PRAGMA user_version = {storage.VERSION + 1}")
    with pytest.raises(BadLedger, match="is a secret of version 2; update Noisewright, which knows 1"):
        again(saved)


# -- together, and killed --------------------------------------------------------------------------------


def ask(secret) -> int:
    """How many releases an attempt gets: one, or none if the budget is spent."""
    try:
        secret.release(Twins(), EIGHTH)
    except BudgetSpent:
        return 0
    return 1


def test_threads_spend_a_budget_once(shared):
    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(ask, [shared, again(shared)] * 6)) == 6
    assert shared.account.left == 0


def test_threads_of_a_secret_in_memory_spend_it_once():
    secret = simulated(total=1.0)

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(ask, [secret] * 12)) == 8


def test_processes_spend_a_budget_once(shared):
    children = []
    for _ in range(2):
        if (child := os.fork()) == 0:
            done = 0
            try:
                for _ in range(7):  # one more than the budget has, for all of them together
                    again(shared).release(Twins(), EIGHTH)
                    done += 1
            except BudgetSpent:
                os._exit(done)
            except BaseException:  # must not go on as a second run of the tests
                os._exit(98)
            os._exit(99)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert sum(codes) == 6
    assert again(shared).account.left == 0


class Deadly(sqlite3.Connection):
    """A connection that kills its process at a given statement."""

    left = 0

    def execute(self, *arguments):
        Deadly.left -= 1
        if Deadly.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        done = super().execute(*arguments)
        Deadly.left -= 1
        if Deadly.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return done


def test_a_release_that_left_was_paid_for_wherever_it_is_killed(saved):
    """Killed before and after every statement: charged and noted together, and never after leaving."""
    ends, before = [], state_of(saved)
    for step in range(1, 100):
        code = _killed_at(step, saved)
        spent, noted = saved.account.spent - 0.25, state_of(saved) != before
        assert (spent > 0) == noted
        assert code != 0 or spent == 0.125
        ends.append((code, spent))
        if noted:
            break
    assert ends[0] == (-signal.SIGKILL, 0)
    assert ends[-1] == (-signal.SIGKILL, 0.125)  # after the commit: paid for, and lost


def _killed_at(step: int, secret) -> int:
    if (child := os.fork()) == 0:
        Deadly.left = step
        database.sqlite3.connect = functools.partial(sqlite3.connect, factory=Deadly)
        try:
            secret.release(Averages(), EIGHTH)
        except BaseException:
            os._exit(98)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_an_error_after_the_draw_spends_nothing(saved, monkeypatch):
    before = state_of(saved)

    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr(storage, "_row", fail)
    with pytest.raises(RuntimeError):
        saved.release(Averages(), EIGHTH)
    assert state_of(saved) == before
