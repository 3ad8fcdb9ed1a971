"""One member of a committee, as a process: ``python -m noisewright.protocol.committee_process``.

MPyC reads the command line and sets up logging when it is imported, so it lives here and nowhere else. The
member is told its place, answers with its public key and certificate, gets the sealed shares and everyone's
addresses, and answers with the published board. See :mod:`noisewright.protocol.committee` for the model.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from noisewright.errors import ProtocolError
from noisewright.protocol.child import Parent, serve
from noisewright.protocol.committee_certificate import make_certificate, trust
from noisewright.protocol.committee_randomness import FieldElements
from noisewright.protocol.committee_ticket import FIELD, KEY_BITS, Board, purpose_of, unpack
from noisewright.protocol.sealed import SealingKey
from noisewright.protocol.sorting_network import apply_layer, layers

MASKING_BITS = 60
"""Each comparison hides its operands but for a statistical distance of 2⁻⁶⁰; a network has far below 2³⁰."""


def work(parent: Parent) -> None:
    """Do a member's part in one round."""
    place = tempfile.TemporaryDirectory(prefix="noisewright-member-")
    parent.tidy = place.cleanup  # the private key of the certificate lies there
    with place:
        folder, first, key = Path(place.name), parent.told(), SealingKey()
        certificate = make_certificate(folder, first["index"])
        parent.answer(public_key=key.public.hex(), certificate=certificate)
        told = parent.told()
        trust(folder, told["certificates"])
        shares = read_shares(key, first["round"], told["letters"])
        runtime = start_runtime(folder, first["index"], told["addresses"])
        board = runtime.run(publish(runtime, shares, parent.answer))
        parent.answer(**board.to_dict())


def read_shares(key: SealingKey, round_id: str, letters: Sequence[str]) -> list[list[int]]:
    """A member's shares of all tickets, in the order of the users."""
    purpose = purpose_of(round_id, key.public)
    shares = []
    for user, letter in enumerate(letters):
        try:
            shares.append(unpack(key.open(bytes.fromhex(letter), purpose)))
        except (ProtocolError, ValueError):
            raise ProtocolError(f"the ticket of user {user} cannot be read; ask for a new one") from None
    return shares


def start_runtime(folder: Path, index: int, addresses: Sequence[str]) -> Any:
    """MPyC's runtime, set up for this member."""
    os.chdir(folder)
    peers = [word for address in addresses for word in ("-P", address)]
    # Without pseudorandom sharing a random bit costs one multiplication instead of a root in the field.
    options = ["--ssl", "--no-prss", "--no-log", "--no-uvloop", "-I", str(index), "-K", str(MASKING_BITS)]
    sys.argv = ["committee", *peers, *options]
    import mpyc.runtime  # noqa: PLC0415  (reads sys.argv)
    import mpyc.thresha  # noqa: PLC0415

    # MPyC asks the operating system for every coefficient; a key stream of the same strength is much faster.
    mpyc.runtime.secrets = mpyc.thresha.secrets = FieldElements(FIELD)
    return mpyc.runtime.mpc


async def publish(runtime: Any, shares: Sequence[Sequence[int]], answer: Callable[..., None]) -> Board:
    """Sort the tickets without opening them; open the tags, and the sums of neighbours' pads."""
    integers = runtime.SecInt(KEY_BITS + 1, p=FIELD)  # one bit more: the sign of a difference
    async with runtime:
        rows = await _joined(runtime, integers, shares)
        network = list(layers(len(shares)))
        for done, layer in enumerate(network, start=1):
            rows = apply_layer(rows, layer, runtime.np_less)
            # Wait for the layer, or MPyC would draw the random bits of all layers at once and hold them.
            rows = integers.array(await runtime.gather(rows))
            answer(progress="sorting", done=done, total=len(network))
        tags = await runtime.output(rows[:, 1], raw=True)
        sums = await runtime.output(rows[::2, 2:] + rows[1::2, 2:], raw=True)
    return Board(_numbers(tags), tuple(_numbers(row) for row in sums))


async def _joined(runtime: Any, integers: Any, shares: Sequence[Sequence[int]]) -> Any:
    """The tickets, shared as MPyC shares: the sum of what every member was given."""
    mine = integers.array(np.array(shares, dtype=object))
    return sum(runtime.input(mine))


def _numbers(elements: Any) -> tuple[int, ...]:
    return tuple(int(value) % FIELD for value in elements.value.tolist())


if __name__ == "__main__":
    serve(work)
