"""``noisewright learn`` and ``noisewright classify`` from end to end: files, pages and JSON."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from command_line import run
from noisewright.learn.models.learned_model import load_model
from report.checking import check

CLIENTS = 2000
FEATURES = ["--interval", "age=0:100", "--categories", "smokes=never,former,daily", "--circle", "wakes=24"]
USUAL = ["people.csv", "--label", "ill", "--epsilon", "3", *FEATURES]


def people(count: int, seed: int) -> pd.DataFrame:
    generator = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"id": [f"p{row}" for row in range(count)], "wakes": generator.uniform(0, 24, count).round(2) % 24,
         "age": generator.uniform(20, 90, count).round(2),
         "smokes": generator.choice(["never", "former", "daily"], count)}
    )  # fmt: skip
    risk = (frame.age - 60) / 6 + 1.5 * (frame.smokes == "daily")
    return frame.assign(ill=np.where(generator.random(count) < 1 / (1 + np.exp(-risk)), "yes", "no"))


FRAME, OTHERS = people(CLIENTS, 1), people(500, 2)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("people.csv", index=False)
    OTHERS.to_csv("others.csv", index=False)
    return tmp_path


def test_a_lesson_is_told_saved_drawn_and_used(capsys, folder):
    out, err = run(
        capsys,
        "learn",
        *USUAL,
        "--seed",
        1,
        "-o",
        "model.json",
        "--html",
        "page.html",
        "--test",
        "others.csv",
    )
    flat = " ".join(out.split())
    for said in ("2,000 rows of people.csv, each simulates a client", "every client exactly ε = 3",
                 "1,700 reported one feature (binned) and their label, for training", "100 reported which of a rule and the constant answer is right about them",
                 "200 reported where the finished classifier puts them", "left out id", "'additive' was chosen",
                 "balanced accuracy", "better than always answering", "on others.csv: measured, NOT private",
                 "The clients were simulated"):  # fmt: skip
        assert said in flat, said
    assert "NOT PRIVATE" in err
    assert max(map(len, out.splitlines())) <= 110
    parsed = check((folder / "page.html").read_text(encoding="utf-8"))
    assert parsed.count("svg") == 3
    out, err = run(
        capsys,
        "classify",
        "others.csv",
        "--model",
        "model.json",
        "-o",
        "said.csv",
        "--keep",
        "id",
        "--keep",
        "age",
    )
    said = pd.read_csv("said.csv")
    assert list(said.columns) == ["id", "age", "predicted ill"]
    assert said.age.tolist() == OTHERS.age.tolist()
    assert said.id.tolist() == OTHERS.id.tolist()
    # People at 20 or at 90 are told apart by anybody; 500 such people leave chance no part in it.
    assert (said["predicted ill"] == OTHERS.ill).mean() > 0.75
    assert said["predicted ill"].tolist() == load_model("model.json").predict(OTHERS).tolist()
    assert "500 rows classified by ill" in out
    assert "NOT PRIVATE" in err


def test_json_holds_all_of_it(capsys):
    out, _ = run(capsys, "learn", *USUAL, "--json", "--classes", "yes,no")
    found = json.loads(out)
    assert (found["clients"], found["clients_are_simulated"], found["private"]) == (CLIENTS, True, True)
    assert [(row["purpose"], row["clients"]) for row in found["asked"]] == [
        ("learn", 1700),
        ("choose", 100),
        ("check", 200),
    ]
    assert found["spent"] == [{"epsilon": str(Fraction(3)), "clients": CLIENTS}]
    assert found["left_out"] == ["id"]
    assert found["chosen"]["name"] in [row["name"] for row in found["chosen"]["candidates"]]
    assert {"accuracy", "majority", "balanced_accuracy", "beats_majority", "calibration"} <= set(
        found["scorecard"]
    )
    assert found["test"] is None
    assert found["model"]["classes"] == ["no", "yes"]
    assert found["model"]["scorecard"] == found["scorecard"]


def test_the_same_seed_learns_the_same_and_no_seed_does_not(capsys):
    seeded = [run(capsys, "learn", *USUAL, "--json", "--seed", 7)[0] for _ in range(2)]
    first, second = map(json.loads, seeded)
    assert (
        first.pop("provenance")["seed"] == second.pop("provenance")["seed"] == 7
    )  # they differ in their times
    assert first == second
    assert first["private"] is False
    assert first["model"]["simulated"] is True
    fresh = [json.loads(run(capsys, "learn", *USUAL, "--json")[0])["model"]["rule"] for _ in range(2)]
    assert fresh[0] != fresh[1]


def test_the_measured_scorecard_stays_out_of_the_file(capsys):
    out, _ = run(capsys, "learn", *USUAL, "--json", "-o", "model.json", "--test", "others.csv")
    found, saved = json.loads(out), json.loads(Path("model.json").read_text(encoding="utf-8"))
    assert found["test"]["from_randomized_answers"] is False
    assert found["test"]["data"] == "others.csv"
    model = load_model("model.json")
    right = float(np.mean(model.predict(OTHERS) == OTHERS.ill.to_numpy()))
    assert found["test"]["accuracy"]["value"] == pytest.approx(right)
    assert saved["scorecard"] == found["scorecard"]
    assert "others.csv" not in json.dumps(saved)


@pytest.mark.parametrize("options", [["--base", "svm", "--no-intercept"], ["--base", "random"], []])
def test_mrma_is_played_with_its_choices(capsys, options):
    out, _ = run(capsys, "learn", *USUAL, "--method", "mrma", "--json", "--seed", 3, *options)
    found = json.loads(out)
    asked = {row["question"]: row["clients"] for row in found["asked"]}
    assert sum(asked.values()) == CLIENTS
    assert asked["check"] == 200
    assert ("split" in asked) == ("random" not in options)
    assert found["chosen"]["weak"] >= found["chosen"]["with_weight"] >= 1
    assert found["spent"] == [{"epsilon": "3", "clients": CLIENTS}]
    assert found["model"]["method"] == "mrma"


def test_three_classes_from_parquet_with_whole_numbers_for_labels(capsys, folder):
    frame = FRAME.assign(band=np.digitize(FRAME.age, [45, 70]))
    frame.to_parquet("people.parquet")
    usual = ["people.parquet", "--label", "band", "--epsilon", "3", *FEATURES[:2]]
    out, _ = run(capsys, "learn", *usual, "-o", "model.json", "--json")
    found = json.loads(out)
    assert found["model"]["classes"] == ["0", "1", "2"]
    assert found["scorecard"]["calibration"] is None
    run(
        capsys, "classify", "people.parquet", "--model", "model.json", "-o", "said.parquet", "--probabilities"
    )
    table = pq.read_table("said.parquet").to_pydict()
    assert list(table) == ["predicted band", "probability of 0", "probability of 1", "probability of 2"]
    sums = np.sum([table[name] for name in list(table)[1:]], axis=0)
    assert sums == pytest.approx(np.ones(CLIENTS))
    assert np.mean(np.array(table["predicted band"]) == frame.band.astype(str)) > 0.6


def test_labels_that_are_numbers_in_a_csv_stay_as_they_are_spelled(capsys):
    FRAME.assign(ill=np.where(FRAME.ill == "yes", "01", "00")).to_csv("people.csv", index=False)
    out, _ = run(capsys, "learn", *USUAL, "--json", "-o", "model.json")
    assert json.loads(out)["model"]["classes"] == ["00", "01"]
    out, _ = run(capsys, "classify", "others.csv", "--model", "model.json", "-o", "said.csv", "--json")
    assert set(json.loads(out)["predicted"]) == {"00", "01"}
    with open("said.csv", newline="", encoding="utf-8") as file:
        assert {row["predicted ill"] for row in csv.DictReader(file)} <= {"00", "01"}


def test_clipping_is_done_only_when_asked_for(capsys):
    narrow = ["people.csv", "--label", "ill", "--epsilon", "3", "--interval", "age=30:80"]
    run(capsys, "learn", *narrow, "--out-of-domain", "clip", "-o", "model.json")
    out, _ = run(
        capsys, "classify", "others.csv", "--model", "model.json", "-o", "p.csv", "--out-of-domain", "clip"
    )
    assert "500 rows" in out


def test_the_help_says_that_clients_are_simulated(capsys):
    out, _ = run(capsys, "learn", "--help")
    assert "Simulates the clients" in " ".join(out.split())
    out, _ = run(capsys, "classify", "--help")
    assert "Nothing is randomized here" in " ".join(out.split())
