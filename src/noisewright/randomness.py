"""Random words: a cryptographic stream for people's data, a seeded one for tests and simulations.

Both are AES-256 in counter mode, drawn in blocks. A :class:`SecureSource` holds no state at all: each
call of a mechanism opens a fresh :class:`Stream` under a key from the operating system and drops it at
the end. So two threads never share a stream, a forked child never repeats its parent's words, and no key
outlives its call on purpose (freed memory is not wiped; ``docs/threat-model.md``).

    >>> SecureSource().words(3).shape
    (3,)
    >>> SeededSource(7).private
    False
"""

from __future__ import annotations

import hashlib
import os
import threading
from abc import ABC, abstractmethod
from typing import Final

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes
from numpy.typing import NDArray

from noisewright.parameters import whole

Words = NDArray[np.uint64]

BLOCK: Final = 1 << 15
"""Words drawn at a time: 256 KiB, large enough to hide the call and small enough for the cache."""

REKEY: Final = 1 << 27
"""Words after which a secure stream takes a new key: a gibibyte, far below AES-CTR's birthday bound."""

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 16
_ZEROS: Final = bytes(8 * BLOCK)


_forks = 0
"""How often this process was forked off another; unlike a process number, it is never reused."""


def _forked() -> None:
    global _forks  # noqa: PLW0603
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class Stream:
    """Words under one key, for one thread; a stream that finds itself in a forked child takes a new key."""

    def __init__(self, key: bytes, nonce: bytes, *, renewable: bool) -> None:
        self._renewable = renewable
        self._start(key, nonce)

    def _start(self, key: bytes, nonce: bytes) -> None:
        self._cipher: CipherContext = Cipher(algorithms.AES(key), modes.CTR(nonce)).encryptor()
        self._process = (os.getpid(), _forks)
        self._drawn = 0

    def fill(self, words: Words) -> None:
        """Overwrite a contiguous array with fresh random words."""
        if self._renewable and (self._drawn >= REKEY or self._process != (os.getpid(), _forks)):
            self._start(os.urandom(KEY_BYTES), os.urandom(NONCE_BYTES))
        # CTR mode is a key stream added to the plain text, so encrypting zeros yields the stream itself.
        view = memoryview(words.data).cast("B")
        for start in range(0, len(view), len(_ZEROS)):
            block = view[start : start + len(_ZEROS)]
            self._cipher.update_into(_ZEROS if len(block) == len(_ZEROS) else _ZEROS[: len(block)], block)
        self._drawn += words.size

    def draw(self, count: int) -> Words:
        """Return fresh random words in a new array."""
        words = np.empty(count, dtype=np.uint64)
        self.fill(words)
        return words


class Source(ABC):
    """A source of random words for mechanisms."""

    private: bool
    """Whether an outsider cannot predict the words; only then does a guarantee hold."""

    @abstractmethod
    def stream(self) -> Stream:
        """Open a stream for one call of one mechanism, never shared between threads."""

    def words(self, count: int) -> Words:
        """Return fresh random 64-bit words."""
        return self.stream().draw(count)


class SecureSource(Source):
    """Words keyed by the operating system, one new key for every call; safe across threads and forks."""

    private = True

    def stream(self) -> Stream:
        return Stream(os.urandom(KEY_BYTES), os.urandom(NONCE_BYTES), renewable=True)

    def __repr__(self) -> str:
        return "SecureSource()"


class SeededSource(Source):
    """Repeatable words for tests and simulations. **Not private**: whoever knows the seed can undo the noise.

    Calls are numbered, so the same calls in the same order give the same words.

    >>> a, b = SeededSource(7), SeededSource(7)
    >>> bool((a.words(4) == b.words(4)).all())
    True
    """

    private = False

    def __init__(self, seed: int) -> None:
        self.seed = whole("seed", seed, 0, (1 << 128) - 1)
        self._calls = 0
        self._lock = threading.Lock()

    def stream(self) -> Stream:
        with self._lock:
            call, self._calls = self._calls, self._calls + 1
        key = hashlib.sha256(f"noisewright seeded source {self.seed} call {call}".encode()).digest()
        return Stream(key, bytes(NONCE_BYTES), renewable=False)

    def after(self, calls: int) -> SeededSource:
        """Return this source as it stands after a number of calls, for work that is divided.

        >>> whole, part = SeededSource(7), SeededSource(7).after(1)
        >>> _ = whole.words(4)
        >>> bool((whole.words(4) == part.words(4)).all())
        True
        """
        later = SeededSource(self.seed)
        later._calls = calls
        return later

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeededSource) and self.__getstate__() == other.__getstate__()

    __hash__ = None  # type: ignore[assignment]  # it changes with every call

    def __getstate__(self) -> dict[str, int]:
        return {"seed": self.seed, "calls": self._calls}

    def __setstate__(self, state: dict[str, int]) -> None:
        self.seed, self._calls, self._lock = state["seed"], state["calls"], threading.Lock()

    def __repr__(self) -> str:
        return f"SeededSource({self.seed})"


SIMULATED: Final = "simulated with a seeded stream: NOT PRIVATE, for tests and research only"


def label(source: Source) -> str:
    """Return the mark that output drawn from a source must carry wherever it goes.

    >>> label(SeededSource(1))
    'simulated with a seeded stream: NOT PRIVATE, for tests and research only'
    """
    return "cryptographic" if source.private else SIMULATED


_WORDS = 1 << 64
"""Number of random words."""


def uniform_below(bound: int, count: int, stream: Stream) -> NDArray[np.int64]:
    """Draw numbers below a bound, all exactly equally likely; words that would favour some are redrawn."""
    words = stream.draw(count)
    if _WORDS % bound:
        fair = np.uint64(_WORDS - _WORDS % bound)
        while (unfair := words >= fair).any():
            words[unfair] = stream.draw(int(unfair.sum()))
    return (words % np.uint64(bound)).astype(np.int64)


def uniform_order(count: int, stream: Stream) -> NDArray[np.int64]:
    """Draw a uniformly random order by sorting random keys; if two are equal, all are drawn again.

    Given that no two are equal, every order is equally likely; keeping equal keys would favour some.
    """
    while True:
        # Stated as little-endian bytes, so that every machine finds the same order from the same seed.
        keys = stream.draw(count).view("<u8")
        order = np.argsort(keys)
        ranked = keys[order]
        if not (ranked[1:] == ranked[:-1]).any():
            return order
