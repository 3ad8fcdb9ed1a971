"""Wire labels of a garbled circuit, and the hash that binds them to a gate.

A label is 128 bits, two little-endian words along an array's last axis; its lowest bit is its *colour*. The
two labels of a wire differ by one secret offset that is the same on all wires (free XOR: Kolesnikov and
Schneider 2008) and has colour 1, so the colours of a wire's two labels differ (point-and-permute).
"""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

from noisewright.errors import ProtocolError
from noisewright.joint.coins.law import Bits
from noisewright.randomness import Stream

Labels = NDArray[np.uint64]

LABEL_WORDS: Final = 2
LABEL_BYTES: Final = 16
WORD: Final = np.dtype("<u8")
ZERO, ONE = np.uint64(0), np.uint64(1)


def random_offset(stream: Stream) -> Labels:
    """Return a garbler's secret: the offset between the two labels of every wire, of colour 1."""
    offset = stream.draw(LABEL_WORDS)
    offset[0] |= ONE
    return offset


def colours(labels: Labels) -> Bits:
    """Return the lowest bit of each label."""
    return (labels[..., 0] & ONE).astype(np.bool_)


def colour_masks(labels: Labels) -> Labels:
    """Return words of ones where a label has colour 1, zeros elsewhere; they select without a branch."""
    return ZERO - (labels[..., :1] & ONE)


def where(bits: Bits, labels: Labels) -> Labels:
    """Return each label where its bit is set, zero elsewhere."""
    return (ZERO - bits.astype(np.uint64))[..., None] & labels


def pack_labels(labels: Labels) -> bytes:
    """Return labels as bytes for the wire."""
    return labels.astype(WORD, copy=False).tobytes()


def unpack_labels(data: bytes, shape: tuple[int, ...]) -> Labels:
    """Read labels from the wire; refuse a wrong number of them."""
    words = np.frombuffer(data, dtype=WORD) if len(data) % WORD.itemsize == 0 else np.empty(0, dtype=WORD)
    if words.size != LABEL_WORDS * int(np.prod(shape)):
        raise ProtocolError("a message of the partner has a wrong length; both sides need the same version")
    return words.reshape((*shape, LABEL_WORDS)).astype(np.uint64, copy=False)


def pack_bits(bits: Bits) -> bytes:
    """Return bits as bytes for the wire, eight to a byte."""
    return np.packbits(bits, bitorder="little").tobytes()


def unpack_bits(data: bytes, count: int) -> Bits:
    """Read bits from the wire; spare bits of the last byte must be zero, so that they carry nothing."""
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8), bitorder="little").astype(np.bool_)
    if len(data) != -(-count // 8) or bits[count:].any():
        raise ProtocolError("the partner sent a wrong number of bits; both sides need the same version")
    return bits[:count]


class GateHash:
    """A hash of labels with a number for each use: H(x, j) = π(π(x) ⊕ j) ⊕ π(x) for a permutation π.

    π is AES-128 under a key that only this session uses. With an ideal permutation H is *tweakable circular
    correlation robust* (Guo, Katz, Wang and Yu 2019, TMMO): H(x ⊕ offset, j) ⊕ b·offset looks random for any
    x the adversary picks, as long as the offset is secret. This is what half gates need.

    >>> one, two = GateHash(b"session one"), GateHash(b"session two")
    >>> label, number = np.zeros(2, dtype=np.uint64), np.zeros(2, dtype=np.uint64)
    >>> bool((one(label, number) == two(label, number)).any())
    False
    """

    def __init__(self, session: bytes) -> None:
        key = hashlib.sha256(b"noisewright gate hash\0" + session).digest()[:16]
        # ECB is right here: the cipher stands for a public random permutation, and hides nothing by itself.
        self._permutation = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305

    def __call__(self, labels: Labels, numbers: Labels) -> Labels:
        """Hash each label under its number, which is written like a label."""
        inner = self._permute(labels)
        return self._permute(inner ^ numbers) ^ inner

    def lanes(self, labels: int, numbers: int, size: int) -> int:
        """Hash labels side by side in one whole number of ``size`` bytes (see ``garbling.Lanes``)."""
        permute, read = self._permutation.update, int.from_bytes
        inner = read(permute(labels.to_bytes(size, "little")), "little")
        return read(permute((inner ^ numbers).to_bytes(size, "little")), "little") ^ inner

    def _permute(self, labels: Labels) -> Labels:
        image = self._permutation.update(labels.astype(WORD, copy=False).tobytes())
        return np.frombuffer(image, dtype=WORD).reshape(labels.shape).astype(np.uint64, copy=False)
