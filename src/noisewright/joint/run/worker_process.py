"""A worker of a run, as a process: the devices of some users, who keep their values to themselves.

It receives its users, takes part in the grouping for each of them, draws their truth flags with their
partners through the relay, and hands over one randomized report each. Values, flags, tokens and secrets stay
here; nothing of them is printed or logged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.domains import Categories, Cells
from noisewright.errors import BadTable, ProtocolError
from noisewright.joint.coins.law import CoinLaw
from noisewright.joint.coins.messages import Role
from noisewright.joint.groups.beacon import Beacon, Commitment, Contribution, Reveal
from noisewright.joint.groups.committee_ticket import Board, Seat, Ticket
from noisewright.joint.groups.partition import Groups, group_users
from noisewright.joint.party import flags_alone
from noisewright.joint.transport.child import Parent, serve
from noisewright.joint.transport.keys import PairKey
from noisewright.joint.transport.rendezvous import Rendezvous
from noisewright.joint.worker import Task, take_part_in_many
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.randomness import SecureSource

PROGRESS_EVERY: Final = 20
"""Users whose flags are drawn between two messages about progress."""

NO_SEAT: Final = (
    "no seat: the committee's list lacks the user's tag, or the partner's public key is not valid"
)

Seats = Sequence[Seat | None]
"""The users' seats; None for a user without one, who reports alone."""


@dataclass(frozen=True)
class Holding:
    """A worker's users: the number of users in all, and the labels of its own, one of ``workers`` in turn."""

    total: int
    labels: list[Any]


def hold(people: Mapping[str, Any], domain: Categories, index: int, workers: int) -> Holding:
    """Return the labels of users index, index + workers, …, from a file or simulated; refuse unknown ones."""
    if people["file"] is None:
        cells = _simulated(people["count"], people["share"])
    else:
        cells = read_cells(Path(people["file"]), people["column"], domain)
    return Holding(cells.size, [domain.labels[cell] for cell in cells[index::workers].tolist()])


def _simulated(count: int, share: float) -> Cells:
    """Return the cells of simulated people: the first of them have the second of two labels."""
    return (np.arange(count) < round(count * share)).astype(np.int64)


def read_cells(path: Path, column: str, domain: Categories) -> Cells:
    """Return the places in the public list of a file's column, looked up as when a file is randomized."""
    from noisewright.io.labels import LabelList  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.io.table_files import check_names, open_input  # noqa: PLC0415

    file, known = open_input(path), LabelList(domain)
    check_names([column], file.names, where=str(path))
    pieces: list[Cells] = []
    rows = 0
    for batch in file.batches([], [column]):
        pieces.append(known.places(batch.column(0), column, rows))
        rows += batch.num_rows
    if not rows:
        raise BadTable(f"{path} has columns but no rows; there is nobody to take part")
    return np.concatenate(pieces)


def work(parent: Parent) -> None:
    """Do one worker's part in one run."""
    first = parent.receive()
    domain = Categories(first["labels"])
    held = hold(first["people"], domain, first["index"], first["workers"])
    parent.answer(users=held.total)
    instruction = parent.receive()
    mechanism = JointRandomizedResponse(domain, **instruction["mechanism"])
    users = range(first["index"], held.total, first["workers"])
    group = by_beacon if instruction["method"] == "beacon" else by_committee
    seats = group(parent, instruction["round"], users, held.total)
    parent.answer(seated=len(seats))
    flags, reasons = draw_flags(parent, seats, CoinLaw.of(mechanism.coins.table))
    reports = mechanism.respond(held.labels, flags).tolist() if held.labels else []
    parent.answer(reports=reports, alone=reasons)


def user_name(user: int) -> str:
    """Return the name of a user in a beacon."""
    return f"user {user}"


def by_beacon(parent: Parent, round_id: str, users: Sequence[int], total: int) -> Seats:
    """Take part in rounds until one has a seed, and find the partners it gives."""
    keys = {user: PairKey() for user in users}
    beacon = Beacon(round_id, (user_name(user) for user in range(total)))
    listed = hold_round(parent, beacon, keys)
    public = [commitment.public_key for commitment in listed]
    while (following := beacon.again()) is not None:
        beacon = following
        hold_round(parent, beacon, keys)
    seed = beacon.seed()
    return beacon_seats(group_users(seed, total), keys, public, seed)


def hold_round(parent: Parent, beacon: Beacon, keys: Mapping[int, PairKey]) -> tuple[Commitment, ...]:
    """Commit, reveal once all commitments are published, and check everything; return the list."""
    taking_part = frozenset(beacon.participants)
    parts = {
        name: Contribution(beacon.round_id, name, key.public)
        for name, key in ((user_name(user), key) for user, key in keys.items())
        if name in taking_part
    }
    parent.answer(commitments=[part.commitment.to_dict() for part in parts.values()])
    for entry in parent.receive()["published"]:
        beacon.commit(Commitment.from_dict(entry))
    listed = beacon.publish()
    parent.answer(reveals=[part.reveal(beacon).to_dict() for part in parts.values()])
    for entry in parent.receive()["reveals"]:
        beacon.reveal(Reveal.from_dict(entry))
    return listed


def beacon_seats(groups: Groups, keys: Mapping[int, PairKey], public: Sequence[bytes], seed: bytes) -> Seats:
    """Return the seats of the users whose keys are given, in the order of the users."""
    seats = {}
    for pair, (one, two) in enumerate(groups.tolist()):
        for user, partner, role in ((one, two, Role.FIRST), (two, one, Role.SECOND)):
            if user in keys:
                with suppress(ProtocolError):  # a partner with an invalid public key costs its own pair alone
                    seats[user] = Seat(pair, role, keys[user].token(public[partner], seed))
    return [seats.get(user) for user in keys]


def by_committee(parent: Parent, round_id: str, users: Sequence[int], total: int) -> Seats:
    """Send every member its sealed shares, and look for the users' tags on the published board."""
    members = [bytes.fromhex(key) for key in parent.receive()["members"]]
    tickets = [Ticket(round_id) for _ in users]
    parent.answer(letters=[[letter.hex() for letter in ticket.letters(members)] for ticket in tickets])
    board = Board.from_dict(parent.receive()["board"])
    seats: list[Seat | None] = [None] * len(tickets)
    for place, ticket in enumerate(tickets):
        with suppress(ProtocolError):
            seats[place] = ticket.seat(board)
    return seats


def draw_flags(parent: Parent, seats: Seats, law: CoinLaw) -> tuple[list[bool], dict[str, int]]:
    """Return the users' truth flags, and how many of them were drawn alone for each reason."""
    instruction = parent.receive()
    rendezvous = Rendezvous(instruction["host"], instruction["port"], Path(instruction["authority"]))
    # All workers take pairs in the same order, so that the first one open anywhere is open on both sides.
    seated = {place: seat for place, seat in enumerate(seats) if seat is not None}
    order = sorted(seated, key=lambda place: (seated[place].pair, seated[place].role.value))
    tasks = [Task(str(place), seated[place].token, seated[place].role, law) for place in order]
    # Plain randomized response for everybody; the flags of those who have a seat replace it.
    flags: list[bool] = flags_alone(law, Role.FIRST, len(seats), SecureSource()).tolist()
    alone = +Counter({NO_SEAT: len(seats) - len(seated)})
    outcomes = take_part_in_many(rendezvous, tasks, patience=instruction["timeout"])
    for done, (task, outcome) in enumerate(outcomes, start=1):
        flags[int(task.name)] = bool(outcome.flags[0])
        if not outcome.joint:
            alone[outcome.reason] += 1
        if done % PROGRESS_EVERY == 0:
            parent.answer(progress="coins", done=done)
    return flags, dict(alone)


if __name__ == "__main__":
    serve(work)
