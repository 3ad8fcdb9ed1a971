"""A user's side over real sockets: flags drawn together, or alone when the partner or the relay is not there."""

from __future__ import annotations

import time

import pytest

from joint.pipes import together
from joint.sockets import relay_thread
from joint.statistics import LEVEL
from noisewright.errors import InvalidParameter, ProtocolError
from noisewright.joint import CoinLaw, PairToken, Role, party, take_part
from noisewright.joint.coins.messages import Kind
from noisewright.joint.transport.channel import SecureChannel
from noisewright.joint.transport.relay import Limits
from noisewright.randomness import SIMULATED, SeededSource

WHOLE = 1 << 64
LAW = CoinLaw(WHOLE // 2, WHOLE // 4, WHOLE // 4, 0)


@pytest.fixture
def rendezvous(tmp_path):
    with relay_thread(tmp_path) as relay:
        yield relay


def both(rendezvous, count=1, law=LAW, sources=(None, None), patience=60.0):
    token = PairToken.fresh()
    sides = zip(Role, sources, strict=True)
    return together(
        *(
            lambda role=role, source=source: take_part(
                rendezvous, token, role, law, count, patience=patience, source=source
            )
            for role, source in sides
        )
    )


@pytest.mark.parametrize("count", [1, 20, 300])
def test_both_get_the_flags_of_one_coin(rendezvous, count):
    first, second = both(rendezvous, count, sources=(SeededSource(1), SeededSource(2)))
    meant = LAW.flags(SeededSource(1).stream().draw(count) + SeededSource(2).stream().draw(count))
    assert (first.flags == meant[0]).all()
    assert (second.flags == meant[1]).all()
    assert first.joint
    assert second.joint
    assert first.randomness == SIMULATED
    assert "honest but curious" in first.security_model


def test_flags_alone_keep_the_marginal():
    """Exact binomial tails at 10⁻⁹, and power: two percent off is told apart at this size."""
    from scipy.stats import binom

    law = CoinLaw(WHOLE // 8 * 4, WHOLE // 8 * 2, WHOLE // 8, WHOLE // 8)
    for role, share in ((Role.FIRST, 0.75), (Role.SECOND, 0.625)):
        truths = int(party.flags_alone(law, role, 100_000, SeededSource(4)).sum())
        assert binom.ppf(LEVEL / 2, 100_000, share) <= truths <= binom.isf(LEVEL / 2, 100_000, share)
        assert truths < binom.ppf(LEVEL / 2, 100_000, share + 0.02)


def test_without_a_partner_or_a_relay_the_flags_are_drawn_alone(tmp_path):
    with relay_thread(tmp_path, Limits(waiting_seconds=0.1)) as rendezvous:
        waited = take_part(rendezvous, PairToken.fresh(), Role.FIRST, LAW, 5)
    gone = take_part(rendezvous, PairToken.fresh(), Role.SECOND, LAW, 5)
    assert [outcome.joint for outcome in (waited, gone)] == [False, False]
    assert [outcome.flags.shape for outcome in (waited, gone)] == [(5,), (5,)]
    assert "did not come" in waited.reason
    assert "cannot be reached" in gone.reason


def test_a_partner_that_goes_silent_ends_at_the_deadline(rendezvous):
    token = PairToken.fresh()

    def silent():
        pipe = rendezvous.meet(token, time.monotonic() + 10)
        with pipe, pytest.raises(ProtocolError):
            SecureChannel(pipe, token, Role.SECOND, party.terms(LAW, 1)).receive(Kind.DONE)

    _, outcome = together(silent, lambda: take_part(rendezvous, token, Role.FIRST, LAW, 1, patience=1))
    assert not outcome.joint


def test_partners_with_different_laws_fall_back_both(rendezvous):
    token = PairToken.fresh()
    other = CoinLaw(WHOLE, 0, 0, 0)
    first, second = together(
        lambda: take_part(rendezvous, token, Role.FIRST, LAW, 1, patience=5),
        lambda: take_part(rendezvous, token, Role.SECOND, other, 1, patience=5),
    )
    assert not first.joint
    assert not second.joint
    assert "other weights" in first.reason + second.reason


@pytest.mark.parametrize(
    "arguments", [{"count": 0}, {"count": 5000}, {"patience": 0}, {"weights": (1, 2, 3, 4)}]
)
def test_wrong_parameters_are_refused_and_not_papered_over(rendezvous, arguments):
    with pytest.raises(InvalidParameter):
        take_part(rendezvous, PairToken.fresh(), Role.FIRST, **{"weights": LAW, **arguments})
