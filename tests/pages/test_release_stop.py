"""The stop of the tour about releasing: what it leaves, what it promises, and what it shows."""

from __future__ import annotations

import pytest

from noisewright.cli.release_table import read_pool_table
from noisewright.pages.tour.clinic import clinic
from noisewright.pages.tour.release_stop import COLUMNS, HEADING, NATS, releasing
from noisewright.pages.tour.report import tour_page
from noisewright.pages.tour.trip import Trip
from noisewright.randomness import SecureSource, SeededSource
from noisewright.release import load, posterior_success
from pages.checking import check, without_scikit_learn


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tour")


@pytest.fixture(scope="module")
def seeded(folder):
    return releasing(Trip(clinic(), folder, SeededSource(5)))


def test_the_card_on_the_page_is_that_of_the_file(seeded, folder):
    saved = load(folder / "clusters.json")
    assert seeded.facts["card"] == saved.card.to_dict()
    assert seeded.facts["card"]["nats"] == NATS
    assert seeded.facts["card"]["success"] == posterior_success(NATS)
    prose = check(tour_page([seeded], private=False)).prose
    assert HEADING in prose
    for line in str(saved.card).splitlines():
        assert " ".join(line.split()) in prose
    assert "MEMBERSHIP IN THE POOL IS NOT PROTECTED" in prose


def test_the_clusters_of_the_file_are_those_of_the_table(seeded, folder):
    table = read_pool_table(folder / "iris.csv")
    assert table.columns == COLUMNS
    assert table.rows.shape == (150, 4)
    model = load(folder / "clusters.json").model
    assert model.cluster_centers_.shape == (3, 4)
    # a third of the flowers would agree by chance; this noise leaves about nine in ten
    assert 0.7 < seeded.facts["same_cluster"] < 1


def test_no_attack_exceeds_the_promise(seeded):
    attack = seeded.facts["attack"]
    assert attack["verdict"] == "pass"
    assert attack["promised_success"] == seeded.facts["card"]["success"]
    successes = {each["name"]: each["success"]["value"] for each in attack["attacks"]}
    assert set(successes) == {"bayes", "linear", "lira", "lira-empirical"}
    assert 0.51 < successes["bayes"] < 0.6
    assert seeded.lines[-1].endswith(
        "Pass: no attack exceeded the promised 83.79 % success about any record."
    )


def test_only_a_seeded_release_is_labelled(seeded, tmp_path):
    assert seeded.facts["card"]["simulated"]
    private = releasing(Trip(clinic(), tmp_path, SecureSource()))
    assert not private.facts["card"]["simulated"]
    assert "NOT PRIVATE" not in check(tour_page([private], private=True)).prose
    assert load(tmp_path / "clusters.json").vector.shape == (12,)


def test_without_scikit_learn_the_release_is_left_out(tmp_path, monkeypatch):
    without_scikit_learn(monkeypatch, "release")
    found = releasing(Trip(clinic(), tmp_path, SeededSource(5)))
    assert found.lines[0].startswith("Releasing was left out: releasing needs scikit-learn; ")
    assert "[models]'" in found.lines[0]
    assert found.facts == {"card": None}
    assert not list(tmp_path.iterdir())
