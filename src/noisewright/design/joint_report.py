"""The report of a plan for shared coins: choices side by side, and what the best one gains and costs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from noisewright.design.joint_rows import JointRow
from noisewright.design.joint_table import JointPlan
from noisewright.mechanisms.joint.words import shown
from noisewright.report import Block, Bullets, Details, Facts, Figure, Report, Section, Table, number
from noisewright.report.plots import PAGE_WIDTH, legend_below, new_figure
from noisewright.report.svg import drawing_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

RATIO: Final = "÷ RR"
SHOWN: Final = (0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
"""True shares for which the report shows what the coins gain or cost."""

MEANINGS: Final = (
    ("truth", "The probability that a user reports their true answer."),
    ("corr.", "The correlation of the truth flags of two users of one group; negative if their lies cancel."),
    ("variance", "Of the estimated count, {statistic}."),
    (RATIO, "The variance as a share of that of randomized response (RR), {statistic}."),
    ("ε alone", "What one report reveals to an observer of no other, averaged over partners."),
    ("ε colluding", "What it reveals to anyone who knows the partners' coins, whatever else is seen."),
    ("ε all seen", "What all reports reveal to anyone who knows the population's share, in 95 % of rounds."),
)


def joint_report(plan: JointPlan, *, heuristic: bool = False) -> Report:
    """Describe a plan for shared coins as a document.

    Args:
        plan: The plan.
        heuristic: Whether to list all costs of the published heuristic; otherwise a page folds them away.
    """
    columns = cells(plan, plan.plain)
    meanings = [
        (name, text.format(statistic=plan.task.statistic)) for name, text in MEANINGS if name in columns
    ]
    faults: list[Block] = [Details("The published heuristic", [Bullets(plan.privacy(plan.heuristic)[:1])])]
    return Report(
        title="A plan for shared coins",
        lead=f"{title(plan)}: exact numbers, nothing simulated.",
        sections=[
            Section("Side by side", [_choices(plan), f"{statistic(plan)}."]),
            Section("Which coins, and why", [Bullets(notes(plan, heuristic=heuristic)), *faults]),
            Section("Error against the true share", [_errors(plan), Details(RATIOS, [_ratios(plan)])]),
            Section("What the columns mean", [Facts(meanings)]),
        ],
        verb="joint plan",
        data=plan.to_dict(),
    )


RATIOS: Final = "Variance with the best coins as a share of that of randomized response, at the true share"


def _choices(plan: JointPlan) -> Table:
    rows: list[list[object]] = []
    for row in plan.rows:
        found, best = cells(plan, row), row is plan.best
        rows.append([row.name, *(number(text, best=best and name == RATIO) for name, text in found.items())])
    heading = f"Choices of coins; the best has the least ratio to RR {plan.task.statistic}"
    return Table(heading, ["coins", *cells(plan, plan.plain)], rows)


def _ratios(plan: JointPlan) -> Table:
    """Return what the best coins gain or cost at each true share, expected or not."""
    best, alone = (plan.task.noise(row.truth, row.correlation) for row in (plan.best, plan.plain))
    users = plan.task.users
    rows = []
    for share in SHOWN:
        ratio = best.count_variance(share * users, users) / alone.count_variance(share * users, users)
        rows.append([f"{share:g}", number(f"{float(ratio):.3f}", exact=float(ratio))])
    return Table(RATIOS, ["true share", RATIO], rows)


def _errors(plan: JointPlan) -> Figure:
    heading = (
        "Line chart of the standard error of the count against the true share, one line a choice of coins."
    )
    caption = "How far the count of “yes” is off; the expected shares, if any, are shaded."
    return Figure("errors", [(heading, partial(_draw, plan))], caption)


def _draw(plan: JointPlan) -> Drawing:
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 3.2)
        axes = drawn.add_subplot()
        plan.plot(axes)
        axes.grid(alpha=0.2)
        legend_below(drawn, axes)
    return drawn


# -- sentences -------------------------------------------------------------------------------------------


def notes(plan: JointPlan, *, heuristic: bool = False) -> list[str]:
    """Return the notes: the reason, the privacy of the best coins, and the faults of other choices."""
    found = [plan.reason, *plan.caution, *plan.privacy(plan.best)]
    if plan.given is not None:
        said = [*plan.given.warnings(plan.task), *plan.privacy(plan.given)]
        found += [f"The given correlation: {text}" for text in said]
    faults = plan.privacy(plan.heuristic)[:1] if heuristic else []
    return [*found, *(f"The published heuristic: {text}" for text in [*faults, *plan.heuristic_warnings])]


def cells(plan: JointPlan, row: JointRow) -> dict[str, str]:
    """Return the numbers of a row for a reader, by the name of their column.

    With several labels the variance of randomized response depends on the share. Over a range of shares only
    the ratio is then shown, since it differs from the ratio of the two variances.
    """
    seen = plan.collector(row)
    low, high = plan.task.shares
    variance = {"variance": f"{row.variance:.4g}"} if plan.task.labels == 2 or low == high else {}
    return {
        "truth": f"{row.truth:.4f}",
        "corr.": f"{row.correlation:.4f}",
        **variance,
        RATIO: f"{row.ratio:.3f}",
        "ε alone": shown(row.numbers.epsilon_average),
        "ε colluding": shown(row.numbers.epsilon_colluding),
        "ε all seen": "–" if seen is None else shown(seen),
    }


def statistic(plan: JointPlan) -> str:
    """Return which variances the columns show, for a line below the table."""
    columns = [name for name in ("variance", RATIO) if name in cells(plan, plan.plain)]
    return f"{' and '.join(columns)}: {plan.task.statistic}"


def title(plan: JointPlan) -> str:
    """Return what is compared, for the head of a table."""
    task = plan.task
    shares = f"a share of {task.share_words}" if task.known else "an unknown share"
    what = shares if task.labels == 2 else f"one of {task.labels} labels, with {shares},"
    return f"Counting {what} among {task.users:,} users, {task.colluders:,} colluding, groups of {task.group}"
