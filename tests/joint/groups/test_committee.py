"""The committee, between real processes: pairs agree, nobody else can know, and errors are told."""

from __future__ import annotations

import asyncio
import dataclasses
import math
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from noisewright.errors import InvalidParameter, MissingExtra, ProtocolError
from noisewright.joint.coins.messages import Role
from noisewright.joint.groups.committee import (
    FEWEST_MEMBERS,
    MOST_MEMBERS,
    SECURITY_MODEL,
    Committee,
    free_addresses,
)
from noisewright.joint.groups.committee_process import (
    KEY_BITS,
    MASKING_BITS,
    SPLIT_BITS,
    FieldElements,
    draw_keys,
    read_shares,
)
from noisewright.joint.groups.committee_ticket import (
    FIELD,
    Board,
    Ticket,
    pack,
    publish_plainly,
    purpose_of,
    unpack,
)
from noisewright.joint.transport.keys import SealingKey, seal
from noisewright.randomness import SeededSource

ROUND = "round 1"


def published(users: list[Ticket], members: int = 3) -> Board:
    with Committee(ROUND, members, timeout=120) as committee:
        return committee.publish([user.letters(committee.public_keys) for user in users])


@pytest.fixture(scope="module")
def secure_round():
    users = [Ticket(ROUND) for _ in range(24)]
    return users, published(users)


def in_order(users: list[Ticket], board: Board) -> list[Ticket]:
    return sorted(users, key=lambda user: board.rows[user._tag])


def test_the_committee_publishes_what_its_order_gives_in_the_open(secure_round):
    users, board = secure_round
    assert board == publish_plainly(in_order(users, board))
    assert board != publish_plainly(users)  # by chance, once in 24! rounds


def test_partners_share_a_token_and_nobody_else_has_it(secure_round):
    users, board = secure_round
    seats = [user.seat(board) for user in users]
    assert set(Counter(seat.token.secret for seat in seats).values()) == {2}
    for pair in range(len(users) // 2):
        both = [seat for seat in seats if seat.pair == pair]
        assert {seat.role for seat in both} == {Role.FIRST, Role.SECOND}
        assert both[0].token.secret == both[1].token.secret


def test_five_members_can_do_it_too():
    users = [Ticket(ROUND) for _ in range(4)]
    board = published(users, members=5)
    assert board == publish_plainly(in_order(users, board))


def chance_of_reunions(couples: int) -> list[Fraction]:
    """How likely it is that exactly 0, 1, 2, … of given couples are paired again by a uniform matching."""

    def matchings(left: int) -> int:
        return math.prod(range(1, 2 * left, 2))

    def none_again(left: int) -> int:
        return sum(
            (-1) ** again * math.comb(left, again) * matchings(left - again) for again in range(left + 1)
        )

    ways = [math.comb(couples, again) * none_again(couples - again) for again in range(couples + 1)]
    return [Fraction(way, matchings(couples)) for way in ways]


@pytest.mark.slow
def test_neighbours_in_the_list_meet_as_often_as_chance_has_it():
    """Real rounds of 16 users, eight couples by their places in the list; how many are paired again is counted.

    The bound is the exact quantile at 10⁻⁹ for uniform matchings. A grouping by place would reunite all of
    them; one that leaves half of the couples together exceeds the bound, too.
    """
    rounds, couples = 5, 8
    chances = np.ones(1)
    for _ in range(rounds):
        chances = np.convolve(chances, [float(chance) for chance in chance_of_reunions(couples)])
    bound = int(np.flatnonzero(np.cumsum(chances[::-1])[::-1] > 1e-9).max())
    assert bound < rounds * couples / 2
    again = 0
    for _ in range(rounds):
        users = [Ticket(ROUND) for _ in range(2 * couples)]
        board = published(users)
        pairs = [user.seat(board).pair for user in users]
        again += sum(pairs[place] == pairs[place + 1] for place in range(0, 2 * couples, 2))
    assert again <= bound


def test_shares_sum_to_the_ticket_and_less_than_all_are_uniform():
    ticket = Ticket(ROUND)
    rows = [unpack(share) for share in ticket.shares(3)]
    assert [sum(column) % FIELD for column in zip(*rows, strict=True)] == list(ticket._row)
    assert ticket.shares(3)[2] != ticket.shares(3)[2]


def test_one_members_shares_say_nothing_about_the_tag():
    """Top bits of 4,000 shares of one constant tag are fair coins, at any member; those of the tag are not."""
    ticket = Ticket(ROUND)
    ticket._tag = 1
    count = 4000
    for member in range(3):
        ones = sum(unpack(ticket.shares(3)[member])[0] >> 129 for _ in range(count))
        assert abs(ones - count / 2) < 6.2 * math.sqrt(count / 4)  # two-sided, 1e-9
    assert ticket._row[0] >> 129 == 0


def test_a_board_without_a_tag_and_a_half_sum_a_user_is_refused():
    users = [Ticket(ROUND) for _ in range(4)]
    fields = publish_plainly(users).to_dict()
    tags = fields["tags"]
    bad = (
        {"tags": tags[:2]},
        {"tags": ["x", *tags[1:]]},
        {"sums": fields["sums"][:1]},
        {"sums": [["1"], ["2"]]},
        {"sums": None},
    )
    for change in bad:
        with pytest.raises(ProtocolError, match="the committee's list"):
            Board.from_dict(fields | change)
    assert Board.from_dict(fields) == publish_plainly(users)


def test_a_user_whose_tag_is_not_listed_is_told():
    board = publish_plainly([Ticket(ROUND), Ticket(ROUND)])
    with pytest.raises(ProtocolError, match="tag once; report by plain randomized response"):
        Ticket(ROUND).seat(board)


def test_a_tag_that_is_listed_twice_is_nobodys():
    """A copied ticket must win nothing: of two equal neighbours the sum of pads would give the pads away."""
    ann, bob, eve, zoe = (Ticket(ROUND) for _ in range(4))
    board = Board.from_dict(publish_plainly([ann, bob, ann, eve]).to_dict())
    with pytest.raises(ProtocolError, match="tag once"):
        ann.seat(board)
    assert (bob.seat(board).pair, eve.seat(board).pair) == (0, 1)
    assert zoe._tag not in board.rows


def test_a_changed_sum_gives_partners_different_tokens():
    users = [Ticket(ROUND), Ticket(ROUND)]
    board = publish_plainly(users)
    changed = dataclasses.replace(board, sums=((board.sums[0][0] + 1, board.sums[0][1]),))
    tokens = {user.seat(changed).token.secret for user in users}
    assert len(tokens) == 2


def test_tokens_differ_between_rounds():
    one, two = Ticket("round 1"), Ticket("round 1")
    board = publish_plainly([one, two])
    before = one.seat(board).token.secret
    one._round = "round 2"
    assert one.seat(board).token.secret != before


def test_letters_are_for_one_member_and_one_round():
    members = [SealingKey() for _ in range(3)]
    letters = Ticket(ROUND).letters([member.public for member in members])
    opened = members[1].open(letters[1], purpose_of(ROUND, members[1].public))
    assert len(unpack(opened)) == 3
    for key, letter, purpose in (
        (members[0], letters[1], purpose_of(ROUND, members[0].public)),
        (members[1], letters[1], purpose_of("round 2", members[1].public)),
        (members[1], letters[1][:-1] + bytes([letters[1][-1] ^ 1]), purpose_of(ROUND, members[1].public)),
        (members[1], letters[1][:10], purpose_of(ROUND, members[1].public)),
    ):
        with pytest.raises(ProtocolError, match="sealed letter"):
            key.open(letter, purpose)


@pytest.mark.parametrize("share", [b"", pack([1, 2]), pack([1, 2, 3, 4]), pack([1, 2, FIELD])])
def test_a_share_that_cannot_be_read_is_taken_for_zeros(share):
    key = SealingKey()
    purpose = purpose_of(ROUND, key.public)
    letters = [seal(content, key.public, purpose).hex() for content in (pack([1, 2, 3]), share)]
    assert read_shares(key, ROUND, [*letters, "", "no letter"]) == [[1, 2, 3], *[[0, 0, 0]] * 3]


def test_hostile_tickets_cost_nobody_else_a_seat():
    """Extreme numbers, a tag that two agree on, and letters that some or no member can read."""
    honest, hostile = [Ticket(ROUND) for _ in range(10)], [Ticket(ROUND) for _ in range(6)]
    for user, number in zip(hostile, (FIELD - 1, 0, 0, 1 << 65), strict=False):
        user._tag, user._pads = number, (number, FIELD - 1 - number)
    users = [*hostile, *honest]
    with Committee(ROUND, timeout=120) as committee:
        letters = [user.letters(committee.public_keys) for user in users]
        letters[4][1] = letters[4][1][:-1] + bytes([letters[4][1][-1] ^ 1])
        letters[5] = [b""] * 3
        board = committee.publish(letters)
    assert not any(child.running for child in committee._children)
    rows = {user.seat(board).pair * 2 + (user.seat(board).role is Role.SECOND) for user in honest}
    assert len(rows) == len(honest)
    tokens = Counter(user.seat(board).token.secret for user in honest)
    pairs = Counter(user.seat(board).pair for user in honest)
    assert sorted(tokens.values()) == sorted(pairs.values())
    for user in (hostile[1], hostile[2], hostile[4], hostile[5]):
        with pytest.raises(ProtocolError, match="tag once; report by plain"):
            user.seat(board)


class TossedInTheOpen:
    """Stands in for MPyC's runtime and types: what members would toss together, known."""

    array = staticmethod(np.asarray)

    def __init__(self, bits) -> None:
        self.field, self._bits = self, np.asarray(bits).astype(object)

    def np_random_bits(self, kind, count: int):
        assert (kind, count) == (self, self._bits.size)
        return SimpleNamespace(value=self._bits)

    async def gather(self, given):
        return given


def keys_of(bits, users: int) -> list[int]:
    runtime = TossedInTheOpen(bits)
    return asyncio.run(draw_keys(runtime, runtime, users)).tolist()


def test_keys_are_all_numbers_of_64_bits_and_no_others():
    assert keys_of([0] * KEY_BITS + [1] * KEY_BITS, 2) == [0, (1 << KEY_BITS) - 1]
    bits = np.unpackbits(SeededSource(4).words(50).view(np.uint8))
    keys = keys_of(bits, 50)
    assert len(set(keys)) == 50
    read = [sum(int(bit) << place for place, bit in enumerate(row)) for row in bits.reshape(50, KEY_BITS)]
    assert keys == read


@pytest.mark.parametrize("members", range(FEWEST_MEMBERS, MOST_MEMBERS + 1))
def test_one_honest_members_part_of_a_mask_has_the_bits_that_are_promised(members):
    """The arithmetic of MPyC's ``_np_randoms`` without pseudorandom sharing, and the room in the field."""
    drawing = (members - 1) // 2 + 1
    asked = MASKING_BITS + SPLIT_BITS
    part = 1 << (((1 << asked) // drawing).bit_length() - 1)
    assert part >= 1 << MASKING_BITS
    largest = (1 << KEY_BITS) + (1 << KEY_BITS + 1) * (2 + drawing * part)  # difference, offset, bits, mask
    assert largest < FIELD


def test_without_mpyc_the_remedy_is_told(monkeypatch):
    monkeypatch.setattr("noisewright.joint.groups.committee.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"needs mpyc, a beacon does not; .*\[joint\]"):
        Committee(ROUND).__enter__()


def test_odd_users_and_too_few_members_are_refused():
    with pytest.raises(InvalidParameter, match="members of a committee"):
        Committee(ROUND, members=2)
    with pytest.raises(InvalidParameter, match="odd number of users in pairs"):
        Committee(ROUND).publish([[b""] * 3] * 3)


def test_field_elements_are_uniform_below_the_order():
    small = FieldElements(5)
    counts = np.bincount([small.randbelow(5) for _ in range(50_000)], minlength=5)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 48.0  # χ² with four degrees, 1e-9
    ones = sum(small.randbits(1) for _ in range(50_000))
    assert abs(ones - 25_000) < 6.2 * math.sqrt(12_500)
    assert 0 <= small.randbelow(3) < 3
    assert 0 <= small.randbits(8) < 256


def test_free_addresses_differ():
    assert len(set(free_addresses(5))) == 5


def test_whom_one_has_to_trust_is_told():
    assert "no minority of the committee's members learns who is paired" in SECURITY_MODEL
    assert "the relay sees which addresses meet, so the collector should not run it" in SECURITY_MODEL
