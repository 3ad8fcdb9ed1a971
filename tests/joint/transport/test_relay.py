"""The relay: brings two together, once, within its limits, and trusts and tells nobody."""

from __future__ import annotations

import asyncio
import os
import re
import select
import socket
import ssl
import stat
import time
from contextlib import ExitStack

import pytest

from joint.pipes import together
from joint.sockets import relay_thread
from noisewright.errors import InvalidParameter, ProtocolError
from noisewright.joint.transport.keys import PairToken
from noisewright.joint.transport.relay import Limits, Relay
from noisewright.joint.transport.rendezvous import GREETING, Answer, Rendezvous
from noisewright.joint.transport.tls import client_context, make_identity


def soon(seconds: float = 5.0) -> float:
    return time.monotonic() + seconds


def meet_both(rendezvous, token):
    return together(lambda: rendezvous.meet(token, soon()), lambda: rendezvous.meet(token, soon()))


@pytest.fixture
def rendezvous(tmp_path):
    with relay_thread(tmp_path) as relay:
        yield relay


def test_two_with_the_same_tag_are_joined(rendezvous):
    left, right = meet_both(rendezvous, PairToken.fresh())
    with left, right:
        left.send(b"there")
        right.send(b"and back")
        assert (right.receive(5), left.receive(8)) == (b"there", b"and back")


def test_the_last_words_of_one_who_leaves_arrive(rendezvous):
    left, right = meet_both(rendezvous, PairToken.fresh())
    with right:
        left.send(b"x" * 200_000)
        left.close()
        assert right.receive(200_000) == b"x" * 200_000
        with pytest.raises(ProtocolError, match="went away"):
            right.receive(1)


def test_pairs_do_not_hear_each_other(rendezvous):
    (one, other), (third, fourth) = (meet_both(rendezvous, PairToken.fresh()) for _ in range(2))
    with one, other, third, fourth:
        one.send(b"a")
        third.send(b"b")
        assert (other.receive(1), fourth.receive(1)) == (b"a", b"b")


def test_a_tag_works_once(rendezvous):
    token = PairToken.fresh()
    for pipe in meet_both(rendezvous, token):
        pipe.close()
    with pytest.raises(ProtocolError, match="seen this pair's tag before"):
        rendezvous.meet(token, soon())


def test_a_used_tag_is_forgotten_in_the_end(tmp_path):
    with relay_thread(tmp_path, Limits(remember_seconds=0.0, waiting_seconds=2.0)) as rendezvous:
        token = PairToken.fresh()
        for pipe in meet_both(rendezvous, token):
            pipe.close()
        with pytest.raises(ProtocolError, match="did not come"):
            rendezvous.meet(token, soon())


def test_who_waits_in_vain_is_told(tmp_path):
    limits = Limits(waiting_seconds=0.2)
    with (
        relay_thread(tmp_path, limits) as relay,
        pytest.raises(ProtocolError, match="did not come to the relay"),
    ):
        relay.meet(PairToken.fresh(), soon())


def test_a_tag_whose_first_waited_in_vain_is_used_up(tmp_path):
    with relay_thread(tmp_path, Limits(waiting_seconds=0.2)) as relay:
        token = PairToken.fresh()
        with pytest.raises(ProtocolError, match="did not come to the relay"):
            relay.meet(token, soon())
        with pytest.raises(ProtocolError, match="seen this pair's tag before"):
            relay.meet(token, soon())


def test_a_device_may_be_less_patient_than_the_relay(rendezvous):
    with pytest.raises(ProtocolError, match="in time"):
        rendezvous.meet(PairToken.fresh(), soon(0.5))


def test_a_full_relay_says_so(tmp_path):
    with relay_thread(tmp_path, Limits(connections=2)) as rendezvous:
        left, right = meet_both(rendezvous, PairToken.fresh())
        with left, right, pytest.raises(ProtocolError, match="as many devices as it may"):
            rendezvous.meet(PairToken.fresh(), soon())


def closed(sockets: list[socket.socket]) -> list[socket.socket]:
    """Those that the other side has closed by now."""
    readable, _, _ = select.select(sockets, [], [], 0.05)
    return readable  # a relay never speaks first


def test_connections_that_never_speak_are_bounded_before_the_handshake(tmp_path):
    limits = Limits(connections=4, refusals=3, opening_seconds=600.0)
    with relay_thread(tmp_path, limits) as rendezvous, ExitStack() as stack:
        idle = [
            stack.enter_context(socket.create_connection((rendezvous.host, rendezvous.port)))
            for _ in range(40)
        ]
        deadline = soon(30)
        while len(closed(idle)) < 33 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(closed(idle)) == 33
        kept = [line for line in idle if line not in closed(idle)]
        with pytest.raises(ProtocolError, match="broke off"):
            rendezvous.meet(PairToken.fresh(), soon())
        for line in kept[:3]:  # some give way: there is room to be told, but none to be served
            line.close()
        with pytest.raises(ProtocolError, match="as many devices as it may"):
            patiently(lambda: rendezvous.meet(PairToken.fresh(), soon()), "broke off")
        for line in kept[3:]:
            line.close()
        left, right = patiently(lambda: meet_both(rendezvous, PairToken.fresh()), "broke off|as many")
        left.close()
        right.close()


def patiently(act, meanwhile: str):
    """Do it again until the relay has noticed who left."""
    deadline = soon(30)
    while True:
        try:
            return act()
        except ProtocolError as error:
            if not re.search(meanwhile, str(error)) or time.monotonic() > deadline:
                raise


def test_connections_that_never_speak_are_closed_in_time(tmp_path):
    with (
        relay_thread(tmp_path, Limits(opening_seconds=0.3)) as rendezvous,
        socket.create_connection((rendezvous.host, rendezvous.port), timeout=600) as line,
    ):
        assert line.recv(1) == b""


def test_a_pair_that_sends_too_much_is_cut(tmp_path):
    with relay_thread(tmp_path, Limits(pair_bytes=100_000)) as rendezvous:
        left, right = meet_both(rendezvous, PairToken.fresh())
        with left, right:
            left.send(b"x" * 90_000)
            assert len(right.receive(90_000)) == 90_000
            left.send(b"x" * 20_000)
            with pytest.raises(ProtocolError, match=r"went away|broke"):
                right.receive(20_000)


def test_a_quiet_pair_is_cut(tmp_path):
    with relay_thread(tmp_path, Limits(idle_seconds=1.0)) as rendezvous:
        left, right = meet_both(rendezvous, PairToken.fresh())
        with left, right, pytest.raises(ProtocolError, match=r"went away|broke"):
            right.receive(1)


def keep_talking(left, right) -> None:
    while True:
        left.send(b"x")
        right.receive(1)


def test_a_pair_that_never_comes_to_an_end_is_cut(tmp_path):
    with relay_thread(tmp_path, Limits(pair_seconds=1.0)) as rendezvous:
        left, right = meet_both(rendezvous, PairToken.fresh())
        with left, right, pytest.raises(ProtocolError, match=r"went away|broke"):
            keep_talking(left, right)


def raw_tls(rendezvous) -> ssl.SSLSocket:
    plain = socket.create_connection((rendezvous.host, rendezvous.port), timeout=5)
    return rendezvous._context.wrap_socket(plain, server_hostname=rendezvous.host)


def test_a_wrong_opening_is_refused(rendezvous):
    with raw_tls(rendezvous) as connection:
        connection.sendall(b"HTTP" + bytes(32))
        assert connection.recv(1) == b"\x05"


def test_refused_guests_who_stay_are_counted(tmp_path):
    """Who is told of a mistake and keeps the connection open takes up a place, until no more are let in."""
    limits = Limits(connections=4, refusals=3, opening_seconds=600.0, farewell_seconds=600.0)
    answers = []
    with relay_thread(tmp_path, limits) as rendezvous, ExitStack() as stack:
        for _ in range(20):
            try:
                connection = stack.enter_context(raw_tls(rendezvous))
                connection.sendall(b"HTTP" + bytes(32))
                answers.append(connection.recv(1))
            except OSError:  # cut off before the handshake
                continue
    assert answers == [bytes([Answer.MALFORMED])] * 7


def test_refused_guests_who_stay_are_cut_off(tmp_path):
    with relay_thread(tmp_path, Limits(farewell_seconds=0.2)) as rendezvous:
        with raw_tls(rendezvous) as connection:
            connection.sendall(b"HTTP" + bytes(32))
            assert connection.recv(1) == bytes([Answer.MALFORMED])
            line = socket.socket(fileno=connection.detach())  # below TLS, which has said goodbye already
        with line:
            line.settimeout(20)
            while line.recv(1 << 10):
                pass


def test_an_opening_that_does_not_come_ends(tmp_path):
    with relay_thread(tmp_path, Limits(opening_seconds=0.5)) as rendezvous, raw_tls(rendezvous) as connection:
        connection.sendall(b"NWR1")
        assert connection.recv(1) == b""


def test_a_relay_with_another_certificate_is_not_trusted(rendezvous, tmp_path):
    (tmp_path / "other").mkdir()
    stranger = make_identity(tmp_path / "other")
    with pytest.raises(ProtocolError, match="no certificate that this device trusts"):
        Rendezvous("127.0.0.1", rendezvous.port, stranger.certificate).meet(PairToken.fresh(), soon())


def test_a_relay_that_is_not_there_is_a_clear_error(rendezvous, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ProtocolError, match="cannot be reached"):
        Rendezvous("127.0.0.1", port, tmp_path / "relay.crt").meet(PairToken.fresh(), soon())


def test_the_private_key_is_for_its_owner_only(tmp_path):
    identity = make_identity(tmp_path)
    assert stat.S_IMODE(identity.key.stat().st_mode) == 0o600
    assert b"PRIVATE" not in identity.certificate.read_bytes()


@pytest.mark.parametrize("former", ["open to all", "a link"])
def test_a_key_that_replaces_another_file_is_for_its_owner_only(tmp_path, former):
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "relay"
    folder.mkdir()
    elsewhere.write_text("not to be touched", encoding="utf-8")
    for name in ("relay.key", "relay.crt"):
        if former == "a link":
            (folder / name).symlink_to(elsewhere)
        else:
            (folder / name).write_text("old", encoding="utf-8")
            (folder / name).chmod(0o666)
    with (folder / "relay.key").open("rb") as reader:  # who had it open before
        identity = make_identity(folder)
        assert b"PRIVATE" not in reader.read()
    assert stat.S_IMODE(identity.key.lstat().st_mode) == 0o600
    assert stat.S_ISREG(identity.certificate.lstat().st_mode)
    assert elsewhere.read_text(encoding="utf-8") == "not to be touched"
    assert sorted(os.listdir(folder)) == ["relay.crt", "relay.key"]


def test_contexts_demand_the_newest_tls_and_a_readable_authority(tmp_path):
    assert client_context().minimum_version is ssl.TLSVersion.TLSv1_3
    assert client_context().check_hostname
    with pytest.raises(InvalidParameter, match="cannot be loaded"):
        client_context(tmp_path / "missing.crt")


async def first_guest(relay: Relay, identity, tag: bytes):
    """Start a relay and let a guest wait there; returns its ends and a way to bring another guest."""
    port, context = await relay.start(), client_context(identity.certificate)

    async def guest():
        return await asyncio.open_connection("127.0.0.1", port, ssl=context)

    reader, writer = await guest()
    writer.write(GREETING + tag)
    while not relay._waiting:
        await asyncio.sleep(0.01)
    return reader, writer, guest


def test_who_still_waits_when_the_relay_stops_is_told(tmp_path):
    async def wait_alone() -> bytes:
        identity = make_identity(tmp_path)
        relay = Relay(identity)
        reader, writer, _ = await first_guest(relay, identity, PairToken.fresh().tag)
        await relay.stop()
        try:
            return await asyncio.wait_for(reader.read(2), 5)
        finally:
            writer.close()

    assert asyncio.run(wait_alone()) == bytes([Answer.NOBODY_CAME])


def test_a_partner_who_arrives_in_the_very_moment_the_waiting_ends_is_not_lost(tmp_path):
    """The loop is held up until both have happened; it looks at sockets first, so that the partner's opening
    is read after the time is over and before the first guest's task hears of that."""
    waiting, complaints = 2.0, []

    async def meet_late() -> tuple[bytes, bytes]:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
        identity, tag = make_identity(tmp_path), PairToken.fresh().tag
        relay = Relay(identity, Limits(waiting_seconds=waiting))
        reader, writer, guest = await first_guest(relay, identity, tag)
        late_reader, late_writer = await guest()
        while len(relay._guests) < 2:
            await asyncio.sleep(0.01)
        late_writer.write(GREETING + tag)
        time.sleep(waiting)  # nothing else may run meanwhile
        answers = await asyncio.gather(*(asyncio.wait_for(each.read(1), 5) for each in (reader, late_reader)))
        for end in (writer, late_writer):
            end.close()
        await relay.stop()
        return tuple(answers)

    assert asyncio.run(meet_late()) == (bytes([Answer.PAIRED]),) * 2
    assert complaints == []
