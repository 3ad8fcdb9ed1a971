"""An attack report in words: a few lines for each attack, and the verdict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from noisewright.estimate import Estimate

if TYPE_CHECKING:
    from noisewright.release.attacks.report import AttackReport
    from noisewright.release.attacks.result import AttackResult


OWNER: Final = (
    "This part is computed from the data itself: it tells nothing about which half was used, but is exact "
    "about the pool. Keep it to yourself, and publish the card."
)
TERMS: Final = (
    "The Bayes-optimal attack weighs all halves by how well each explains the release; nobody can do better "
    "in the long run.",
    "LiRA asks how well the model fits a record, and whether models with or without that record usually fit "
    "it so well.",
    "The advantage is how far a success is above blind guessing: 0 % is blind, 100 % is certain.",
    "AUC, the area under the curve, is how often a member looks more like one than somebody else does: 0.5 "
    "is blind.",
)


def report_words(report: AttackReport) -> str:
    """The whole report as lines of text."""
    told = report.information
    measured = f"{told.value:.4g} nats measured ({told.low:.4g} to {told.high:.4g})"
    lines = [f"{report.trials:,} simulated releases, {100 * report.confidence:g} % intervals"]
    for result in report.attacks:
        lines += _result_lines(result)
    lines.append(f"information about the half: {measured}, at most {report.information_upper:.4g} by proof")
    return "\n".join([*lines, *reading(report), *TERMS, OWNER, report.sentence])


def reading(report: AttackReport) -> list[str]:
    """What keeps a reader from seeing a contradiction where chance alone is at work."""
    told, best = report.information, report.attacks[0]
    notes = []
    if told.low <= report.information_upper < told.value:
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


def verdict_words(report: AttackReport) -> str:
    """One sentence: what was exceeded, or that nothing was."""
    promise = f"the promised {_percent(report.promised)}"
    broken = [result for result in report.attacks if result.exceeds(report.promised)]
    if broken:
        lowest = max(max(result.success.low, result.worst.low) for result in broken)
        names = ", ".join(result.title for result in broken)
        least = f"{math.floor(1e4 * lowest) / 100:g} %"
        return f"fail: right at least {least} of the time, above {promise} ({names})"
    if report.information.low > report.information_upper:
        return (
            f"fail: a release tells at least {report.information.low:.4g} nats, above the "
            f"{report.information_upper:.4g} of its proof"
        )
    return f"pass: no attack exceeded {promise} success about any record"


def _result_lines(result: AttackResult) -> list[str]:
    found = " and ".join(
        f"{_percent(point.found.value)} of members at {100 * point.rate:g} % false alarms"
        for point in result.found
    )
    return [
        f"{result.title}",
        f"  right about {_shown(result.success)} of records, about the most exposed {_shown(result.worst)}",
        f"  advantage {_shown(result.advantage)}, AUC {result.area.value:.3f}",
        f"  finds {found}",
    ]


def _shown(estimate: Estimate) -> str:
    """A share with its interval.

    >>> _shown(Estimate(0.5, 0.01, 0.48, 0.52))
    '50 % (48 % to 52 %)'
    """
    return f"{_percent(estimate.value)} ({_percent(estimate.low)} to {_percent(estimate.high)})"


def _percent(share: float) -> str:
    return f"{round(100 * share, 2):g} %"
