"""One part of a table as a task for another process or machine: the function that every engine calls.

A task is plain text: the description of the reports, the folder they go to, and perhaps a seed. Its outcome
is plain text, too. So nothing is unpickled on the way back, and a refusal arrives as the sentence that it
was raised with, instead of an engine's account of a failed worker that it would start anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa

from noisewright import errors
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.io.columns import ColumnPlan
from noisewright.io.description import Description
from noisewright.io.report_folder import FinishedFolder, Part, ReportFolder
from noisewright.io.table_files import even_batches
from noisewright.randomness import SecureSource, SeededSource, Source


@dataclass(frozen=True)
class PartTask:
    """Randomize parts of one table into one folder.

    Attributes:
        folder: The folder of the run.
        description: What the reports say of themselves, as text.
        seed: Seed of repeatable noise; None for private noise.
        rows: Number of rows of the whole table; needed with a seed only.
    """

    folder: ReportFolder
    description: str
    seed: int | None = None
    rows: int | None = None

    def perturb(
        self,
        number: int,
        batches: Iterable[pa.RecordBatch],
        *,
        attempt: int = 0,
        first_row: int = 0,
        where: str = "",
    ) -> Part:
        """Randomize one part and write it; nothing is drawn if an earlier attempt has written it.

        Args:
            number: Which part of the table it is, from 0.
            batches: Its true values.
            attempt: Which attempt of the engine this is, from 0.
            first_row: Number of rows in the parts before; needed with a seed only.
            where: What a refusal calls the part.
        """
        plan = _plan(self.description)
        source: Source = SecureSource() if self.seed is None else SeededSource(self.seed)
        try:
            pieces = (plan.select(piece) for piece in even_batches(batches, plan.rows))
            drawn = plan.perturb_part(pieces, source, first_row=first_row, rows=self.rows)
            return self.folder.write(number, drawn, attempt=attempt)
        except NoisewrightError as refusal:
            raise type(refusal)(f"{where or f'part {number + 1}'}: {refusal}") from None


@lru_cache(maxsize=4)
def _plan(description: str) -> ColumnPlan:
    """Rebuild a plan from its text, which proves every guarantee on the machine that draws."""
    return ColumnPlan.of(Description.from_json(description))


def outcome_text(work: Callable[[], Part | dict[str, Any]]) -> str:
    """Return what a task has to say, as text: its result, or the sentence that it refuses with."""
    try:
        result = work()
    except NoisewrightError as refusal:
        return json.dumps({"refused": type(refusal).__name__, "sentence": str(refusal)})
    return json.dumps({"done": asdict(result) if isinstance(result, Part) else result})


def outcome(text: str) -> dict[str, Any]:
    """Return the result of a task, or raise its refusal."""
    said = json.loads(text)
    if "refused" in said:
        kind = getattr(errors, said["refused"], BadTable)
        raise kind(said["sentence"])
    done: dict[str, Any] = said["done"]
    return done


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


@contextmanager
def part_run(
    plan: ColumnPlan, seed: int | None, path: str, *, rows: int | None = None, replace: bool = False
) -> Iterator[tuple[PartTask, Callable[[Iterable[str]], FinishedFolder]]]:
    """Yield the task of a run and the function that finishes it; a run that fails leaves nothing behind.

    Args:
        plan: Which column goes through which mechanism.
        seed: Seed of repeatable noise; None for private noise.
        path: The folder for the reports.
        rows: Number of rows of the whole table; needed with a seed only.
        replace: Whether reports of an earlier run are removed first.
    """
    about = plan.describe(SecureSource() if seed is None else SeededSource(seed))
    text = about.to_json()
    folder = ReportFolder.begin(path, replace=replace)

    def finish(outcomes: Iterable[str]) -> FinishedFolder:
        return folder.finish((Part(**outcome(each)) for each in outcomes), about)

    try:
        yield PartTask(folder, text, seed, rows), finish
    except BaseException:
        folder.abandon()
        raise
