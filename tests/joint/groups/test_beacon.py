"""The beacon: nobody's secret can follow from another's, and every misuse names its participant."""

from __future__ import annotations

import dataclasses

import pytest

from noisewright.errors import InvalidParameter, ProtocolError
from noisewright.joint.groups.beacon import Beacon, Commitment, Contribution, Reveal
from noisewright.joint.transport.keys import PairKey

NAMES = ("ann", "bob", "eve")
COMMITMENT = "da438b20c989a81ebf890b539db4da8424828e5fbb637de671aaf2e99637583e"
SEED = "2211b2b53e1f6e958cc7a30f9e3fdff1a62b94de4f62862f7686215f7da4dd18"


def contributions(round_id: str = "round 1", names=NAMES) -> dict[str, Contribution]:
    return {name: Contribution(round_id, name) for name in names}


def committed(people, round_id: str = "round 1") -> Beacon:
    beacon = Beacon(round_id, people)
    for person in people.values():
        beacon.commit(person.commitment)
    return beacon


@pytest.fixture
def people():
    return contributions()


@pytest.fixture
def published(people):
    beacon = committed(people)
    beacon.publish()
    return beacon


def fixed_reveal(name: str, byte: int) -> Reveal:
    return Reveal(name, bytes([byte]) * 32, bytes([byte + 1]) * 32)


def seed_of(reveals: list[Reveal], round_id: str = "round 1") -> bytes:
    beacon = Beacon(round_id, [reveal.participant for reveal in reveals])
    for reveal in reveals:
        beacon.commit(reveal.commitment(round_id))
    beacon.publish()
    for reveal in reversed(reveals):  # the order of arrival does not matter
        beacon.reveal(reveal)
    return beacon.seed()


def test_everyone_who_sees_the_board_finds_the_same_seed(people, published):
    beacon = published
    reveals = [person.reveal(beacon) for person in people.values()]
    for reveal in reveals:
        beacon.reveal(reveal)
    assert beacon.seed() == seed_of(reveals)
    assert beacon.missing() == ()


def test_the_seed_depends_on_every_secret_salt_name_and_round():
    base = [fixed_reveal(name, 10 * place) for place, name in enumerate(NAMES)]
    seeds = {seed_of(base), seed_of(base, "round 2"), seed_of(base[::-1])}
    for place, reveal in enumerate(base):
        for change in ({"secret": b"s" * 32}, {"salt": b"t" * 32}, {"participant": "zoe"}):
            changed = dataclasses.replace(reveal, **change)
            seeds.add(seed_of([*base[:place], changed, *base[place + 1 :]]))
    assert len(seeds) == 3 + 9


def test_a_known_answer():
    """Other implementations of the beacon can be checked against this."""
    reveals = [fixed_reveal("ann", 1), fixed_reveal("bob", 2)]
    assert reveals[0].commitment("round 1").digest.hex() == COMMITMENT
    assert seed_of(reveals).hex() == SEED


def test_commitments_do_not_repeat():
    digests = {Contribution("round 1", "ann").commitment.digest for _ in range(100)}
    assert len(digests) == 100


def test_nothing_is_revealed_unless_the_own_commitment_is_published(people):
    ann = people["ann"]
    swapped = dataclasses.replace(ann.commitment, digest=bytes(32))
    keyed = dataclasses.replace(ann.commitment, public_key=b"k" * 32)
    for shown in (swapped, keyed):
        board = Beacon("round 1", NAMES)
        for commitment in (shown, people["bob"].commitment, people["eve"].commitment):
            board.commit(commitment)
        board.publish()
        with pytest.raises(ProtocolError, match="commitment of ann to this round; nothing is revealed"):
            ann.reveal(board)


def test_nothing_is_revealed_to_a_round_that_one_has_no_part_in(people):
    others = contributions(names=("bob", "eve"))
    board = committed(others)
    board.publish()
    with pytest.raises(ProtocolError, match="'ann' is not a participant"):
        people["ann"].reveal(board)


def test_nobody_learns_a_secret_before_everybody_has_committed(people):
    """The attack: a board shows each in turn a list of one, and the last picks the seed from what it learns."""
    for name, person in people.items():
        board = Beacon("round 1", NAMES)
        board.commit(person.commitment)
        with pytest.raises(ProtocolError, match="no commitment from"):
            board.publish()
        with pytest.raises(ProtocolError, match="not complete and published; nothing is revealed"):
            person.reveal(board)
        with pytest.raises(InvalidParameter, match="two or more"):
            Beacon("round 1", [name])


def test_nothing_is_revealed_before_the_list_is_published(people):
    board = committed(people)
    with pytest.raises(ProtocolError, match="not complete and published"):
        people["ann"].reveal(board)
    board.publish()
    assert people["ann"].reveal(board).participant == "ann"


def test_an_early_reveal_is_refused(people, published):
    """Whoever shows its secret to one board, and so to all, has shown it to one that is not there yet."""
    with pytest.raises(ProtocolError, match="reveal of ann is early"):
        committed(people).reveal(people["ann"].reveal(published))


def test_a_late_commitment_is_refused(people, published):
    with pytest.raises(ProtocolError, match="commitment of ann is late"):
        published.commit(people["ann"].commitment)


def test_a_late_reveal_is_refused(people, published):
    beacon = published
    beacon.close()
    with pytest.raises(ProtocolError, match="reveal of eve is late"):
        beacon.reveal(people["eve"].reveal(beacon))


def test_a_second_commitment_and_a_second_reveal_are_refused(people):
    beacon = Beacon("round 1", NAMES)
    beacon.commit(people["ann"].commitment)
    with pytest.raises(ProtocolError, match="ann has committed already"):
        beacon.commit(Contribution("round 1", "ann").commitment)
    for name in ("bob", "eve"):
        beacon.commit(people[name].commitment)
    beacon.publish()
    reveal = people["bob"].reveal(beacon)
    beacon.reveal(reveal)
    with pytest.raises(ProtocolError, match="bob has revealed already"):
        beacon.reveal(reveal)


def test_a_copied_commitment_is_refused_and_could_not_be_opened(people):
    beacon = Beacon("round 1", NAMES)
    beacon.commit(people["ann"].commitment)
    with pytest.raises(ProtocolError, match="commitment of eve is a copy"):
        beacon.commit(Commitment("eve", people["ann"].commitment.digest))


def test_a_copied_secret_does_not_open_another_participants_commitment(people, published):
    beacon = published
    stolen = dataclasses.replace(people["ann"].reveal(beacon), participant="eve")
    with pytest.raises(ProtocolError, match="reveal of eve does not match"):
        beacon.reveal(stolen)


@pytest.mark.parametrize("field", ["secret", "salt"])
def test_a_changed_reveal_is_refused(people, published, field):
    beacon = published
    changed = dataclasses.replace(people["bob"].reveal(beacon), **{field: bytes(32)})
    with pytest.raises(ProtocolError, match="reveal of bob does not match"):
        beacon.reveal(changed)


def test_a_commitment_of_another_round_cannot_be_opened():
    other = contributions("round 0")
    before, beacon = committed(other, "round 0"), committed(other)
    for board in (before, beacon):
        board.publish()
    with pytest.raises(ProtocolError, match="commitment of ann to this round; nothing is revealed"):
        other["ann"].reveal(beacon)
    with pytest.raises(ProtocolError, match="reveal of ann does not match"):
        beacon.reveal(other["ann"].reveal(before))


def test_a_changed_public_key_voids_the_commitment(people, published):
    beacon = Beacon("round 1", NAMES)
    beacon.commit(dataclasses.replace(people["ann"].commitment, public_key=b"k" * 32))
    for name in ("bob", "eve"):
        beacon.commit(people[name].commitment)
    beacon.publish()
    with pytest.raises(ProtocolError, match="reveal of ann does not match"):
        beacon.reveal(people["ann"].reveal(published))


def test_who_refuses_is_named_and_left_out_of_the_next_round(people, published):
    beacon = published
    for name in ("ann", "bob"):
        beacon.reveal(people[name].reveal(beacon))
    with pytest.raises(ProtocolError, match="no reveal from eve; the round is void"):
        beacon.seed()
    assert beacon.missing() == ("eve",)
    assert beacon.without("round 2", beacon.missing()).participants == ("ann", "bob")


def test_publishing_waits_for_all(people):
    beacon = Beacon("round 1", NAMES)
    beacon.commit(people["bob"].commitment)
    with pytest.raises(ProtocolError, match="no commitment from ann, eve"):
        beacon.publish()


def test_strangers_and_doubles_are_refused(people):
    with pytest.raises(ProtocolError, match="'zoe' is not a participant"):
        Beacon("round 1", NAMES).commit(Contribution("round 1", "zoe").commitment)
    for names in ([], ["ann"], ["ann", "ann"]):
        with pytest.raises(InvalidParameter, match="two or more"):
            Beacon("round 1", names)


def test_messages_survive_json_and_bad_ones_do_not(people, published):
    commitment = people["ann"].commitment
    reveal = people["ann"].reveal(published)
    assert Commitment.from_dict(commitment.to_dict()) == commitment
    assert Reveal.from_dict(reveal.to_dict()) == reveal
    for change in (
        {"digest": "ab"},
        {"digest": None},
        {"digest": "zz" * 32},
        {"participant": ""},
        {"participant": 7},
    ):
        with pytest.raises(ProtocolError):
            Commitment.from_dict(commitment.to_dict() | change)
    with pytest.raises(ProtocolError, match="secret in the message of ann"):
        Reveal.from_dict({"participant": "ann", "salt": "00" * 32})


def test_a_secret_is_not_printed(people, published):
    reveal = people["ann"].reveal(published)
    assert reveal.secret.hex() not in repr(reveal)
    assert repr(reveal.secret) not in repr(reveal)


def test_tokens_are_of_the_pair_and_of_the_round():
    ann, bob, eve = PairKey(), PairKey(), PairKey()
    one, two = b"1" * 32, b"2" * 32
    secret = ann.token(bob.public, seed=one).secret
    assert secret == bob.token(ann.public, seed=one).secret
    others = [ann.token(bob.public, two), ann.token(eve.public, one), eve.token(bob.public, one)]
    assert len({secret, *(other.secret for other in others)}) == 4


@pytest.mark.parametrize("key", [bytes(32), b"short"])
def test_bad_public_keys_are_refused(key):
    with pytest.raises(ProtocolError, match="not a valid X25519 key"):
        PairKey().token(key, b"s" * 32)


def test_ones_own_key_is_no_partners_key():
    ann = PairKey()
    with pytest.raises(ProtocolError, match="own public key"):
        ann.token(ann.public, b"s" * 32)
