"""Tables of the experiments as text, and whether what was asked for was kept."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from noisewright.errors import InvalidParameter


@dataclass(frozen=True)
class Line:
    """A line of a table, what was asked for in it, and whether it was kept; None if nothing was asked."""

    cells: tuple[str, ...]
    asked: str = ""
    kept: bool | None = None

    def all_cells(self) -> tuple[str, ...]:
        """The line as text."""
        return (*self.cells, self.asked, {None: "", True: "yes", False: "NO"}[self.kept])


def table(title: str, names: Sequence[str], lines: Sequence[Line]) -> Iterator[str]:
    """A title, the names of the columns, and aligned lines; the first column starts on the left."""
    rows = [(*names, "asked", "kept"), *(line.all_cells() for line in lines)]
    columns = [place for place in range(len(rows[0])) if any(row[place] for row in rows[1:])]
    widths = [max(len(row[place]) for row in rows) for place in columns]
    yield title
    for row in rows:
        cells = [row[place] for place in columns]
        first = cells[0].ljust(widths[0])
        yield "  ".join([first, *map(str.rjust, cells[1:], widths[1:])]).rstrip()
    yield ""


def show(title: str, names: Sequence[str], lines: Sequence[Line]) -> None:
    """Print a table at once, for the next one may take minutes."""
    print("\n".join(table(title, names, lines)), flush=True)


def status(lines: Iterable[Line]) -> int:
    """The exit status: 1 if anything that was asked for was missed."""
    return int(any(line.kept is False for line in lines))


def numbers(values: Iterable[float], digits: int = 3) -> tuple[str, ...]:
    """Numbers as cells."""
    return tuple(f"{value:.{digits}f}" for value in values)


def parser(experiment: str, description: str | None) -> argparse.ArgumentParser:
    """The options that all experiments share."""
    options = argparse.ArgumentParser(
        prog=f"python -m benchmarks.release {experiment}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--data", type=Path, help="folder that holds iris/, dry_bean/ and cifar10/")
    options.add_argument("--worlds", type=int, default=1024)
    options.add_argument("--jobs", type=int, default=2, help="joblib's n_jobs")
    return options


def needed(folder: Path | None, experiment: str) -> Path:
    """The data folder, or a refusal."""
    if folder is None:
        raise InvalidParameter(f"{experiment} needs --data, the folder that holds iris/ and dry_bean/")
    return folder
