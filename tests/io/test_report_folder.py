"""A folder of reports is drawn once and is whole or refused, whatever is killed, doubled, lost or exchanged."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Interval
from noisewright.errors import BadTable
from noisewright.io import tally_files
from noisewright.io.columns import ColumnPlan
from noisewright.io.part_task import PartTask
from noisewright.io.report_folder import FinishedFolder, ReportFolder, hidden_name
from noisewright.mechanisms import SW
from noisewright.randomness import SecureSource

PLAN = ColumnPlan({"hours": SW(Interval(0, 24), 1.0)}, ["id"])
ABOUT = PLAN.describe(SecureSource())
FAULTS = Path(__file__).parents[1] / "worker_faults"


def people(number, count=5):
    ids = list(range(number * count, (number + 1) * count))
    return pa.table({"id": ids, "hours": [float(each % 24) for each in ids]})


def task_of(folder, **options):
    return PartTask(folder, ABOUT.to_json(), **options)


def written(path, parts=3):
    folder = ReportFolder.begin(str(path))
    task = task_of(folder)
    return folder.finish([task.perturb(n, people(n).to_batches()) for n in range(parts)], ABOUT.to_dict())


def ids_in(path):
    parts = FinishedFolder.find(str(path)).files
    return sorted(each for part in parts for each in pq.read_table(part.local).column("id").to_pylist())


def test_a_finished_folder_is_one_collection(tmp_path):
    done = written(tmp_path / "out")
    assert done.rows == 15
    assert FinishedFolder.find(str(tmp_path / "out")) == done
    assert ids_in(tmp_path / "out") == list(range(15))
    assert tally_files([tmp_path / "out"])["hours"].count == 15
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "_noisewright.json", "part-00000.parquet", "part-00001.parquet", "part-00002.parquet",
    ]  # fmt: skip


def test_a_part_that_is_there_is_not_drawn_again(tmp_path):
    folder = ReportFolder.begin(str(tmp_path / "out"))
    first = task_of(folder).perturb(0, people(0).to_batches())

    def never():
        raise AssertionError("drawn a second time")
        yield

    assert folder.write(0, never()) == first


def test_of_many_copies_one_is_kept(tmp_path):
    folder = ReportFolder.begin(str(tmp_path / "out"))
    start, answers = threading.Barrier(8), []

    def copy():
        start.wait()
        answers.append(task_of(folder).perturb(0, people(0, 2000).to_batches()))

    threads = [threading.Thread(target=copy) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(set(answers)) == 1
    assert not list((tmp_path / "out" / "_drafts").glob("*.parquet"))
    folder.finish(answers[:1], ABOUT.to_dict())
    assert ids_in(tmp_path / "out") == list(range(2000))


def test_a_part_that_may_change_is_not_drawn_a_second_time(tmp_path):
    folder = ReportFolder.begin(str(tmp_path / "out"))

    def dies():
        yield people(0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        folder.write(0, dies(), repeatable=False)
    with pytest.raises(BadTable, match="not drawn again"):
        task_of(folder, repeatable=False).perturb(0, people(0).to_batches())
    assert task_of(folder).perturb(0, people(0).to_batches()).attempt == 2


@given(st.permutations(range(4)), st.sets(st.integers(0, 3)))
def test_parts_may_come_in_any_order_and_some_be_empty(tmp_path_factory, order, empty):
    path = tmp_path_factory.mktemp("order") / "out"
    folder = ReportFolder.begin(str(path))
    task = task_of(folder)
    parts = [task.perturb(n, [] if n in empty else people(n).to_batches()) for n in order]
    if len(empty) == 4:
        with pytest.raises(BadTable, match="no rows"):
            folder.finish(parts, ABOUT.to_dict())
        assert not path.exists()
        return
    folder.finish(parts, ABOUT.to_dict())
    assert ids_in(path) == sorted(n * 5 + each for n in range(4) if n not in empty for each in range(5))


RUN = """
import sys
import pyarrow as pa
sys.path.insert(0, sys.argv[2])
from test_report_folder import ABOUT, ReportFolder, people, task_of
folder = ReportFolder.begin(sys.argv[1])
task = task_of(folder)
folder.finish([task.perturb(n, people(n).to_batches()) for n in range(3)], ABOUT.to_dict())
"""


@pytest.mark.parametrize(
    "step", ["after-claim", "after-draw", "before-name", "after-name", "before-list", "after-list"]
)
def test_a_run_that_is_killed_is_unfinished_or_whole(tmp_path, step):
    faults = tmp_path / "faults"
    faults.mkdir()
    (faults / step).touch()
    path = os.pathsep.join([str(FAULTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path / "out"), str(Path(__file__).parent)],
        env={**os.environ, "PYTHONPATH": path, "NOISEWRIGHT_FAULTS": str(faults)},
        timeout=600,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert not (faults / step).exists()
    if step == "after-list":  # only the mark of an unfinished run was still to be removed
        assert ids_in(tmp_path / "out") == list(range(15))
        return
    for read in (FinishedFolder.find, lambda path: tally_files([path])):
        with pytest.raises(BadTable, match="is unfinished"):
            read(str(tmp_path / "out"))
    with pytest.raises(BadTable, match="holds reports already"):
        ReportFolder.begin(str(tmp_path / "out"))
    ReportFolder.begin(str(tmp_path / "out"), replace=True).abandon()
    assert not (tmp_path / "out").exists()


def lose(folder):
    (folder / "part-00001.parquet").unlink()


def cut(folder):
    part = folder / "part-00001.parquet"
    part.write_bytes(part.read_bytes()[:-7])


def add(folder):
    shutil.copy(folder / "part-00001.parquet", folder / "part-00009.parquet")


def exchange(folder):
    """Another draw of the same people, of the same size to the byte."""
    part, table = folder / "part-00001.parquet", pq.read_table(folder / "part-00001.parquet")
    size, about = part.stat().st_size, json.loads(table.schema.metadata[b"noisewright.part"])
    about["mark"] = about["mark"][::-1]
    pq.write_table(
        table.replace_schema_metadata({**table.schema.metadata, b"noisewright.part": json.dumps(about)}), part
    )
    listed = json.loads((folder / "_noisewright.json").read_text())
    listed["parts"][1]["bytes"] = part.stat().st_size
    (folder / "_noisewright.json").write_text(json.dumps(listed))
    assert size


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lose, r"has lost part-00001\.parquet, one of its 3 parts"),
        (cut, "is not the file that was written: its size differs"),
        (add, "files that its run did not write"),
        (exchange, "it comes from another draw"),
    ],
)
def test_a_folder_that_changed_is_refused(tmp_path, change, why):
    written(tmp_path / "out")
    change(tmp_path / "out")
    with pytest.raises(BadTable, match=why):
        tally_files([tmp_path / "out"])


@pytest.mark.parametrize(
    "broken",
    [
        "", "[]", "{}", '{"format": 9}', "null", '{"format": 1, "run": "a", "description": {}, "parts": []}',
        '{"format": 1, "run": "a", "description": 3, "parts": [{"number": 0, "rows": 1, "bytes": 1, "mark": "",'
        ' "attempt": 0}]}',
        '{"format": 1, "run": "a", "description": {}, "parts": [{"number": "../../x", "rows": 1, "bytes": 1,'
        ' "mark": "", "attempt": 0}]}',
        '{"format": 1, "run": "a", "description": {}, "parts": [{"number": 0, "rows": -1, "bytes": 1,'
        ' "mark": "", "attempt": 0}]}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_a_strangers_list_is_read_with_care(tmp_path, broken):
    written(tmp_path / "out")
    (tmp_path / "out" / "_noisewright.json").write_text(broken)
    with pytest.raises(BadTable):
        tally_files([tmp_path / "out"])


def test_one_run_at_a_time_and_nothing_of_others_is_removed(tmp_path):
    ReportFolder.begin(str(tmp_path / "out"))
    with pytest.raises(BadTable, match="holds reports already"):
        ReportFolder.begin(str(tmp_path / "out"))
    written(tmp_path / "done")
    (tmp_path / "done" / "notes.txt").write_text("mine")
    with pytest.raises(BadTable, match=r"notes\.txt, which no run wrote"):
        ReportFolder.begin(str(tmp_path / "done"), replace=True)
    assert (tmp_path / "done" / "notes.txt").read_text() == "mine"


def test_a_task_of_a_run_that_is_over_writes_nothing(tmp_path):
    old = ReportFolder.begin(str(tmp_path / "out"))
    late = task_of(old)
    old.abandon()
    with pytest.raises(BadTable, match="is over"):
        late.perturb(0, people(0).to_batches())
    new = ReportFolder.begin(str(tmp_path / "out"))
    with pytest.raises(BadTable, match="is over"):
        late.perturb(0, people(0).to_batches())
    foreign = pq.read_table(Path(written(tmp_path / "other").files[0].local))
    pq.write_table(foreign, tmp_path / "out" / "part-00000.parquet")
    with pytest.raises(BadTable, match="another run"):
        task_of(new).perturb(0, people(0).to_batches())


def test_drafts_are_for_their_owner_and_parts_for_everybody(tmp_path):
    folder, seen = ReportFolder.begin(str(tmp_path / "out")), []

    def tables():
        yield from PLAN.perturb_batches([people(0)])
        seen.extend(path.stat().st_mode & 0o777 for path in (tmp_path / "out/_drafts").glob("*.parquet"))

    part = folder.write(0, tables())
    (tmp_path / "new").touch()
    assert seen == [0o600]
    mode = (tmp_path / "out" / part.name).stat().st_mode & 0o777
    assert mode == (tmp_path / "new").stat().st_mode & 0o777


def test_hidden_names():
    assert [hidden_name(name) for name in ("_SUCCESS", "a/.b.crc", "_x=1/a.parquet", "a_b.csv")] == [
        True, True, False, False,
    ]  # fmt: skip
