"""A report of attacks as a document: the verdict, the successes, the curves, and how to read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from noisewright.estimate import Estimate
from noisewright.report import Block, Bullets, Caution, Figure, Report, Section, Strong, Table, number
from noisewright.report.plots import PAGE_WIDTH, legend_below, new_figure
from noisewright.report.svg import DASHES, INK, PALETTE, drawing_style
from noisewright.text import short

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from noisewright.release.attacks.result import AttackReport

ABOUT: Final = (
    "Attacks were played on simulated releases with known worlds; the real one was not touched. They ask "
    "which world (random half of the pool) was used. Nothing here is about who is in the pool at all."
)
OWNER: Final = (
    "This part is computed from the data itself: it reveals nothing about which world was used, but is exact "
    "about the pool. Keep it to yourself, and publish the card."
)
TERMS: Final = (
    "The Bayes-optimal attack weighs all worlds by how well each explains the release; nobody can do better "
    "in the long run.",
    "LiRA compares how well the model fits a record with how well models with that record, and without it, "
    "usually do.",
    "The advantage is how far a success is above blind guessing: 0 % is blind, 100 % is certain.",
    "AUC, the area under the curve, is how often a member scores above a record that was not used: 0.5 is "
    "blind.",
)
CURVES: Final = (
    "Members found against others taken for members, on logarithmic axes. Blind guessing lies on the "
    "broken diagonal; the shaded part is out of reach for every attack if the promise holds."
)
HEADING: Final = "What attacks achieved"


def attack_report(report: AttackReport) -> Report:
    """Describe what attacks achieved as a document."""
    blocks, said = attack_section(report).blocks[1:], verdict(report)
    return Report(
        HEADING,
        said if report.passed else "",
        [Section("Attacks", blocks)],
        cautions=[] if report.passed else [said],
        verb="release",
        data=report.to_dict(),
    )


def attack_section(report: AttackReport) -> Section:
    """Return the verdict, the curves and the numbers of all attacks; a failure is highlighted."""
    said = verdict(report)
    panels = [("Curves of all attacks on logarithmic axes.", lambda: plot_curves(report))]
    blocks: list[Block] = [
        Strong(said) if report.passed else Caution(said),
        Strong(OWNER),
        ABOUT,
        *attack_tables(report),
        Figure("attacks", panels, CURVES),
        Bullets(TERMS),
        _information(report),
        *chance_notes(report),
    ]
    return Section(HEADING, blocks)


def verdict(report: AttackReport) -> str:
    """Return the verdict as a sentence of its own."""
    return f"Verdict – {report.sentence}."


def attack_tables(report: AttackReport) -> list[Table]:
    """Return how often each attack was right, how far above blind guessing, and how many members it found."""
    shown = f"{report.trials:,} simulated releases, {100 * report.confidence:g} % intervals"
    rates = [f"at {100 * point.rate:g} % false alarms" for point in report.attacks[0].found]
    return [
        Table(
            f"How often an attack is right, by {shown}; the low ends hold all at once",
            ["attack", "about all records", "about the most exposed one"],
            [[each.title, *_shares(each.success, each.worst)] for each in report.attacks],
            captioned=True,
        ),
        Table(
            "How far each is above blind guessing",
            ["attack", "advantage", "area under the curve (AUC)"],
            [
                [
                    each.title,
                    *_shares(each.advantage),
                    number(f"{each.area.value:.3f}", exact=each.area.value),
                ]
                for each in report.attacks
            ],
            captioned=True,
        ),
        Table(
            "Share of the members that each finds; every interval holds by itself",
            ["attack", *rates],
            [[each.title, *_shares(*(point.found for point in each.found))] for each in report.attacks],
            captioned=True,
        ),
    ]


def _shares(*estimates: Estimate) -> list[object]:
    return [number(share_words(each), exact=each.value) for each in estimates]


def share_words(share: Estimate) -> str:
    """Write a share with its interval.

    >>> share_words(Estimate(0.5, 0.01, 0.48, 0.52))
    '50.0 % (48.0 % to 52.0 %)'
    """
    return f"{_percent(share.value)} ({_percent(share.low)} to {_percent(share.high)})"


def _percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f} %"  # never -0.0


def _information(report: AttackReport) -> str:
    nats = report.information
    return (
        f"Measured on the same releases, one reveals {nats.value:.4g} nats about which world was used "
        f"({nats.low:.4g} to {nats.high:.4g}); by proof it is at most {report.information_upper:.4g}."
    )


def chance_notes(report: AttackReport) -> list[str]:
    """Return notes on apparent contradictions that are only chance."""
    nats, best = report.information, report.attacks[0]
    notes = []
    if nats.low <= report.information_upper < nats.value:
        notes.append("The interval of the information reaches below the bound: no contradiction.")
    ahead = [
        (above, least)
        for other in report.attacks[1:]
        for above, least in ((other.success, best.success), (other.worst, best.worst))
        if above.value > least.value
    ]
    if ahead and all(above.low <= least.high for above, least in ahead):
        notes.append(
            f"No attack beats the {best.title} one in the long run: where another is above it, the "
            "difference is within the intervals."
        )
    return notes


def plot_curves(report: AttackReport) -> Drawing:
    """Draw the curves in the colours of a page; the verdict stands beside them in words."""
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 3.8)
        axes = report.plot(drawn.add_subplot())
        axes.set_title("")
        *attacks, blind = axes.lines
        for line, colour, dash in zip(attacks, PALETTE, DASHES, strict=False):
            line.set(color=colour, linestyle=dash)
        blind.set_color(INK)
        for shade in axes.collections:
            shade.set_facecolor(PALETTE[1])
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda share, _: short(share))
        legend_below(drawn, axes)
    return drawn
