"""What attacks on a release achieved, as a section of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from noisewright.estimate import Estimate
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import DASHES, INK, PALETTE, drawing_style, figure
from noisewright.pages.markup import Html, bullets, tag
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section
from noisewright.release.attacks import AttackReport, AttackResult
from noisewright.release.attacks.report import ABOUT
from noisewright.release.attacks.words import OWNER, TERMS, reading

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVES: Final = (
    "Members found against others taken for members, on logarithmic axes. Blind guessing lies on the "
    "broken diagonal; the shaded part is out of reach for every attack if the promise holds."
)


def attack_sections(report: AttackReport) -> list[Section]:
    """The verdict, the curves and the numbers of all attacks."""
    drawn = figure(
        "attacks", curves(report), title="Curves of all attacks on logarithmic axes.", caption=CURVES
    )
    tables = successes_table(report), curves_table(report)
    content = [
        verdict(report), tag("p", tag("strong", OWNER)), ABOUT, tables[0], bullets(TERMS), drawn, tables[1],
        _information(report), *reading(report),
    ]  # fmt: skip
    return [Section("What attacks achieved", content)]


def verdict(report: AttackReport) -> Html:
    """Pass or fail, and what that rests on; a failure is set off."""
    said = f"{report.sentence[0].upper()}{report.sentence[1:]}."
    return tag("p", tag("strong", said), class_="attack" if report.passed else "attack warning")


def curves(report: AttackReport) -> Figure:
    """The curves in the colours of the page; the verdict stands beside them in words."""
    with drawing_style():
        drawn = new_figure(9, 5.2)
        axes = report.plot(drawn.add_subplot())
        axes.set_title("")
        *attacks, blind = axes.lines
        for line, colour, dash in zip(attacks, PALETTE, DASHES, strict=False):
            line.set(color=colour, linestyle=dash)
        blind.set_color(INK)
        for shade in axes.collections:
            shade.set_facecolor(PALETTE[1])
        axes.legend(loc="lower right")
    return drawn


def successes_table(report: AttackReport) -> Html:
    """How often each attack was right."""
    rows = [
        [result.title, *(number(_with_interval(share)) for share in _shares(result))]
        for result in report.attacks
    ]
    header = ["Attack", "Right about records", "Right about the most exposed one", "Advantage"]
    caption = (
        f"{report.trials:,} simulated releases, {100 * report.confidence:g} % intervals; the low ends of the "
        "successes hold all at once"
    )
    return table(caption, header, rows)


def curves_table(report: AttackReport) -> Html:
    """What the curves have at their most telling points."""
    rates = [point.rate for point in report.attacks[0].found]
    rows = [
        [result.title, number(f"{result.area.value:.3f}"),
         *(number(_with_interval(point.found)) for point in result.found)]
        for result in report.attacks
    ]  # fmt: skip
    found = [f"Members found at {100 * rate:g} % false alarms" for rate in rates]
    return table(
        "Points of the curves; each interval holds by itself",
        ["Attack", "Area under the curve", *found],
        rows,
    )


def _shares(result: AttackResult) -> tuple[Estimate, Estimate, Estimate]:
    return result.success, result.worst, result.advantage


def _information(report: AttackReport) -> str:
    told = report.information
    return (
        f"Measured on the same releases, one tells {told.value:.3g} nats about which half was used "
        f"({told.low:.3g} to {told.high:.3g}); by proof it is at most {report.information_upper:.4g}."
    )


def _with_interval(share: Estimate) -> str:
    return f"{_percent(share.value)} ({_percent(share.low)} to {_percent(share.high)})"


def _percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f}\u00a0%"  # never -0.0
