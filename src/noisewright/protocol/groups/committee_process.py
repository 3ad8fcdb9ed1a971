"""One member of a committee, as a process: ``python -m noisewright.protocol.groups.committee_process``.

MPyC reads the command line and sets up logging when it is imported, so it lives here and nowhere else. The
member is told its place, answers with its public key and certificate, gets the sealed shares and everyone's
addresses, and answers with the published board. See ``committee.py`` for the model.
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
from noisewright.protocol.groups.committee_certificate import make_certificate, trust
from noisewright.protocol.groups.committee_randomness import FieldElements
from noisewright.protocol.groups.committee_ticket import COLUMNS, FIELD, Board, purpose_of, unpack
from noisewright.protocol.groups.sealed import SealingKey
from noisewright.protocol.groups.sorting_network import apply_layer, layers
from noisewright.protocol.run.child import Parent, serve

KEY_BITS = 64
MASKING_BITS = 60
"""Each comparison hides its operands but for a statistical distance of 2⁻⁶⁰: of 1,000 users, 2⁻⁴⁵ in all."""

SPLIT_BITS = 3
"""MPyC lets one member more than a minority, five at most, draw a mask together, each from its part of the
range, rounded down to a power of two: so much wider is the range, for one honest member's part to suffice.
"""


def work(parent: Parent) -> None:
    """Do a member's part in one round."""
    first, key = parent.told(), SealingKey()
    with parent.undisturbed:
        place = tempfile.TemporaryDirectory(prefix="noisewright-member-")
        parent.tidy = place.cleanup  # the private key of the certificate lies there
        folder = Path(place.name)
        certificate = make_certificate(folder, first["index"])
    with place:
        parent.answer(public_key=key.public.hex(), certificate=certificate)
        told = parent.told()
        trust(folder, told["certificates"])
        shares = read_shares(key, first["round"], told["letters"])
        runtime = start_runtime(folder, first["index"], told["addresses"])
        board = runtime.run(publish(runtime, shares, parent.answer))
        parent.answer(**board.to_dict())


def read_shares(key: SealingKey, round_id: str, letters: Sequence[str]) -> list[list[int]]:
    """A member's shares of all tickets, in the order of the users; zeros for one that cannot be read.

    With zeros the ticket comes out as another than its user's, who finds no seat and is told so; a refusal
    would let any user stop the round for all.
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
    """MPyC's runtime, set up for this member."""
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
        rows = np.concatenate((keys.reshape(-1, 1), _joined(runtime, integers, shares)), axis=1)
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
    """Shared keys, exactly uniform below 2⁶⁴ whatever a minority of members knows: bits tossed together.

    Every bit is a product of signs, one from each of more members than a minority has. (The members' numbers
    could be summed more cheaply, but who knows one summand knows which keys are likely to be large.)
    """
    bits = await runtime.gather(runtime.np_random_bits(integers, KEY_BITS * users))
    places = np.arange(KEY_BITS).astype(object)
    keys = (bits.value.reshape(users, KEY_BITS) << places).sum(axis=1)
    return integers.array(integers.field.array(keys))


def _joined(runtime: Any, integers: Any, shares: Sequence[Sequence[int]]) -> Any:
    """The tickets, shared as MPyC shares: the sum of what every member was given."""
    mine = integers.array(np.array(shares, dtype=object))
    return sum(runtime.input(mine))


def _numbers(elements: Any) -> tuple[int, ...]:
    return tuple(int(value) % FIELD for value in elements.value.tolist())


if __name__ == "__main__":
    serve(work)
