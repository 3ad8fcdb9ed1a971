"""The stop about people who answer in pairs: a plan for shared coins, and the protocol between processes."""

from __future__ import annotations

from typing import Any

from noisewright.design import JointPlan, joint_plan
from noisewright.domains import Categories
from noisewright.errors import MissingExtra
from noisewright.estimate import frequencies
from noisewright.pages.joint_text import cells, notes, title
from noisewright.pages.markup import Html, bullets, paragraph, tag
from noisewright.pages.tables import number, table
from noisewright.pages.tour.trip import Stop, Trip
from noisewright.pages.wording import percent, short
from noisewright.protocol.run.choice import chooser
from noisewright.protocol.run.config import RunConfig
from noisewright.protocol.run.joint import run_joint
from noisewright.protocol.run.result import RunResult

PLANNED = 10_000
COLLUDERS = 5
SHARE = 0.1
EPSILON = 1.0
CAP = 3.0
"""How much a colluding partner may learn at most, as an ε."""

PEOPLE = 60
"""Made-up people whose devices are processes on this machine; more would only take longer."""


def answering_in_pairs(trip: Trip) -> Stop:
    """What shared coins gain and cost, and thirty pairs that really draw them by two-party computation."""
    plan = _plan(PLANNED)
    gain = f"{percent(1 - plan.ratio_of(plan.best))} less variance" if plan.shares_coins else "no gain"
    first = (
        f"{PLANNED:,} people answer yes or no. In pairs whose lies tend to exclude each other the count has "
        f"{gain} at the same ε of one report, and a colluding partner learns no more than ε = {CAP:g} allows."
    )
    ran, facts = _between_processes() if trip.source.private else _simulated(trip)
    words = f"--users {PLANNED} --epsilon {EPSILON:g} --colluders {COLLUDERS} --expected-share {SHARE:g}"
    command = tag("code", f"noisewright joint plan {words} --cap-colluding {CAP:g}")
    content = [first, _choices(plan), bullets(notes(plan)), ran, paragraph("To plan: ", command)]
    return Stop("Answering in pairs", [first, ran], {"plan": plan.to_dict(), **facts}, content)


def _plan(users: int) -> JointPlan:
    return joint_plan(users, EPSILON, COLLUDERS, share=SHARE, cap_colluding=CAP)


def _between_processes() -> tuple[str, dict[str, Any]]:
    """What thirty pairs of processes counted; without the extra, how to get it."""
    config = RunConfig(
        Categories(["no", "yes"]),
        EPSILON,
        count=PEOPLE,
        share=SHARE,
        colluders=COLLUDERS,
        expected_share=SHARE,
        cap_colluding=CAP,
    )
    try:
        result = run_joint(config, chooser(config))
    except MissingExtra as missing:
        return f"The protocol itself was left out: {missing}.", {"run": None}
    return _ran(result), {"run": result.to_dict()}


def _simulated(trip: Trip) -> tuple[str, dict[str, Any]]:
    """The same people with coins that one program draws, so that the tour can be repeated."""
    mechanism = _plan(PEOPLE).mechanism
    yes = round(SHARE * PEOPLE)
    reports = mechanism.perturb(["yes"] * yes + ["no"] * (PEOPLE - yes), trip.source)
    found = frequencies(reports, mechanism, about="reporters").counts()
    said = f"{PEOPLE} made-up people of whom {yes} say yes: {short(found.value[-1], 3)} are estimated."
    return f"{mechanism.simulation} {said}", {"run": None, "estimate": found.to_dict()}


def _ran(result: RunResult) -> str:
    yes = result.counts[-1]
    error = (
        f" ± {short(yes.stderr, 2)}" if yes.symmetric else f" ({short(yes.low, 2)} to {short(yes.high, 2)})"
    )
    return (
        f"Then {PEOPLE} made-up people, as processes on this machine, are grouped by commit and reveal and "
        "draw their coins through a relay by two-party computation, "
        f"{result.pairs_per_second:.0f} pairs a second. "
        f"The collector estimates {short(yes.value, 3)}{error} yes; the truth is "
        f"{round(SHARE * PEOPLE)}."
    )


def _choices(plan: JointPlan) -> Html:
    rows = [[row.name, *(number(text) for text in cells(plan, row).values())] for row in plan.rows]
    return table(title(plan), ["Coins", *cells(plan, plan.plain)], rows)
