"""``noisewright estimate`` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Interval
from noisewright.cli.main import main
from noisewright.estimate import distribution, mean, quantile
from noisewright.io import perturb_table
from noisewright.mechanisms import PM, SW
from noisewright.randomness import SeededSource
from report.checking import check

PEOPLE = 5000
PULSE, AGE = SW(Interval(40, 200), 2.0), PM(Interval(0, 100), 1.0)


def collected(pulse=PULSE, seed: int | None = None) -> pa.Table:
    generator = np.random.default_rng(1)
    table = pa.table(
        {"pulse": generator.normal(90, 15, PEOPLE).clip(40, 200), "age": generator.uniform(0, 100, PEOPLE)}
    )
    source = None if seed is None else SeededSource(seed)
    return perturb_table(table, {"pulse": pulse, "age": AGE}, source)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("reports")
    simulated = collected(seed=7)
    tables = {
        "reports": simulated,
        "real": collected(),
        "other": collected(SW(Interval(0, 200), 2.0), seed=8),
        "bold": collected(SW(Interval(40, 200), 4.0), seed=9),
        "empty": simulated.slice(0, 0),
        "plain": pa.table({"pulse": [71.0, 64.5]}),
        "raw": pa.table({"pulse": np.arange(41.0, 141.0)}).replace_schema_metadata(simulated.schema.metadata),
    }
    for name, table in tables.items():
        pq.write_table(table, place / f"{name}.parquet")
    (place / "plain.csv").write_text("pulse\n71\n")
    return place


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["estimate", *arguments])
    return (code, *capsys.readouterr())


def test_json_is_what_the_estimate_room_says(capsys, folder):
    code, out, err = run(
        capsys, str(folder / "reports.parquet"), "--column", "pulse", "--bins", "5", "--quantile", "0.1,0.5",
        "--level", "0.9", "--json",
    )  # fmt: skip
    assert code == 0
    assert err.count("NOT PRIVATE") == 1
    found = json.loads(out)["columns"]
    assert list(found) == ["pulse"]
    reports = pq.read_table(folder / "reports.parquet")["pulse"].to_numpy()
    assert found["pulse"]["mean"] == mean(reports, PULSE, level=0.9).to_dict()
    expected = quantile(reports, PULSE, [0.1, 0.5], level=0.9).to_dict()
    assert found["pulse"]["quantiles"] == expected | {"shares": [0.1, 0.5]}
    assert found["pulse"]["histogram"] == distribution(reports, PULSE, bins=5, level=0.9).to_dict()


@pytest.mark.parametrize("method", ["em", "unbiased"])
def test_the_method_of_the_bars_can_be_chosen(capsys, folder, method):
    code, out, _ = run(
        capsys,
        str(folder / "reports.parquet"),
        "--column",
        "pulse",
        "--bins",
        "3",
        "--method",
        method,
        "--json",
    )
    assert code == 0
    reports = pq.read_table(folder / "reports.parquet")["pulse"].to_numpy()
    expected = distribution(reports, PULSE, bins=3, method=method).to_dict()
    assert json.loads(out)["columns"]["pulse"]["histogram"] == expected


def test_the_text_covers_all_columns_and_the_page_is_written_beside_it(capsys, folder, tmp_path):
    page = tmp_path / "report.html"
    code, out, err = run(capsys, str(folder / "real.parquet"), "--bins", "4", "--html", str(page))
    assert code == 0
    assert err == f"noisewright: the page is in {page}\n"
    for text in (
        "pulse: 5,000 reports",
        "age: 5,000 reports",
        "median",
        "95 % interval",
        "What was promised",
    ):
        assert text in out
    assert "NOT PRIVATE" not in out
    assert check(page.read_text(encoding="utf-8")).count("svg") == 2


def test_several_files_are_one_collection(capsys, folder):
    files = [str(folder / f"{name}.parquet") for name in ("reports", "bold")]
    code, out, _ = run(capsys, *files, "--column", "pulse", "--bins", "3", "--quantile", "0.5", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["files"] == ["reports.parquet", "bold.parquet"]  # no folders
    parts = found["columns"]["pulse"]["mechanisms"]
    assert [(part["mechanism"]["epsilon"], part["reports"]) for part in parts] == [
        (2.0, PEOPLE),
        (4.0, PEOPLE),
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plain.csv"], "plain.csv has no description beside it"),
        (["plain.parquet"], "plain.parquet carries no description of its reports"),
        (["empty.parquet"], "empty.parquet has columns but no rows; there are no reports to estimate from"),
        (["raw.parquet"], "true values must never be given here"),
        (["missing.parquet"], "missing.parquet: there is no such file"),
        (
            ["reports.parquet", "other.parquet"],
            "cannot be estimated together: the low end is 40 in some and 0 in others\n",
        ),
        (["reports.parquet", "real.parquet"], "the noise of only one of them is real"),
        (["reports.parquet", "reports.parquet"], "is given twice"),
        (
            ["reports.parquet", "--column", "puls"],
            "holds no reports of 'puls'; it has reports of 'pulse', 'age'",
        ),
        (["reports.parquet", "--bins", "1"], "bins must be a whole number from 2 to 1024, got 1"),
        (["reports.parquet", "--bins", "5000"], "bins must be a whole number from 2 to 1024, got 5000"),
        (["reports.parquet", "--bins", "many"], "Invalid value for '--bins'"),
        (
            ["reports.parquet", "--quantile", "1.5"],
            "--quantile must be shares of people between 0 and 1, got 1.5; the median is 0.5",
        ),
        (["reports.parquet", "--quantile", "half"], "--quantile wants shares between 0 and 1"),
        (["reports.parquet", "--quantile", ""], "--quantile wants shares between 0 and 1"),
        (["reports.parquet", "--level", "2"], "--level must be a number above 0"),
        (["reports.parquet", "--level", "0.9", "--level", "0.8"], "--level is given twice"),
        (["reports.parquet", "--method", "magic"], "--method must be one of smoothed, em, unbiased"),
        (["reports.parquet", "--html", "e.pdf"], "must end in .html or .htm"),
        ([], "Missing argument"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_code_two(capsys, folder, monkeypatch, arguments, said):
    monkeypatch.chdir(folder)
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_help_waits_for_nothing_heavy():
    code = (
        "import sys; from noisewright.cli.main import main; main(['estimate', '--help']);"
        "heavy = {'pyarrow', 'scipy', 'matplotlib', 'pandas'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=600
    )
    assert "noisewright estimate [OPTIONS] REPORTS...\n" in done.stdout
