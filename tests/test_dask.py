"""Dask for real: the same numbers as one process, and one report a person whatever Dask repeats."""

from __future__ import annotations

import datetime
import functools
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Categories, Interval
from noisewright import dask as private
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.io import perturb_table, read_description, tally_files, tally_table
from noisewright.io.numbers import WholeNumbers
from noisewright.io.report_folder import FinishedFolder, ReportFolder
from noisewright.ledger import Ledger
from noisewright.mechanisms import KRR, OUE, SW, JointRandomizedResponse
from noisewright.randomness import SeededSource
from noisewright.survey import EstimateRequest, estimate_all
from noisewright.trajectory import Rectangle
from noisewright.trajectory.counts import read_countable

dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed (make peers)")
distributed = pytest.importorskip("distributed", reason="Dask's cluster is not installed (make peers)")
import dask  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore:The inplace keyword"),  # Dask calls pandas in old ways
    pytest.mark.filterwarnings("ignore:Sending large graph"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

FAULTS = Path(__file__).parent / "worker_faults"
PEOPLE = 3000
WORKERS = 2
LABELS = Categories([str(number) for number in range(40)])
MECHANISMS = {
    "hours": SW(Interval(0, 24), 2.0),
    "drug": KRR(Categories(["a", "b", "c"]), 1.0),
    "code": OUE(LABELS, 1.0),
}
HOURS = {"hours": MECHANISMS["hours"]}
KEEP = ["id", "region", "day"]


@functools.cache
def people(count=PEOPLE):
    random = np.random.default_rng(7)
    return pa.table(
        {
            "id": np.arange(count),
            "hours": random.uniform(0, 24, count),
            "drug": random.choice(["a", "b", "c"], count),
            "region": pa.array(random.choice(["north", "south", None], count).tolist(), pa.string()),
            "code": random.integers(0, 40, count).astype(str),
            "day": [datetime.date(2026, 1, 1 + number % 5) for number in range(count)],
        }
    )


def divided(parts, table=None):
    frame = (people() if table is None else table).to_pandas(types_mapper=pd.ArrowDtype)
    return dd.from_pandas(frame, npartitions=parts, sort=False)


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="module")
def started(faults):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(FAULTS))
        patch.setenv("NOISEWRIGHT_FAULTS", str(faults))
        options = {"n_workers": WORKERS, "threads_per_worker": 1, "processes": True}
        with (
            # A cluster gives up a worker that is killed again 15 seconds later.
            dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}),
            distributed.LocalCluster(**options, dashboard_address=":0", silence_logs="CRITICAL") as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client


@pytest.fixture
def cluster(started):
    started.wait_for_workers(WORKERS)
    with started.as_current():
        yield started


@pytest.fixture(params=["threads", "cluster"])
def engine(request):
    return request.getfixturevalue("cluster") if request.param == "cluster" else None


@pytest.fixture
def source_files(tmp_path):
    """People in six files."""
    folder = tmp_path / "people"
    folder.mkdir()
    for number in range(6):
        pq.write_table(people().slice(number * 500, 500), folder / f"{number}.parquet")
    return folder


@pytest.fixture
def six_parts(source_files):
    return dd.read_parquet(source_files)


def same_reports(frame, wanted):
    found = pa.Table.from_pandas(frame.compute(), preserve_index=False)
    assert found.column_names == wanted.column_names
    for name in wanted.column_names:
        assert found.column(name).to_pylist() == wanted.column(name).to_pylist(), name


def in_order_of_parts(folder):
    return pa.concat_tables([pq.read_table(path) for path in sorted(folder.glob("part-*"))])


def counts_of(tallies):
    return {name: tally.to_dict() for name, tally in tallies.items()}


# -- the same numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 2, 7, pytest.param(200, marks=pytest.mark.slow)])
def test_one_seed_gives_the_same_reports_and_counts_for_every_division(engine, tmp_path, parts):
    wanted = perturb_table(people(), MECHANISMS, SeededSource(7), KEEP)
    reports = private.perturb(
        divided(parts), MECHANISMS, str(tmp_path / "out"), source=SeededSource(7), keep=KEEP
    )
    same_reports(reports, wanted)
    assert len(list((tmp_path / "out").glob("part-*"))) == parts
    alone = counts_of(tally_table(wanted))
    assert counts_of(private.tally(reports)) == counts_of(tally_files([tmp_path / "out"])) == alone
    assert not private.tally(reports).private


def test_estimates_are_those_of_one_process_to_the_last_digit(engine, tmp_path):
    private.perturb(divided(7), MECHANISMS, str(tmp_path / "out"), keep=["region"])
    alone = in_order_of_parts(tmp_path / "out")
    wanted = estimate_all(tally_table(alone), EstimateRequest(bins=5)).to_dict()["columns"]
    north = alone.filter(pa.compute.equal(alone.column("region"), "north"))
    apart = estimate_all(tally_table(north, ["drug"])).to_dict()["columns"]
    reports = private.read(str(tmp_path / "out"))
    assert private.tally(reports).estimate(bins=5).to_dict()["columns"] == wanted
    for frame in (reports, reports.repartition(npartitions=2), reports.repartition(npartitions=11)):
        assert counts_of(private.tally(frame)) == counts_of(tally_table(alone))
        groups = private.estimate(frame, ["drug"], by="region")
        assert list(groups) == ["(missing)", "north", "south"]
        assert groups["north"].to_dict()["columns"] == apart


@pytest.mark.slow
def test_processes_of_dask_draw_too(tmp_path, source_files):
    with dask.config.set(scheduler="processes", num_workers=2):
        reports = private.perturb(dd.read_parquet(source_files), HOURS, str(tmp_path / "out"), keep=["id"])
        assert private.tally(reports)["hours"].count == PEOPLE
    assert sorted(reports.id.compute()) == list(range(PEOPLE))


def test_counts_add_up_as_a_tree_and_progress_is_told(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(private.frames, "FAN", 3)
    heard = []

    def progress(done, total):
        heard.append((done, total))

    reports = private.perturb(divided(11), HOURS, str(tmp_path / "out"), keep=["region"], progress=progress)
    assert heard == [(done, 11) for done in range(1, 12)]
    heard.clear()
    found = private.tally(reports, by="region", progress=progress)
    assert heard == [(done, 11) for done in range(1, 12)]
    assert sum(found[group]["hours"].count for group in found) == PEOPLE


def test_kept_columns_have_one_type_in_all_parts(tmp_path):
    count = 40
    late = [None] * 30
    frame = pd.DataFrame(
        {
            "hours": np.linspace(0, 24, count),
            "name": pd.Series([*late, *"abcdefghij"], dtype=object),
            "whole": pd.array([*late, *range(10)], dtype="Int64"),
            "day": pd.array([*late, *[datetime.date(2026, 1, 2)] * 10], dtype=pd.ArrowDtype(pa.date32())),
            "time": pd.to_datetime([*late, *["2026-01-02 03:04"] * 10]),
            "kind": pd.Categorical([*late, *"ab" * 5]),
            "flag": pd.array([*late, *[True] * 10], dtype="boolean"),
        }
    )
    given = dd.from_pandas(frame, npartitions=4, sort=False)
    names = list(frame.columns[1:])
    reports = private.perturb(given, HOURS, str(tmp_path / "out"), keep=names)
    schemas = [pq.read_schema(path).remove_metadata() for path in sorted((tmp_path / "out").glob("part-*"))]
    assert len(schemas) == 4
    assert all(schema == schemas[0] for schema in schemas)
    kinds = [str(schemas[0].field(name).type) for name in names]
    assert kinds[:3] == ["string", "int64", "date32[day]"]
    assert kinds[3].startswith("timestamp")
    assert kinds[4:] == ["string", "bool"]
    found = pa.Table.from_pandas(reports.compute(), preserve_index=False)
    for name in names:
        wanted = pa.Array.from_pandas(frame[name]).to_pylist()
        assert found.column(name).to_pylist() == wanted, name
    assert set(private.tally(reports, by="whole")) == {"(missing)", *map(str, range(10))}
    days = frame.assign(day=pd.Series([datetime.date(2026, 1, 2)] * count, dtype=object))
    with dask.config.set({"dataframe.convert-string": False}):
        untyped = dd.from_pandas(days, npartitions=2)
    with pytest.raises(BadTable, match=r"part \d: day holds other values than string; give it one type"):
        private.perturb(untyped, HOURS, str(tmp_path / "again"), keep=["day"])


def test_a_frame_knows_its_reports_after_filters(tmp_path):
    reports = private.perturb(divided(3), MECHANISMS, str(tmp_path / "out"), keep=["region"])
    north = reports[reports.region == "north"][["hours"]]
    count = len(north)
    assert north._meta.attrs["noisewright"] == north.compute().attrs["noisewright"]
    assert private.tally(north)["hours"].count == count
    assert tally_table(reports.compute())["code"].count == PEOPLE  # codes are still bytes
    north.to_parquet(tmp_path / "again")
    assert private.tally(dd.read_parquet(tmp_path / "again"))["hours"].count == count  # pandas keeps it there
    plain = dd.from_pandas(pd.DataFrame({"hours": north.hours.compute()}), npartitions=2)
    with pytest.raises(BadTable, match=r"carries no description of its reports: .*description=read_descr"):
        private.tally(plain)
    found = private.tally(plain, description=read_description(tmp_path / "out"))
    assert found["hours"].count == count
    assert found.estimate().columns[0].mean.count == count
    for wrong, why in (
        ({"by": "hours"}, "holds reports"),
        ({"by": "place"}, "has no column 'place'"),
        ({"columns": ["sleep"]}, "holds no reports of 'sleep'"),
    ):
        with pytest.raises(BadTable, match=why):
            private.tally(reports, **wrong)
    with pytest.raises(BadTable, match="has none of the columns"):
        private.tally(reports.rename(columns={"hours": "a", "drug": "b", "code": "c"}))
    with pytest.raises(OutOfDomain, match="hours in data row 1 of part 1 of the frame was not made by SW"):
        private.tally(reports.assign(hours=12.0))


def test_a_replaced_folder_is_read_anew(engine, tmp_path):
    out = str(tmp_path / "out")
    first = private.perturb(divided(2), HOURS, out).compute()
    with pytest.raises(BadTable, match="a second draw from the same data spends the budget"):
        private.perturb(divided(2), HOURS, out)
    second = private.perturb(divided(2), HOURS, out, replace=True)
    assert second.compute().hours.tolist() == pq.read_table(out).column("hours").to_pylist()
    assert second.compute().hours.tolist() != first.hours.tolist()


# -- once ----------------------------------------------------------------------------------------------


def whole(folder):
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".parquet") == [
        "_noisewright.json"
    ]


@pytest.mark.parametrize("step", ["after-claim", "after-draw", "before-name", "after-name"])
def test_a_worker_killed_at_any_step_leaves_one_report_a_person(cluster, six_parts, faults, tmp_path, step):
    (faults / "draws").write_text("")
    (faults / step).touch()
    reports = private.perturb(six_parts, MECHANISMS, str(tmp_path / "out"), keep=["id"])
    assert not (faults / step).exists(), "the fault never happened"
    assert sorted(reports.id.compute()) == list(range(PEOPLE))
    whole(tmp_path / "out")
    # A part that has its name is never drawn again; before that the draft of the dead worker is never read.
    times = Counter(Counter((faults / "draws").read_text().split()).values())
    size = reports.map_partitions(len).compute().max()
    once = step in ("after-claim", "after-name")
    assert times == ({1: PEOPLE} if once else {1: PEOPLE - size, 2: size})
    parts = FinishedFolder.find(str(tmp_path / "out")).parts
    assert sum(part.attempt for part in parts) == (step != "after-name")


def test_input_that_is_lost_with_its_worker_is_computed_again(cluster, six_parts, tmp_path):
    marker = tmp_path / "marker"
    marker.touch()

    def die_once(frame, partition_info=None):
        if partition_info is not None and partition_info["number"] == 3 and marker.exists():
            marker.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return frame

    given = divided(6).map_partitions(die_once, meta=divided(6)._meta)
    reports = private.perturb(given, HOURS, str(tmp_path / "out"), keep=["id"])
    assert not marker.exists(), "the fault never happened"
    assert sorted(reports.id.compute()) == list(range(PEOPLE))
    whole(tmp_path / "out")


def test_parts_of_unknown_functions_are_not_drawn_a_second_time(cluster, six_parts, faults, tmp_path):
    unknown = six_parts.map_partitions(lambda frame: frame, meta=six_parts._meta)
    (faults / "before-name").touch()
    with pytest.raises(BadTable, match=r"^part \d: its task failed, and it is not drawn again"):
        private.perturb(unknown, HOURS, str(tmp_path / "out"), keep=["id"])
    assert not (tmp_path / "out").exists()


def test_results_that_parts_share_must_not_be_lost(cluster, tmp_path):
    marker = tmp_path / "marker"
    marker.touch()

    def shuffled(frame):  # comes out differently each time
        return frame.sample(frac=1.0)

    def piece(frame, number):
        if number == 3 and marker.exists():
            marker.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return frame.iloc[number * 500 : (number + 1) * 500]

    everybody = dask.delayed(shuffled)(people().to_pandas())
    pieces = [dask.delayed(piece)(everybody, number) for number in range(6)]
    given = dd.from_delayed(pieces, meta=people().slice(0, 0).to_pandas(), verify_meta=False)
    with pytest.raises(BadTable, match=r"a worker was lost, .* nothing is used\. Write the frame to files"):
        private.perturb(given, HOURS, str(tmp_path / "out"), keep=["id"])
    assert not marker.exists(), "the fault never happened"
    assert not (tmp_path / "out").exists()
    reports = private.perturb(given, HOURS, str(tmp_path / "out"), keep=["id"])
    assert sorted(reports.id.compute()) == list(range(PEOPLE))


def test_frames_are_known_to_have_the_same_rows_by_their_steps(six_parts):
    def unknown(frame):
        return frame

    same, alone = {"Blockwise", "Concat", "Partitions", "Repartition"}, {"Blockwise", private.jobs.FUNCTION}
    odd = six_parts.assign(more=np.log(six_parts.id + 1), upper=six_parts.region.str.upper())
    for frame in (
        six_parts,
        six_parts[six_parts.hours > 3].dropna().astype({"id": float}).sample(frac=0.5),  # seeds are fixed
        odd.optimize(),
        dd.concat([six_parts, six_parts]).repartition(npartitions=3).partitions[1:],
        dd.from_map(pd.read_parquet, ["a.parquet"], meta=six_parts._meta),
    ):
        assert private.jobs.steps_of(frame.expr) <= same
    for frame in (
        six_parts.map_partitions(unknown, meta=six_parts._meta),
        six_parts.map_partitions(unknown, meta=six_parts._meta).optimize(),
        six_parts.map_partitions(pd.DataFrame.sample, frac=0.5, meta=six_parts._meta),
        six_parts.assign(hours=six_parts.hours.apply(abs, meta=("hours", float))),
        dd.from_map(unknown, [1], meta=six_parts._meta),
    ):
        assert private.jobs.steps_of(frame.expr) <= alone
        assert private.jobs.FUNCTION in private.jobs.steps_of(frame.expr)
    with dask.config.set(scheduler="sync"):
        kept = six_parts[["id"]].persist()
    for frame in (
        kept,
        six_parts.shuffle("id"),
        six_parts.merge(six_parts[["id"]], on="id"),
        dd.from_delayed(six_parts.to_delayed(), meta=six_parts._meta),
        six_parts.map_partitions(unknown, meta=six_parts._meta).repartition(npartitions=9),
    ):
        steps = private.jobs.steps_of(frame.expr)
        assert not steps <= same
        assert not steps <= alone


def test_a_full_disk_leaves_nothing_behind(cluster, six_parts, faults, tmp_path):
    (faults / "full-disk").touch()
    try:
        with pytest.raises(BadTable, match="larger than allowed here; no output was left behind") as refusal:
            private.perturb(six_parts, MECHANISMS, str(tmp_path / "out"), keep=["id"])
    finally:
        (faults / "full-disk").unlink()
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "out").exists()


def test_a_lost_file_and_an_unfinished_folder_are_refused(six_parts, tmp_path):
    out = tmp_path / "out"
    reports = private.perturb(divided(6), HOURS, str(out))
    content = (out / "part-00002.parquet").read_bytes()
    (out / "part-00002.parquet").unlink()
    with pytest.raises(BadTable, match=r"has lost part-00002\.parquet, one of its 6 parts"):
        private.read(str(out))
    with pytest.raises(BadTable, match=r"cannot read .*part-00002\.parquet: there is no such file"):
        private.tally(reports)
    (out / "part-00001.parquet").write_bytes(content)
    with pytest.raises(BadTable, match=r"part-00001.parquet is not the file that was written"):
        private.tally(reports.partitions[1])
    ReportFolder.begin(str(tmp_path / "begun"))
    with pytest.raises(BadTable, match="is unfinished"):
        private.read(str(tmp_path / "begun"))
    with pytest.raises(BadTable, match="is not a folder of reports"):
        private.read(str(tmp_path / "people"))


# -- refusals ------------------------------------------------------------------------------------------


def test_a_bad_value_is_refused_by_file_and_row_and_never_shown(engine, source_files, tmp_path):
    out = str(tmp_path / "out")
    table = people().slice(1000, 500)
    hours = table.column("hours").to_pylist()
    hours[77] = 31.25
    bad = table.set_column(1, "hours", [hours])
    pq.write_table(bad, source_files / "2.parquet", row_group_size=50)
    for options in ({}, {"split_row_groups": 3}):
        with pytest.raises(OutOfDomain) as refusal:
            private.perturb(dd.read_parquet(source_files, **options), HOURS, out)
        assert str(refusal.value).startswith(
            f"{source_files}/2.parquet: hours in data row 78 lies above Interval(0.0, 24.0); widen"
        )
        assert "31.25" not in str(refusal.value)
        assert refusal.value.__cause__ is None
        assert not Path(out).exists()
    given = dd.read_parquet(source_files)
    with pytest.raises(OutOfDomain, match=r"^part \d: hours in data row \d+ lies above"):  # rows are missing
        private.perturb(given[given.id > 1010], HOURS, out)
    clipped = private.perturb(given, HOURS, out, out_of_domain="clip")
    assert len(clipped) == PEOPLE


def test_tasks_that_still_draw_neither_hide_a_refusal_nor_leave_anything(tmp_path):
    hours = np.linspace(0, 23, 6000)
    hours[3000] = 99
    given = dd.from_pandas(pd.DataFrame({"hours": hours + 0.5}), npartitions=60, sort=False)
    with dask.config.set(scheduler="threads", num_workers=8):
        for number in range(20):
            with pytest.raises(OutOfDomain, match="part 31: hours in data row 1 lies above"):
                private.perturb(given, HOURS, str(tmp_path / f"{number}"))
    assert not list(tmp_path.glob("*/part-*"))
    assert not list(tmp_path.glob("*/_unfinished.json"))


def test_what_cannot_be_done_is_refused_in_a_sentence(six_parts, tmp_path):
    out = str(tmp_path / "out")
    joint = JointRandomizedResponse(Categories(["a", "b"]), 1.0, users=4, correlation=-0.1)
    used = SeededSource(1)
    used.words(1)
    for arguments, options, error, why in (
        ((HOURS,), {}, InvalidParameter, "path is needed: .* A frame that Dask only computes"),
        (({"sleep": MECHANISMS["hours"]}, out), {}, BadTable, "the frame has no column 'sleep'"),
        (({"drug": joint}, out), {}, InvalidParameter, "draws the noise of people together"),
        (({"hours": Interval(0, 24)}, out), {}, InvalidParameter, "need an epsilon"),
        ((MECHANISMS, out), {"source": used}, InvalidParameter, "nothing was drawn from yet"),
        ((MECHANISMS, str(tmp_path / "people" / "0.parquet")), {}, BadTable, "it is a file"),
        ((MECHANISMS, str(tmp_path / "people")), {}, BadTable, "holds files already"),
        ((MECHANISMS, "ftp://host/reports"), {}, BadTable, "cannot reach ftp://host/reports"),
    ):
        with pytest.raises(error, match=why):
            private.perturb(six_parts, *arguments, **options)
    for frame in (six_parts[six_parts.id < 0], dd.from_pandas(people(0).to_pandas(), npartitions=1)):
        with pytest.raises(BadTable, match="there is nothing to randomize"):
            private.perturb(frame, MECHANISMS, out)
    with pytest.raises(BadTable, match=r"not a dask\.dataframe\.DataFrame"):
        private.perturb(people().to_pandas(), HOURS, out)
    assert not Path(out).exists()
    private.perturb(six_parts, {"hours": Interval(0, 24)}, out, epsilon=1.0)
    assert isinstance(read_description(out).mechanisms["hours"], SW)


def test_parts_without_rows_are_fine(engine, six_parts, tmp_path):
    some = six_parts[(six_parts.id >= 500) & (six_parts.id < 1200)]
    reports = private.perturb(some, MECHANISMS, str(tmp_path / "out"), keep=["id"], source=SeededSource(2))
    assert sorted(reports.id.compute()) == list(range(500, 1200))
    same_reports(reports, perturb_table(people().slice(500, 700), MECHANISMS, SeededSource(2), ["id"]).select(
        reports.columns
    ))  # fmt: skip
    assert private.tally(reports[reports.id < 600])["hours"].count == 100
    with pytest.raises(BadTable, match="the frame has columns but no rows"):
        private.tally(reports[reports.id < 0])


def test_a_frame_that_changes_between_counting_and_drawing_is_refused(tmp_path):
    def shorter(number):
        (tmp_path / f"{number}").touch()
        return people().to_pandas().iloc[: 100 if (tmp_path / "again").exists() else 200]

    given = dd.from_map(shorter, [1, 2], meta=people().slice(0, 0).to_pandas(), enforce_metadata=False)
    rows = private.jobs.rows_of_parts

    def count(frame):
        yield from list(rows(frame))
        (tmp_path / "again").touch()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(private.frames, "rows_of_parts", count)
        with pytest.raises(BadTable, match=r"part \d has other rows than when it was counted"):
            private.perturb(given, HOURS, str(tmp_path / "out"), source=SeededSource(1))
    assert not (tmp_path / "out").exists()


def test_a_function_of_the_user_that_fails_is_one_sentence(engine, six_parts, tmp_path):
    def broken(frame):
        raise ValueError("secret 42")

    given = six_parts.map_partitions(broken, meta=six_parts._meta)
    with pytest.raises(BadTable, match=r"^Dask could not compute the frame \(ValueError\); frame") as said:
        private.perturb(given, HOURS, str(tmp_path / "out"))
    assert "secret" not in str(said.value)
    assert said.value.__cause__ is None
    assert said.value.__suppress_context__
    assert not (tmp_path / "out").exists()


def test_a_frame_that_kills_its_workers_is_one_sentence(cluster, six_parts, tmp_path):
    def deadly(frame, partition_info=None):
        if partition_info is not None and partition_info["number"] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return frame

    given = six_parts.map_partitions(deadly, meta=six_parts._meta)
    scheduler = cluster.cluster.scheduler
    before, scheduler.allowed_failures = scheduler.allowed_failures, 0
    try:
        with pytest.raises(BadTable, match=r"^Dask could not compute the frame \(KilledWorker\)"):
            private.perturb(given, HOURS, str(tmp_path / "out"))
    finally:
        scheduler.allowed_failures = before
    assert not (tmp_path / "out").exists()


def test_workers_without_this_package_are_refused(cluster, tmp_path, monkeypatch):
    """They would die of the first task that they get, and Dask would wait for others."""
    said = cluster.get_versions(packages=["noisewright"])
    next(iter(said["workers"].values()))["packages"]["noisewright"] = None
    monkeypatch.setattr(distributed.Client, "get_versions", lambda *_, **__: said)
    unknown = divided(2).map_partitions(lambda frame: frame, meta=divided(2)._meta)
    with pytest.raises(BadTable, match="machines of Dask have another version of this package than this one"):
        private.perturb(unknown, HOURS, str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_whole_numbers_are_noted_before_anything_is_drawn(six_parts, tmp_path):
    rounded = six_parts.assign(hours=six_parts.hours.round())
    with pytest.raises(WholeNumbers, match="the first 500 values of 'hours' are all whole numbers"):
        private.perturb(rounded, HOURS, str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_importing_needs_no_dask():
    code = """
import sys
for name in ("dask", "distributed", "pandas"):
    sys.modules[name] = None
from noisewright import dask
from noisewright.errors import MissingExtra
try:
    dask.read("reports")
except MissingExtra as refusal:
    assert "[dask]" in str(refusal), refusal
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# -- ledger and routes -----------------------------------------------------------------------------------


def test_a_ledger_remembers_across_parts_and_runs(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=4.0)
    runs = []
    for number, parts in enumerate((3, 2)):
        frame = divided(parts, people())
        out = str(tmp_path / str(number))
        found = private.perturb(frame, HOURS, out, keep=["id"], ledger=ledger, person="id").compute()
        runs.append(dict(zip(found.id.tolist(), found.hours.tolist(), strict=True)))
    assert runs[0] == runs[1]
    assert len(runs[0]) == len(people())


def test_what_a_simulated_ledger_remembers_is_not_private(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=4.0, simulated=True)
    for name, source in (("first", SeededSource(1)), ("second", None)):
        out = str(tmp_path / name)
        private.perturb(divided(2), HOURS, out, ledger=ledger, person="id", source=source)
        assert not read_description(out).private
        assert not tally_files([out]).private


def test_parts_that_a_ledger_draws_are_computed_together(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=4.0)
    frame = divided(4).clear_divisions()
    mixed = frame.map_partitions(lambda part: part.sample(frac=1.0), meta=frame._meta)
    again = mixed.repartition(npartitions=16)
    found = private.perturb(again, HOURS, str(tmp_path / "out"), keep=["id"], ledger=ledger, person="id")
    assert sorted(found.compute().id.tolist()) == sorted(people().column("id").to_pylist())


def test_every_route_is_drawn_whole_and_once(tmp_path):
    random = np.random.default_rng(5)
    trips = pd.DataFrame(
        {
            "trip_id": np.repeat([f"trip {number}" for number in range(20)], 12),
            "timestamp": np.tile(np.arange(12) * 60.0 + 1.7e9, 20),
            "x": random.uniform(0, 1, 240),
            "y": random.uniform(0, 1, 240),
        }
    ).sample(frac=1, random_state=1)
    frame = dd.from_pandas(trips.reset_index(drop=True), npartitions=5)
    space, out = Rectangle(0, 0, 1, 1), str(tmp_path / "out")
    found = private.perturb_routes(frame, space, out, epsilon=6.0, per="route", reports=3).compute()
    assert len(found) == 240
    whole = read_countable(out)
    assert sorted(whole.routes.names) == sorted({f"trip {number}" for number in range(20)})
    assert int(whole.reported.sum()) == 60
    with pytest.raises(OutOfDomain, match=r"part \d: route \d+, point 1"):
        private.perturb_routes(frame.assign(x=5.0), space, str(tmp_path / "bad"), epsilon=1.0)
    assert not (tmp_path / "bad").exists()
