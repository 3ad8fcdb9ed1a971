"""Reports come out in the order of the columns that they are reports of."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv, feather

from noisewright import Categories, Interval
from noisewright.cli.main import main
from noisewright.io import ColumnPlan, perturb_file, perturb_table, tally_files
from noisewright.mechanisms import KRR, OGPM, OUE, PM
from noisewright.randomness import SeededSource

TABLE = pa.table(
    {
        "id": ["a", "b", "c"],
        "smokes": ["no", "yes", "no"],
        "pulse": [60.0, 70.0, 80.0],
        "city": ["x", "y", "x"],
        "code": ["p", "q", "p"],
        "left out": [1, 2, 3],
        "age": [30.0, 40.0, 50.0],
        "unit": [7, 8, 9],
    }
)
MECHANISMS = {
    "age": PM(Interval(0, 100), 1.0),
    "code": OUE(Categories(["p", "q", "r"]), 1.0),
    "pulse": OGPM(Interval(40, 200), 1.0),
    "smokes": KRR(Categories(["no", "yes"]), 1.0),
}
KEEP = ["unit", "id", "city"]
ORDER = ["id", "smokes", "pulse", "city", "code", "age", "unit"]


def names_of(path):
    if path.suffix == ".csv":
        return csv.read_csv(path).column_names
    return pq.read_schema(path).names if path.suffix == ".parquet" else feather.read_table(path).column_names


@pytest.mark.parametrize("kind", [".csv", ".parquet", ".arrow"])
@pytest.mark.parametrize("output", [".csv", ".parquet", ".arrow"])
def test_files_keep_the_order_of_their_columns(tmp_path, kind, output):
    original, target = tmp_path / f"in{kind}", tmp_path / f"out{output}"
    write = {".csv": csv.write_csv, ".parquet": pq.write_table, ".arrow": feather.write_feather}[kind]
    write(TABLE, original)
    perturb_file(original, target, MECHANISMS, source=SeededSource(1), keep=KEEP)
    assert names_of(target) == ORDER
    assert set(tally_files([target]).columns) == set(MECHANISMS)  # and they are still what they say


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (TABLE, lambda found: found.column_names),
        (TABLE.to_batches()[0], lambda found: found.schema.names),
        (TABLE.to_pandas(), lambda found: found.columns.tolist()),
        (pl.from_arrow(TABLE), lambda found: found.columns),
    ],
    ids=["table", "batch", "pandas", "polars"],
)
def test_tables_in_memory_keep_the_order_of_their_columns(table, names):
    found = perturb_table(table, MECHANISMS, SeededSource(1), KEEP)
    assert names(found) == ORDER


def test_every_kept_column_has_its_own_values():
    found = perturb_table(TABLE.to_pandas(), MECHANISMS, SeededSource(1), KEEP)
    pd.testing.assert_frame_equal(found[KEEP], TABLE.to_pandas()[KEEP])
    again = perturb_table(TABLE, MECHANISMS, SeededSource(1), KEEP)
    assert [again.column(name).to_pylist() for name in KEEP] == [TABLE.column(n).to_pylist() for n in KEEP]
    assert again.column("pulse").to_pylist() == found["pulse"].tolist()


def test_the_schema_of_a_plan_is_that_of_its_batches():
    plan, source = ColumnPlan(MECHANISMS, KEEP), SeededSource(1)
    drawn = plan.perturb_batch(TABLE, source)
    assert drawn.schema == plan.schema(TABLE.schema, source)
    assert drawn.column_names == ORDER


def test_the_command_keeps_the_order_of_columns(capsys, tmp_path):
    csv.write_csv(TABLE, tmp_path / "in.csv")
    target = tmp_path / "out.csv"
    options = ["--interval", "age=0:100", "--interval", "pulse=40:200", "--categories", "code=p,q,r"]
    options += ["--categories", "smokes=no,yes", "--protocol", "code=OUE", "--keep", "unit", "--keep", "id"]
    assert main(["perturb", str(tmp_path / "in.csv"), "--epsilon", "4", *options, "-o", str(target)]) == 0
    assert names_of(target) == [name for name in ORDER if name != "city"]
    capsys.readouterr()
