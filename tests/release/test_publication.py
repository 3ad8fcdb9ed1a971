"""A release from a file in one call: what is asked for is checked first, and the report keeps the data back."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release import MembershipSuccess, MutualInformation, ReleaseRequest, load, release_file, save
from noisewright.release.algorithms import LinearSVM, Mean

GENERATOR = np.random.default_rng(8)
FRAME = pd.DataFrame(
    {"age": GENERATOR.normal(50, 9, 60).round(3), "pulse": GENERATOR.normal(70, 9, 60), "ill": ["no", "yes"] * 30}
)  # fmt: skip
NATS = MutualInformation(1 / 4)


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    FRAME.to_csv(path, index=False)
    return path


def test_one_call_releases_attacks_and_reports(people, tmp_path):
    found = release_file(people, LinearSVM(), NATS, label="ill", worlds=32, attack=True, seed=1)
    assert found.card.classes == ("no", "yes")
    assert [section.heading for section in found.report().sections][-2:] == [
        "The released numbers", "What attacks achieved",
    ]  # fmt: skip
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [entry["value"] for entry in written["released"]] == found.released.vector.tolist()
    assert written["attack"]["verdict"] == "pass"
    for name, value in found.numbers:
        assert f"{value:.6g}" in str(found)
        assert name in str(found)
    save(tmp_path / "model.json", found.released, found.card, label="ill")
    assert set(load(tmp_path / "model.json").apply(FRAME[["age", "pulse"]].to_numpy())) == {"predicted ill"}


def test_what_is_for_the_owner_alone_is_in_no_report(people):
    found = release_file(people, Mean(), NATS, worlds=32)
    expected = found.expected_utility()
    assert expected.private <= expected.unnoised
    assert "utility" not in str(found) + json.dumps(found.to_dict())
    with pytest.raises(InvalidParameter, match="not pickled"):
        pickle.dumps(found)


def test_many_numbers_are_left_to_the_file(people):
    found = release_file(people, lambda rows: np.repeat(rows.mean(axis=0), 13), NATS, worlds=32)
    assert len(found.numbers) == 26
    assert "The released numbers" not in str(found)


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"noise": "pink"}, "noise must be one of optimal, paper, isotropic"),
     ({"worlds": 31}, "worlds must be even"),
     ({"seed": -1}, "seed must be"),
     ({"failure": 0.01}, "failure=… is for unbounded=True"),
     ({"failure": 0.1, "unbounded": True}, "at most 0.05"),
     ({"total": NATS}, "name its file"),
     ({"unbounded": True, "secret": "s.db"}, "exclude each other"),
     ({"unbounded": True, "search": True}, "search=True does not go with unbounded=True"),
     ({"secret": "s.db", "attack": True}, "attack=True does not go with secret=…"),
     ({"secret": "s.db", "budget": MembershipSuccess(0.6)}, "add up in nats"),
     ({"budget": 0.25}, "must be a MutualInformation")],
)  # fmt: skip
def test_requests_without_a_meaning_are_rejected_before_a_file_is_opened(asked, said):
    with pytest.raises(InvalidParameter, match=said):
        ReleaseRequest(**({"algorithm": Mean(), "budget": NATS} | asked))


def test_a_secret_needs_a_total_and_a_folder(people, tmp_path):
    with pytest.raises(InvalidParameter, match="give total=…"):
        release_file(people, Mean(), NATS, secret=tmp_path / "s.db", worlds=32)
    with pytest.raises(ValueError, match="does not exist"):
        release_file(people, Mean(), NATS, secret=tmp_path / "none" / "s.db", total=NATS, worlds=32)
    assert not list(tmp_path.glob("*.db"))
