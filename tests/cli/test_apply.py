"""``noisewright apply``: a release in use, and what it refuses."""

from __future__ import annotations

import csv
import json

import numpy as np
import pandas as pd
import pytest

from command_line import run
from noisewright.cli.main import main
from noisewright.release import MutualInformation, Release, save

GENERATOR = np.random.default_rng(6)
FRAME = pd.DataFrame(
    {"age": np.repeat([20.0, 60.0], 30) + GENERATOR.normal(size=60), "pulse": GENERATOR.normal(70, 9, size=60),
     "kind": np.repeat(["young", "old"], 30)}
)  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("people.csv", index=False)
    return tmp_path


def released(capsys, *arguments) -> None:
    usual = ["--budget", "2", "--worlds", "16", "--seed", "1", "-o", "model.json"]
    run(capsys, "release", "people.csv", "--algorithm", *arguments, *usual)


def rows(path: str) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def change(path, vector) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(content | {"vector": vector(content["vector"])}), encoding="utf-8")


@pytest.mark.parametrize("scale", ["none", "standard"])
def test_a_classifier_predicts_labels(capsys, scale):
    released(capsys, "logistic", "--label", "kind", "--columns", "age", "--scale", scale)
    FRAME[["kind", "age"]].to_csv("others.csv", index=False)  # other columns and another order do not matter
    out, err = run(capsys, "apply", "model.json", "others.csv", "-o", "said.csv")
    assert "60 rows" in out
    assert "NOT PRIVATE" in err
    said = [row["predicted kind"] for row in rows("said.csv")]
    assert np.mean(np.array(said) == FRAME.kind) > 0.9


def test_clusters_and_components_have_columns_of_their_own(capsys):
    released(capsys, "kmeans", "--clusters", "2")
    run(capsys, "apply", "model.json", "people.csv", "-o", "said.csv")
    assert {row["cluster"] for row in rows("said.csv")} == {"0", "1"}
    released(capsys, "pca", "--components", "1", "--force")
    out, _ = run(capsys, "apply", "model.json", "people.csv", "-o", "turned.parquet", "--json")
    found = json.loads(out)
    assert found.pop("provenance")["command"][:2] == ["noisewright", "apply"]
    assert found == {"output": "turned.parquet", "rows": 60, "columns": ["component 0"]}
    assert len(pd.read_parquet("turned.parquet")) == 60


def test_a_statistic_is_printed(capsys):
    released(capsys, "quantiles", "--levels", "0.5", "--range", "0:200")
    found = json.loads(run(capsys, "apply", "model.json", "--json")[0])["released"]
    assert [entry["name"] for entry in found] == ["0.5 quantile of age", "0.5 quantile of pulse"]
    assert "0.5 quantile of pulse" in run(capsys, "apply", "model.json")[0]


def test_a_statistic_is_written_without_the_rounding_of_the_computer(capsys, folder):
    released(capsys, "histogram", "--range", "0:100", "--columns", "age")
    empty = [0.0, 9.992e-17]  # what a projection may leave of a cell without records
    change(folder / "model.json", lambda vector: [0.3, 0.7 - 9.992e-17, *empty * 4])
    out, _ = run(capsys, "apply", "model.json")
    assert "e-" not in out
    out, _ = run(capsys, "apply", "model.json", "-o", "said.csv")
    assert "10 rows in said.csv: name, value" in out
    said = rows("said.csv")
    assert said[0]["name"] == "age from 0 to 10"
    assert {float(row["value"]) for row in said[2:]} == {0.0}
    assert sum(float(row["value"]) for row in said) == pytest.approx(1)


@pytest.mark.parametrize("model", [["logistic", "--label", "kind"], ["ridge", "--label", "pulse"]])
def test_numbers_too_large_are_refused_without_a_library_warning(capsys, folder, model):
    released(capsys, *model)
    change(folder / "model.json", lambda vector: [1e308, *vector[1:]])
    assert main(["apply", "model.json", "people.csv", "-o", "said.csv"]) == 2
    err = capsys.readouterr().err
    assert "not finite" in err
    assert "Warning" not in err
    assert not (folder / "said.csv").exists()


def test_a_function_is_printed_by_its_numbers(capsys):
    made = Release(lambda table: table.max(axis=0), MutualInformation(1.0), worlds=16).fit(
        FRAME[["age", "pulse"]]
    )
    save("model.json", made.released_)
    found = json.loads(run(capsys, "apply", "model.json", "--json")[0])["released"]
    assert [entry["value"] for entry in found] == made.vector_.tolist()


def test_what_cannot_be_applied_is_refused(capsys, folder):
    released(capsys, "kmeans", "--clusters", "2")
    FRAME[["age"]].to_csv("narrow.csv", index=False)
    for arguments, said in (
        (["model.json"], "give the ROWS"),
        (["model.json", "narrow.csv", "-o", "said.csv"], "no column 'pulse'"),
        (["model.json", "people.csv", "-o", "said.json"], "must end in"),
        (["model.json", "people.csv", "-o", "people.csv", "--force"], "is an input itself"),
        (["people.csv", "people.csv", "-o", "said.csv"], "strict JSON"),
    ):
        assert main(["apply", *arguments]) == 2
        assert said in capsys.readouterr().err
    released(capsys, "mean", "--force")
    assert main(["apply", "model.json", "people.csv", "-o", "said.csv"]) == 2
    assert "takes no rows" in capsys.readouterr().err
    assert not (folder / "said.csv").exists()
