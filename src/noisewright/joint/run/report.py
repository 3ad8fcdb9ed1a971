"""The report of a run: counts, what the collector learns, and whom one has to trust."""

from __future__ import annotations

from noisewright.estimate.result import LEVEL
from noisewright.joint.coins.coin import SECURITY_MODEL
from noisewright.joint.run.board import MODELS
from noisewright.joint.run.result import LabelCount, RunResult
from noisewright.report import Bullets, Report, Section, Table, number


def run_report(result: RunResult) -> Report:
    """Describe a run as a document."""
    who = "simulated users" if result.simulated else "users"
    header = ["label", "users", "±", f"{100 * LEVEL:g} % interval", "reports"]
    why = [f"coins: {result.reason}"] if result.reason else []
    trust = [
        f"security of the coins: {SECURITY_MODEL}",
        f"security of the grouping: {MODELS[result.method]}",
    ]
    return Report(
        title="Joint randomized response",
        lead=f"{result.mechanism.users:,} {who} in {result.pairs:,} pairs, grouped by {result.method} in "
        f"{result.grouping_seconds:.1f} s; coins in {result.coin_seconds:.1f} s "
        f"({result.pairs_per_second:.0f} pairs a second).",
        sections=[
            Section("Counts", [Table("Users with each label", header, list(map(_row, result.counts)))]),
            Section("What the collector learns", [Bullets([*result.privacy.sentences(), *why])]),
            Section("Whom one has to trust", [Bullets(trust)]),
            Section("Participation", [Bullets(_fallbacks(result))]),
        ],
        verb="joint run",
        data=result.to_dict(),
    )


def _row(count: LabelCount) -> list[object]:
    error = f"{count.stderr:,.1f}" if count.symmetric else "–"
    interval = f"{count.low:,.0f} to {count.high:,.0f}"
    return [
        count.label,
        number(f"{count.value:,.1f}", exact=count.value),
        number(error, exact=count.stderr if count.symmetric else None),
        number(interval),
        number(f"{count.reported:,}"),
    ]


def _fallbacks(result: RunResult) -> list[str]:
    """Describe the users who reported alone, and those who did not report."""
    lines = ["fallbacks: none, every pair drew its coins together"]
    if result.alone:
        lines = [
            f"fallbacks: {result.alone:,} users reported by plain randomized response, just as private; the "
            "intervals allow for it",
            *(f"{many:,}: {reason}" for reason, many in sorted(result.reasons.items())),
        ]
    if result.missing:
        lines.append(f"missing: {result.missing:,} users, whose process ended before they could report")
    return lines
