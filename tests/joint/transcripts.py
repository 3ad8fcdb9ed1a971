"""What each party of a session sees, as one row of bits a coin, and protocols that leak on purpose.

A party's own share is held fixed, so that R follows the *other's* share alone and any leak of it shows.
Tests of these views find what shows in a bit or in a sum of two. A leak that takes computing, as of the secret offset,
would not show: against those stands the argument in ``garbling.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from noisewright.joint.coins import coin
from noisewright.joint.coins.labels import GateHash, colours
from noisewright.randomness import SeededSource, Source, Stream


class FixedShare(Source):
    """A seeded source whose first draw, the party's share of every coin, is one and the same word."""

    private = False

    def __init__(self, seed: int, word: int, width: int) -> None:
        self._stream = SeededSource(seed).stream()
        share = np.uint64(word << (64 - width))
        draw, first = self._stream.draw, iter([True])
        self._stream.draw = lambda count: (  # type: ignore[method-assign]
            np.full(count, share) if next(first, False) else draw(count)
        )

    def stream(self) -> Stream:
        return self._stream


@dataclass
class Recorded:
    """What garbling and evaluation were given and made, call by call."""

    garble: list = field(default_factory=list)
    evaluate: list = field(default_factory=list)

    @property
    def rows(self) -> np.ndarray:
        """Garbled rows, ``[coin, i, half, comparison]``."""
        return np.concatenate([np.moveaxis(given[0], 2, 0) for given, _ in self.evaluate])

    @property
    def active(self) -> np.ndarray:
        """The evaluator's labels of its own bits, ``[coin, i]``."""
        return np.concatenate([given[1] for given, _ in self.evaluate])

    @property
    def flag_labels(self) -> tuple[np.ndarray, np.ndarray]:
        """The labels of T₁ and T₂ that the evaluator ends with."""
        first, second = zip(*(made for _, made in self.evaluate), strict=True)
        return np.concatenate(first), np.concatenate(second)

    @property
    def zeros(self) -> np.ndarray:
        """The garbler's labels for 0, ``[coin, i]``."""
        return np.concatenate([given[1] for given, _ in self.garble])

    @property
    def masks(self) -> tuple[np.ndarray, np.ndarray]:
        """The colours that mean 0 for T₁ and T₂, which the garbler knows; the second also decodes T₂."""
        made = [made for _, made in self.garble]
        first, second = [one.first_colours for one in made], [one.second_colours for one in made]
        return np.concatenate(first), np.concatenate(second)


def record(monkeypatch) -> Recorded:
    """Keep a record of all garbling and evaluation from now on."""
    recorded = Recorded()
    for name in ("garble", "evaluate"):
        original, calls = getattr(coin, name), getattr(recorded, name)

        def keep(*arguments, original=original, calls=calls):
            result = original(*arguments)
            calls.append((arguments, result))
            return result

        monkeypatch.setattr(coin, name, keep)
    return recorded


def bits_of(words: np.ndarray) -> np.ndarray:
    """All bits of arrays of words or bytes, one row for each entry of the first axis."""
    octets = np.ascontiguousarray(words).reshape(len(words), -1).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").astype(bool)


def evaluator_view(recorded: Recorded, *messages: np.ndarray) -> np.ndarray:
    """Rows, own labels, labels of both flags, the decoding bit, other messages; and sums of these.

    The sums are those that evaluation itself forms (the second row with the own label), and of the last rows, the own
    labels and the flags' labels with the colour of T₁ and with the decoding bit.
    """
    rows, active, flags = recorded.rows, recorded.active, recorded.flag_labels
    colour, decode = colours(flags[0]), recorded.masks[1]
    few = np.column_stack([bits_of(part) for part in (rows[:, -1], active, *flags)])
    unmasked = bits_of(rows[:, :, 1] ^ active[:, :, None])
    sums = [decode ^ colour, few ^ colour[:, None], few ^ decode[:, None], unmasked]
    return np.column_stack([bits_of(rows), few, decode, *map(bits_of, messages), *sums])


def garbler_view(recorded: Recorded, *messages: np.ndarray) -> np.ndarray:
    """All messages, labels for 0 computed from them, and sums with the two bits that decode both flags."""
    view = np.column_stack([bits_of(part) for part in (*messages, recorded.zeros)])
    first, second = recorded.masks
    return np.column_stack([view, view ^ first[:, None], view ^ second[:, None]])


def partly(truth: np.ndarray, share: float, seed: int = 9) -> np.ndarray:
    """A bit that tells the truth in this share of coins and is random in the others."""
    chance, noise = np.random.default_rng(seed).random((2, truth.size))
    return np.where(chance < share, truth, noise < 0.5)


class DeadBitHash(GateHash):
    """Leaky: one bit of the hash is 0 whatever the label, so what it should hide there lies open.

    Half gates compute right flags with any hash at all; only secrecy needs a good one.
    """

    place = 0

    def __call__(self, labels, numbers):
        hashed = super().__call__(labels, numbers)
        hashed[..., self.place // 64] &= ~(np.uint64(1) << np.uint64(self.place % 64))
        return hashed

    def lanes(self, labels, numbers, size):
        dead = int.from_bytes((1 << self.place).to_bytes(16, "little") * (size // 16), "little")
        return super().lanes(labels, numbers, size) & ~dead


def dead_bit(monkeypatch, place: int) -> None:
    """Let both parties use a hash with a dead bit; bit 0 is the colour."""
    monkeypatch.setattr(coin, "GateHash", type("Dead", (DeadBitHash,), {"place": place}))
