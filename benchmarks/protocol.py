"""How fast joint randomized response runs between real processes, and what it sends.

    python -m benchmarks.protocol

Two workers and a relay, each a process of its own on this machine, talk over TCP with TLS; starting them is
not counted. Rates depend on what else the machine does, so its load stands above the table and the
processes' own CPU time beside each rate (all three together; Linux only).
"""

from __future__ import annotations

import os
import secrets
import time
from dataclasses import dataclass

from benchmarks.protocol_tap import wire_bytes
from benchmarks.protocol_workers import LAW, Workers
from noisewright.joint.groups.beacon import Beacon, Contribution
from noisewright.joint.groups.committee import Committee
from noisewright.joint.groups.committee_ticket import Ticket
from noisewright.joint.groups.partition import group_users
from noisewright.joint.run.relay_process import running_relay

PAIRS_A_SECOND, COMMITTEE_SECONDS, BEACON_SECONDS = 50.0, 120.0, 2.0
"""What is asked for on two cores."""

SESSIONS = {1: 600, 100: 40, 1000: 10}
"""For so many coins a session, how many sessions are timed."""

COMMITTEE_USERS, MEMBERS = 1_000, 3
BEACON_USERS, PARTICIPANTS = 1_000_000, 1_000


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    what: str
    measured: str
    asked: str = ""
    kept: bool | None = None
    note: str = ""

    def cells(self) -> tuple[str, ...]:
        """The line as text."""
        verdict = "" if self.kept is None else ("yes" if self.kept else "NO")
        return self.what, self.measured, self.asked, verdict, self.note


def main() -> None:
    """Measure everything and print one table."""
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    show([*coin_lines(), *wire_lines(), beacon_line(), committee_line()], load)


def coin_lines() -> list[Line]:
    """Coins between two warm workers."""
    table = []
    with running_relay() as relay, Workers(relay) as workers:
        workers.draw(20)  # loads the curve library and opens the first connections
        for coins, sessions in SESSIONS.items():
            spent = workers.draw(sessions, coins)
            cpu = f"{1000 * spent.cpu / sessions:.1f} ms of CPU a pair, relay included"
            if coins == 1:
                rate = sessions / spent.seconds
                asked = f"≥ {PAIRS_A_SECOND:g}"
                table.append(
                    Line("one coin a pair", f"{rate:.0f} pairs/s", asked, rate >= PAIRS_A_SECOND, cpu)
                )
            else:
                rate = coins * sessions / spent.seconds
                table.append(Line(f"{coins:,} coins a pair", f"{rate:,.0f} coins/s", note=cpu))
    return table


def wire_lines() -> list[Line]:
    """Bytes between the devices and the relay, with TLS and everything."""
    with running_relay() as relay:
        sizes = {coins: wire_bytes(relay, LAW, coins) for coins in SESSIONS}
    return [
        Line(
            f"on the wire, {coins:,} coin{'s' * (coins > 1)}",
            f"{size / 1000:,.1f} kB",
            note=f"{size / coins:,.0f} bytes a coin",
        )
        for coins, size in sizes.items()
    ]


def beacon_line() -> Line:
    """A seed from many participants, and the pairs of many more users."""
    started = time.perf_counter()
    people = [Contribution("benchmark", f"user {number}") for number in range(PARTICIPANTS)]
    beacon = Beacon("benchmark", [person.commitment.participant for person in people])
    for person in people:
        beacon.commit(person.commitment)
    beacon.publish()
    for person in people:
        beacon.reveal(person.reveal(beacon))
    group_users(beacon.seed(), BEACON_USERS)
    seconds = time.perf_counter() - started
    what = f"beacon: {BEACON_USERS:,} users grouped"
    note = f"a seed by {PARTICIPANTS:,} participants, checked by one"
    return Line(what, f"{seconds:.2f} s", f"< {BEACON_SECONDS:g} s", seconds < BEACON_SECONDS, note)


def committee_line() -> Line:
    """Sealed tickets, a secret sort among processes, and every user's look at the board."""
    round_id = secrets.token_hex(8)
    started = time.perf_counter()
    with Committee(round_id, MEMBERS) as committee:
        tickets = [Ticket(round_id) for _ in range(COMMITTEE_USERS)]
        board = committee.publish([ticket.letters(committee.public_keys) for ticket in tickets])
    pairs = {ticket.seat(board).pair for ticket in tickets}
    seconds = time.perf_counter() - started
    assert len(pairs) == COMMITTEE_USERS // 2
    what = f"committee: {COMMITTEE_USERS:,} users grouped"
    asked = f"< {COMMITTEE_SECONDS:g} s"
    return Line(what, f"{seconds:.1f} s", asked, seconds < COMMITTEE_SECONDS, f"{MEMBERS} members over TLS")


def show(lines: list[Line], load: str) -> None:
    """Print all lines as one table."""
    from rich.console import Console
    from rich.table import Table

    cores = os.cpu_count()
    table = Table(title=f"Between processes on this machine; {cores} cores, load {load} before the start")
    for name in ("what", "measured", "asked", "kept", "note"):
        table.add_column(name, justify="right" if name == "measured" else "left", no_wrap=name != "note")
    for line in lines:
        table.add_row(*line.cells())
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
