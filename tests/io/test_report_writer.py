"""Cells that a spreadsheet would run: a sentence, wherever the package writes a CSV, and the values as they are."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from command_line import run
from noisewright import Categories, Interval
from noisewright.errors import FormulaCells
from noisewright.io import perturb_file, write_reports
from noisewright.io.files import report_writer
from noisewright.mechanisms import KRR, OGPM
from noisewright.randomness import SeededSource
from noisewright.trajectory import Routes
from noisewright.trajectory.files import write_routes

EVIL = "=cmd|' /C calc'!A0"
BOX = "139.47,35.51,139.90,35.86"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"pulse": [71.5, 64.5] * 8, "kind": [EVIL, "b"] * 8, "city": ["x", "y"] * 8})
    frame.to_csv("people.csv", index=False)
    return tmp_path


def written(values, name="kind", kind="csv"):
    """Write one column of a file."""
    table = pa.table({name: values})
    with report_writer(kind, Path("out.csv"), table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize(
    "text", [EVIL, "+A1", "-A1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1", "-1-1", "+", "-", "- 5"]
)
def test_what_begins_like_a_formula_is_told_and_kept(text):
    with pytest.warns(FormulaCells, match="'kind' as formulas") as told:
        written(["a", None, text, text])
    assert len(told) == 1
    assert told[0].filename == __file__
    assert "cmd" not in str(told[0].message)
    with open("out.csv", newline="", encoding="utf-8") as file:
        assert [row["kind"] for row in csv.DictReader(file)][-2:] == [text, text]


@pytest.mark.parametrize(
    "values",
    [
        ["-1", "+2.5", "-.5e-3", "a=b", " =1", "1\n=2", "", None],
        [-1.5, 2.0],
        [b"=1"],
        pa.array(["-7"]).dictionary_encode(),
    ],
)
def test_numbers_and_other_texts_are_no_formulas(values):
    with warnings.catch_warnings(action="error"):
        written(values)


def test_names_of_columns_and_dictionaries_count_and_parquet_does_not():
    with pytest.warns(FormulaCells, match=r"'=1\+1'"):
        written([1.0], name="=1+1")
    with pytest.warns(FormulaCells):
        written(pa.array([EVIL, "b"]).dictionary_encode())
    with warnings.catch_warnings(action="error"):
        written([EVIL], kind="parquet")


def test_hostile_names_are_shown_and_many_are_counted():
    table = pa.table({f"={place}\x1b[2J": [1] for place in range(5)})
    with (
        pytest.warns(FormulaCells, match=r"'=0\\\\x1b\[2J', .* and 2 more as formulas"),
        report_writer("csv", Path("out.csv"), table.schema) as writer,
    ):
        writer.write_table(table)


def test_python_programs_are_warned():
    oracle = KRR(Categories([EVIL, "b"]), 2.0)
    with pytest.warns(FormulaCells):
        perturb_file("people.csv", "r.csv", {"kind": oracle}, source=SeededSource(1))
    with pytest.warns(FormulaCells):
        write_reports("w.csv", {"kind": oracle.perturb([EVIL] * 99)}, {"kind": oracle})
    with pytest.warns(FormulaCells):
        write_routes("t.csv", Routes.of([[(0.25, 0.5)]], [EVIL]), coordinates="plane")
    with warnings.catch_warnings(action="error"):
        perturb_file("people.csv", "n.csv", {"pulse": OGPM(Interval(0, 99), 1.0)}, source=SeededSource(1))


def test_verbs_say_one_sentence(capsys):
    told = "a spreadsheet would run cells of 'kind' as formulas"
    usual = ["perturb", "people.csv", "--epsilon", "2", "--interval", "pulse=0:100"]
    out, err = run(capsys, *usual, "--keep", "kind", "-o", "kept.csv")
    assert err.startswith(f"noisewright: {told}")
    assert len(err.splitlines()) == 1
    assert out.startswith("16 rows")
    assert run(capsys, *usual, "--keep", "kind", "-o", "kept.parquet")[1] == ""
    assert run(capsys, *usual, "--keep", "city", "-o", "city.csv")[1] == ""
    pd.DataFrame({"pulse": [71.5, 64.5] * 8, "kind": [EVIL, "@b"] * 8}).to_csv("people.csv", index=False)
    usual = ["release", "people.csv", "--algorithm", "logistic", "--label", "kind", "--columns", "pulse"]
    run(capsys, *usual, "--worlds", "16", "--budget", "2", "-o", "model.json")
    assert (
        "'predicted kind' as formulas" in run(capsys, "apply", "model.json", "people.csv", "-o", "a.csv")[1]
    )


def test_counts_of_routes_say_it_too(capsys):
    places = [(139.5 + 0.01 * place, 35.6) for place in range(30)]
    write_routes("trips.geojson", Routes.of([[place, place] for place in places]))
    run(
        capsys,
        "routes",
        "perturb",
        "trips.geojson",
        "--epsilon",
        "4",
        "--space",
        BOX,
        "--seed",
        "1",
        "-o",
        "p.csv",
    )
    zones = ["--zone", "=1+1=139.5,35.6,139.6,35.7", "--zone", "b=139.7,35.6,139.8,35.7"]
    err = run(capsys, "routes", "count", "p.csv", *zones, "-o", "counts.csv")[1]
    assert "cells of '=1+1' as formulas" in err
    assert "formulas" not in run(capsys, "routes", "count", "p.csv", *zones, "-o", "counts.geojson")[1]
