"""The page of a plan for shared coins."""

from __future__ import annotations

from noisewright import __version__
from noisewright.design.joint_table import JointPlan
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import drawing_style, figure
from noisewright.pages.joint_text import RATIO, cells, notes, title
from noisewright.pages.markup import Html, bullets, facts
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page

SHOWN = (0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
"""True shares of which the page tells what the coins gain or cost."""

MEANINGS = (
    ("truth", "The probability that a user reports their true answer."),
    ("corr.", "The correlation of the truth flags of two users of one group; negative if their lies cancel."),
    ("variance", "Of the estimated count, {statistic}."),
    (RATIO, "The variance as a share of that of randomized response (RR), {statistic}."),
    ("ε alone", "What one report tells who sees no other, averaged over who the partner is."),
    ("ε colluding", "What it tells who knows the partners' coins, whatever else is seen."),
    ("ε all seen", "What all reports tell who knows the share in the population, in 95 % of rounds."),
)


def joint_page(plan: JointPlan) -> str:
    """The whole document."""
    sections = [
        Section("Side by side", [_comparison(plan), bullets(notes(plan, heuristic=True))]),
        Section("Error against the true share", [_errors(plan), _ratios(plan)]),
        Section("What the columns mean", [facts(_meanings(plan))]),
    ]
    lead = f"{title(plan)}: exact numbers, nothing simulated."
    return page(
        "A plan for shared coins",
        lead,
        sections,
        f"Written by noisewright joint plan, version {__version__}.",
    )


def _meanings(plan: JointPlan) -> list[tuple[str, str]]:
    columns = cells(plan, plan.plain)
    return [(name, text.format(statistic=plan.task.statistic)) for name, text in MEANINGS if name in columns]


def _comparison(plan: JointPlan) -> Html:
    rows = []
    for row in plan.rows:
        found = cells(plan, row)
        best = row is plan.best
        rows.append([row.name, *(number(text, best=best and name == RATIO) for name, text in found.items())])
    heading = f"Choices of coins; the best has the least ratio to RR {plan.task.statistic}"
    return table(heading, ["Coins", *cells(plan, plan.plain)], rows)


def _ratios(plan: JointPlan) -> Html:
    """What the best coins gain or cost at each share, right or wrong."""
    best, alone = (plan.task.noise(row.truth, row.correlation) for row in (plan.best, plan.plain))
    users = plan.task.users
    rows = []
    for share in SHOWN:
        ratio = best.count_variance(share * users, users) / alone.count_variance(share * users, users)
        rows.append([f"{share:g}", number(f"{float(ratio):.3f}")])
    heading = "Variance with the best coins as a share of that of randomized response, at the true share"
    return table(heading, ["True share", "÷ RR"], rows)


def _errors(plan: JointPlan) -> Html:
    with drawing_style():
        drawn = new_figure(10, 3.8)
        axes = drawn.add_subplot()
        plan.plot(axes)
        axes.grid(alpha=0.2)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    heading = (
        "Line chart of the standard error of the count against the true share, one line a choice of coins."
    )
    caption = "How far the count of “yes” is off; the expected shares, if any, are shaded."
    return figure("errors", drawn, title=heading, caption=caption)
