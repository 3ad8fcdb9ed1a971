"""One user's side of a pair: its truth flags, drawn together with its partner, or alone if that fails.

A device calls :func:`take_part` *before* it looks at its value; only flags come out, and a report is made
of a value and a flag afterwards. Whatever goes wrong (no relay, no partner, a partner that stops answering
or sends nonsense) ends in plain randomized response with fresh coins, and the outcome says so. Coins of a
session that was not finished are dropped.

**A session can end for one side only**, since the last message may be lost: the first then keeps its flag
while the second draws afresh. Nothing leaks. A party never learns more than its own flag, and an aborted
flag is not used for any report. For one's privacy it does not matter whether the partner's flag is still
correlated: the partner's device computes its report from its own flag. The own flag keeps the law P[T = 1] =
p of randomized response either way, since the fresh coin has that law too and the loss of a message does not
depend on flags. A partner who is *not* honest may abort depending on the flag it saw. Given what the partner
knows, the own flag then has either its joint law given the partner's flag or a fresh p. That is never worse
than what the mechanism states for a colluding partner.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from noisewright.errors import ProtocolError
from noisewright.joint.coins.coin import MAX_COINS, SECURITY_MODEL, draw_coins
from noisewright.joint.coins.law import WIDTH, Bits, CoinLaw
from noisewright.joint.coins.messages import Role
from noisewright.joint.transport.channel import SecureChannel
from noisewright.joint.transport.keys import PairToken
from noisewright.joint.transport.rendezvous import Rendezvous
from noisewright.parameters import Parameter, whole
from noisewright.randomness import SecureSource, Source, label

PATIENCE: Final = Parameter(
    name="patience",
    meaning="seconds until a pair must have finished, waiting for the partner included",
    above=0,
    at_most=3600,
    usual=(10, 30, 60),
)

TOGETHER: Final = "drawn together with the partner"


@dataclass(frozen=True)
class Outcome:
    """A device's truth flags and how they came about.

    The flags are as private as the value: flag and report together give it away, so they have no place in a
    ``repr``.

    Attributes:
        flags: For each coin, whether the device reports the truth.
        joint: Whether the partner took part.
        reason: Why it did not, in words without secrets; :data:`TOGETHER` if it did.
        randomness: Where the noise came from, in words.
        security_model: What is promised, and what each partner is trusted with.
    """

    flags: Bits = field(repr=False)
    joint: bool
    reason: str
    randomness: str
    security_model: str = SECURITY_MODEL


def take_part(
    rendezvous: Rendezvous,
    token: PairToken,
    role: Role,
    weights: CoinLaw | Sequence[int],
    count: int = 1,
    *,
    patience: float = 30.0,
    source: Source | None = None,
) -> Outcome:
    """Return the device's truth flags: drawn with its partner, or alone if that fails.

    Args:
        rendezvous: The relay at which the partners meet.
        token: The secret of the pair. It serves one attempt, whether or not the partner came; another with
            the same token fails.
        role: This device's role in the pair; the grouping assigns it.
        weights: The joint law, or its four weights out of 2⁶⁴: both tell the truth, only the first, only the
            second, neither.
        count: Number of coins, from 1 to 4096.
        patience: Seconds until the pair must have finished, above 0 and at most 3600.
        source: Randomness, for tests; by default a :class:`~noisewright.randomness.SecureSource`.
    """
    law = CoinLaw.of(weights)
    whole("the number of coins", count, 1, MAX_COINS)
    deadline = time.monotonic() + PATIENCE.check(patience)
    source = source or SecureSource()
    try:
        with rendezvous.meet(token, deadline) as pipe:
            channel = SecureChannel(pipe, token, role, terms(law, count))
            flags = draw_coins(channel, role, law, count, source)
    except ProtocolError as error:
        return Outcome(flags_alone(law, role, count, source), False, str(error), label(source))
    return Outcome(flags, True, TOGETHER, label(source))


def flags_alone(law: CoinLaw, role: Role, count: int, source: Source) -> Bits:
    """Draw plain randomized response with the marginal that the joint law gives this role, from fresh words.

    >>> flags_alone(CoinLaw(1 << 63, 1 << 63, 0, 0), Role.FIRST, 3, SecureSource())
    array([ True,  True,  True])
    """
    words = source.words(count) >> np.uint64(WIDTH - law.width)
    return law.marginal_flags(words, first=role is Role.FIRST)


def terms(law: CoinLaw, count: int) -> bytes:
    """Return a digest of the terms that two partners must agree on before they start."""
    return hashlib.sha256(law.fingerprint + count.to_bytes(8, "little")).digest()
