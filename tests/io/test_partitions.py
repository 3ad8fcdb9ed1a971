"""Data sets of several files: the same reports as one file, values of folders as columns, refusals by file and row."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv

from noisewright import Categories, Interval, perturb_file
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError, OutOfDomain
from noisewright.io import read_description, tally_files
from noisewright.io.partitions import digests, find_partitions, is_data_set
from noisewright.io.tallies import MISSING_GROUP, tally_groups
from noisewright.mechanisms import KRR, OUE, SW
from noisewright.randomness import SeededSource

MECHANISMS = {
    "hours": SW(Interval(0, 24), 2.0),
    "drug": KRR(Categories(["a", "b"]), 1.0),
    "code": OUE(Categories([str(number) for number in range(12)]), 1.0),
}
HOURS = {"hours": MECHANISMS["hours"]}
PEOPLE = 400


def people(count: int = PEOPLE) -> pa.Table:
    random = np.random.default_rng(3)
    return pa.table(
        {
            "id": np.arange(count),
            "hours": random.uniform(0, 24, count),
            "drug": random.choice(["a", "b"], count),
            "region": random.choice(["north", "south"], count),
            "code": random.integers(0, 12, count).astype(str),
        }
    )


def write(table: pa.Table, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        csv.write_csv(table, path)
    elif path.suffix == ".arrow":
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    else:
        pq.write_table(table, path)


def found(folder: Path) -> list[str]:
    """The files of a data set, by name within it."""
    return [os.path.relpath(each.file.local, folder) for each in find_partitions(folder)]


# -- which files ----------------------------------------------------------------------------------------


def test_the_files_of_a_folder_come_in_order_and_hidden_ones_do_not(tmp_path):
    names = ["b/2.csv", "a.parquet", "b/10.csv", "c.arrow", "_SUCCESS", ".b.csv", "_tmp/x.csv", "notes.txt"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert found(tmp_path) == ["a.parquet", "b/10.csv", "b/2.csv", "c.arrow"]
    assert is_data_set(tmp_path)
    assert not is_data_set(tmp_path / "a.parquet")


def test_values_of_folders_are_read_as_hive_writes_them(tmp_path):
    for name in ("region=north/day=1", "region=a%2Fb/day=__HIVE_DEFAULT_PARTITION__", "region=x=y/deep"):
        write(people(3), tmp_path / name / "0.csv")
    assert [dict(each.fixed) for each in find_partitions(tmp_path)] == [
        {"region": "a/b", "day": None},
        {"region": "north", "day": "1"},
        {"region": "x=y"},
    ]
    (one,) = find_partitions(tmp_path / "region=north/day=1/0.csv")
    assert one.fixed == {"region": "north", "day": "1"}
    (below,) = find_partitions(tmp_path / "region=north")
    assert below.fixed == {"region": "north", "day": "1"}


def test_globs_match_files_and_folders_each_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("x/1.csv", "x/2.csv", "x/3.txt", "x/_h.csv", "y/1.csv", "x-y/1.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    shown = {
        pattern: [str(each) for each in find_partitions(pattern)]
        for pattern in ("x/*", "*/1.csv", "**/*.csv", "*", "**")
    }
    assert shown["x/*"] == ["x/1.csv", "x/2.csv"]
    assert shown["*/1.csv"] == ["x-y/1.csv", "x/1.csv", "y/1.csv"]
    everything = ["x/1.csv", "x/2.csv", "x-y/1.csv", "y/1.csv"]
    for pattern in ("**/*.csv", "*", "**"):
        assert sorted(shown[pattern]) == sorted(everything), pattern
    assert is_data_set("x/*")
    (tmp_path / "[a].csv").touch()
    assert not is_data_set("[a].csv")  # it is a file of that name
    for pattern in ("z*", "x/3*"):
        with pytest.raises(BadTable, match="no file of a known kind matches"):
            find_partitions(pattern)


def test_a_folder_without_tables_is_refused(tmp_path):
    (tmp_path / "notes.txt").touch()
    with pytest.raises(BadTable, match=r"holds no file of a known kind: \.parquet"):
        find_partitions(tmp_path)
    with pytest.raises(BadTable, match="there is no such file or folder"):
        tally_files([tmp_path / "nowhere"])


# -- the same reports -----------------------------------------------------------------------------------


@settings(max_examples=25)
@given(
    st.lists(st.integers(0, PEOPLE), max_size=6),
    st.lists(st.sampled_from([".csv", ".parquet", ".arrow"]), min_size=7, max_size=7),
    st.sampled_from([1, 7, 100, 1 << 18]),
)
def test_one_seed_gives_the_same_reports_however_rows_are_divided(tmp_path_factory, cuts, kinds, block):
    from noisewright.io import table_files

    place = tmp_path_factory.mktemp("x")
    table = people()
    patch = pytest.MonkeyPatch()
    patch.setattr(table_files, "ROWS", block)  # parts end in the middle of blocks of noise
    try:
        ends = sorted({0, PEOPLE, *cuts})
        for number, (start, end) in enumerate(pairwise(ends)):
            write(table.slice(start, end - start), place / "people" / f"{number}{kinds[number]}")
        write(table, place / "one.csv")
        options = {"source": SeededSource(9), "keep": ["region"]}
        perturb_file(place / "people", place / "reports", MECHANISMS, **options)
        options["source"] = SeededSource(9)
        perturb_file(place / "one.csv", place / "one.parquet", MECHANISMS, **options)
    finally:
        patch.undo()
    whole, parts = pq.read_table(place / "one.parquet"), pq.read_table(place / "reports")
    assert parts.column_names == whole.column_names == ["hours", "drug", "region", "code"]
    for name in whole.column_names:
        assert parts[name].to_pylist() == whole[name].to_pylist()
    both = [tally_files([place / name]) for name in ("reports", "one.parquet")]
    assert all(both[0][name].to_dict() == both[1][name].to_dict() for name in MECHANISMS)


def test_each_part_is_of_one_file_and_describes_itself(tmp_path):
    for number in range(3):
        write(people(10 * (number + 1)), tmp_path / "people" / f"{number}.csv")
    written = perturb_file(tmp_path / "people", tmp_path / "reports", MECHANISMS)
    assert (written.rows, written.parts, written.path) == (60, 3, tmp_path / "reports")
    for number in range(3):
        part = tmp_path / "reports" / f"part-{number:05d}.parquet"
        assert pq.read_metadata(part).num_rows == 10 * (number + 1)
        assert read_description(part) == written.description
    assert written.description.private


def test_columns_keep_the_order_of_the_first_file(tmp_path):
    write(people(5).select(["code", "hours"]), tmp_path / "people/0.csv")
    write(people(5).select(["hours", "id", "code"]), tmp_path / "people/1.parquet")
    mechanisms = {name: MECHANISMS[name] for name in ("hours", "code")}
    perturb_file(tmp_path / "people", tmp_path / "reports", mechanisms)
    for part in (tmp_path / "reports").glob("part-*"):
        assert pq.read_schema(part).names == ["code", "hours"]


def test_empty_files_have_no_part(tmp_path):
    for number, rows in enumerate([0, 5, 0, 4]):
        write(people().slice(0, rows), tmp_path / "people" / f"{number}.parquet")
    assert perturb_file(tmp_path / "people", tmp_path / "reports", HOURS).parts == 2
    assert sorted(path.name for path in (tmp_path / "reports").glob("part*")) == [
        "part-00001.parquet",
        "part-00003.parquet",
    ]
    for number in (1, 3):
        (tmp_path / "people" / f"{number}.parquet").unlink()
    with pytest.raises(BadTable, match="people has columns but no rows; there is nothing to randomize"):
        perturb_file(tmp_path / "people", tmp_path / "none", HOURS)
    assert not (tmp_path / "none").exists()


def test_progress_counts_rows_of_all_files(tmp_path):
    heard: list[tuple[int, int | None]] = []
    for number in range(3):
        write(people(50), tmp_path / "people" / f"{number}.parquet")
    perturb_file(tmp_path / "people", tmp_path / "r", HOURS, progress=lambda *now: heard.append(now))
    assert heard == [(50, 150), (100, 150), (150, 150)]
    heard.clear()
    write(people(50), tmp_path / "people" / "3.csv")
    perturb_file(tmp_path / "people", tmp_path / "s", HOURS, progress=lambda *now: heard.append(now))
    assert heard[-1] == (200, None)


def test_advice_on_whole_numbers_is_about_all_files(tmp_path):
    advice = []
    for number, values in enumerate([[1.0, 2.0], [3.0, 4.5]]):
        write(pa.table({"hours": values}), tmp_path / "people" / f"{number}.parquet")
    perturb_file(tmp_path / "people", tmp_path / "r", HOURS, notice=advice.append)
    assert advice == []
    write(pa.table({"hours": [3.0, 4.0]}), tmp_path / "people" / "1.parquet")
    perturb_file(tmp_path / "people", tmp_path / "s", HOURS, notice=advice.append)
    assert [(each.name, each.rows, each.complete) for each in advice] == [("hours", 4, True)]


# -- values of folders ----------------------------------------------------------------------------------


@pytest.fixture
def regions(tmp_path):
    """People by region, as Hive lays them out; for some the region is missing."""
    place = tmp_path / "people"
    for name in ("north", "south", "__HIVE_DEFAULT_PARTITION__"):
        write(people(30).drop_columns(["region"]), place / f"region={name}" / "0.parquet")
    return place


def test_a_kept_value_of_folders_becomes_a_column_of_text(regions, tmp_path):
    perturb_file(regions, tmp_path / "reports", HOURS, keep=["region"])
    table = pq.read_table(tmp_path / "reports")
    assert table.schema.field("region").type == pa.string()
    assert table["region"].to_pylist() == [None] * 30 + ["north"] * 30 + ["south"] * 30
    groups = tally_groups([tmp_path / "reports"], "region")
    assert {name: each["hours"].count for name, each in groups.items()} == {
        MISSING_GROUP: 30, "north": 30, "south": 30,
    }  # fmt: skip


def test_a_value_of_folders_that_is_not_kept_stays_behind(regions, tmp_path):
    perturb_file(regions, tmp_path / "reports", HOURS)
    for part in (tmp_path / "reports").iterdir():
        assert b"north" not in part.read_bytes()
        assert b"region" not in part.read_bytes()


def test_a_value_of_folders_is_never_randomized(regions, tmp_path):
    labels = {"region": KRR(Categories(["north", "south"]), 1.0)}
    for place in (regions, regions / "region=north"):
        with pytest.raises(
            BadTable, match=r"column 'region' stands in the names of folders and cannot be rand"
        ):
            perturb_file(place, tmp_path / "reports", HOURS | labels)
    for name in ("north", "south"):  # nor if files have it, too
        table = people(30).drop_columns(["region"]).append_column("region", pa.array([name] * 30))
        write(table, tmp_path / "both" / f"region={name}" / "0.parquet")
    with pytest.raises(BadTable, match="the file that a report is in would reveal the true value"):
        perturb_file(tmp_path / "both", tmp_path / "reports", labels)
    # A folder above that all files share says nothing about anybody.
    (tmp_path / "both" / "region=north").rename(tmp_path / "region=north")
    assert perturb_file(tmp_path / "region=north", tmp_path / "reports", labels).rows == 30


def test_reports_by_folders_are_grouped_by_them(tmp_path):
    for name, rows in (("north", 20), ("south", 30)):
        place = tmp_path / "reports" / f"region={name}"
        place.mkdir(parents=True)
        write(people(rows), tmp_path / f"{name}.csv")
        perturb_file(tmp_path / f"{name}.csv", place / "0.parquet", HOURS)
    groups = tally_groups([tmp_path / "reports"], "region")
    assert {name: each["hours"].count for name, each in groups.items()} == {"north": 20, "south": 30}
    assert tally_files([tmp_path / "reports"])["hours"].count == 50
    with pytest.raises(BadTable, match="has no column 'day' to group by; name it in keep"):
        tally_groups([tmp_path / "reports"], "day")
    with pytest.raises(BadTable, match="'hours' holds reports, which are noise"):
        tally_groups([tmp_path / "reports"], "hours")


def test_groups_of_which_some_have_seeded_noise_are_refused(tmp_path):
    for name, source in (("north", None), ("south", SeededSource(1))):
        place = tmp_path / "reports" / f"region={name}"
        place.mkdir(parents=True)
        write(people(9), tmp_path / "x.csv")
        perturb_file(tmp_path / "x.csv", place / "0.parquet", HOURS, source=source)
    with pytest.raises(BadTable, match="the noise of only one of them is real"):
        tally_groups([tmp_path / "reports"], "region")


def test_too_many_groups_are_refused_whatever_file_they_are_in(tmp_path, monkeypatch):
    from noisewright.io import tallies

    monkeypatch.setattr(tallies, "MOST_GROUPS", 2)
    for name in "abc":
        place = tmp_path / "reports" / f"person={name}"
        place.mkdir(parents=True)
        write(people(2), tmp_path / "x.csv")
        perturb_file(tmp_path / "x.csv", place / "0.parquet", HOURS)
    with pytest.raises(BadTable, match="more than 2 groups; a group is a public class of many people"):
        tally_groups([tmp_path / "reports"], "person")


# -- lost descriptions ----------------------------------------------------------------------------------


@pytest.fixture
def bare(tmp_path):
    """Reports whose description an ETL step has dropped, and the folder that still has it."""
    write(people(40), tmp_path / "people" / "0.parquet")
    perturb_file(tmp_path / "people", tmp_path / "reports", HOURS, keep=["region"])
    table = pq.read_table(tmp_path / "reports").replace_schema_metadata({})
    for number in range(2):
        write(table.slice(20 * number, 20), tmp_path / "bare" / f"{number}.parquet")
    return tmp_path / "bare"


def test_a_lost_description_is_asked_for_and_given(bare, tmp_path):
    with pytest.raises(BadTable, match=r"0\.parquet carries no description .* by description=…"):
        tally_files([bare])
    about = read_description(tmp_path / "reports")
    assert read_description(tmp_path / "reports" / "_noisewright.json") == about
    assert tally_files([bare], description=about)["hours"].count == 40
    assert tally_groups([bare], "region", description=about).keys() == {"north", "south"}


def test_a_sidecar_beside_a_parquet_is_found_by_itself(bare, tmp_path):
    about = read_description(tmp_path / "reports")
    for number in range(2):
        (bare / f"{number}.parquet.json").write_text(about.to_json())
    assert tally_files([bare])["hours"].count == 40


def test_a_description_of_other_reports_is_refused(bare, tmp_path):
    write(people(5), tmp_path / "x.csv")
    perturb_file(tmp_path / "x.csv", tmp_path / "other.parquet", {"hours": SW(Interval(0, 24), 1.0)})
    about = read_description(tmp_path / "other.parquet")
    with pytest.raises(
        InvalidParameter, match=r"^description is not that of .*part-00000.parquet, which carries"
    ):
        tally_files([tmp_path / "reports"], description=about)


def test_spark_keeps_the_description_where_it_is_found(bare, tmp_path):
    about = read_description(tmp_path / "reports")
    field = {
        "name": "hours",
        "type": "double",
        "nullable": True,
        "metadata": {"noisewright": about.to_json()},
    }
    key = b"org.apache.spark.sql.parquet.row.metadata"
    table = pq.read_table(bare)
    write(table.replace_schema_metadata({key: json.dumps({"fields": [field]})}), tmp_path / "spark.parquet")
    assert read_description(tmp_path / "spark.parquet") == about
    for odd in (
        b"[]",
        b"1",
        b'{"fields": 7}',
        b'{"fields": [1, {"metadata": 2}, {"metadata": {"noisewright": 3}}]}',
    ):
        write(table.replace_schema_metadata({key: odd}), tmp_path / "odd.parquet")
        with pytest.raises(BadTable, match="carries no description"):
            read_description(tmp_path / "odd.parquet")


# -- refusals -------------------------------------------------------------------------------------------


def refuse(original, output, sentence, mechanisms=HOURS, kind=BadTable, **options):
    with pytest.raises(kind, match=sentence) as refusal:
        perturb_file(original, output, mechanisms, **options)
    assert not Path(output).exists()
    assert "731731" not in str(refusal.value)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


@pytest.mark.parametrize("seed", [None, 1])
def test_a_refusal_names_file_and_row(tmp_path, seed):
    source = None if seed is None else SeededSource(seed)
    write(people(300), tmp_path / "people" / "0.csv")
    write(pa.table({"hours": [1.0, 2.0, 731731.0]}), tmp_path / "people" / "1.parquet")
    said = refuse(
        tmp_path / "people", tmp_path / "r", r"people/1\.parquet: hours in data row 3 lies above Interval", kind=OutOfDomain,
        source=source,
    )  # fmt: skip
    assert said.count("1.parquet") == 1
    (tmp_path / "people" / "1.parquet").unlink()
    for content, sentence in {
        "hours\n1\n731731x\n": r"people/2\.csv: hours in data row 2 is not a number",
        "hours\n1\n\n3\n": r"people/2\.csv: hours in data row 2 is missing",
        "hours,x\n1,2\n731731\n": r"^data row 2 of .*people/2\.csv does not fit its header",
        "id\n1\n": r"people/2\.csv has no column 'hours'",
        'hours,x\n1,"2\n': r"people/2\.csv has a quote that is opened",
        "": r"people/2\.csv is empty",
    }.items():
        (tmp_path / "people" / "2.csv").write_text(content)
        said = refuse(tmp_path / "people", tmp_path / "r", sentence, kind=NoisewrightError, source=source)
        assert said.count("2.csv") == 1


def test_a_kept_column_has_one_type_in_all_files(tmp_path):
    write(pa.table({"hours": [1.0], "id": [1]}), tmp_path / "people" / "0.parquet")
    write(pa.table({"hours": [1.0], "id": ["1"]}), tmp_path / "people" / "1.parquet")
    refuse(
        tmp_path / "people",
        tmp_path / "r",
        r"1\.parquet: column 'id' holds string values here and int64",
        keep=["id"],
    )
    written = perturb_file(tmp_path / "people", tmp_path / "r", HOURS)
    assert written.rows == 2


def test_a_column_that_some_files_lack_is_refused(tmp_path):
    write(people(3), tmp_path / "people" / "region=north" / "0.csv")
    write(people(3).drop_columns(["region"]), tmp_path / "people" / "1.csv")
    refuse(tmp_path / "people", tmp_path / "r", r"people/1\.csv has no column 'region'", keep=["region"])


def test_several_files_need_a_folder_and_one_file_a_file(tmp_path):
    write(people(3), tmp_path / "people" / "0.csv")
    for original in (tmp_path / "people", tmp_path / "people" / "*.csv"):
        refuse(original, tmp_path / "r.parquet", r"r\.parquet ends like a file, but .* is a folder or a glob")
    refuse(tmp_path / "people" / "0.csv", tmp_path / "r", r"r must end in one of \.parquet")


def test_inputs_are_never_overwritten_nor_mixed_with_reports(tmp_path):
    place = tmp_path / "people"
    write(people(3), place / "0.csv")
    before = (place / "0.csv").read_bytes()
    for output, sentence in {
        place: "the output .*people holds .*0.csv, which is an input",
        tmp_path: "holds .*0.csv, which is an input",
        place / "reports": "lies inside .*people, where reports would be taken for true values",
    }.items():
        with pytest.raises(BadTable, match=sentence):
            perturb_file(place, output, HOURS, replace=True)
    perturb_file(place, tmp_path / "reports", HOURS)
    (tmp_path / "link").symlink_to(tmp_path / "reports")
    with pytest.raises(BadTable, match="which is an input"):  # randomized again, into the same folder
        perturb_file(tmp_path / "reports", tmp_path / "link", HOURS, replace=True)
    assert tally_files([tmp_path / "reports"])["hours"].count == 3
    assert (place / "0.csv").read_bytes() == before


def test_a_file_that_is_matched_twice_is_refused(tmp_path):
    write(people(3), tmp_path / "people" / "0.csv")
    (tmp_path / "people" / "1.csv").symlink_to(tmp_path / "people" / "0.csv")
    refuse(tmp_path / "people", tmp_path / "r", "is given twice")


def test_a_seed_that_was_used_is_refused(tmp_path):
    write(people(3), tmp_path / "people" / "0.csv")
    used = SeededSource(1)
    used.words(1)
    refuse(tmp_path / "people", tmp_path / "r", "source must be", kind=InvalidParameter, source=used)


def test_unfinished_reports_are_no_input(tmp_path):
    write(people(3), tmp_path / "people" / "0.csv")
    perturb_file(tmp_path / "people", tmp_path / "half", HOURS)
    (tmp_path / "half" / "_noisewright.json").rename(tmp_path / "half" / "_unfinished.json")
    refuse(tmp_path / "half", tmp_path / "r", "half is unfinished")


# -- digests and memory ---------------------------------------------------------------------------------


def test_digests_are_those_of_files_or_of_the_list_of_a_folder(tmp_path):
    for number in range(2):
        write(people(3), tmp_path / "people" / "region=north" / f"{number}.csv")
    files = sorted((tmp_path / "people").rglob("*.csv"))
    wanted = [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]
    assert [(each.name, each.sha256) for each in digests(tmp_path / "people")] == wanted
    perturb_file(tmp_path / "people", tmp_path / "reports", HOURS)
    (one,) = digests(tmp_path / "reports")
    listed = (tmp_path / "reports" / "_noisewright.json").read_bytes()
    assert (one.name, one.sha256) == ("reports/_noisewright.json", hashlib.sha256(listed).hexdigest())


RUN = """
import re, sys
from pathlib import Path
from noisewright import Interval, perturb_file
from noisewright.mechanisms import SW
from noisewright.randomness import SeededSource
written = perturb_file(sys.argv[1], sys.argv[2], {"hours": SW(Interval(0, 24), 1.0)}, source=SeededSource(1))
print(written.rows, int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
@pytest.mark.parametrize("kind", [".csv", ".parquet"])
def test_six_times_the_files_take_about_the_same_memory(tmp_path, kind):
    peaks = {}
    table = pa.table({"hours": np.random.default_rng(1).uniform(0, 24, 1_000_000)})
    for files in (1, 6):
        folder = tmp_path / f"people-{files}"
        for number in range(files):
            write(table, folder / f"{number}{kind}")
        done = subprocess.run(
            [sys.executable, "-c", RUN, folder, tmp_path / f"reports-{files}"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        rows, peaks[files] = map(int, re.findall(r"\d+", done.stdout))
        assert rows == files * 1_000_000
    # Five million more values and their reports are 80 MB; a program that held them would show.
    assert peaks[6] - peaks[1] < 60
