"""A plan for shared coins in the terminal."""

from __future__ import annotations

from typing import Final

from rich.table import Table

from noisewright.design.joint_rows import JointRow
from noisewright.design.joint_table import JointPlan
from noisewright.mechanisms.joint.words import shown
from noisewright.pages.terminal import console

RATIO: Final = "÷ RR"


def show(plan: JointPlan, *, heuristic: bool = False) -> None:
    """Print the choices side by side, then why the best is best and what each number means."""
    out = console()
    out.print(_table(plan))
    for sentence in notes(plan, heuristic=heuristic):
        out.print(f"• {sentence}")


def notes(plan: JointPlan, *, heuristic: bool = False) -> list[str]:
    """What a reader must know: the reason, the privacy of the best coins, and the faults of other choices."""
    found = [plan.reason, *plan.caution, *plan.privacy(plan.best)]
    if plan.given is not None:
        said = [*plan.given.warnings(plan.task), *plan.privacy(plan.given)]
        found += [f"The given correlation: {text}" for text in said]
    faults = plan.privacy(plan.heuristic)[:1] if heuristic else []
    return [*found, *(f"The published heuristic: {text}" for text in [*faults, *plan.heuristic_warnings])]


def cells(plan: JointPlan, row: JointRow) -> dict[str, str]:
    """The numbers of a row for a reader, by the name of their column.

    With several labels the variance of randomized response depends on the share; over a range of shares only
    the ratio is then shown, since it would not be that of the two variances.
    """
    seen = plan.collector(row)
    low, high = plan.task.shares
    variance = {"variance": f"{row.variance:.4g}"} if plan.task.labels == 2 or low == high else {}
    return {
        "truth": f"{row.truth:.4f}",
        "corr.": f"{row.correlation:.4f}",
        **variance,
        RATIO: f"{plan.ratio_of(row):.3f}",
        "ε alone": shown(row.numbers.epsilon_average),
        "ε colluding": shown(row.numbers.epsilon_colluding),
        "ε all seen": "–" if seen is None else shown(seen),
    }


def statistic(plan: JointPlan) -> str:
    """Which variances the columns show, for a line below the table."""
    columns = [name for name in ("variance", RATIO) if name in cells(plan, plan.plain)]
    return f"{' and '.join(columns)}: {plan.task.statistic}"


def title(plan: JointPlan) -> str:
    """What is compared, for the head of a table."""
    task = plan.task
    shares = f"a share of {task.share_words}" if task.known else "an unknown share"
    what = shares if task.labels == 2 else f"one of {task.labels} labels, with {shares},"
    return f"Counting {what} among {task.users:,} users, {task.colluders:,} colluding, groups of {task.group}"


def _table(plan: JointPlan) -> Table:
    table = Table(title=title(plan), caption=statistic(plan), box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("coins", no_wrap=True)
    for name in cells(plan, plan.plain):
        table.add_column(name, justify="right", no_wrap=True)
    for row in plan.rows:
        best = row is plan.best
        name = "RR" if row is plan.plain else f"{row.name} ★" if best else row.name
        table.add_row(name, *cells(plan, row).values(), style="bold green" if best else None)
    return table
