"""A plan for shared coins in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from noisewright.design.joint_rows import JointRow
from noisewright.design.joint_table import JointPlan
from noisewright.mechanisms.joint.words import shown

NUMBERS = ("truth", "corr.", "variance", "÷ RR", "ε alone", "ε colluding", "ε all seen")


def show(plan: JointPlan, *, heuristic: bool = False, console: Console | None = None) -> None:
    """Print the choices side by side, then why the best is best and what each number means."""
    console = console or Console(highlight=False)
    console.print(_table(plan))
    for sentence in notes(plan, heuristic=heuristic):
        console.print(f"• {sentence}", markup=False)


def notes(plan: JointPlan, *, heuristic: bool = False) -> list[str]:
    """What a reader must know: the reason, the privacy of the best coins, and the faults of other choices."""
    found = [plan.reason, *plan.caution, *plan.privacy(plan.best)]
    if plan.given is not None:
        said = [*plan.given.warnings(plan.task), *plan.privacy(plan.given)]
        found += [f"The given correlation: {text}" for text in said]
    faults = plan.privacy(plan.heuristic)[:1] if heuristic else []
    return [*found, *(f"The published heuristic: {text}" for text in [*faults, *plan.heuristic_warnings])]


def cells(plan: JointPlan, row: JointRow) -> list[str]:
    """The numbers of a row for a reader, in the order of :data:`NUMBERS`."""
    seen = plan.collector(row)
    return [
        f"{row.truth:.4f}",
        f"{row.correlation:.4f}",
        f"{row.variance:.4g}",
        f"{plan.ratio_of(row):.3f}",
        shown(row.numbers.epsilon_average),
        shown(row.numbers.epsilon_colluding),
        "–" if seen is None else shown(seen),
    ]


def title(plan: JointPlan) -> str:
    """What is compared, for the head of a table."""
    task = plan.task
    shares = f"a share of {task.share_words}" if task.known else "an unknown share"
    what = shares if task.labels == 2 else f"one of {task.labels} labels, with {shares},"
    return f"Counting {what} among {task.users:,} users, {task.colluders:,} colluding, groups of {task.group}"


def _table(plan: JointPlan) -> Table:
    table = Table(title=title(plan), box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("coins", no_wrap=True)
    for name in NUMBERS:
        table.add_column(name, justify="right", no_wrap=True)
    for row in plan.rows:
        best = row is plan.best
        name = "RR" if row is plan.plain else f"{row.name} ★" if best else row.name
        table.add_row(name, *cells(plan, row), style="bold green" if best else None)
    return table
