"""The grouping of a run when somebody does not reveal: the round is held again without them, and all are paired."""

from __future__ import annotations

import math
import queue
import threading
from contextlib import suppress

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.joint.coins.law import CoinLaw
from noisewright.joint.groups.committee_ticket import Ticket, publish_plainly
from noisewright.joint.run.board import BEACON_MODEL, group_by_beacon
from noisewright.joint.run.worker_process import (
    NO_SEAT,
    beacon_seats,
    by_beacon,
    by_committee,
    draw_flags,
    user_name,
)
from noisewright.joint.transport.child import Message
from noisewright.joint.transport.keys import PairKey, SealingKey

USERS, WORKERS = 6, 2


class Line:
    """Both ends of the line to a worker in a thread; as the child's end it is a worker that is always there."""

    def __init__(self, spoil) -> None:
        self.what, self._spoil = "a worker", spoil
        self._down: queue.Queue[Message] = queue.Queue()
        self._up: queue.Queue[Message] = queue.Queue()
        self.heard: list[Message] = []

    def send(self, **message) -> None:
        self._down.put(message)

    def poll(self, patience: float) -> Message | None:
        try:
            self.heard.append(self._up.get(timeout=patience))
        except queue.Empty:
            return None
        return self.heard[-1]

    def receive(self) -> Message:
        return self._down.get(timeout=600)

    def answer(self, **message) -> None:
        self._up.put({key: self._spoil(key, entries) for key, entries in message.items()})


def grouped(spoil):
    """The seats that both workers find, by user, and all that they said."""
    lines, seats = [Line(spoil) for _ in range(WORKERS)], {}

    def work(index: int) -> None:
        users = range(index, USERS, WORKERS)
        with suppress(InvalidParameter):  # the board refuses the same, in the test's own thread
            seats.update(zip(users, by_beacon(lines[index], "round 1", users, USERS), strict=True))

    threads = [threading.Thread(target=work, args=(index,), daemon=True) for index in range(WORKERS)]
    for thread in threads:
        thread.start()
    group_by_beacon(lines, "round 1", USERS)
    for thread in threads:
        thread.join(600)
    return seats, [message for line in lines for message in line.heard]


def by_name(names, change):
    """Spoil the reveals of some users."""

    def spoil(key, entries):
        if key != "reveals":
            return entries
        return [
            new for entry in entries if (new := change(entry) if entry["participant"] in names else entry)
        ]

    return spoil


SPOILT = {
    "nobody": (by_name((), None), 1),
    "one who refuses": (by_name({user_name(3)}, lambda entry: None), 2),
    "one who changes its mind": (by_name({user_name(2)}, lambda entry: {**entry, "secret": "00" * 32}), 2),
    "all users of a worker": (by_name({user_name(user) for user in (0, 2, 4)}, lambda entry: None), 2),
}


@pytest.mark.parametrize(("spoil", "rounds"), SPOILT.values(), ids=SPOILT)
def test_every_user_gets_a_partner_however_many_refuse(spoil, rounds):
    seats, heard = grouped(spoil)
    assert sorted(seats) == list(range(USERS))
    pairs = {
        seat.pair: [other for other in seats.values() if other.pair == seat.pair] for seat in seats.values()
    }
    assert [len(pair) for pair in pairs.values()] == [2] * (USERS // 2)
    for one, two in pairs.values():
        assert one.role is not two.role
        assert one.token.secret == two.token.secret
    assert sum("commitments" in said for said in heard) == rounds * WORKERS


def test_who_refused_has_no_say_in_the_next_round_and_secrets_are_fresh():
    _, heard = grouped(SPOILT["one who refuses"][0])
    digests = [entry["digest"] for said in heard for entry in said.get("commitments", ())]
    assert len(digests) == len(set(digests)) == 2 * USERS - 1
    names = [entry["participant"] for said in heard for entry in said.get("commitments", ())]
    assert names.count(user_name(3)) == 1


def test_if_nobody_reveals_there_is_no_round_to_hold():
    everyone = {user_name(user) for user in range(USERS)}
    with pytest.raises(InvalidParameter, match="two or more"):
        grouped(by_name(everyone, lambda entry: None))


def test_a_public_key_that_is_none_costs_its_own_pair_alone():
    keys = {user: PairKey() for user in range(4)}
    public = [key.public for key in keys.values()]
    public[2] = bytes(32)
    seats = beacon_seats(np.array([[2, 0], [1, 3]]), keys, public, b"s" * 32)
    assert [seat and seat.pair for seat in seats] == [None, 1, 0, 1]


def test_a_user_who_is_not_on_the_committees_list_has_no_seat():
    line = Line(lambda key, entries: entries)
    line.send(members=[SealingKey().public.hex() for _ in range(3)])
    line.send(board=publish_plainly([Ticket("round 1"), Ticket("round 1")]).to_dict())
    assert by_committee(line, "round 1", [0, 2], 4) == [None, None]


def test_users_without_a_seat_answer_alone_with_the_same_chance_of_truth(monkeypatch):
    """2,000 coins of truth 3/4: the bounds hold but for 1e-9, and coins of 0.5 or 1 are far outside."""
    monkeypatch.setattr(
        "noisewright.joint.run.worker_process.Rendezvous", lambda *place: None
    )  # nobody meets
    line, quarter = Line(lambda key, entries: entries), 1 << 62
    line.send(host="127.0.0.1", port=1, authority="none", timeout=1.0)
    law = CoinLaw(2 * quarter, quarter, quarter, 0)
    flags, reasons = draw_flags(line, [None] * 2000, law)
    assert reasons == {NO_SEAT: 2000}
    assert abs(sum(flags) - 1500) < 6.2 * math.sqrt(2000 * 3 / 16)


def test_what_the_beacon_supposes_is_told():
    assert "if all see the same list of names and keys" in BEACON_MODEL
