"""All that a secret remembers, as one value: the secret world, the account, what was told so far."""

from __future__ import annotations

import hmac
import json
import math
from dataclasses import dataclass, field, fields
from typing import Any, Final

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.io.strict_json import strict_json
from noisewright.parameters import is_number, whole
from noisewright.randomness import SecureSource, Source
from noisewright.release.basics.pool import Pool
from noisewright.release.basics.worlds import Worlds, draw_world
from noisewright.release.composition.account import Account
from noisewright.release.composition.posterior import Posterior

DIGEST_BYTES: Final = 32


@dataclass(frozen=True, eq=False)
class State:
    """One moment in the life of a secret; it has no ``repr`` that shows the secret world."""

    worlds: Worlds
    account: Account
    simulated: bool
    world: int = field(repr=False)
    posterior: Posterior = field(repr=False)
    key: bytes = field(repr=False)
    fingerprint: bytes = field(repr=False)

    def __post_init__(self) -> None:
        whole("the hidden world", self.world, 0, self.worlds.count - 1)
        if not isinstance(self.simulated, bool):
            raise InvalidParameter("simulated must be true or false")
        if len(self.key) != DIGEST_BYTES or len(self.fingerprint) != DIGEST_BYTES:
            raise InvalidParameter(f"key and fingerprint have {DIGEST_BYTES} bytes each")
        weights = self.posterior.log_weights
        if weights.shape != (self.worlds.count,) or weights.max() != 0 or not weights[self.world] > -math.inf:
            raise InvalidParameter("weights must be one for each world, the largest 0")

    @classmethod
    def draw(cls, pool: Pool, worlds: Worlds, total: float, source: Source) -> State:
        """Draw a new secret: one world, all alike likely."""
        key = SecureSource().words(DIGEST_BYTES // 8).tobytes()
        return cls(
            worlds=worlds,
            account=Account(total),
            simulated=not source.private,
            world=draw_world(worlds, source.stream()),
            posterior=Posterior.uniform(worlds.count),
            key=key,
            fingerprint=fingerprint(pool, key),
        )

    def to_json(self) -> bytes:
        """Return the state as strict JSON; ``null`` stands for a world that is ruled out."""
        weights = self.posterior.log_weights.tolist()
        content = {
            "worlds": [self.worlds.records, self.worlds.count, self.worlds.seed],
            "account": self.account.to_dict(),
            "simulated": self.simulated,
            "world": self.world,
            "posterior": [None if weight == -math.inf else weight for weight in weights],
            "key": self.key.hex(),
            "fingerprint": self.fingerprint.hex(),
        }
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, text: bytes) -> State:
        """Return the state of a text; anything else is rejected."""
        content = strict_json(text, "the state of a secret")
        if not isinstance(content, dict) or set(content) != {part.name for part in fields(cls)}:
            raise InvalidParameter("these are not the fields of a secret")
        try:
            return cls(
                worlds=Worlds(*content["worlds"]),
                account=Account.from_dict(content["account"]),
                simulated=content["simulated"],
                world=content["world"],
                posterior=Posterior(np.array([_log_weight(weight) for weight in content["posterior"]])),
                key=bytes.fromhex(content["key"]),
                fingerprint=bytes.fromhex(content["fingerprint"]),
            )
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise InvalidParameter("a field of the secret is of another kind") from None


def fingerprint(pool: Pool, key: bytes) -> bytes:
    """Return a keyed tag that recognizes the same rows and labels, and without its key reveals nothing.

    The names of the columns do not count.

    >>> from noisewright.release.basics.pool import read_pool
    >>> key, integers, floats = bytes(32), [[1], [2], [3], [4]], [[1.0], [2.0], [3.0], [4.0]]
    >>> fingerprint(read_pool(integers), key) == fingerprint(read_pool(floats), key)
    True
    """
    labels = None if pool.labels is None else pool.labels.tolist()
    head = json.dumps([pool.rows.shape, labels]).encode()
    digest = hmac.new(key, len(head).to_bytes(8, "big") + head, "sha256")
    digest.update(np.ascontiguousarray(pool.rows, dtype="<f8").data.cast("B"))
    return digest.digest()


def _log_weight(weight: Any) -> float:
    if weight is None:
        return -math.inf
    if not is_number(weight) or not math.isfinite(weight):
        raise ValueError("a weight must be a finite number, or null")
    return float(weight)
