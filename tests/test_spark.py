"""Spark for real: the same numbers as one process, and one report a person whatever Spark repeats."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Categories, Interval, spark
from noisewright.errors import BadTable, BudgetSpent, InvalidParameter, OutOfDomain
from noisewright.io import perturb_table, read_description, tally_files, tally_table
from noisewright.io.columns import ColumnPlan
from noisewright.io.part_task import PartTask
from noisewright.io.report_folder import FinishedFolder, ReportFolder
from noisewright.ledger import Ledger
from noisewright.mechanisms import KRR, OUE, SW, JointRandomizedResponse
from noisewright.randomness import SecureSource, SeededSource
from noisewright.survey import EstimateRequest, estimate_all
from noisewright.trajectory import Rectangle, read_evidence
from noisewright.trajectory.counts import read_countable
from noisewright.trajectory.routes import Budget

pytest.importorskip("pyspark", reason="Spark is not installed (make peers)")
pytestmark = [
    pytest.mark.skipif(
        shutil.which("java") is None and "JAVA_HOME" not in os.environ, reason="Spark needs Java 17 or newer"
    ),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning"),
]

FAULTS = Path(__file__).parent / "worker_faults"
PEOPLE = 3000
LABELS = Categories([str(number) for number in range(40)])
MECHANISMS = {
    "hours": SW(Interval(0, 24), 2.0),
    "drug": KRR(Categories(["a", "b", "c"]), 1.0),
    "code": OUE(LABELS, 1.0),
}


def people(count=PEOPLE):
    random = np.random.default_rng(7)
    return pa.table(
        {
            "id": np.arange(count),
            "hours": random.uniform(0, 24, count),
            "drug": random.choice(["a", "b", "c"], count),
            "region": random.choice(["north", "south"], count),
            "code": random.integers(0, 40, count).astype(str),
        }
    )


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="module")
def session(faults):
    from pyspark.sql import SparkSession

    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.executorEnv.PYTHONPATH": str(FAULTS),
        "spark.executorEnv.NOISEWRIGHT_FAULTS": str(faults),
    }
    builder = SparkSession.builder.master("local[2,4]").appName("noisewright")
    for name, value in settings.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    yield found
    found.stop()
    patch.undo()


@pytest.fixture
def source_files(tmp_path):
    """People in six files, which Spark reads as six parts without any function of ours in its plan."""
    folder = tmp_path / "people"
    folder.mkdir()
    table = people()
    for number in range(6):
        pq.write_table(table.slice(number * 500, 500), folder / f"{number}.parquet")
    return folder


@pytest.fixture
def six_parts(session, source_files):
    session.conf.set("spark.sql.files.maxPartitionBytes", "10k")
    yield session.read.parquet(str(source_files))
    session.conf.unset("spark.sql.files.maxPartitionBytes")


def divided(session, parts):
    frame = session.createDataFrame(people().to_pandas())
    return frame.repartitionByRange(parts, "id").sortWithinPartitions("id")


def in_order(frame):
    return frame.orderBy("id").toArrow()


def same_reports(found, wanted):
    assert set(found.column_names) == set(wanted.column_names)
    for name in wanted.column_names:
        assert found.column(name).to_pylist() == wanted.column(name).to_pylist(), name


# -- the same numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 2, 7, pytest.param(200, marks=pytest.mark.slow)])
def test_one_seed_gives_the_same_reports_and_estimates_for_every_division(session, tmp_path, parts):
    keep = ["id", "region"]
    wanted = perturb_table(people(), MECHANISMS, SeededSource(3), keep)
    reports = spark.perturb(
        divided(session, parts), MECHANISMS, str(tmp_path / "out"), source=SeededSource(3), keep=keep
    )
    same_reports(in_order(reports), wanted)
    assert len(list((tmp_path / "out").glob("part-*"))) == parts
    alone = counts_of(tally_table(wanted))
    assert counts_of(spark.tally(reports)) == counts_of(tally_files([tmp_path / "out"])) == alone


def counts_of(tallies):
    return {name: tally.to_dict() for name, tally in tallies.items()}


def test_estimates_are_those_of_one_process_to_the_last_digit(session, tmp_path):
    reports = spark.perturb(divided(session, 7), MECHANISMS, str(tmp_path / "out"), keep=["region"])
    alone = in_order_of_parts(tmp_path / "out")
    found = spark.estimate(reports, bins=5).to_dict()
    assert found["columns"] == estimate_all(tally_table(alone), EstimateRequest(bins=5)).to_dict()["columns"]
    groups = spark.estimate(reports, ["drug"], by="region")
    assert list(groups) == ["north", "south"]
    north = alone.filter(pa.compute.equal(alone.column("region"), "north"))
    apart = estimate_all(tally_table(north, ["drug"])).to_dict()["columns"]
    assert groups["north"].to_dict()["columns"] == apart


def in_order_of_parts(folder):
    return pa.concat_tables([pq.read_table(path) for path in sorted(folder.glob("part-*"))])


def test_counts_of_many_parts_add_up_as_a_tree(session, tmp_path, monkeypatch):
    monkeypatch.setattr(spark.frames, "FAN", 3)
    reports = spark.perturb(divided(session, 7), MECHANISMS, str(tmp_path / "out"), keep=["region"])
    heard = []
    found = spark.tally(reports, by="region", progress=lambda done, total: heard.append((done, total)))
    assert sum(found[group]["hours"].count for group in found) == PEOPLE
    assert all(done <= total for done, total in heard)


def test_the_frame_knows_its_reports_after_filters_and_when_spark_writes_it_again(session, tmp_path):
    spark.perturb(divided(session, 2), MECHANISMS, str(tmp_path / "out"), keep=["region"])
    reports = spark.read(session, str(tmp_path / "out"))
    north = reports.filter("region = 'north'").select("hours")
    count = north.count()
    assert spark.tally(north)["hours"].count == count
    north.write.parquet(str(tmp_path / "again"))
    assert tally_files([tmp_path / "again"])["hours"].count == count
    plain = session.createDataFrame(north.toPandas())
    with pytest.raises(BadTable, match="carries no description"):
        spark.tally(plain)
    found = spark.tally(plain, description=read_description(tmp_path / "out"))
    assert found["hours"].count == count
    assert found.estimate().columns[0].mean.count == count
    for wrong, why in (({"by": "hours"}, "holds reports"), ({"by": "place"}, "has no column 'place'")):
        with pytest.raises(BadTable, match=why):
            spark.tally(reports, **wrong)


# -- once ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["after-claim", "after-draw", "before-name", "after-name"])
def test_a_worker_killed_at_any_step_leaves_one_report_a_person(six_parts, faults, tmp_path, step):
    (faults / "draws").write_text("")
    (faults / step).touch()
    reports = spark.perturb(six_parts, MECHANISMS, str(tmp_path / "out"), keep=["id"])
    assert not (faults / step).exists(), "the fault never happened"
    assert sorted(row.id for row in reports.select("id").collect()) == list(range(PEOPLE))
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.suffix != ".parquet") == [
        "_noisewright.json"
    ]
    # A part that has its name is never drawn again; before that the draft of the dead worker is never read.
    times = Counter(Counter((faults / "draws").read_text().split()).values())
    assert times == ({1: PEOPLE} if step in ("after-claim", "after-name") else {1: PEOPLE - 500, 2: 500})
    attempts = Counter(part.attempt for part in FinishedFolder.find(str(tmp_path / "out")).parts)
    assert attempts == ({0: 6} if step == "after-name" else {0: 5, 1: 1})


def test_of_two_copies_of_a_task_one_is_kept(session, tmp_path):
    # Spark starts copies on other hosts only, so the copies are made by hand: sixteen tasks for one part.
    folder = ReportFolder.begin(str(tmp_path / "out"))
    plan = ColumnPlan(MECHANISMS)
    about = plan.describe(SecureSource())
    task, table = PartTask(folder, about.to_json()), people(200)

    def copy(batches):
        for _ in batches:
            part = task.perturb(0, table.to_batches())
            yield pa.RecordBatch.from_pydict({"mark": [part.mark], "rows": [part.rows]})

    answers = session.range(0, 16, 1, 16).mapInArrow(copy, "mark string, rows long").collect()
    assert len({(each.mark, each.rows) for each in answers}) == 1
    assert [path.name for path in (tmp_path / "out").glob("*.parquet")] == ["part-00000.parquet"]
    assert not list((tmp_path / "out" / "_noisewright_drafts").glob("*.parquet"))


def test_a_frame_that_comes_out_differently_is_refused(session, six_parts, tmp_path):
    from pyspark.sql import functions

    for frame in (
        six_parts.withColumn("hours", functions.rand() * 24),
        six_parts.filter(functions.rand() < 0.5),
    ):
        with pytest.raises(BadTable, match="comes out differently each time"):
            spark.perturb(frame, MECHANISMS, str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_parts_of_unknown_functions_are_not_drawn_a_second_time(six_parts, faults, tmp_path):
    unknown = six_parts.mapInArrow(lambda batches: batches, six_parts.schema)
    reports = spark.perturb(unknown, MECHANISMS, str(tmp_path / "fine"), keep=["id"])
    assert reports.count() == PEOPLE
    (faults / "before-name").touch()
    with pytest.raises(BadTable, match="not drawn again"):
        spark.perturb(unknown, MECHANISMS, str(tmp_path / "out"), keep=["id"])
    assert not (tmp_path / "out").exists()


def test_a_full_disk_leaves_nothing_behind(six_parts, faults, tmp_path):
    (faults / "full-disk").touch()
    try:
        with pytest.raises(BadTable, match="larger than allowed here; no output was left behind"):
            spark.perturb(six_parts, MECHANISMS, str(tmp_path / "out"), keep=["id"])
    finally:
        (faults / "full-disk").unlink()
    assert not (tmp_path / "out").exists()


def test_a_lost_file_and_an_unfinished_folder_are_refused(session, six_parts, tmp_path):
    out = tmp_path / "out"
    spark.perturb(six_parts, MECHANISMS, str(out))
    with pytest.raises(BadTable, match="a second draw from the same data spends the budget"):
        spark.perturb(six_parts, MECHANISMS, str(out))
    assert spark.perturb(six_parts, MECHANISMS, str(out), replace=True).count() == PEOPLE
    (out / "part-00002.parquet").unlink()
    with pytest.raises(BadTable, match=r"has lost part-00002\.parquet, one of its 6 parts"):
        spark.read(session, str(out))
    ReportFolder.begin(str(tmp_path / "begun"))
    with pytest.raises(BadTable, match="is unfinished"):
        spark.read(session, str(tmp_path / "begun"))
    with pytest.raises(BadTable, match="is not a folder of reports"):
        spark.read(session, str(tmp_path))


def test_a_ledger_remembers_across_parts_and_runs(session, six_parts, tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=4.0)
    runs = [
        in_order(
            spark.perturb(frame, MECHANISMS, str(tmp_path / name), keep=["id"], ledger=ledger, person="id")
        )
        for name, frame in (("first", six_parts), ("second", six_parts.repartition(3)))
    ]
    same_reports(runs[1], runs[0])
    changed = six_parts.withColumn("hours", six_parts.hours / 2)
    with pytest.raises(BudgetSpent, match=r"the person in data row 1 has epsilon 0 left of 4"):
        spark.perturb(changed, MECHANISMS, str(tmp_path / "third"), ledger=ledger, person="id")
    assert not (tmp_path / "third").exists()
    with pytest.raises(InvalidParameter, match="ledger and person go together"):
        spark.perturb(six_parts, MECHANISMS, str(tmp_path / "third"), ledger=ledger)


# -- routes --------------------------------------------------------------------------------------------


def trips(count=40, points=12):
    random = np.random.default_rng(5)
    table = pa.table(
        {
            "trip_id": np.repeat([f"trip {number}" for number in range(count)], points),
            "timestamp": np.tile(np.arange(points) * 60.0 + 1.7e9, count),
            "x": random.uniform(0, 1, count * points),
            "y": random.uniform(0, 0.2, count * points),
        }
    )
    return table.take(random.permutation(len(table)))


def test_every_route_is_drawn_whole_and_once(session, tmp_path):
    frame = session.createDataFrame(trips().to_pandas()).repartition(6)
    space = Rectangle(0, 0, 1, 1)
    private = spark.perturb_routes(frame, space, str(tmp_path / "out"), epsilon=6.0, per="route", reports=3)
    assert set(private.columns) == {"route", "time", "x", "y", "reported"}
    read = [read_evidence(path)[1] for path in sorted((tmp_path / "out").glob("part-*"))]
    names = [name for collection in read for name in collection.routes.names]
    assert sorted(names) == sorted({f"trip {number}" for number in range(40)})
    for collection in read:
        assert collection.budget == Budget(6.0, "route", 3)
        assert (np.add.reduceat(collection.reported, collection.routes.starts[:-1]) == 3).all()
        assert (np.diff(collection.routes.times)[np.diff(collection.routes.owner) == 0] == 60).all()
    whole = read_countable(tmp_path / "out")
    assert len(whole.routes) == 40
    assert int(whole.reported.sum()) == 120
    with pytest.raises(BadTable, match="holds private routes"):
        tally_files([tmp_path / "out"])


def test_routes_as_cells_are_counted_from_the_folder(session, tmp_path):
    frame = session.createDataFrame(trips(400).to_pandas()).repartition(3)
    spark.perturb_routes(
        frame, Rectangle(0, 0, 1, 1), str(tmp_path / "out"), epsilon=6.0, per="route", purpose="counts",
        grid=(2, 2),
    )  # fmt: skip
    found = read_countable(tmp_path / "out")
    assert len(found.reports) == 400  # one report a route, with its whole budget
    (tmp_path / "out" / "part-00000.parquet").unlink()
    with pytest.raises(BadTable, match="has lost"):
        read_countable(tmp_path / "out")


def test_routes_that_cannot_be_drawn_are_refused(session, tmp_path):
    frame = session.createDataFrame(trips().to_pandas())
    out, space = str(tmp_path / "out"), Rectangle(0, 0, 1, 1)
    for changed, error, why in (
        (frame.drop("trip_id"), InvalidParameter, "names no column of routes"),
        (frame.withColumn("x", frame.x + 5), OutOfDomain, r"part \d: route \d+, point 1"),
    ):
        with pytest.raises(error, match=why):
            spark.perturb_routes(changed, space, out, epsilon=1.0)
    with pytest.raises(InvalidParameter, match="path is needed"):
        spark.perturb_routes(frame, space, epsilon=1.0)
    assert not (tmp_path / "out").exists()


# -- refusals ------------------------------------------------------------------------------------------


def test_a_bad_value_is_refused_by_file_and_row_and_never_shown(session, source_files, tmp_path):
    table = people().slice(1000, 500)
    hours = table.column("hours").to_pylist()
    hours[77] = 31.25
    pq.write_table(table.set_column(1, "hours", [hours]), source_files / "2.parquet")
    frame = session.read.parquet(str(source_files))
    with pytest.raises(OutOfDomain) as refusal:
        spark.perturb(frame, MECHANISMS, str(tmp_path / "out"))
    assert str(refusal.value).startswith("2.parquet: hours in data row 78 lies above")
    assert "31.25" not in str(refusal.value)
    assert not (tmp_path / "out").exists()
    with pytest.raises(OutOfDomain, match=r"^part \d: hours in data row \d+ lies above"):  # after a shuffle
        spark.perturb(frame.orderBy("id"), MECHANISMS, str(tmp_path / "out"))
    clipped = spark.perturb(frame, MECHANISMS, str(tmp_path / "out"), out_of_domain="clip")
    assert clipped.count() == PEOPLE


def test_what_cannot_be_done_is_refused_in_a_sentence(session, six_parts, tmp_path):
    out = str(tmp_path / "out")
    joint = JointRandomizedResponse(Categories(["a", "b"]), 1.0, users=4, correlation=-0.1)
    used = SeededSource(1)
    used.words(1)
    for arguments, error, why in (
        (({"hours": MECHANISMS["hours"]},), InvalidParameter, "path is needed"),
        (({"sleep": MECHANISMS["hours"]}, out), BadTable, "the frame has no column 'sleep'"),
        (({"drug": joint}, out), InvalidParameter, "draws the noise of people together"),
        (({"hours": Interval(0, 24)}, out), InvalidParameter, "need an epsilon"),
        ((MECHANISMS, out, {"source": used}), InvalidParameter, "nothing was drawn from yet"),
        ((MECHANISMS, str(tmp_path / "people" / "0.parquet")), BadTable, "it is a file"),
        ((MECHANISMS, str(tmp_path / "people")), BadTable, "holds files already"),
        ((MECHANISMS, "ftp://host/reports"), BadTable, "cannot reach ftp://host/reports"),
    ):
        *given, last = arguments
        options = last if isinstance(last, dict) and "source" in last else {}
        with pytest.raises(error, match=why):
            spark.perturb(six_parts, *(given if options else arguments), **options)
    with pytest.raises(BadTable, match="there is nothing to randomize"):
        spark.perturb(six_parts.filter("id < 0"), MECHANISMS, out)
    assert not (tmp_path / "out").exists()
    chosen = spark.perturb(six_parts, {"hours": Interval(0, 24)}, out, epsilon=1.0)
    assert isinstance(read_description(out).mechanisms["hours"], SW)
    with pytest.raises(BadTable, match="has none of the columns"):
        spark.tally(chosen.selectExpr("hours as other"))


def test_a_function_of_the_user_that_fails_is_one_sentence(six_parts, tmp_path):
    def broken(batches):
        raise ValueError("secret 42")
        yield from batches

    with pytest.raises(BadTable, match="Spark could not do it") as refusal:
        spark.perturb(six_parts.mapInArrow(broken, six_parts.schema), MECHANISMS, str(tmp_path / "out"))
    assert "secret" not in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "out").exists()


# -- other kinds of sessions ---------------------------------------------------------------------------

CONNECT = """
import sys
from pyspark.sql import SparkSession
from noisewright import Interval, spark
from noisewright.mechanisms import SW

folder, out = sys.argv[1:]
session = SparkSession.builder.remote("local[2]").getOrCreate()
heard = []
reports = spark.perturb(
    session.read.parquet(folder), {"hours": SW(Interval(0, 24), 2.0)}, out, keep=["region", "id"],
    progress=lambda done, total: heard.append(done),
)
assert reports.count() == 3000 and reports.select("id").distinct().count() == 3000
assert sum(each.columns[0].mean.count for each in spark.estimate(reports, by="region").values()) == 3000
assert heard
session.stop()
print("fine")
"""

EXECUTORS = """
import os, signal, subprocess, sys, threading, time
import pyspark
os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
from pyspark.sql import SparkSession
from noisewright import Interval, spark
from noisewright.mechanisms import SW

folder, out = sys.argv[1:]
builder = SparkSession.builder.master("local-cluster[2,1,1024]")
for name, value in {
    "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.files.maxPartitionBytes": "10k", "spark.speculation": "true",
}.items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
frame = session.read.parquet(folder)
marker = os.path.join(os.environ["NOISEWRIGHT_FAULTS"], "stop")

def kill():  # the executor whose worker holds still after its draw
    while not os.path.exists(marker):
        time.sleep(0.01)
    worker = int(open(marker).read())
    while "CoarseGrainedExecutorBackend" not in open(f"/proc/{worker}/cmdline").read():
        worker = int(open(f"/proc/{worker}/stat").read().rsplit(")", 1)[1].split()[1])
    os.kill(worker, signal.SIGKILL)

killer = threading.Thread(target=kill)
killer.start()
reports = spark.perturb(frame, {"hours": SW(Interval(0, 24), 2.0)}, out, keep=["id"])
killer.join()
assert sorted(row.id for row in reports.select("id").collect()) == list(range(3000))
session.stop()
print("fine")
"""


def run_script(text, *arguments, **variables):
    done = subprocess.run(
        [sys.executable, "-c", text, *map(str, arguments)],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, **variables},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout.strip().endswith("fine"), done.stderr[-3000:]


@pytest.mark.slow
def test_spark_connect(source_files, tmp_path):
    run_script(CONNECT, source_files, tmp_path / "out")
    assert tally_files([tmp_path / "out"])["hours"].count == PEOPLE


@pytest.mark.slow
def test_a_killed_executor_leaves_one_report_a_person(source_files, tmp_path):
    faults = tmp_path / "faults"
    faults.mkdir()
    (faults / "wait-after-draw").touch()
    path = os.pathsep.join([str(FAULTS), os.environ.get("PYTHONPATH", "")])
    run_script(EXECUTORS, source_files, tmp_path / "out", PYTHONPATH=path, NOISEWRIGHT_FAULTS=str(faults))
    parts = FinishedFolder.find(str(tmp_path / "out")).parts
    assert Counter(part.attempt for part in parts)[1] >= 1
