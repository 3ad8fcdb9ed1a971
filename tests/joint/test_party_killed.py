"""A partner killed at any message: the other ends with fresh flags, and nothing of the old session is used or said."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from joint.pipes import together
from joint.sockets import relay_thread
from noisewright.joint import CoinLaw, PairToken, Role, take_part
from noisewright.joint.transport.channel import SecureChannel
from noisewright.randomness import SecureSource, Source, Stream

WHOLE = 1 << 64
LAW = CoinLaw(WHOLE // 2, WHOLE // 4, WHOLE // 4, 0)


@pytest.fixture
def rendezvous(tmp_path):
    with relay_thread(tmp_path) as relay:
        yield relay


class CountingSource(Source):
    """A secure source that remembers every word it gave, stream by stream."""

    private = True

    def __init__(self) -> None:
        self.streams: list[list[np.ndarray]] = []

    def stream(self) -> Stream:
        stream, words = SecureSource().stream(), []
        self.streams.append(words)
        draw = stream.draw

        def remember(count: int) -> np.ndarray:
            words.append(draw(count))
            return words[-1]

        stream.draw = remember  # type: ignore[method-assign]
        return stream


class Killed(BaseException):
    """The partner's sudden end; no ordinary handler catches it."""


def dying(monkeypatch, victim: Role, step: int) -> None:
    """Let one role's channel end at its ``step``-th message, sent or received, without a word."""
    create = SecureChannel.__init__

    def mortal(channel, pipe, token, role, terms):
        create(channel, pipe, token, role, terms)
        if role is victim:
            steps = iter(range(step))
            for name in ("send", "receive"):
                act = getattr(channel, name)

                def tick(*arguments, act=act):
                    if next(steps, None) is None:
                        raise Killed
                    return act(*arguments)

                setattr(channel, name, tick)

    monkeypatch.setattr(SecureChannel, "__init__", mortal)


def survivor_of(rendezvous, victim: Role, count: int, source: Source):
    """The other's outcome after the victim was killed, and whether the victim was killed at all."""
    token, killed = PairToken.fresh(), []

    def doomed():
        try:
            take_part(rendezvous, token, victim, LAW, count, patience=60)
        except Killed:
            killed.append(True)

    def survive():
        return take_part(rendezvous, token, victim.other, LAW, count, patience=60, source=source)

    return together(doomed, survive)[1], bool(killed), token


STEPS = {1: 6, 20: 6}
"""Messages of a session with so many coins, sent or received: transfer directly, and by extension."""


@pytest.mark.parametrize("count", STEPS)
@pytest.mark.parametrize("victim", Role)
def test_a_partner_killed_at_any_message_leaves_fresh_flags(
    rendezvous, victim, count, monkeypatch, caplog, capsys
):
    caplog.set_level(logging.DEBUG)
    for step in range(STEPS[count]):
        with monkeypatch.context() as patch:
            dying(patch, victim, step)
            source = CountingSource()
            outcome, killed, token = survivor_of(rendezvous, victim, count, source)
        last = step == STEPS[count] - 1 and victim is Role.SECOND  # it misses only the closing word
        assert killed
        assert outcome.joint is last
        if not last:
            assert "went away" in outcome.reason or "broke" in outcome.reason
            fresh = source.streams[-1][0]
            assert len(source.streams) == 2  # a stream of its own for the fallback
            assert (outcome.flags == LAW.marginal_flags(fresh, first=victim is Role.SECOND)).all()
            assert not np.isin(fresh, np.concatenate(source.streams[0])).any()
        said = caplog.text + "".join(capsys.readouterr()) + outcome.reason + repr(outcome)
        assert token.secret.hex() not in said
        assert "flags" not in repr(outcome)


def test_the_steps_are_all_there_are(rendezvous, monkeypatch):
    """One step later nobody is killed: the test above has tried every message."""
    for count, steps in STEPS.items():
        for victim in Role:
            with monkeypatch.context() as patch:
                dying(patch, victim, steps)
                outcome, killed, _ = survivor_of(rendezvous, victim, count, CountingSource())
            assert outcome.joint
            assert not killed
