"""Folders of reports: whatever is killed, doubled or damaged, they are whole or refused, and drawn once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Interval, perturb_file
from noisewright.errors import BadTable
from noisewright.io import Description, read_description, tally_files
from noisewright.io.location import Location
from noisewright.io.report_folder import (
    DRAFTS,
    UNFINISHED,
    FinishedFolder,
    Part,
    ReportFolder,
    mark_of,
)
from noisewright.mechanisms import SW
from noisewright.randomness import SeededSource
from stores import memory_address

HOURS = {"hours": SW(Interval(0, 24), 2.0)}
ABOUT = Description(HOURS).to_dict()
ROWS = 9
LIST = "_noisewright.json"


def reports(rows: int = 3, start: float = 1.0):
    """A stream with one table of reports."""
    schema = pa.schema([pa.field("hours", pa.float64(), nullable=False)], Description(HOURS).metadata())
    drawn = HOURS["hours"].perturb([start] * rows)
    yield pa.Table.from_arrays([pa.array(drawn)], schema=schema)


def finished(folder, parts=3) -> FinishedFolder:
    run = ReportFolder.begin(str(folder))
    return run.finish([run.write(number, reports()) for number in range(parts)], ABOUT)


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


# -- the good case ---------------------------------------------------------------------------------------


def test_a_finished_folder_has_its_parts_and_a_list(tmp_path):
    folder = tmp_path / "reports"
    done = finished(folder)
    assert names(folder) == [LIST, *(f"part-{number:05d}.parquet" for number in range(3))]
    assert FinishedFolder.find(str(folder)) == done
    assert (done.rows, done.description.mechanisms) == (ROWS, HOURS)
    for part, file in zip(done.parts, done.files, strict=True):
        assert file.size() == part.bytes
        assert mark_of(pq.read_schema(file.local)) == (part.mark, 0)
    assert len({part.mark for part in done.parts}) == 3
    assert tally_files([folder])["hours"].count == ROWS
    written = done.to_written()
    assert (written.path, written.rows, written.parts, written.sidecar) == (folder, ROWS, 3, None)


@given(st.permutations(range(4)), st.sets(st.integers(0, 3), min_size=1))
def test_any_order_and_any_empty_parts_finish_the_same(tmp_path_factory, order, present):
    folder = tmp_path_factory.mktemp("reports") / "x"
    run = ReportFolder.begin(str(folder))
    parts = [run.write(number, reports() if number in present else iter(())) for number in order]
    done = run.finish(parts, ABOUT)
    assert [part.number for part in done.parts] == sorted(present)
    assert tally_files([folder])["hours"].count == 3 * len(present)
    assert names(folder) == [LIST, *(f"part-{number:05d}.parquet" for number in sorted(present))]


def test_a_run_without_rows_leaves_nothing(tmp_path):
    run = ReportFolder.begin(str(tmp_path / "x"))
    with pytest.raises(BadTable, match="no rows"):
        run.finish([run.write(0, iter(()))], ABOUT)
    assert names(tmp_path) == []


# -- two at once -----------------------------------------------------------------------------------------


def test_two_writers_of_one_part_leave_one_draw(tmp_path):
    run = ReportFolder.begin(str(tmp_path / "x"))
    slow, other = reports(start=2.0), []

    def interrupted():
        yield next(slow)
        other.append(run.write(0, reports(start=20.0)))  # a copy of the task is faster

    first = run.write(0, interrupted())
    assert first == other[0]
    assert first.attempt == 1
    done = run.finish([first, *other[:0]], ABOUT)
    assert tally_files([tmp_path / "x"])["hours"].count == 3
    assert done.parts == (first,)
    assert not (tmp_path / "x" / DRAFTS).exists()


def test_a_part_that_is_there_is_not_drawn_again(tmp_path):
    run = ReportFolder.begin(str(tmp_path / "x"))
    first = run.write(0, reports())

    def never():
        raise AssertionError("drawn a second time")
        yield

    assert run.write(0, never()) == first


def test_many_writers_of_many_parts_leave_each_drawn_once(tmp_path):
    run = ReportFolder.begin(str(tmp_path / "x"))
    found: list[Part] = []
    ready = threading.Barrier(4)

    def work():
        ready.wait()
        found.extend(run.write(number, reports()) for number in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 20
    assert len({(part.number, part.mark) for part in found}) == 5
    run.finish({part.number: part for part in found}.values(), ABOUT)
    assert tally_files([tmp_path / "x"])["hours"].count == 15


def test_a_part_of_unknown_rows_is_not_drawn_a_second_time(tmp_path):
    run = ReportFolder.begin(str(tmp_path / "x"))

    def dies():
        yield next(reports())
        raise MemoryError

    with pytest.raises(MemoryError):
        run.write(0, dies(), repeatable=False)
    with pytest.raises(BadTable, match="its task failed, and it is not drawn again"):
        run.write(0, reports(), repeatable=False)


def test_of_two_runs_one_is_refused(tmp_path):
    run = ReportFolder.begin(str(tmp_path / "x"))
    with pytest.raises(BadTable, match="holds reports already"):
        ReportFolder.begin(str(tmp_path / "x"))
    run.finish([run.write(0, reports())], ABOUT)
    assert tally_files([tmp_path / "x"])["hours"].count == 3


@pytest.mark.parametrize("ended", [False, True])
def test_of_two_runs_that_look_at_the_same_moment_one_is_refused(tmp_path, monkeypatch, ended):
    """The other run begins, and perhaps ends, after this one has seen an empty folder."""
    folder, files = str(tmp_path / "x"), Location.files
    others = []

    def look(self):
        before = files(self)
        if not others:
            others.append(None)
            others[0] = ReportFolder.begin(folder)
            if ended:
                others[0].finish([others[0].write(0, reports())], ABOUT)
        return before

    monkeypatch.setattr(Location, "files", look)
    with pytest.raises(BadTable, match="another run has just written" if ended else "another run is writing"):
        ReportFolder.begin(folder)
    if not ended:
        others[0].finish([others[0].write(0, reports())], ABOUT)
    assert tally_files([folder])["hours"].count == 3


def test_a_run_that_was_replaced_changes_nothing_more(tmp_path):
    folder = str(tmp_path / "x")
    old = ReportFolder.begin(folder)
    part = old.write(0, reports())
    new = ReportFolder.begin(folder, replace=True)
    kept = new.write(0, reports())
    for late in (lambda: old.write(1, reports()), lambda: old.finish([part], ABOUT)):
        with pytest.raises(BadTable, match="is over"):
            late()
    old.abandon()
    assert new.finish([kept], ABOUT).parts == (kept,)
    assert tally_files([folder])["hours"].count == 3


def test_a_task_that_outlives_its_run_publishes_nothing(tmp_path):
    run = ReportFolder.begin(str(tmp_path / "x"))

    def abandoned():
        yield next(reports())
        run.abandon()

    with pytest.raises(BadTable, match=r"is over|cannot write"):
        run.write(0, abandoned())
    assert names(tmp_path) == []


# -- killed at every step --------------------------------------------------------------------------------

KILLED = """
import itertools, os, signal, sys
from noisewright import Interval, perturb_file
from noisewright.io.location import Location
from noisewright.mechanisms import SW
import pyarrow.parquet as pq

people, place, scenario = sys.argv[1:]
left = 0

def step(method):
    def wrapped(*arguments, **options):
        global left
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return method(*arguments, **options)
    return wrapped

for name in ("make_folder", "write", "claim", "sink", "take_name", "remove", "size"):
    setattr(Location, name, step(getattr(Location, name)))
for name in ("write_table", "close"):
    setattr(pq.ParquetWriter, name, step(getattr(pq.ParquetWriter, name)))

for number in itertools.count():
    child = os.fork()
    if not child:
        left = number
        try:
            perturb_file(people, f"{place}/{number}", {"hours": SW(Interval(0, 24), 2.0)},
                         replace=scenario == "replace")
        except ValueError:
            assert scenario == "abandon"
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        print(number)
        break
"""


def people_in(folder: Path, *, bad: bool = False) -> Path:
    folder.mkdir()
    for number in range(3):
        last = "99" if bad and number == 2 else "3"
        (folder / f"{number}.csv").write_text(f"hours\n1\n2\n{last}\n")
    return folder


def is_whole(folder: Path) -> bool:
    """Whether all reports can be read from a folder; if not, then none, in whatever way one tries."""
    ways = [folder, folder / "*.parquet", folder / "*"]
    found = []
    for way in ways:
        try:
            found.append(tally_files([way])["hours"].count)
        except BadTable:
            found.append(0)
    for part in folder.glob("part-*.parquet"):
        try:
            found.append(3 * tally_files([part])["hours"].count)
        except BadTable:
            found.append(0)
    assert set(found) in ({0}, {ROWS}), (folder.name, names(folder), found)
    return found[0] == ROWS


@pytest.mark.parametrize("scenario", ["fresh", "replace", "abandon"])
def test_killed_at_any_step_a_folder_is_whole_or_refused(tmp_path, scenario):
    people = people_in(tmp_path / "people", bad=scenario == "abandon")
    place = tmp_path / "runs"
    place.mkdir()
    earlier = tmp_path / "earlier"
    good = people_in(tmp_path / "good")
    perturb_file(good, earlier, HOURS)
    if scenario == "replace":
        for number in range(150):
            shutil.copytree(earlier, place / str(number))
    command = [sys.executable, "-c", KILLED, people, place, scenario]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    steps = int(done.stdout)
    assert 30 < steps < 150
    states = [
        is_whole(place / str(number)) if (place / str(number)).exists() else False for number in range(steps)
    ]
    old = (earlier / LIST).read_bytes()
    for number, whole in enumerate(states):
        folder = place / str(number)
        if scenario == "fresh" and whole:  # only the last steps are after the list
            assert number > steps - 6
        if scenario == "abandon":
            assert not whole
        if scenario == "replace" and whole:
            assert (folder / LIST).read_bytes() == old or number > steps - 6
    assert len(states) > 2 * sum(states)
    for number in range(0, steps, 5):  # and every one of them can be replaced
        folder = place / str(number)
        perturb_file(good, folder, HOURS, replace=True)
        assert is_whole(folder)
        assert names(folder) == names(earlier)


# -- damaged later ---------------------------------------------------------------------------------------


def exchange(folder):
    other = folder.with_name("other")
    finished(other)
    shutil.copy(other / "part-00001.parquet", folder / "part-00001.parquet")


DAMAGES = {
    "lost": (
        lambda folder: (folder / "part-00001.parquet").unlink(),
        "has lost part-00001.parquet, one of its 3",
    ),
    "cut": (lambda folder: (folder / "part-00001.parquet").write_bytes(b"PAR1"), "its size differs"),
    "added": (
        lambda folder: pq.write_table(next(reports()), folder / "more.parquet"),
        "its run did not write",
    ),
    "added as a part": (
        lambda folder: shutil.copy(folder / "part-00001.parquet", folder / "part-00009.parquet"),
        "its run did not write, among them part-00009",
    ),
    "exchanged": (exchange, "not the file that was written"),
    "emptied list": (lambda folder: (folder / LIST).write_text("{}"), "broken, or was not written"),
    "no list": (lambda folder: (folder / LIST).rename(folder / UNFINISHED), "is unfinished"),
}


@pytest.mark.parametrize(("damage", "sentence"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_folder_is_refused(tmp_path, damage, sentence):
    folder = tmp_path / "reports"
    finished(folder)
    damage(folder)
    for way in (folder, folder / "part-0000?.parquet"):
        with pytest.raises(BadTable, match=sentence):
            tally_files([way])


def test_an_exchanged_part_of_the_same_size_is_refused_by_its_mark(tmp_path):
    finished(tmp_path / "one")
    other = finished(tmp_path / "other")
    found = json.loads((tmp_path / "one" / LIST).read_text())
    shutil.copy(tmp_path / "other" / "part-00000.parquet", tmp_path / "one" / "part-00000.parquet")
    found["parts"][0]["bytes"] = other.parts[0].bytes
    (tmp_path / "one" / LIST).write_text(json.dumps(found))
    with pytest.raises(BadTable, match="it comes from another draw"):
        tally_files([tmp_path / "one"])


def changed(**changes):
    def change(found):
        found["parts"][0] |= changes
        return found

    return change


LISTS = {
    "a way out": changed(number="../../secret"),
    "a negative part": changed(number=-1),
    "a huge part": changed(number=10**12),
    "twice the same": lambda found: found | {"parts": [found["parts"][0]] * 2},
    "in another order": lambda found: found | {"parts": found["parts"][::-1]},
    "no rows": changed(rows=0),
    "true rows": changed(rows=True),
    "text for bytes": changed(bytes="9"),
    "no mark": changed(mark=None),
    "more fields": changed(path="/etc/passwd"),
    "no parts": lambda found: found | {"parts": []},
    "parts by name": lambda found: found | {"parts": {"0": found["parts"][0]}},
    "parts of text": lambda found: found | {"parts": "part"},
    "another run": lambda found: found | {"run": 7},
    "no format": lambda found: {**found, "format": "1"},
    "a later format": lambda found: found | {"format": 99},
    "no description": lambda found: found | {"description": None},
    "a list": lambda found: [found],
    "a number": lambda found: 1,
}


@pytest.mark.parametrize("change", LISTS.values(), ids=LISTS)
def test_nonsense_in_the_list_is_refused(tmp_path, change):
    finished(tmp_path / "x")
    file = tmp_path / "x" / LIST
    file.write_text(json.dumps(change(json.loads(file.read_text()))))
    with pytest.raises(BadTable) as refusal:
        tally_files([tmp_path / "x"])
    assert "\n" not in str(refusal.value)


def test_a_description_that_no_mechanism_keeps_is_refused(tmp_path):
    finished(tmp_path / "x")
    file = tmp_path / "x" / LIST
    file.write_text(file.read_text().replace('"epsilon": 2.0', '"epsilon": 1.0', 1))
    with pytest.raises(BadTable, match="is broken: the promise for column 'hours' is not the one"):
        read_description(tmp_path / "x")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000, b'{"format":1,"format":1}'])
def test_a_list_that_is_no_document_is_refused(tmp_path, content):
    finished(tmp_path / "x")
    (tmp_path / "x" / LIST).write_bytes(content)
    with pytest.raises(BadTable):
        tally_files([tmp_path / "x"])


@pytest.mark.parametrize("mark", [b"[]", b"1", b'{"mark": 7}', b'{"mark": "x", "attempt": "y"}', b"{"])
def test_nonsense_in_the_mark_of_a_part_is_refused(tmp_path, mark):
    done = finished(tmp_path / "x")
    file = tmp_path / "x" / "part-00000.parquet"
    table = pq.read_table(file)
    pq.write_table(table.replace_schema_metadata({**table.schema.metadata, b"noisewright.part": mark}), file)
    found = json.loads((tmp_path / "x" / LIST).read_text())
    found["parts"][0]["bytes"] = file.stat().st_size
    (tmp_path / "x" / LIST).write_text(json.dumps(found))
    assert done.parts[0].mark
    with pytest.raises(BadTable):
        tally_files([tmp_path / "x"])


# -- what is replaced, and what is not -------------------------------------------------------------------


def test_only_reports_are_replaced(tmp_path):
    folder = tmp_path / "x"
    first = finished(folder)
    with pytest.raises(BadTable, match=r"holds reports already, and a second draw .* pass replace=True"):
        ReportFolder.begin(str(folder))
    run = ReportFolder.begin(str(folder), replace=True)
    with pytest.raises(BadTable, match="is unfinished"):
        tally_files([folder])
    second = run.finish([run.write(0, reports())], ABOUT)
    assert first.run != second.run
    assert names(folder) == [LIST, "part-00000.parquet"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_folder_of_other_files_is_never_touched(tmp_path, replace):
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "thesis.txt").write_text("three years of work")
    with pytest.raises(BadTable, match=r"holds files already; choose another folder$"):
        ReportFolder.begin(str(folder), replace=replace)
    shutil.rmtree(folder)
    finished(folder)
    (folder / "thesis.txt").write_text("three years of work")
    with pytest.raises(BadTable, match=r"thesis\.txt, which no run wrote|holds reports already"):
        ReportFolder.begin(str(folder), replace=replace)
    assert (folder / "thesis.txt").read_text() == "three years of work"
    assert (folder / "part-00000.parquet").exists()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "x").write_text("a file")
    with pytest.raises(BadTable, match="it is a file, and reports of several parts need a folder"):
        ReportFolder.begin(str(tmp_path / "x"), replace=True)


def test_the_folder_of_a_run_that_failed_is_gone_and_one_that_was_there_stays(tmp_path):
    people = people_in(tmp_path / "people", bad=True)
    (tmp_path / "empty").mkdir()
    for name in ("new", "empty"):
        with pytest.raises(ValueError, match="hours in data row 3 lies above"):
            perturb_file(people, tmp_path / name, HOURS)
        assert not (tmp_path / name).exists() or names(tmp_path / name) == []


def test_the_protocol_holds_in_an_object_store():
    address = memory_address()
    done = finished(address)
    assert FinishedFolder.find(address) == done
    assert tally_files([address])["hours"].count == ROWS
    with pytest.raises(BadTable, match="holds reports already"):
        ReportFolder.begin(address)
    run = ReportFolder.begin(address, replace=True)
    with pytest.raises(BadTable, match="is unfinished"):
        tally_files([address])
    run.abandon()
    assert Location(address).files() == {}


def test_seeded_noise_is_marked_in_the_folder(tmp_path):
    people = people_in(tmp_path / "people")
    written = perturb_file(people, tmp_path / "x", HOURS, source=SeededSource(1))
    assert not written.description.private
    assert not tally_files([tmp_path / "x"]).private
