"""The committee, between real processes: pairs agree, nobody else can know, and errors are told."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from noisewright.errors import InvalidParameter, MissingExtra, ProtocolError
from noisewright.protocol.committee import Committee, free_addresses
from noisewright.protocol.committee_process import read_shares
from noisewright.protocol.committee_randomness import FieldElements
from noisewright.protocol.committee_ticket import (
    FIELD,
    Board,
    Ticket,
    pack,
    publish_plainly,
    purpose_of,
    unpack,
)
from noisewright.protocol.messages import Role
from noisewright.protocol.sealed import SealingKey, seal

ROUND = "round 1"


def published(users: list[Ticket], members: int = 3) -> Board:
    with Committee(ROUND, members, timeout=120) as committee:
        return committee.publish([user.letters(committee.public_keys) for user in users])


@pytest.fixture(scope="module")
def secure_round():
    users = [Ticket(ROUND) for _ in range(24)]
    return users, published(users)


def test_the_committee_publishes_what_sorting_in_the_open_would(secure_round):
    users, board = secure_round
    assert board == publish_plainly(users)


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
    assert published(users, members=5) == publish_plainly(users)


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


def test_one_members_shares_say_nothing_about_the_key():
    """Top bits of 4,000 shares of one constant key are fair coins, at any member; those of the key are not."""
    ticket = Ticket(ROUND)
    count = 4000
    for member in range(3):
        ones = sum(unpack(ticket.shares(3)[member])[0] >> 129 for _ in range(count))
        assert abs(ones - count / 2) < 6.2 * math.sqrt(count / 4)  # two-sided, 1e-9
    assert ticket._row[0] >> 129 == 0


def test_a_board_with_a_missing_or_repeated_tag_is_refused():
    users = [Ticket(ROUND) for _ in range(4)]
    fields = publish_plainly(users).to_dict()
    tags = fields["tags"]
    bad = (
        {"tags": tags[:2]},
        {"tags": [*tags[:3], tags[0]]},
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
    with pytest.raises(ProtocolError, match="lacks this user's tag; report by plain randomized response"):
        Ticket(ROUND).seat(board)


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
    assert len(unpack(opened)) == 4
    for key, letter, purpose in (
        (members[0], letters[1], purpose_of(ROUND, members[0].public)),
        (members[1], letters[1], purpose_of("round 2", members[1].public)),
        (members[1], letters[1][:-1] + bytes([letters[1][-1] ^ 1]), purpose_of(ROUND, members[1].public)),
        (members[1], letters[1][:10], purpose_of(ROUND, members[1].public)),
    ):
        with pytest.raises(ProtocolError, match="sealed letter"):
            key.open(letter, purpose)


@pytest.mark.parametrize("share", [b"", pack([1, 2, 3]), pack([1, 2, 3, FIELD])])
def test_a_ticket_that_is_none_names_its_user(share):
    key = SealingKey()
    purpose = purpose_of(ROUND, key.public)
    letters = [seal(pack([1, 2, 3, 4]), key.public, purpose).hex(), seal(share, key.public, purpose).hex()]
    with pytest.raises(ProtocolError, match="the ticket of user 1 cannot be read"):
        read_shares(key, ROUND, letters)


@pytest.mark.parametrize("member", [0, 2])
def test_a_bad_letter_ends_the_round_with_a_sentence_and_no_process_left(member):
    users = [Ticket(ROUND) for _ in range(2)]
    with Committee(ROUND, timeout=60) as committee:
        letters = [user.letters(committee.public_keys) for user in users]
        letters[1][member] = letters[1][member][:-1] + bytes([letters[1][member][-1] ^ 1])
        with pytest.raises(ProtocolError, match="ticket of user 1"):
            committee.publish(letters)
    assert not any(child.running for child in committee._children)


def test_without_mpyc_the_remedy_is_told(monkeypatch):
    monkeypatch.setattr("noisewright.protocol.committee.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="needs the package mpyc; install it, or group by beacon"):
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
