"""Files of reports become tallies: all of them, once, in bounded memory, or with one clear sentence."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Circle, Interval
from noisewright.errors import BadTable, NoisewrightError, OutOfDomain
from noisewright.estimate import Tally
from noisewright.io import Tallies, perturb_table, read_description, tally_file, tally_files, tally_table
from noisewright.io.perturb import perturb_file
from noisewright.io.table_files import ROWS
from noisewright.mechanisms import OGPM, PM, CircularOGPM
from noisewright.randomness import SIMULATED, SeededSource

PULSE, WAKE = OGPM(Interval(40, 200), 1.0), CircularOGPM(Circle(24), 2.0)
PLAN = {"pulse": PULSE, "wake": WAKE}


def truth(rows: int) -> pa.Table:
    generator = np.random.default_rng(1)
    return pa.table({"pulse": generator.uniform(40, 200, rows), "wake": generator.uniform(0, 24, rows)})


@pytest.fixture(scope="module")
def reports() -> pa.Table:
    return perturb_table(truth(3000), PLAN, SeededSource(1))


def save(table: pa.Table, path):
    pq.write_table(table, path)
    return path


def with_pulses(reports: pa.Table, pulses, kind=None) -> pa.Table:
    """A table that claims to hold reports of the pulse, with cells put there by hand."""
    only = {"pulse": pa.array(pulses, kind or pa.float64())}
    return pa.table(only).replace_schema_metadata(reports.schema.metadata)


def same(left: Tally, right: Tally) -> bool:
    return left.to_dict() == right.to_dict()


@pytest.mark.parametrize("kind", ["parquet", "csv", "arrow"])
def test_every_kind_of_file_gives_the_tally_of_its_reports(tmp_path, kind, reports):
    pq.write_table(truth(3000), tmp_path / "readings.parquet")
    written = perturb_file(
        tmp_path / "readings.parquet", tmp_path / f"out.{kind}", PLAN, source=SeededSource(1)
    )
    found = tally_file(written.path)
    assert list(found) == ["pulse", "wake"]
    for name, mechanism in PLAN.items():
        assert same(found[name], Tally.of(reports[name].to_numpy(), mechanism))
    assert found.randomness == SIMULATED
    assert not found.private
    assert found.origins == (str(written.path),)


def test_parts_in_any_order_add_up_to_the_whole(tmp_path, reports):
    cuts = [(0, 700), (700, 1), (701, 2299)]
    paths = [save(reports.slice(*cut), tmp_path / f"{place}.parquet") for place, cut in enumerate(cuts)]
    whole = tally_file(save(reports, tmp_path / "whole.parquet"))
    for order in (paths, paths[::-1]):
        parts = tally_files(order)
        assert all(same(parts[name], whole[name]) for name in whole)
    assert whole.promises() == tally_files(paths).promises()


def test_batches_are_counted_one_by_one_and_all_of_them(tmp_path):
    rows = ROWS + 1000
    table = perturb_table(truth(rows), {"pulse": PULSE}, SeededSource(2))
    heard = []
    found = tally_file(save(table, tmp_path / "long.parquet"), progress=lambda *now: heard.append(now))
    assert same(found["pulse"], Tally.of(table["pulse"].to_numpy(), PULSE))
    assert heard == [(ROWS, rows), (rows, rows)]


def test_progress_runs_through_all_files(tmp_path, reports):
    paths = [save(reports, tmp_path / "a.parquet"), save(reports.slice(0, 10), tmp_path / "b.parquet")]
    heard = []
    tally_files(paths, progress=lambda *now: heard.append(now))
    assert heard == [(3000, 3010), (3010, 3010)]


def test_one_column_with_two_budgets_is_one_tally_of_two_groups(tmp_path):
    bold = OGPM(Interval(40, 200), 4.0)
    paths = [
        save(perturb_table(truth(50), {"pulse": mechanism}, SeededSource(3)), tmp_path / f"{place}.parquet")
        for place, mechanism in enumerate((PULSE, bold, PULSE))
    ]
    found = tally_files(paths)
    assert [(group.mechanism, group.count) for group in found["pulse"].groups] == [(PULSE, 100), (bold, 50)]
    assert len(found.promises()) == 2


def test_a_column_of_some_files_is_counted_from_those(tmp_path, reports):
    pulse_only = perturb_table(truth(20), {"pulse": PULSE}, SeededSource(4))
    paths = [save(reports, tmp_path / "both.parquet"), save(pulse_only, tmp_path / "one.parquet")]
    found = tally_files(paths)
    assert (found["pulse"].count, found["wake"].count) == (3020, 3000)
    with pytest.raises(BadTable, match=r"one.parquet holds no reports of 'wake'; it has reports of 'pulse'"):
        tally_files(paths, ["wake"])


def test_only_the_wanted_columns_are_counted(tmp_path, reports):
    path = save(reports, tmp_path / "r.parquet")
    assert list(tally_file(path, ["wake"])) == ["wake"]
    assert list(tally_file(save(reports.select(["wake"]), tmp_path / "selected.parquet"))) == ["wake"]


def test_tables_in_memory_of_every_kind(reports):
    expected = tally_table(reports)
    frame = perturb_table(truth(3000).to_pandas(), PLAN, SeededSource(1))
    about = read_description(reports)
    for found in (
        tally_table(reports.combine_chunks().to_batches()[0]),
        tally_table(frame),
        tally_table(pl.from_arrow(reports), description=about),
        tally_table(pd.DataFrame({"wake": frame["wake"], "pulse": frame["pulse"]}), description=about),
    ):
        assert isinstance(found, Tallies)
        assert all(same(found[name], expected[name]) for name in PLAN)


def test_tables_that_are_none(reports):
    with pytest.raises(BadTable, match="carries no description"):
        tally_table(pl.from_arrow(reports))
    with pytest.raises(BadTable, match="an Arrow table or a data frame, not a list"):
        tally_table([1.0, 2.0], description=read_description(reports))
    mixed = pd.DataFrame({"pulse": [1.0, "x"]})
    with pytest.raises(BadTable, match="mixed values"):
        tally_table(mixed, description=read_description(reports))


def test_real_and_simulated_noise_do_not_mix(tmp_path, reports):
    real = save(perturb_table(truth(20), PLAN), tmp_path / "real.parquet")
    simulated = save(reports, tmp_path / "simulated.parquet")
    assert tally_file(real).private
    with pytest.raises(BadTable, match=r"real.parquet and .*simulated.parquet cannot be estimated together"):
        tally_files([real, simulated])


def test_clipping_is_remembered(tmp_path):
    clipped = perturb_table(truth(20), PLAN, SeededSource(1), out_of_domain="clip")
    assert tally_table(clipped).clipped
    refused = perturb_table(truth(20), PLAN, SeededSource(1))
    assert not tally_table(refused).clipped
    assert (tally_table(refused) + tally_table(clipped)).clipped


def bad_tables(reports: pa.Table):
    good = reports["pulse"].to_pylist()
    late = [*good, *good[:5]]
    newer = json.loads(reports.schema.metadata[b"noisewright"]) | {"format": 99}
    duplicate = pa.table([reports["pulse"], reports["pulse"]], names=["pulse", "pulse"])
    shifted = [*good, good[0] + 0.5 * PULSE.reports.pitch]
    return {
        "null": (
            with_pulses(reports, [*late, None]),
            r"pulse in data row 3006 of .* is missing; a mechanism never",
        ),
        "nan": (with_pulses(reports, [good[0], float("nan")]), r"pulse in data row 2 of .* is missing"),
        "infinite": (
            with_pulses(reports, [*late, float("inf"), 1.0]),
            r"pulse in data row 3006 .* not made by OGPM",
        ),
        "true values": (
            with_pulses(reports, np.arange(41.0, 141.0)),
            r"true values must never be given here",
        ),
        "off the lattice": (
            with_pulses(reports, shifted),
            r"pulse in data row 3001 of .*bad.parquet was not made",
        ),
        "outside": (
            with_pulses(reports, [*good, 200 + 0.5 * PULSE.reports.pitch]),
            r"pulse in data row 3001 of",
        ),
        "text": (
            with_pulses(reports, ["71"], pa.string()),
            r"pulse holds string values where numbers are needed",
        ),
        "all null": (with_pulses(reports, [None, None], pa.null()), r"pulse in data row 1 of .* is missing"),
        "no rows": (
            reports.slice(0, 0),
            r"bad.parquet has columns but no rows; there are no reports to estimate",
        ),
        "no description": (reports.replace_schema_metadata(None), r"bad.parquet carries no description"),
        "newer": (
            reports.replace_schema_metadata({"noisewright": json.dumps(newer)}),
            r"bad.parquet was written by a newer Noisewright \(format 99",
        ),
        "other columns": (
            pa.table({"x": [1.0]}).replace_schema_metadata(reports.schema.metadata),
            r"bad.parquet has none of the columns that its description names",
        ),
        "two of one name": (
            duplicate.replace_schema_metadata(reports.schema.metadata),
            r"bad.parquet has 2 columns named 'pulse'",
        ),
    }


@pytest.mark.parametrize(
    "what",
    [
        "null", "nan", "infinite", "true values", "off the lattice", "outside", "text", "all null", "no rows",
        "no description", "newer", "other columns", "two of one name",
    ],
)  # fmt: skip
def test_bad_tables_get_one_sentence_without_a_report_in_it(tmp_path, reports, what):
    table, said = bad_tables(reports)[what]
    with pytest.raises(NoisewrightError, match=said) as refusal:
        tally_file(save(table, tmp_path / "bad.parquet"))
    numbers = table.column(0).to_pylist() if table.num_rows else []
    assert not any(repr(number) in str(refusal.value) for number in numbers if isinstance(number, float))


def test_a_report_is_found_even_if_it_is_far_inside_a_later_batch(tmp_path):
    table = perturb_table(truth(ROWS + 40), {"pulse": PULSE}, SeededSource(2))
    pulses = table["pulse"].to_numpy().copy()
    pulses[[ROWS + 17, ROWS + 30]] += 0.5 * PULSE.reports.pitch
    with pytest.raises(OutOfDomain, match=f"pulse in data row {ROWS + 18} of"):
        tally_file(save(with_pulses(table, pulses), tmp_path / "late.parquet"))


def test_reports_stored_in_single_precision_are_recognized(tmp_path, reports):
    narrow = with_pulses(reports, reports["pulse"].to_numpy().astype(np.float32), pa.float32())
    assert same(
        tally_file(save(narrow, tmp_path / "narrow.parquet"))["pulse"],
        Tally.of(reports["pulse"].to_numpy(), PULSE),
    )


def test_files_that_are_no_files_of_reports(tmp_path, reports):
    (tmp_path / "readings.csv").write_text("pulse\n71\n")
    with pytest.raises(BadTable, match=r"has no description beside it; readings.csv.json is missing"):
        tally_file(tmp_path / "readings.csv")
    with pytest.raises(BadTable, match="there is no such file"):
        tally_file(tmp_path / "missing.parquet")
    with pytest.raises(BadTable, match="name at least one file"):
        tally_files([])
    path = save(reports, tmp_path / "r.parquet")
    with pytest.raises(BadTable, match=r"r.parquet is given twice"):
        tally_files([path, tmp_path / "." / "r.parquet"])
    described = save(reports.select(["pulse"]), tmp_path / "pulse.parquet")
    with pytest.raises(BadTable, match=r"pulse.parquet has no column 'wake'"):
        tally_file(described, ["wake"])


def test_columns_of_different_domains_are_refused_by_name(tmp_path):
    tables = [
        perturb_table(truth(20), {"pulse": PM(Interval(low, 200), 1.0)}, SeededSource(1)) for low in (0, 40)
    ]
    paths = [save(table, tmp_path / f"{place}.parquet") for place, table in enumerate(tables)]
    with pytest.raises(BadTable, match=r"column 'pulse' of .*0.parquet and .*1.parquet: .*different domains"):
        tally_files(paths)


RUN = """
import re, sys
from pathlib import Path
from noisewright.io import tally_file
counted = tally_file(sys.argv[1])["pulse"].count
print(counted, int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_six_times_the_reports_take_about_the_same_memory(tmp_path):
    peaks = {}
    for rows in (1_000_000, 6_000_000):
        table = perturb_table(truth(rows).select(["pulse"]), {"pulse": PULSE}, SeededSource(1))
        pq.write_table(table, tmp_path / "long.parquet", row_group_size=rows)
        done = subprocess.run(
            [sys.executable, "-c", RUN, tmp_path / "long.parquet"], check=True, capture_output=True, text=True
        )
        counted, peaks[rows] = map(int, done.stdout.split())
        assert counted == rows
    # Five million more reports are 40 MB; a program that held them would show.
    assert peaks[6_000_000] - peaks[1_000_000] < 30
