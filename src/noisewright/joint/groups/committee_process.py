"""One member of a committee, as a process: ``python -m noisewright.joint.groups.committee_process``.

MPyC reads the command line and sets up logging when it is imported, so it lives here and nowhere else. The
member receives its place, answers with its public key and certificate, gets the sealed shares and everyone's
addresses, and answers with the published board. See ``committee.py`` for the model.

The members recognize each other by certificates: each makes one, and trusts those of this round. MPyC seeks
its files under ``.config`` of the current folder and expects member i to be called "MPyC party i"; both sides
of a connection must show a certificate. Private keys stay in the folder of their member.
"""

from __future__ import annotations

import datetime
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from cryptography import x509

from noisewright.errors import ProtocolError
from noisewright.joint.groups.committee_ticket import COLUMNS, FIELD, Board, purpose_of, unpack
from noisewright.joint.groups.sorting_network import apply_layer, layers
from noisewright.joint.transport.child import Parent, serve
from noisewright.joint.transport.keys import SealingKey
from noisewright.joint.transport.tls import self_signed
from noisewright.parameters import whole
from noisewright.randomness import SecureSource

KEY_BITS: Final = 64
MASKING_BITS: Final = 60
"""Each comparison hides its operands but for a statistical distance of 2⁻⁶⁰: of 1,000 users, 2⁻⁴⁵ in all."""

SPLIT_BITS: Final = 3
"""MPyC lets one member more than a minority, five at most, draw a mask together, each from its part of the
range, rounded down to a power of two. The range is wider by this factor, so that one honest part suffices.
"""

LIFETIME: Final = datetime.timedelta(days=1)
FOLDER: Final = ".config"


def make_certificate(folder: Path, index: int) -> str:
    """Make a member's key and certificate in a folder of its own; return the certificate as text."""
    own = x509.BasicConstraints(ca=False, path_length=None)
    certificate, secret = self_signed(f"MPyC party {index}", LIFETIME, (own, True))
    place = folder / FOLDER
    place.mkdir(mode=0o700)
    private = os.open(place / f"party_{index}.key", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with open(private, "wb") as file:
        file.write(secret)
    (place / f"party_{index}.crt").write_bytes(certificate)
    return certificate.decode()


def trust(folder: Path, certificates: list[str]) -> None:
    """Let a member trust the members of its round, and nobody else."""
    whole("members of a committee", len(certificates), 2, 1000)
    (folder / FOLDER / "mpyc_ca.crt").write_text("".join(certificates))


BATCH_WORDS: Final = 3 * (1 << 12)


class FieldElements:
    """A replacement for the standard module ``secrets``, as MPyC uses it, fed by an AES-256 counter stream.

    >>> elements = FieldElements((1 << 130) - 5)
    >>> 0 <= elements.randbelow((1 << 130) - 5) < (1 << 130) - 5, elements.randbits(1) in (0, 1)
    (True, True)
    """

    token_bytes = staticmethod(secrets.token_bytes)

    def __init__(self, order: int) -> None:
        self.order = whole("the order of a field", order, 2, 1 << 256)
        self._stream = SecureSource().stream()
        self._elements, self._bits = self._draw_elements(), self._draw_bits()

    def randbelow(self, order: int) -> int:
        """Return a uniform number below ``order``, from the stream if that is the field's order."""
        return next(self._elements) if order == self.order else secrets.randbelow(order)

    def randbits(self, count: int) -> int:
        """Return a number of ``count`` uniform bits, from the stream if it is one bit."""
        return next(self._bits) if count == 1 else secrets.randbits(count)

    def _draw_elements(self) -> Iterator[int]:
        bits = (self.order - 1).bit_length()
        size = -(-bits // 8)
        while True:
            drawn = self._stream.draw(BATCH_WORDS).tobytes()
            for start in range(0, len(drawn) - size + 1, size):
                number = int.from_bytes(drawn[start : start + size], "little") >> (8 * size - bits)
                if number < self.order:  # a number beyond the field is dropped, not folded back
                    yield number

    def _draw_bits(self) -> Iterator[int]:
        while True:
            for byte in self._stream.draw(BATCH_WORDS).tobytes():
                yield from ((byte >> place) & 1 for place in range(8))


def work(parent: Parent) -> None:
    """Do a member's part in one round."""
    first, key = parent.receive(), SealingKey()
    with parent.undisturbed:
        place = tempfile.TemporaryDirectory(prefix="noisewright-member-")
        parent.tidy = place.cleanup  # the private key of the certificate lies there
        folder = Path(place.name)
        certificate = make_certificate(folder, first["index"])
    with place:
        parent.answer(public_key=key.public.hex(), certificate=certificate)
        instruction = parent.receive()
        trust(folder, instruction["certificates"])
        shares = read_shares(key, first["round"], instruction["letters"])
        runtime = start_runtime(folder, first["index"], instruction["addresses"])
        board = runtime.run(publish(runtime, shares, parent.answer))
        parent.answer(**board.to_dict())


def read_shares(key: SealingKey, round_id: str, letters: Sequence[str]) -> list[list[int]]:
    """Return a member's shares of all tickets, in the order of users; zeros for one that cannot be read.

    With zeros the ticket differs from its user's, who then finds no seat and learns so from the error. A
    refusal would let any user stop the round for all.
    """
    purpose = purpose_of(round_id, key.public)
    shares = []
    for letter in letters:
        try:
            shares.append(unpack(key.open(bytes.fromhex(letter), purpose)))
        except (ProtocolError, ValueError):
            shares.append([0] * COLUMNS)
    return shares


def start_runtime(folder: Path, index: int, addresses: Sequence[str]) -> Any:
    """Return MPyC's runtime, set up for this member."""
    os.chdir(folder)
    peers = [word for address in addresses for word in ("-P", address)]
    # Without pseudorandom sharing a random bit costs one multiplication instead of a root in the field.
    masking = str(MASKING_BITS + SPLIT_BITS)
    options = ["--ssl", "--no-prss", "--no-log", "--no-uvloop", "-I", str(index), "-K", masking]
    sys.argv = ["committee", *peers, *options]
    import mpyc.runtime  # noqa: PLC0415  (reads sys.argv)
    import mpyc.thresha  # noqa: PLC0415

    # MPyC asks the operating system for every coefficient; a key stream of the same strength is much faster.
    mpyc.runtime.secrets = mpyc.thresha.secrets = FieldElements(FIELD)
    return mpyc.runtime.mpc


async def publish(runtime: Any, shares: Sequence[Sequence[int]], answer: Callable[..., None]) -> Board:
    """Sort the tickets by secret keys, unopened; then open the tags, and the sums of neighbours' pads."""
    integers = runtime.SecInt(KEY_BITS + 1, p=FIELD)  # one bit more: the sign of a difference
    async with runtime:
        keys = await draw_keys(runtime, integers, len(shares))
        rows = np.concatenate((keys.reshape(-1, 1), _shared_tickets(runtime, integers, shares)), axis=1)
        network = list(layers(len(shares)))
        for done, layer in enumerate(network, start=1):
            rows = apply_layer(rows, layer, runtime.np_less)
            # Wait for the layer, or MPyC would draw the random bits of all layers at once and hold them.
            rows = integers.array(await runtime.gather(rows))
            answer(progress="sorting", done=done, total=len(network))
        tags = await runtime.output(rows[:, 1], raw=True)
        sums = await runtime.output(rows[::2, 2:] + rows[1::2, 2:], raw=True)
    return Board(_numbers(tags), tuple(_numbers(row) for row in sums))


async def draw_keys(runtime: Any, integers: Any, users: int) -> Any:
    """Return shared keys, uniform below 2⁶⁴ whatever a minority of members knows: bits tossed together.

    Every bit is a product of signs, one from each of more members than a minority has. (Summing the members'
    numbers would be cheaper, but whoever knows one summand knows which keys are likely to be large.)
    """
    bits = await runtime.gather(runtime.np_random_bits(integers, KEY_BITS * users))
    places = np.arange(KEY_BITS).astype(object)
    keys = (bits.value.reshape(users, KEY_BITS) << places).sum(axis=1)
    return integers.array(integers.field.array(keys))


def _shared_tickets(runtime: Any, integers: Any, shares: Sequence[Sequence[int]]) -> Any:
    """Return the tickets, shared as MPyC shares: each is the sum of the members' shares."""
    mine = integers.array(np.array(shares, dtype=object))
    return sum(runtime.input(mine))


def _numbers(elements: Any) -> tuple[int, ...]:
    return tuple(int(value) % FIELD for value in elements.value.tolist())


if __name__ == "__main__":
    serve(work)
