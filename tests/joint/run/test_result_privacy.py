"""What a run says of its collector: never the number of one report alone where coins are shared."""

from __future__ import annotations

import json
import math

import pytest

from noisewright import Categories
from noisewright.joint.run.result import RunPrivacy
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.mechanisms.joint.collector import collector_epsilon, pair_epsilon

BINARY = Categories(["no", "yes"])


def made(users=60, correlation=-0.2, domain=BINARY, **fields):
    return JointRandomizedResponse(domain, 1.0, users=users, correlation=correlation, **fields)


def test_after_a_beacon_the_number_of_a_public_pair_comes_first():
    privacy = RunPrivacy(made(), "beacon", 0.08)
    assert privacy.epsilon == pair_epsilon(made().coins, 0.08) > 1.0
    first, *others = privacy.sentences()
    assert first.startswith("Pairs are public: whoever sees both reports of a pair and knows that about 8 %")
    assert others == made().explain()
    found = privacy.to_dict()
    assert found["epsilon_collector"] == privacy.epsilon <= found["epsilon_colluding"]
    assert found["collector_knows"] == {"pairs": True, "share": 0.08}


def test_after_a_committee_it_is_the_number_of_all_reports():
    privacy = RunPrivacy(made(), "committee", 0.08)
    assert privacy.epsilon == collector_epsilon(made().coins, 60, 0.08)
    assert privacy.sentences()[0].startswith("Pairs are hidden: whoever sees all reports and knows")
    assert not privacy.to_dict()["collector_knows"]["pairs"]


@pytest.mark.parametrize(
    ("mechanism", "method", "sentence"),
    [
        (made(domain=Categories("abc")), "beacon", "Pairs are public, and two reports of a pair reveal more"),
        (made(domain=Categories("abc")), "committee", "is not worked out for more than two labels"),
        (made(users=48), "committee", "is not worked out for fewer than 50 users"),
    ],
)
def test_where_nothing_better_is_known_the_number_of_a_colluding_partner_counts(mechanism, method, sentence):
    privacy = RunPrivacy(mechanism, method, 0.3)
    assert privacy.to_dict()["epsilon_collector"] is None
    first = privacy.sentences()[0]
    assert sentence in first
    assert "given that the partner colludes is the one that counts" in first


@pytest.mark.parametrize("method", ["beacon", "committee"])
@pytest.mark.parametrize("domain", [BINARY, Categories("abc")])
def test_without_shared_coins_the_reports_of_others_say_nothing(method, domain):
    privacy = RunPrivacy(made(correlation=0.0, domain=domain), method, 0.3)
    assert privacy.sentences()[0].startswith("Nobody shares coins")
    found = privacy.to_dict()
    assert (found["correlation"], math.copysign(1, found["correlation"])) == (0.0, 1.0)  # not −1.3e-19
    assert found["epsilon_collector"] == pytest.approx(1.0)


def test_an_unbounded_number_is_said_and_written_as_such():
    heuristic = made(correlation=1 - 1 / made(correlation=0.0).hit)  # one cell of the law is empty
    assert heuristic.collusion.epsilon_colluding == math.inf
    privacy = RunPrivacy(heuristic, "beacon", 0.0)
    assert privacy.epsilon == math.inf
    assert "can be certain of a value (ε = ∞)" in privacy.sentences()[0]
    assert json.loads(json.dumps(privacy.to_dict(), allow_nan=False))["epsilon_collector"] == "infinity"
