"""Folders, globs, folders by value, lost descriptions and engines, as a user of the command line meets them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from command_line import refused, run
from noisewright.cli.main import main
from noisewright.io import read_description, tally_files
from report.checking import check

HOURS = ["--epsilon", "2", "--interval", "hours=0:24"]
DRUG = ["--epsilon", "1", "--categories", "drug=a,b"]
SIZES = {"north": 60, "south": 40}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """People by region in two files each, once as CSV and once as Parquet."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(1)
    for region, size in SIZES.items():
        for number in range(2):
            hours, drug = random.uniform(0, 24, size).round(2), random.choice(["a", "b"], size)
            lines = [
                f"p{row},{each},{kind}" for row, (each, kind) in enumerate(zip(hours, drug, strict=True))
            ]
            place = tmp_path / "people" / f"region={region}"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{number}.csv").write_text("\n".join(["name,hours,drug", *lines, ""]))
            place = tmp_path / "tables" / f"region={region}"
            place.mkdir(parents=True, exist_ok=True)
            pq.write_table(pa.table({"hours": hours, "drug": drug}), place / f"{number}.parquet")
    return tmp_path


def counts(out: str) -> dict[str, int]:
    """The number of reports of each group in the JSON of an estimate."""
    groups = json.loads(out)["groups"]
    return {name: next(iter(found["columns"].values()))["reports"] for name, found in groups.items()}


GROUPS = {"north": 120, "south": 80}

# -- folders and globs ----------------------------------------------------------------------------------


def test_a_folder_is_randomized_and_estimated_by_group(capsys, folder):
    out, err = run(capsys, "perturb", "people", *DRUG, "--keep", "region", "-o", "reports")
    assert out.startswith("200 rows of reports in reports, 4 parts\n")
    assert "NOT randomized, as asked: region" in out
    assert err == ""
    assert sorted(path.name for path in folder.joinpath("reports").iterdir()) == [
        "_noisewright.json", *(f"part-{number:05d}.parquet" for number in range(4)),
    ]  # fmt: skip
    out, err = run(capsys, "estimate", "reports", "--by", "region")
    assert (out.splitlines()[0], err) == ("Estimates of 2 groups by region from reports", "")
    assert "drug by region" in out
    assert counts(run(capsys, "estimate", "reports", "--by", "region", "--json")[0]) == GROUPS
    whole = json.loads(run(capsys, "estimate", "reports/", "--json")[0])
    assert whole["columns"]["drug"]["reports"] == 200
    assert [each["name"] for each in whole["provenance"]["inputs"]] == ["reports/_noisewright.json"]


def test_the_summary_for_machines_has_the_number_of_parts(capsys):
    found = json.loads(
        run(capsys, "perturb", "people", *HOURS, "-o", "out/reports", "--json", "--keep", "region")[0]
    )
    assert (found["rows"], found["parts"], found["input"], found["output"]) == (
        200,
        4,
        "people",
        "out/reports",
    )


def test_globs_are_taken_as_they_are_typed(capsys):
    run(capsys, "perturb", "people/region=*/0.csv", *DRUG, "--keep", "region", "-o", "reports", "-q")
    assert tally_files(["reports"])["drug"].count == 100
    for typed in (["reports/*.parquet"], sorted(map(str, Path("reports").glob("*.parquet")))):
        found = json.loads(run(capsys, "estimate", *typed, "--json")[0])
        assert found["columns"]["drug"]["reports"] == 100
        assert found["files"] == ["reports"]


def test_a_page_shows_groups_and_reports_of_a_folder(capsys):
    run(
        capsys,
        "perturb",
        "people",
        *DRUG,
        "--keep",
        "region",
        "-o",
        "reports",
        "--html",
        "perturb.html",
        "-q",
    )
    assert "200 rows of reports in reports, 4 parts" in check(Path("perturb.html").read_text()).prose
    run(capsys, "estimate", "reports", "--by", "region", "--html", "groups.html")
    page = check(Path("groups.html").read_text())
    assert "Estimates of 2 groups by region" in page.prose
    assert "--by region" in page.prose


def test_an_address_of_this_machine_is_a_folder(capsys, folder):
    run(capsys, "perturb", (folder / "people").as_uri(), *DRUG, "-o", (folder / "reports").as_uri(), "-q")
    out, _ = run(capsys, "estimate", (folder / "reports").as_uri(), "--json")
    assert json.loads(out)["columns"]["drug"]["reports"] == 200
    one = (folder / "people" / "region=north" / "0.csv").as_uri()
    run(capsys, "perturb", one, *DRUG, "-o", (folder / "one.csv").as_uri(), "-q")
    assert tally_files([folder / "one.csv"])["drug"].count == 60


def test_a_seed_gives_the_same_reports_as_one_file(capsys, folder):
    tables = [pq.read_table(path) for path in sorted(folder.glob("tables/*/*.parquet"))]
    pq.write_table(pa.concat_tables([table.select(["hours", "drug"]) for table in tables]), "one.parquet")
    for name, output in (("one.parquet", "one-reports.parquet"), ("tables", "reports"), ("people", "texts")):
        _, err = run(capsys, "perturb", name, *HOURS, "--seed", "3", "-o", output, "-q")
        assert f"{output} is NOT PRIVATE" in err
    whole = pq.read_table("one-reports.parquet")["hours"].to_pylist()
    assert pq.read_table("reports")["hours"].to_pylist() == whole
    assert pq.read_table("texts")["hours"].to_pylist() == whole


def test_reports_are_replaced_only_by_force(capsys):
    run(capsys, "perturb", "people", *DRUG, "-o", "reports", "-q")
    assert "reports holds reports already, and a second draw" in refused(
        capsys, "perturb", "people", *DRUG, "-o", "reports"
    )
    assert "pass --force to replace them" in refused(capsys, "perturb", "people", *DRUG, "-o", "reports")
    run(capsys, "perturb", "people", *DRUG, "-o", "reports", "-q", "--force")


def test_reports_that_are_randomized_again_are_noticed(capsys):
    run(capsys, "perturb", "people", *DRUG, "-o", "reports", "-q")
    _, err = run(capsys, "perturb", "reports", *DRUG, "-o", "again", "-q")
    assert "reports already holds reports of drug; randomizing them again spends no more privacy" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["people", "-o", "r.parquet"], "r.parquet ends like a file, but people is a folder or a glob"),
        (["people/region=north/0.csv", "-o", "r"], "r must end in one of .parquet"),
        (["peeple", "-o", "r"], "cannot read peeple: there is no such file or folder"),
        (["people/*.txt", "-o", "r"], "no file of a known kind matches people/*.txt"),
        (["people", "-o", "people/r"], "lies inside people, where reports would be taken for true values"),
        (["people", "-o", "people", "--force"], "the output people holds people/region=north/0.csv"),
        (["people", "-o", "r", "--keep", "day"], "people/region=north/0.csv has no column 'day'"),
        (["people", "-o", "r", "--engine", "flink"], "--engine must be one of spark, dask, got 'flink'"),
        (["people", "-o", "r.csv", "--engine", "dask"], "r.csv ends like a file, but --engine writes a folder"),
    ],
)  # fmt: skip
def test_mistakes_get_one_sentence_and_leave_nothing(capsys, folder, arguments, said):
    before = sorted(folder.rglob("*"))
    err = refused(capsys, "perturb", *HOURS, *arguments)
    assert said in err
    assert err.count("\n") == 1
    assert sorted(folder.rglob("*")) == before


# -- values of folders ----------------------------------------------------------------------------------


def test_a_value_of_folders_that_is_not_kept_is_noticed(capsys):
    _, err = run(capsys, "perturb", "people", *DRUG, "-o", "reports", "-q")
    assert "region stands in the names of folders and is not written; but each part" in err
    assert "whoever knows the files can tell it" in err
    _, err = run(capsys, "perturb", "people/region=north", *DRUG, "-o", "north", "-q")
    assert err == ""  # there is nothing to tell apart


def test_a_value_of_folders_is_not_randomized(capsys):
    err = refused(
        capsys, "perturb", "people", "--epsilon", "1", "--categories", "region=north,south", "-o", "r"
    )
    assert "column 'region' stands in the names of folders and cannot be randomized" in err


def test_reports_by_folders_are_estimated_by_them(capsys):
    for region in SIZES:
        Path(f"reports/region={region}").mkdir(parents=True)
        run(
            capsys,
            "perturb",
            f"people/region={region}/0.csv",
            *DRUG,
            "-o",
            f"reports/region={region}/0.parquet",
            "-q",
        )
    assert counts(run(capsys, "estimate", "reports", "--by", "region", "--json")[0]) == SIZES
    for by, said in (
        ("day", "has no column 'day' to group by"),
        ("drug", "'drug' holds reports, which are noise"),
    ):
        assert said in refused(capsys, "estimate", "reports", "--by", by)


# -- lost descriptions ----------------------------------------------------------------------------------


@pytest.fixture
def bare(capsys, folder):
    """Reports that an ETL step rewrote: their description is gone."""
    run(capsys, "perturb", "people", *DRUG, "--keep", "region", "-o", "reports", "-q")
    Path("bare").mkdir()
    pq.write_table(pq.read_table("reports").replace_schema_metadata({}), "bare/0.parquet")
    Path("about.json").write_text(read_description("reports").to_json())
    return "bare"


def test_a_lost_description_is_asked_for_by_its_option(capsys, bare):
    err = refused(capsys, "estimate", bare)
    assert "bare/0.parquet carries no description of its reports" in err
    assert err.endswith("then give the description of the original file by --description\n")
    Path("true.csv").write_text("drug\na\n")
    err = refused(capsys, "estimate", "true.csv")
    assert (
        "randomize them first by noisewright perturb; if they are reports, give their description by --desc"
        in err
    )


@pytest.mark.parametrize(
    "given", ["about.json", "reports", "reports/_noisewright.json", "reports/part-00000.parquet"]
)
def test_a_description_is_given_by_any_file_that_has_it(capsys, bare, given):
    out, _ = run(capsys, "estimate", bare, "--description", given, "--by", "region", "--json")
    assert counts(out) == GROUPS


def test_a_description_that_does_not_fit_is_refused(capsys, bare):
    run(capsys, "perturb", "people", *DRUG[:-2], "--categories", "drug=a,b,c", "-o", "other", "-q")
    err = refused(capsys, "estimate", "reports", "--description", "other")
    assert (
        "--description is not that of reports/part-00000.parquet, which carries a description of its own"
        in err
    )
    assert "cannot read none.json: there is no such file" in refused(
        capsys, "estimate", bare, "--description", "none.json"
    )
    Path("odd.json").write_text("[]")
    assert "was not written by Noisewright" in refused(capsys, "estimate", bare, "--description", "odd.json")


def test_a_sidecar_beside_a_parquet_is_found_by_itself(capsys, bare):
    shutil.copy("about.json", "bare/0.parquet.json")
    assert json.loads(run(capsys, "estimate", bare, "--json")[0])["columns"]["drug"]["reports"] == 200


def test_bins_that_no_group_has_are_refused(capsys, bare):
    assert "--bins is for histograms of numbers" in refused(
        capsys, "estimate", "reports", "--by", "region", "--bins", "5"
    )


# -- engines --------------------------------------------------------------------------------------------


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from noisewright.cli.main import main; main(['perturb', '--help']); main(['estimate', '--help'])\n"
        "assert not {'pyarrow', 'pandas', 'pyspark', 'dask', 'distributed'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "--engine spark | dask" in done.stdout.replace("<", "").replace(">", "")


@pytest.mark.parametrize("engine", ["spark", "dask"])
def test_an_engine_that_is_not_installed_is_named_with_its_extra(capsys, monkeypatch, engine):
    for name in ("pyspark", "pyspark.sql", "dask", "dask.dataframe", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    err = refused(capsys, "perturb", "--engine", engine, "people", *HOURS, "-o", "r")
    assert f"--engine {engine} needs " in err
    assert f"[{engine}]" in err
    run(capsys, "perturb", "people", *DRUG, "-o", "reports", "-q")
    assert f"--engine {engine} needs " in refused(capsys, "estimate", "--engine", engine, "reports")


def test_spark_without_java_is_refused(capsys, monkeypatch):
    pytest.importorskip("pyspark", reason="Spark is not installed (make peers)")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    err = refused(capsys, "perturb", "--engine", "spark", "people", *HOURS, "-o", "r")
    assert err == "noisewright: Spark needs Java 17 or newer; install it, or set JAVA_HOME to where it is\n"


@pytest.fixture
def dask_threads():
    pytest.importorskip("dask.dataframe", reason="Dask is not installed (make peers)")
    return "dask"


@pytest.fixture(scope="module")
def spark_session():
    """One Spark for this module; the verbs take the session that is there."""
    sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed (make peers)")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java 17 or newer")
    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    for name in ("spark.driver.host", "spark.driver.bindAddress"):
        builder = builder.config(name, "127.0.0.1")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield "spark"
    assert sql.SparkSession.getActiveSession() is session  # no verb has ended it
    session.stop()
    patch.undo()


@pytest.fixture(
    params=["dask_threads", pytest.param("spark_session", marks=pytest.mark.slow)], ids=["dask", "spark"]
)
def engine(request):
    return request.getfixturevalue(request.param)


QUIET = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)


@QUIET
@pytest.mark.parametrize("source", ["people", "tables"])
def test_an_engine_randomizes_and_estimates_what_the_plain_verbs_do(capsys, engine, source):
    options = ["--engine", engine, *DRUG, "--keep", "region"]
    out, err = run(capsys, "perturb", *options, source, "-o", "reports")
    assert out.startswith("200 rows of reports in reports, ")
    assert err == ""
    plain, _ = run(capsys, "estimate", "reports", "--by", "region", "--json")
    shown, err = run(capsys, "estimate", "--engine", engine, "reports", "--by", "region", "--json")
    assert err == ""
    assert counts(shown) == GROUPS
    assert json.loads(shown)["groups"] == json.loads(plain)["groups"]
    whole, _ = run(capsys, "estimate", "--engine", engine, *map(str, Path("reports").glob("*.parquet")))
    assert whole == run(capsys, "estimate", "reports/*.parquet")[0]
    assert "reports holds reports already" in refused(capsys, "perturb", *options, source, "-o", "reports")
    run(capsys, "perturb", *options, source, "-o", "reports", "--force", "-q")


@QUIET
def test_an_engine_adds_up_folders_files_and_values_of_folders(capsys, engine, bare):
    run(capsys, "perturb", "tables", *DRUG, "--keep", "region", "-o", "more", "-q")
    Path("files/region=west").mkdir(parents=True)
    run(capsys, "perturb", "people/region=north/0.csv", *DRUG, "-o", "files/region=west/0.parquet", "-q")
    run(capsys, "perturb", "people/region=north/1.csv", *DRUG, "-o", "files/region=west/1.csv", "-q")
    given = ["reports", "more", "files", "--by", "region", "--json"]
    found = json.loads(run(capsys, "estimate", "--engine", engine, *given)[0])
    plain = json.loads(run(capsys, "estimate", *given)[0])
    for name, group in plain["groups"].items():
        assert found["groups"][name]["columns"] == group["columns"], name
    out, _ = run(
        capsys,
        "estimate",
        "--engine",
        engine,
        bare,
        "--description",
        "about.json",
        "--by",
        "region",
        "--json",
    )
    assert counts(out) == GROUPS
    for typed, said in (
        ([bare], "by --description"),
        (["reports", "reports"], "is given twice"),
        (["reports", "--by", "day"], "to group by"),
        (["files", "--by", "drug"], "which are noise"),
        (["none"], "there is no such file or folder"),
    ):
        assert said in refused(capsys, "estimate", "--engine", engine, *typed)
    Path("more/_noisewright.json").rename("more/_unfinished.json")
    assert "more is unfinished" in refused(capsys, "estimate", "--engine", engine, "more")


@QUIET
def test_an_engine_reads_texts_as_they_are(capsys, engine, folder):
    Path("odd").mkdir()
    Path("odd/0.csv").write_text('name,drug,note\nx,None,007\ny,NA,"a ""b"", c"\nz,null,\n')
    run(capsys, "perturb", "--engine", engine, "odd", "--epsilon", "1", "--categories", "drug=None,NA,null",
        "--keep", "note", "-o", "reports", "-q")  # fmt: skip
    notes = pq.read_table("reports")["note"].to_pylist()
    assert notes[:2] == ["007", 'a "b", c']
    assert notes[2] in ("", None)


@QUIET
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("hours,x\n1,a\n731731x,b\n", "could not|cannot read"),
        ("hours,x\n1,a\n99,b\n", "part 1: hours in data row 2 lies above --interval hours=0:24"),
        ("hours,x\n1,a\n2,b,731731\n", "could not|cannot read|does not fit its header"),
        ("hours,x\n1,a\n,b\n", "hours in data row 2 is missing"),
        ("minutes,x\n1,a\n", "has no column 'hours'"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_by_an_engine_in_one_sentence(capsys, engine, folder, content, said):
    Path("bad").mkdir()
    Path("bad/0.csv").write_text(content)
    err = refused(capsys, "perturb", "--engine", engine, "bad", *HOURS, "-o", "reports")
    assert any(each in err for each in said.split("|")), err
    assert "731731" not in err
    assert err.count("\n") == 1
    assert not Path("reports").exists()


@QUIET
def test_files_that_an_engine_cannot_read_together_are_refused(capsys, engine, folder):
    Path("mixed").mkdir()
    shutil.copy("people/region=north/0.csv", "mixed/0.csv")
    shutil.copy("tables/region=north/0.parquet", "mixed/1.parquet")
    err = refused(capsys, "perturb", "--engine", engine, "mixed", *DRUG, "-o", "r")
    assert "--engine reads files of one kind, Parquet or CSV, and these are csv and parquet" in err
    err = refused(capsys, "perturb", "--engine", engine, "people", "--epsilon", "1", "--categories",
                  "region=north,south", "-o", "r")  # fmt: skip
    assert "stands in the names of folders and cannot be randomized" in err


@QUIET
def test_advice_on_whole_numbers_comes_as_a_notice(capsys, engine):
    Path("whole").mkdir()
    Path("whole/0.csv").write_text("hours\n" + "7\n" * 20)
    _, err = run(capsys, "perturb", "--engine", engine, "whole", *HOURS, "-o", "reports", "-q")
    assert err.startswith("noisewright: ")
    assert "'hours' are all whole numbers: declare --integers" in err


@QUIET
def test_one_seed_gives_the_same_reports_on_dask(capsys, dask_threads):
    for source in ("people", "tables"):
        run(capsys, "perturb", source, *HOURS, "--seed", "3", "-o", f"{source}-plain", "-q")
        run(
            capsys, "perturb", "--engine", "dask", source, *HOURS, "--seed", "3", "-o", f"{source}-dask", "-q"
        )
        plain, dask = (pq.read_table(f"{source}-{way}")["hours"].to_pylist() for way in ("plain", "dask"))
        assert plain == dask


@QUIET
@pytest.mark.slow
def test_dask_works_on_the_cluster_that_its_settings_name(capsys, dask_threads):
    import dask
    from distributed import LocalCluster

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        dask.config.set({"scheduler-address": cluster.scheduler_address}),
    ):
        run(capsys, "perturb", "--engine", "dask", "people", *DRUG, "-o", "reports", "-q")
        out, _ = run(capsys, "estimate", "--engine", "dask", "reports", "--json")
    assert json.loads(out)["columns"]["drug"]["reports"] == 200
    with dask.config.set(
        {"scheduler-address": "tcp://127.0.0.1:9", "distributed.comm.timeouts.connect": "1s"}
    ):
        err = refused(capsys, "estimate", "--engine", "dask", "reports")
    assert err == "noisewright: no scheduler of Dask answers at tcp://127.0.0.1:9\n"


@pytest.mark.slow
def test_a_command_that_starts_spark_prints_only_our_output(folder):
    pytest.importorskip("pyspark", reason="Spark is not installed (make peers)")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java 17 or newer")
    temporary = folder / "tmp"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary), "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [
        sys.executable,
        "-m",
        "noisewright.cli",
        "perturb",
        "--engine",
        "spark",
        *DRUG,
        "--keep",
        "region",
    ]
    done = subprocess.run(
        [*command, "tables", "-o", "reports"], check=False, capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("200 rows of reports in reports, ")
    assert list(temporary.glob("noisewright-spark-*")) == []  # its log, which nobody needs
    assert main(["estimate", "reports", "--by", "region", "--json"]) == 0
    Path("tables/region=north/0.parquet").write_bytes(b"PAR1" + bytes(400) + b"PAR1")
    done = subprocess.run(
        [*command, "tables", "-o", "again"], check=False, capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") <= 2  # and where Spark's log is, if it has one
    assert all(line.startswith("noisewright: ") for line in done.stderr.splitlines())
