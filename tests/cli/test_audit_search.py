"""``noisewright audit --database``: a worst pair near the database and beyond it, and what is refused."""

from __future__ import annotations

import json
import shlex
import sys

import pytest

from command_line import refused, run, timeless
from noisewright.audit.evidence import INCONCLUSIVE, REFUTED
from noisewright.audit.neighbours import draws
from noisewright.cli.audit_target import read_bounds
from noisewright.cli.main import main
from noisewright.errors import InvalidParameter
from report.checking import check

MODULE = """
import numpy as np

def ages(data):
    if isinstance(data, np.ndarray):
        return data if data.ndim == 1 else data[:, 0]
    return np.array([age or 0 for age in data.column("age").to_pylist()])

def release(data, generator):
    return float(np.clip(ages(data), 0, 1).sum() + generator.laplace(scale=0.25))

def many(data, count, generator):
    return np.clip(ages(data), 0, 1).sum() + generator.laplace(scale=0.25, size=count)

def answers(data, count, generator):
    return data[0] + generator.laplace(size=count)

def stops_at_once(data, count, generator):
    raise KeyboardInterrupt

def stops(data, count, generator):
    if len(data) < 12:
        raise KeyboardInterrupt
    return many(data, count, generator)
"""
FAILING = """
calls = [0]

def failing(data, count, generator):
    calls[0] += count
    if calls[0] > 30_000:  # half of the runs search
        raise RuntimeError
    return many(data, count, generator)
"""
TOOL = """
import csv, os, random, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert all(row["code"].startswith("00") for row in rows)
chance = random.Random(os.environ["NOISEWRIGHT_SEED"])
total = sum(min(float(row["age"] or 0), 1) for row in rows)
for _ in range(int(sys.argv[2])):
    print(total + chance.expovariate(4) - chance.expovariate(4))
"""
NUMBERS = "age,pay\n" + "0.05,3\n" * 12
TEXT = "age,city\n" + "0.05,Ulm\n" * 12
GAPS = "age,city\n,Ulm\n" + "0.05,Ulm\n" * 11
SEARCH = ["audit", "black_boxes:many", "--vectorized", "--seed", "1", "--samples", "4e4"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "black_boxes.py").write_text(MODULE)
    for name, text in {"people": NUMBERS, "text": TEXT, "gaps": GAPS}.items():
        (tmp_path / f"{name}.csv").write_text(text)
    yield tmp_path
    sys.modules.pop("black_boxes", None)


def searched(capsys, *arguments, code=0):
    """What an audit of a database found, as JSON."""
    assert main([*map(str, arguments), "--json"]) == code
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("file", ["people.csv", "text.csv", "gaps.csv"])
def test_a_worst_pair_beyond_the_database_refutes_the_claim(capsys, file):
    """Nobody has more than 0.05, worth ε = 0.2; somebody may have 1, worth ε = 4."""
    found = searched(
        capsys, *SEARCH, "--database", file, "--claim", "epsilon=1,delta=1e-6", "--bounds", "age=0:1",
        code=REFUTED,
    )  # fmt: skip
    assert (found["search"]["made_up"], found["search"]["beyond"]) == (True, True)
    assert 1 < found["epsilon_lower"]["0"] <= 4
    assert found["inputs"][0].startswith("a made-up database (")
    assert "of the largest values removed" in found["inputs"][1]


def test_one_range_for_all_columns(capsys):
    found = searched(
        capsys, *SEARCH, "--database", "people.csv", "--claim", "1", "--bounds", "0:1", code=REFUTED
    )
    assert found["search"]["made_up"]


def test_without_looking_beyond_only_neighbours_of_the_database_are_tried(capsys):
    found = searched(capsys, *SEARCH, "--database", "people.csv", "--claim", "1", "--no-beyond")
    assert (found["search"]["made_up"], found["search"]["beyond"]) == (False, False)
    assert found["search"]["neighbours"] == 12
    assert found["epsilon_lower"]["0"] <= 0.2
    assert found["inputs"] == ["the database", f"the database with {found['search']['worst'][12:]}"]


def test_changed_rows_may_have_any_value_of_the_bounds(capsys):
    arguments = [*SEARCH, "--database", "people.csv", "--relation", "change", "--no-beyond"]
    assert searched(capsys, *arguments)["epsilon_lower"]["0"] <= 0.2
    found = searched(capsys, *arguments, "--bounds", "age=0:1")
    assert found["epsilon_lower"]["0"] > 1
    assert found["search"]["worst"].endswith("changed to the largest values")


def test_answers_move_by_one(capsys, folder):
    (folder / "answers.json").write_text("[0, 0, 0]")
    arguments = ["audit", "black_boxes:answers", "--vectorized", "--seed", "1", "--samples", "1e5"]
    arguments += ["--database", "answers.json", "--relation", "queries"]
    assert searched(capsys, *arguments)["epsilon_lower"]["0"] <= 1


def test_the_words_and_the_page_say_that_the_pair_was_made_up(capsys, folder):
    arguments = [*SEARCH, "--database", "text.csv", "--claim", "1", "--bounds", "0:1", "--html", "audit.html"]
    assert main(arguments) == REFUTED
    words = " ".join(capsys.readouterr().out.split())
    page = (folder / "audit.html").read_text(encoding="utf-8")
    check(page)
    refuted = "It refutes a claim that is meant for such data"
    for said in ("need not be about these people", "The worst pair", "as private as they are", refuted):
        assert said in words
        assert said in page
    high = [*arguments[:-6], "--claim", "9", "--bounds", "0:1", "--html", "audit.html", "--force"]
    assert main(high) == INCONCLUSIVE  # so few runs can say nothing of so large an ε
    assert "need not be about these people" in (folder / "audit.html").read_text(encoding="utf-8")
    assert refuted not in (folder / "audit.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", [NUMBERS, TEXT, GAPS], ids=["numbers", "text", "gaps"])
def test_a_database_and_a_claim_are_all_it_takes(capsys, folder, text):
    (folder / "patients.csv").write_text(text)
    command = (
        'audit black_boxes:release --database patients.csv --claim "epsilon=1,delta=1e-6" --samples 2e4 '
        "--html audit.html"
    )
    out, err = run(capsys, *shlex.split(command))
    assert "not refuted: Nothing was found against the claim of ε = 1, δ = 1e-06" in out
    assert "audit.html" in err
    check((folder / "audit.html").read_text(encoding="utf-8"))


def test_a_function_that_is_called_for_every_output(capsys):
    found = searched(
        capsys, "audit", "black_boxes:release", "--database", "text.csv", "--claim", "epsilon=1,delta=1e-6",
        "--samples", "2e4", "--bounds", "0:1", "--jobs", "1", code=REFUTED,
    )  # fmt: skip
    assert found["search"]["made_up"]


def test_a_command_gets_files_whose_cells_are_as_they_were_typed(capsys, folder):
    (folder / "tool.py").write_text(TOOL)
    (folder / "codes.csv").write_text("code,age,city\n" + "007,0.05,Ulm\n" * 5 + "008,,Ulm\n")
    found = searched(
        capsys, "audit", "--command", f"{sys.executable} tool.py {{input}} {{count}}", "--database",
        "codes.csv", "--claim", "1", "--bounds", "age=0:1", "--samples", "1e4", "--jobs", "1", code=REFUTED,
    )  # fmt: skip
    assert found["search"]["made_up"]


@pytest.mark.parametrize("few", ["100", "500"])
def test_the_number_that_a_refusal_names_is_the_one_to_type(capsys, few):
    arguments = ["audit", "black_boxes:many", "--vectorized", "--database", "people.csv", "--seed", "1"]
    err = refused(capsys, *arguments, "--samples", few)
    needed = err.split("at least ")[1].split(",")[0]
    run(capsys, *arguments, "--samples", needed)


def test_kept_runs_bound_again_without_new_ones(capsys, folder):
    arguments = [*SEARCH[:3], "--samples", "4e4", "--database", "people.csv", "--keep", "kept", "--json"]
    out, err = run(capsys, *arguments)
    assert "further questions need not repeat them" in err
    assert "PRIVATE" in err
    kept = {path: path.stat().st_mtime_ns for path in (folder / "kept").rglob("*.parquet")}
    assert kept
    assert timeless(run(capsys, *arguments)[0]) == timeless(out)
    assert {path: path.stat().st_mtime_ns for path in (folder / "kept").rglob("*.parquet")} == kept


@pytest.mark.parametrize(("mechanism", "goes_on"), [("stops_at_once", False), ("stops", True)])
def test_going_on_is_promised_only_where_runs_were_kept(capsys, mechanism, goes_on):
    """Both are interrupted while they search, one of them before its first run has ended."""
    arguments = [*SEARCH, "--database", "people.csv", "--keep", "kept"]
    arguments[1] = f"black_boxes:{mechanism}"
    main(arguments)
    assert ("run the same command to go on" in capsys.readouterr().err) is goes_on


def test_another_search_in_the_same_folder_has_runs_of_its_own(capsys, folder):
    arguments = [*SEARCH, "--database", "people.csv", "--keep", "kept"]
    run(capsys, *arguments, "--bounds", "age=0:1")
    run(capsys, *arguments, "--bounds", "age=0:0.9")
    assert len(list((folder / "kept").glob("search-*"))) == 2


def test_going_on_is_promised_where_a_mechanism_fails_after_runs_were_kept(capsys, folder):
    (folder / "black_boxes.py").write_text(MODULE + FAILING)
    arguments = [*SEARCH, "--database", "people.csv", "--keep", "kept"]
    arguments[1] = "black_boxes:failing"
    err = refused(capsys, *arguments)
    assert "run the same command to go on" in err
    assert draws.keeps_runs(folder / "kept")


REFUSALS = [
    (["--left", "1", "--right", "2", "--beyond"], "--beyond is for the search of a --database"),
    (["--left", "1", "--right", "2", "--no-beyond"], "leave it out for a pair"),
    (["--left", "1", "--right", "2", "--bounds", "0:1"], "--bounds is for the search"),
    (["--database", "people.csv", "--relation", "swap"], "--relation must be one of remove, change, queries"),
    (["--database", "people.csv", "--bounds", "1:0"], "--bounds wants a rising range"),
    (["--database", "people.csv", "--bounds", "0:0"], "--bounds wants a rising range"),
    (["--database", "people.csv", "--bounds", "0:many"], "--bounds wants a rising range"),
    (["--database", "people.csv", "--bounds", "0:inf"], "--bounds wants a rising range"),
    (["--database", "people.csv", "--bounds", "7"], "--bounds wants a rising range"),
    (["--database", "people.csv", "--bounds", "age=0:1,3:4"], "--bounds wants a rising range"),
    (["--database", "people.csv", "--bounds", "age=0:1,age=0:2"], "the column 'age' twice"),
    (["--database", "people.csv", "--bounds", "hight=0:1"], "'hight', which is not a column of numbers"),
    (["--database", "text.csv", "--bounds", "city=0:1"], "'city', which is not a column of numbers"),
    (["--database", "people.csv", "--bounds", "0:1", "--no-beyond"], "--no-beyond makes up none"),
    (["--database", "people.csv", "--relation", "queries", "--bounds", "0:1"], "are for rows"),
    (["--database", "people.csv", "--relation", "queries"], "a vector of finite answers"),
    (["--database", "header.csv"], "has columns but no rows"),
    (["--database", "one.csv"], "at least 2 rows, got 1"),
    (["--database", "words.csv", "--bounds", "0:1"], "columns of numbers, and the database has none"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSALS)
def test_bad_input_is_one_sentence(capsys, folder, arguments, said):
    (folder / "header.csv").write_text("age,pay\n")
    (folder / "one.csv").write_text("age,pay\n3,4\n")
    (folder / "words.csv").write_text("city,name\nUlm,Ada\nBonn,Bo\n")
    err = refused(capsys, "audit", "black_boxes:many", "--vectorized", *arguments)
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_command_has_no_use_for_answers_in_a_table(capsys):
    err = refused(
        capsys, "audit", "--command", "./tool {input}", "--database", "people.csv", "--relation", "queries"
    )
    assert "give a JSON file with a list" in err


def test_the_gallery_is_not_searched(capsys):
    for option in (["--no-beyond"], ["--bounds", "0:1"], ["--relation", "change"]):
        assert "does not go with --gallery" in refused(capsys, "audit", "--gallery", *option)


def test_bounds_of_columns_whose_names_hold_signs():
    assert read_bounds("a=b=-1:2") == {"a=b": (-1.0, 2.0)}
    with pytest.raises(InvalidParameter, match="rising"):
        read_bounds("=0:1")
