"""The whole protocol between processes: it does what it says, and nobody hears more than they should."""

from __future__ import annotations

import csv
from contextlib import suppress
from dataclasses import replace

import pytest

from noisewright import Categories
from noisewright.errors import InvalidParameter, ProtocolError
from noisewright.joint.groups.beacon import Beacon, Commitment, Reveal
from noisewright.joint.groups.partition import group_users
from noisewright.joint.run.config import RunConfig
from noisewright.joint.run.joint import Choice, run_joint
from noisewright.joint.run.worker_process import user_name
from noisewright.joint.transport.child import Child
from noisewright.mechanisms.joint import JointRandomizedResponse

BINARY = Categories(["no", "yes"])
TINY = RunConfig(BINARY, 1.0, count=8, share=0.5, workers=2)


def chooser(epsilon=1.0, domain=BINARY, **fields):
    return lambda users: Choice(JointRandomizedResponse(domain, epsilon, users=users, **fields))


@pytest.fixture
def heard(monkeypatch):
    """Everything that processes tell the run."""
    said: list[dict] = []
    poll = Child.poll

    def listen(self, patience):
        message = poll(self, patience)
        if message is not None:
            said.append(message)
        return message

    monkeypatch.setattr(Child, "poll", listen)
    return said


def pairs_of(heard, round_id: str, users: int):
    """The pairs that the public messages of a beacon imply."""
    beacon = Beacon(round_id, (user_name(user) for user in range(users)))
    for message in heard:
        for entry in message.get("commitments", ()):
            beacon.commit(Commitment.from_dict(entry))
    beacon.publish()
    for message in heard:
        for entry in message.get("reveals", ()):
            beacon.reveal(Reveal.from_dict(entry))
    return group_users(beacon.seed(), users).tolist()


def test_partners_of_the_beacon_really_share_their_coins(heard, monkeypatch):
    """With ε near 0 and a correlation near −1 one of two partners lies, and the public pairs show it.

    40 pairs of people who are all "no". A pair is odd if both or neither report "yes": with probability 0.001
    under the law, so five of 40 happen with probability below 10⁻⁹; and 1/2 if coins were tossed alone or the
    wrong people paired, when four or fewer of 40 happen with probability 10⁻⁷.
    """
    monkeypatch.setattr("noisewright.joint.run.joint.secrets.token_hex", lambda count: "test")
    users = 80
    config = replace(TINY, count=users, share=0.0)
    result = run_joint(config, chooser(0.001, correlation=-0.998))
    assert (result.alone, result.mechanism.together) == (0, 1)
    lies = [report == "yes" for report in result.reports]
    pairs = pairs_of(heard, "noisewright run test", users)
    odd = sum(lies[one] == lies[two] for one, two in pairs)
    assert odd <= 4


def test_workers_tell_nothing_but_what_is_public_and_the_reports(heard):
    result = run_joint(TINY, chooser())
    assert {key for message in heard for key in message} == {
        "users", "commitments", "reveals", "seated", "host", "port", "authority", "reports", "alone",
    }  # fmt: skip
    assert len(result.reports) == 8
    assert result.to_dict()["privacy"]["epsilon_average"] == 1.0
    assert "honest but curious" in str(result)
    said = " ".join(str(result).split())
    assert all(sentence in said for sentence in result.mechanism.explain())


def test_a_committee_groups_users_without_the_run_seeing_a_ticket(heard):
    result = run_joint(replace(TINY, count=6, method="committee", workers=3), chooser())
    assert result.alone == 0
    assert len(result.reports) == 6
    assert {key for message in heard for key in message} == {
        "users", "public_key", "certificate", "letters", "progress", "done", "total", "tags", "sums", "seated",
        "host", "port", "authority", "reports", "alone",
    }  # fmt: skip
    assert "no minority" in str(result)


def test_pairs_that_fail_report_alone_and_the_result_says_so():
    result = run_joint(replace(TINY, timeout=1e-6), chooser(correlation=-0.3))
    assert result.alone == 8
    assert len(result.reports) == 8
    assert result.to_dict()["fallbacks"] == 8
    assert result.mechanism.together == 0  # what is written beside the reports, for whoever estimates later
    assert "8 users reported by plain randomized response" in str(result)


def test_a_worker_that_is_killed_takes_only_its_own_users_along(monkeypatch):
    started: list[Child] = []
    start = Child.__init__

    def remember(self, *arguments):
        start(self, *arguments)
        started.append(self)

    def strike(part):
        if part.startswith("Drawing coins"):
            started[1]._process.kill()

    monkeypatch.setattr(Child, "__init__", remember)
    result = run_joint(replace(TINY, count=120, timeout=0.5), chooser(correlation=-0.3), strike)
    assert (result.missing, len(result.reports)) == (60, 60)
    assert result.alone > 0
    assert "missing: 60 users" in str(result)
    assert sum(count.value for count in result.counts) == pytest.approx(60)


@pytest.fixture
def visits(tmp_path):
    labels = ["flu", "none", "cold", "none", "flu", "none"]
    with (tmp_path / "visits.csv").open("w") as file:
        csv.writer(file).writerows(
            [["name", "why"], *([f"p{row}", label] for row, label in enumerate(labels))]
        )
    return tmp_path


def test_values_come_from_a_file_and_more_than_two_labels_work(visits):
    domain = Categories(["none", "flu", "cold"])
    config = RunConfig(domain, 1.0, file=visits / "visits.csv", column="why", workers=1)
    result = run_joint(config, chooser(30.0, domain))
    assert list(result.reports) == [
        "flu",
        "none",
        "cold",
        "none",
        "flu",
        "none",
    ]  # ε = 30: a lie in 10¹² reports
    assert [count.reported for count in result.counts] == [3, 2, 1]


def test_what_a_worker_refuses_is_told_without_the_value(visits):
    config = RunConfig(Categories(["none", "flu"]), 1.0, file=visits / "visits.csv", column="why", workers=1)
    with pytest.raises(ProtocolError, match="why in data row 3 is not one of the 2 labels") as refusal:
        run_joint(config, chooser())
    assert "cold" not in str(refusal.value)


def test_an_odd_number_of_users_is_refused():
    with pytest.raises(InvalidParameter, match="an odd number of users in pairs: 7"):
        run_joint(replace(TINY, count=7), chooser())


def test_a_process_that_dies_is_told_of():
    with Child("noisewright.joint.run.worker_process", "worker 7") as child:
        child._process.kill()
        with pytest.raises(ProtocolError, match="worker 7 has ended without an answer"):
            child.receive(30)
        child._process.wait()
        with suppress(ProtocolError):
            child.send(index=0)  # the pipe may take one more message before it is found broken
        with pytest.raises(ProtocolError, match="worker 7 has ended; run again"):
            child.send(index=0)


def test_a_process_that_is_silent_is_not_waited_for_for_ever():
    with (
        Child("noisewright.joint.run.worker_process", "worker 7") as child,
        pytest.raises(ProtocolError, match="nothing for"),
    ):
        child.receive(0.01)


def test_a_count_whose_interval_ends_at_0_has_no_standard_error_beside_it():
    result = run_joint(replace(TINY, share=0.0), chooser())
    said = str(result)
    for count in result.counts:
        line = next(line for line in said.splitlines() if line.startswith(f"  {count.label} "))
        assert (" – " not in line) is count.symmetric is False  # eight people at ε = 1: both ends are 0 and 8
        assert f" {count.low:,.0f} to {count.high:,.0f} " in line
