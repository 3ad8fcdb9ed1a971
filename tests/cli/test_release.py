"""``noisewright release`` from end to end: files, pages, JSON, several releases, and refusals."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from command_line import refused, run
from noisewright.release.model_file import load
from report.checking import check

GENERATOR = np.random.default_rng(6)
FRAME = pd.DataFrame(
    {"name": [f"p{row}" for row in range(60)],
     "age": np.repeat([20.0, 40.0, 60.0], 20) + GENERATOR.normal(size=60).round(3),
     "pulse": np.repeat([60.0, 90.0, 60.0], 20) + GENERATOR.normal(size=60).round(3),
     "kind": np.repeat(["a", "b", "c"], 20)}
)  # fmt: skip
KMEANS = ["people.csv", "--algorithm", "kmeans", "--clusters", "3", "--worlds", "32"]
MEAN = ["people.csv", "--algorithm", "mean", "--worlds", "32"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("people.csv", index=False)
    return tmp_path


def test_a_release_is_told_saved_and_drawn(capsys, folder):
    out, err = run(
        capsys, "release", *KMEANS, "--budget", "1/4", "-o", "model.json", "--html", "card.html", "--attack"
    )
    flat = " ".join(out.split())
    for said in ("PRIVACY CARD OF A K-MEANS", "at most 0.25 nats", "83.79 %", "MEMBERSHIP IN THE POOL IS NOT",
                 "60 records with 2 features", "cluster 2, pulse", "pass: no attack exceeded"):  # fmt: skip
        assert said in flat, said
    assert "columns left out: name, kind" in err
    assert "NOT PRIVATE" not in out + err
    assert max(map(len, out.splitlines())) <= 100
    page = check((folder / "card.html").read_text(encoding="utf-8"))
    assert page.count("svg") == 0
    assert "attack exceeded" not in page.prose  # a card is published, and attacks use the true records
    saved = load("model.json")
    assert saved.guarantee.mutual_information == 0.25
    assert saved.card.noise == "optimal"
    assert saved.facts.names == ("age", "pulse")


def test_json_has_the_card_and_the_numbers_and_a_seed_is_labelled(capsys):
    arguments = ["release", *MEAN, "--budget", "0.25", "--seed", "3", "--json"]
    out, err = run(capsys, *arguments)
    found = json.loads(out)
    assert found["card"]["simulated"]
    assert "NOT PRIVATE" in err
    assert [entry["name"] for entry in found["released"]] == ["mean of age", "mean of pulse"]
    assert found["left_out"] == ["name", "kind"]
    again = json.loads(run(capsys, *arguments)[0])
    assert again | {"provenance": None} == found | {"provenance": None}  # which has the time
    assert json.loads(run(capsys, *arguments[:-3], "--json")[0])["released"] != found["released"]


def test_a_search_leaves_its_choice_on_the_card(capsys):
    usual = ["people.csv", "--algorithm", "ridge", "--label", "pulse", "--columns", "age", "--worlds", "16"]
    card = json.loads(run(capsys, "release", *usual, "--budget", "1/16", "--search", "--json")[0])["card"]
    assert card["search"] == "the best of 8 variants"
    assert card["classes"] is None


def test_success_is_a_budget_too(capsys):
    card = json.loads(run(capsys, "release", *MEAN, "--success", "70%", "--json")[0])["card"]
    assert card["certificate"]["rate_upper"] <= 0.7
    assert card["success"] <= 0.7


def test_an_unbounded_release_tells_how_likely_its_proof_fails(capsys):
    out, _ = run(capsys, "release", *MEAN, "--budget", "1", "--unbounded", "--failure", "1e-3", "--json")
    card = json.loads(out)["card"]
    assert (card["failure"], card["worlds"]) == (1e-3, None)


def test_releases_from_one_secret_add_up(capsys, folder):
    first = ["release", *MEAN, "--budget", "1/16", "--secret", "secret.json"]
    assert "does not exist yet" in refused(capsys, *first)
    out, _ = run(capsys, *first, "--total", "1/10", "--json")
    assert json.loads(out)["card"]["total"] == 0.1
    assert "nats left" in refused(capsys, *first)
    assert "cannot be changed" in refused(capsys, *first, "--total", "5")
    assert (folder / "secret.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "mode", [["--unbounded"], ["--secret", "world.secret", "--total", "1"]], ids=["unbounded", "secret"]
)
def test_worlds_are_kept_in_every_mode(capsys, folder, mode):
    """The second run finds what the first one kept, and writes nothing more."""
    arguments = ["release", *MEAN, "--budget", "1/16", *mode, "--keep", "kept", "--seed", "3", "--json"]
    run(capsys, *arguments)
    kept = {path: path.stat().st_mtime_ns for path in (folder / "kept").rglob("*.npz")}
    assert len(kept) >= 32
    run(capsys, *arguments)
    assert {path: path.stat().st_mtime_ns for path in (folder / "kept").rglob("*.npz")} == kept


REFUSALS = [
    ([*MEAN], "either --budget"),
    ([*MEAN, "--budget", "0"], "above 1e-06"),
    ([*MEAN, "--budget", "1/0"], "0.25 or 1/4"),
    ([*MEAN, "--budget", "nan"], "0.25 or 1/4"),
    ([*MEAN, "--success", "40%"], "from 50.1% to below 100%"),
    ([*MEAN[:-1], "31", "--budget", "1"], "even"),
    ([*MEAN, "--budget", "1", "--columns", "weight"], "no column 'weight'"),
    ([*MEAN, "--budget", "1", "--columns", "kind"], "kind in data row 1 is not a number"),
    ([*MEAN, "--budget", "1", "--clusters", "3"], "--clusters is not for"),
    ([*MEAN, "--budget", "1", "--label", "kind"], "--label is not for"),
    ([*MEAN, "--budget", "1", "--search"], "--search is for"),
    ([*MEAN, "--budget", "1", "--scale", "log"], "none, minmax, standard"),
    ([*MEAN, "--budget", "1", "--failure", "0.1"], "--failure is for --unbounded"),
    ([*MEAN, "--budget", "1", "--secret", "s", "--total", "2", "--attack"], "--attack does not go with"),
    ([*MEAN, "--budget", "1", "--total", "1"], "name its file"),
    ([*MEAN, "--success", "60%", "--secret", "s.json"], "add up in nats"),
    ([*MEAN, "--budget", "1", "-o", "people.csv"], "end in .json"),
    ([*KMEANS[:3], "--budget", "1"], "needs --clusters"),
    (["people.csv", "--algorithm", "svm", "--budget", "1"], "--label"),
    (["people.csv", "--algorithm", "magic", "--budget", "1"], "must be one of mean, kmeans"),
    (["people.csv", "--algorithm", "ridge", "--label", "kind", "--budget", "1"], "kind in data row 1"),
    (["people.csv", "--algorithm", "quantiles", "--levels", "a", "--budget", "1"], "--levels wants"),
    (["none.csv", "--algorithm", "mean", "--budget", "1"], "no such file"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSALS, ids=[said for _, said in REFUSALS])
def test_what_has_no_meaning_is_refused(capsys, folder, arguments, said):
    assert said in refused(capsys, "release", *arguments)
    assert [path.name for path in folder.iterdir()] == ["people.csv"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("a,b\n1,2\n3,\n4,5\n1,1\n", "b in data row 2 is missing"),
     ("a,b\n1,2\n3,secret\n4,5\n1,1\n", "b in data row 2 is not a number"),
     ("a,b\n1,2\n3,4\n4,inf\n1,1\n", "b in data row 3 is not a finite number"),
     ("a,b\n1,2\n3,4\n4,5\n", "3 rows; a release needs at least 4"),
     ("a,b\nx,y\nx,y\nx,y\nx,y\n", "no column of numbers"),
     ("a,b\n1,2\n1,2\n1,2\n1,2\n", "same output in every world")],
)  # fmt: skip
def test_tables_are_refused_by_place_and_never_by_value(capsys, folder, text, said):
    (folder / "odd.csv").write_text(text, encoding="utf-8")
    err = refused(capsys, "release", "odd.csv", "--algorithm", "mean", "--budget", "1", "-o", "m.json")
    assert said in err
    assert "secret" not in err
    assert not (folder / "m.json").exists()


def test_an_existing_file_is_replaced_only_when_asked(capsys, folder):
    (folder / "m.json").write_text("mine", encoding="utf-8")
    assert "--force" in refused(capsys, "release", *MEAN, "--budget", "1", "-o", "m.json")
    run(capsys, "release", *MEAN, "--budget", "1", "-o", "m.json", "--force")
    assert load("m.json").card.numbers == 2


def test_parquet_keeps_its_kinds(capsys):
    FRAME.assign(age=FRAME.age.astype("int32"), flag=FRAME.age > 30).to_parquet("people.parquet")
    out, _ = run(capsys, "release", "people.parquet", *MEAN[1:], "--budget", "1", "--json")
    assert json.loads(out)["left_out"] == ["name", "kind", "flag"]
