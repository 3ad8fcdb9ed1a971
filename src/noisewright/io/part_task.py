"""One part of a table as a task for another process or machine: the functions that every engine calls.

A task is plain text: the description of the reports, the folder they go to, and perhaps a seed. Its outcome
is plain text, too. So nothing is unpickled on the way back, and a refusal arrives as the sentence that it
was raised with, instead of an engine's account of a failed worker that it would start anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from noisewright import errors
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.estimate import Tally
from noisewright.io.columns import ColumnPlan
from noisewright.io.description import Description, column_of
from noisewright.io.report_folder import FinishedFolder, Part, ReportFolder
from noisewright.io.table_files import check_names, even_batches, rows_at_a_time
from noisewright.io.tallies import Counts, Tallies, check_group, choose_columns, tally_pieces
from noisewright.progress import Progress
from noisewright.randomness import SecureSource, SeededSource, Source

if TYPE_CHECKING:
    from noisewright.ledger import Ledger


@dataclass(frozen=True)
class PartTask:
    """Randomize parts of one table into one folder.

    Attributes:
        folder: The folder of the run.
        description: What the reports say of themselves, as text.
        seed: Seed of repeatable noise; None for private noise.
        rows: Number of rows of the whole table; needed with a seed only.
        repeatable: Whether a part has the same rows whenever it is computed.
    """

    folder: ReportFolder
    description: str
    seed: int | None = None
    rows: int | None = None
    repeatable: bool = True

    def perturb(
        self,
        number: int,
        batches: Iterable[pa.RecordBatch],
        *,
        first_row: int = 0,
        where: str = "",
    ) -> Part:
        """Randomize one part and write it; nothing is drawn if an earlier attempt has written it.

        Args:
            number: Which part of the table it is, from 0.
            batches: Its true values.
            first_row: Number of rows in the parts before; needed with a seed only.
            where: What a refusal calls the part.
        """
        plan = _plan(self.description)
        source: Source = SecureSource() if self.seed is None else SeededSource(self.seed)
        try:
            pieces = (plan.select(piece) for piece in even_batches(batches, plan.rows))
            drawn = plan.perturb_part(pieces, source, first_row=first_row, rows=self.rows)
            return self.folder.write(number, drawn, repeatable=self.repeatable)
        except NoisewrightError as refusal:
            raise with_place(refusal, where or f"part {number + 1}") from None

    def perturb_known(
        self,
        parts: Iterable[tuple[int, Iterable[pa.RecordBatch]]],
        ledger: Ledger,
        person: str,
        progress: Progress | None = None,
    ) -> Iterator[str]:
        """Randomize all parts here, where the ledger is, and yield the outcome of each.

        A ledger is one file with one writer, so other machines would only wait for it.

        Args:
            parts: The number and the true values of each part, with the names of the people.
            ledger: What each person has spent and reported.
            person: The column of names; it does not come out.
            progress: Called with the rows done.
        """
        plan, done = _plan(self.description), 0
        source = None if self.seed is None else SeededSource(self.seed)
        for number, batches in parts:
            drawn = plan.perturb_known(even_batches(batches, plan.rows), ledger, person, source)
            try:
                part = self.folder.write(number, drawn)
            except NoisewrightError as refusal:
                raise with_place(refusal, f"part {number + 1}") from None
            done += part.rows
            if progress:
                progress(done, None)
            yield json.dumps({"done": asdict(part)})


def with_place(refusal: NoisewrightError, where: str) -> NoisewrightError:
    """Return a refusal that says in which part or file it happened, unless it says so already."""
    return refusal if where in str(refusal) else type(refusal)(f"{where}: {refusal}")


@lru_cache(maxsize=4)
def _plan(description: str) -> ColumnPlan:
    """Rebuild a plan from its text, which proves every guarantee on the machine that draws."""
    return ColumnPlan.of(Description.from_json(description))


def outcome_text(work: Callable[[], Part | list[Any]]) -> str:
    """Return what a task has to say, as text: its result, or the sentence that it refuses with."""
    try:
        result = work()
    except NoisewrightError as refusal:
        return json.dumps({"refused": type(refusal).__name__, "sentence": str(refusal)})
    return json.dumps({"done": asdict(result) if isinstance(result, Part) else result})


def outcome(text: str) -> Any:
    """Return the result of a task, or raise its refusal."""
    said = json.loads(text)
    if "refused" in said:
        kind = getattr(errors, said["refused"], BadTable)
        raise kind(said["sentence"])
    return said["done"]


def check_source(source: Source | None) -> int | None:
    """Return the seed that tasks on several machines need; None for private noise."""
    if source is None or isinstance(source, SecureSource):
        return None
    if isinstance(source, SeededSource) and source == SeededSource(source.seed):
        return source.seed
    raise InvalidParameter(
        "must be a SecureSource, or a SeededSource that nothing was drawn from yet: tasks on several "
        "machines cannot share one stream",
        field="source",
    )


def check_path(path: str | None, engine: str) -> str:
    """Return the folder for reports, or refuse to draw without one.

    Args:
        path: The folder.
        engine: What computes the frame, for the refusal.
    """
    if path is None:
        raise InvalidParameter(
            f"is needed: the folder that reports are written to, once. A frame that {engine} only computes "
            "would draw fresh noise for the same people each time, and averaging would undo the privacy",
            field="path",
        )
    return path


def check_person(ledger: Ledger | None, person: str | None, names: Sequence[str]) -> None:
    """Refuse a ledger without a column of names, or a column of names without a ledger."""
    if (ledger is None) != (person is None):
        raise InvalidParameter("ledger and person go together: accounts, and the column of their names")
    if person is not None:
        check_names([person], names, where="the frame")


@contextmanager
def part_run(
    plan: ColumnPlan,
    seed: int | None,
    path: str,
    *,
    rows: int | None = None,
    repeatable: bool = True,
    replace: bool = False,
    ledger: Ledger | None = None,
) -> Iterator[tuple[PartTask, Callable[[Iterable[str]], FinishedFolder]]]:
    """Yield the task of a run and the function that finishes it; a run that fails leaves nothing behind.

    Args:
        plan: Which column goes through which mechanism.
        seed: Seed of repeatable noise; None for private noise.
        path: The folder for the reports.
        rows: Number of rows of the whole table; needed with a seed only.
        repeatable: Whether a part has the same rows whenever it is computed.
        replace: Whether reports of an earlier run are removed first.
        ledger: What remembers reports; one of simulated people remembers seeded noise.
    """
    simulated = seed is not None or (ledger is not None and ledger.terms.simulated)
    about = plan.describe(SeededSource(0) if simulated else SecureSource())
    text = about.to_json()
    folder = ReportFolder.begin(path, replace=replace)

    def finish(outcomes: Iterable[str]) -> FinishedFolder:
        return folder.finish((Part(**outcome(each)) for each in outcomes), about.to_dict())

    try:
        yield PartTask(folder, text, seed, rows, repeatable), finish
    except BaseException:
        folder.abandon()
        raise


# -- counting ------------------------------------------------------------------------------------------


def count_part(
    batches: Iterable[pa.RecordBatch],
    description: str,
    columns: Sequence[str] | None = None,
    by: str | None = None,
    where: str = "the table",
) -> list[Any]:
    """Count the reports of one part, as plain values to be sent to where parts are added up.

    Args:
        batches: The reports.
        description: What they say of themselves, as text.
        columns: The columns to count; by default, all.
        by: A public column whose values divide the people into groups.
        where: What a refusal calls the part.
    """
    about = Description.from_json(description)
    found: Counts = {}
    rows = rows_at_a_time(column_of(name, each).row_bytes for name, each in about.mechanisms.items())
    pieces = even_batches(batches, rows)
    if (first := next(pieces, None)) is not None:
        check_group(by, about, first.column_names, where)
        wanted = choose_columns(about, first.column_names, columns, where)
        found = tally_pieces(chain([first], pieces), wanted, where, by=by)
    return [[group, {name: each.to_dict() for name, each in of.items()}] for group, of in found.items()]


def add_counts(parts: Iterable[list[Any]]) -> list[Any]:
    """Add what :func:`count_part` returned for several parts."""
    total: Counts = {}
    for part in parts:
        for group, columns in part:
            of = total.setdefault(group, {})
            for name, said in columns.items():
                more = Tally.from_dict(said)
                of[name] = of[name] + more if name in of else more
    return [[group, {name: each.to_dict() for name, each in of.items()}] for group, of in total.items()]


def tallies_of(counts: list[Any], description: str, origin: str) -> dict[str | None, Tallies]:
    """Return the tallies of each group that :func:`count_part` and :func:`add_counts` counted.

    Args:
        counts: The counts of all parts.
        description: What the reports say of themselves, as text.
        origin: What refusals and reports call the collection.
    """
    about = Description.from_json(description)
    if not counts:
        raise BadTable(f"{origin} has columns but no rows; there are no reports to estimate from")
    return {
        group: Tallies({name: Tally.from_dict(said) for name, said in of.items()}, (about,), (origin,))
        for group, of in counts
    }
