"""What ``noisewright release`` says to the owner of the data, and how it refuses in words of its options."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import command_line
from noisewright.cli.main import main
from noisewright.release import publication
from noisewright.release.algorithms.linear_models import Logistic
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task, run_worlds
from noisewright.release.noise import plan_noise
from noisewright.release.search.expected_utility import expected_utility

GENERATOR = np.random.default_rng(6)
FRAME = pd.DataFrame(
    {"age": np.repeat([20.0, 60.0], 30) + GENERATOR.normal(size=60),
     "pulse": GENERATOR.normal(70, 9, size=60),
     "kind": np.repeat(["young", "old"], 30)}
)  # fmt: skip
FEW = ["--worlds", "16"]
MEAN = ["people.csv", "--algorithm", "mean"]
RIDGE = ["people.csv", "--algorithm", "ridge", "--label", "pulse"]
KMEANS = ["people.csv", "--algorithm", "kmeans"]
LOGISTIC = ["people.csv", "--algorithm", "logistic", "--label", "kind"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("people.csv", index=False)
    return tmp_path


def run(capsys, *arguments) -> tuple[str, str]:
    return command_line.run(capsys, "release", *arguments)


def refused(capsys, *arguments) -> str:
    return command_line.refused(capsys, "release", *arguments)


def test_what_noise_leaves_of_a_model():
    rows, labels = FRAME[["age", "pulse"]].to_numpy(), FRAME.kind.to_numpy().astype(str)
    task, worlds = Task(Logistic(), Logistic().facts(rows, labels), rows, labels), Worlds(60, 64)
    outputs = run_worlds(task, worlds)
    strict, loose = (expected_utility(task, plan_noise(outputs, nats), worlds) for nats in (1e-3, 4.0))
    assert strict.unnoised == loose.unnoised > 0.97
    assert loose.private > 0.9
    assert strict.private < 0.65  # about a coin's
    assert "% of left-out records right after the noise" in str(strict)
    weighted = plan_noise(outputs, 4.0, weights=np.eye(64)[5] * 0.5 + np.eye(64)[9] * 0.5)
    assert expected_utility(task, weighted, worlds).private > 0.9


def test_the_owner_alone_hears_what_a_classifier_is_worth(capsys, folder):
    out, err = run(capsys, *LOGISTIC, *FEW, "--budget", "1/4", "-o", "m.json", "--json")
    assert "these 2 class names are published unchanged: old, young" in err
    assert "for you alone: about" in err
    assert "do not publish" in err
    written = (folder / "m.json").read_text(encoding="utf-8")
    for kept in ("left-out", "for you alone"):
        assert kept not in out + written


def test_other_measures_are_utilities_and_a_search_shows_its_table(capsys):
    _, err = run(capsys, *RIDGE, "--columns", "age", *FEW, "--budget", "1/4", "--search")
    assert "for you alone: utility of about -" in err
    assert err.count("for you alone: Ridge(alpha=") == 9  # the winner, and the table of 8


def test_an_unbounded_release_is_judged_as_well(capsys):
    out, err = run(capsys, *MEAN, "--columns", "age", "--budget", "1/4", "--unbounded")
    assert "for you alone: utility of about -" in err
    assert "for you alone" not in out


def test_columns_far_apart_get_a_hint_unless_scaling_was_chosen(capsys):
    FRAME.assign(pulse=FRAME.pulse * 1000).to_csv("people.csv", index=False)
    usual = [*KMEANS, "--clusters", "2", *FEW, "--budget", "1/4"]
    assert "more than 100 times as wide" in run(capsys, *usual)[1]
    for chosen in (["--scale", "none"], ["--scale", "standard"]):
        assert "as wide" not in run(capsys, *usual, *chosen)[1]
    assert "as wide" not in run(capsys, *MEAN, *FEW, "--budget", "1/4")[1]


def test_a_refused_first_release_leaves_no_secret(capsys, folder):
    secret = ["--secret", "s.db"]
    assert "nats left of 0.1" in refused(capsys, *MEAN, *FEW, "--budget", "1/4", *secret, "--total", "0.1")
    few = [*KMEANS, "--clusters", "30", *FEW, "--budget", "1/16"]  # halves hold 30 rows, some of them alike
    FRAME.round(0).assign(pulse=70).to_csv("people.csv", index=False)
    assert "ask for fewer clusters" in refused(capsys, *few, *secret, "--total", "0.1")
    assert not (folder / "s.db").exists()
    run(capsys, *MEAN, "--columns", "age", *FEW, "--budget", "1/16", *secret, "--total", "0.1")
    assert (folder / "s.db").exists()


def test_a_secret_keeps_what_it_was_made_with(capsys):
    usual = [*MEAN, "--budget", "1/64", "--secret", "s.db"]
    run(capsys, *usual, *FEW, "--total", "1/4")
    run(capsys, *usual, *FEW)
    run(capsys, *usual, "--total", "1/4")
    assert "name a new file" in refused(capsys, *usual, "--total", "1/2")
    assert "16 worlds" in refused(capsys, *usual, "--worlds", "32")
    assert "with the same --label and --columns" in refused(
        capsys, *LOGISTIC, "--budget", "1/64", "--secret", "s.db"
    )


def test_a_folder_of_finished_worlds_is_spoken_of(capsys, monkeypatch):
    kept = [*MEAN, *FEW, "--budget", "1/4", "--keep", "kept"]

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(publication, "_bounded", interrupt)
        assert main(["release", *kept]) == 130
    assert "run the same command to continue" in capsys.readouterr().err
    assert "kept is PRIVATE" in run(capsys, *kept)[1]


HISTOGRAM = ["people.csv", "--algorithm", "histogram", "--budget", "1", "--range"]
QUANTILES = ["people.csv", "--algorithm", "quantiles", "--levels", "0.5", "--budget", "1"]
REFUSALS = [
    ([*KMEANS, "--clusters", "0", "--budget", "1"], "--clusters must be"),
    (["people.csv", "--algorithm", "pca", "--components", "0", "--budget", "1"], "--components must be"),
    ([*RIDGE, "--regularization", "0", "--budget", "1"], "--regularization must be above 0"),
    ([*MEAN, "--budget", "1", "--secret", "s.db", "--total", "0"], "--total must be"),
    ([*MEAN, "--budget", "25%"], "nats, not percent"),
    ([*MEAN, "--success", "58.8"], "write 58.8% or 0.588"),
    ([*MEAN, "--budget", "1", "--secret", "people.csv"], "is not a secret file; name a new one with --total"),
    ([*MEAN, "--budget", "1", "--keep", "people.csv"], "name a folder"),
    (["people.csv", "--algorithm", "forest", "--label", "kind", "--budget", "1"], "--range LOW:HIGH"),
    ([*HISTOGRAM, "8:0"], "noisewright: --range must go from a lower to a higher number; got '8:0'"),
    ([*HISTOGRAM, "8:8"], "noisewright: --range must go from a lower"),
    ([*HISTOGRAM, "0:inf"], "noisewright: --range must go from a lower"),
    ([*QUANTILES, "--range", "8:0"], "noisewright: --range must go from a lower"),
    (
        ["people.csv", "--algorithm", "pca", "--components", "9", "--budget", "1"],
        "--components must be at most",
    ),
    ([*MEAN, "--budget", "1", "--scale", "minmax"], "noisewright: --scale is not for --algorithm mean"),
    ([*MEAN, "--success", "0.5001"], "noisewright: --success wants a share from 50.1%"),
    ([*MEAN, "--budget", "1", "--jobs", "0"], "noisewright: --jobs must not be 0"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSALS, ids=[said for _, said in REFUSALS])
def test_refusals_name_the_option(capsys, folder, arguments, said):
    assert said in refused(capsys, *arguments)
    assert [path.name for path in folder.iterdir()] == ["people.csv"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("a;b\n1;2\n3;4\n1;5\n5;6\n", "seems to use semicolons"),
     ("a,b\n1,2\n3,\n4,5\n1,1\n", "such rows first")],
)  # fmt: skip
def test_tables_are_refused_with_a_remedy(capsys, folder, text, said):
    (folder / "odd.csv").write_text(text, encoding="utf-8")
    assert said in refused(capsys, "odd.csv", "--algorithm", "mean", "--budget", "1")


def test_a_forest_needs_no_range_behind_a_minmax_scaler(capsys):
    small = ["--budget", "1/4", *FEW]
    usual = ["people.csv", "--algorithm", "forest", "--label", "kind", *small]
    run(capsys, *usual, "--scale", "minmax")
    assert json.loads(run(capsys, *usual, "--range", "0:120", "--json")[0])["card"]["nats"] == 0.25
