"""What a run tells its user: counts, what the collector learns, and whom one has to trust."""

from __future__ import annotations

from collections.abc import Iterator

from noisewright.estimate.result import LEVEL
from noisewright.protocol.coins.coin import SECURITY_MODEL
from noisewright.protocol.run.grouping import MODELS
from noisewright.protocol.run.result import RunResult


def told(result: RunResult) -> str:
    """The result as text."""
    return "\n".join(_lines(result))


def _lines(result: RunResult) -> Iterator[str]:
    who = "simulated users" if result.simulated else "users"
    yield (
        f"{result.mechanism.users:,} {who} in {result.pairs:,} pairs, grouped by {result.method} in "
        f"{result.grouping_seconds:.1f} s; coins in {result.coin_seconds:.1f} s "
        f"({result.pairs_per_second:.0f} pairs a second)"
    )
    yield from _counts(result)
    if result.reason:
        yield f"  coins: {result.reason}"
    yield from (f"  privacy: {sentence}" for sentence in result.privacy.sentences())
    yield f"  security of the coins: {SECURITY_MODEL}"
    yield f"  security of the grouping: {MODELS[result.method]}"
    yield from _fallbacks(result)
    if result.missing:
        yield f"  missing: {result.missing:,} users, whose process ended before they could report"


def _counts(result: RunResult) -> Iterator[str]:
    width = max(len(count.label) for count in result.counts)
    for count in result.counts:
        error = f" ± {count.stderr:,.1f}" if count.symmetric else ""
        yield (
            f"  {count.label:<{width}}  {count.value:,.1f}{error} users ({100 * LEVEL:g} % "
            f"interval {count.low:,.0f} to {count.high:,.0f}; {count.reported:,} reports)"
        )


def _fallbacks(result: RunResult) -> Iterator[str]:
    if not result.alone:
        yield "  fallbacks: none, every pair drew its coins together"
        return
    yield (
        f"  fallbacks: {result.alone:,} users reported by plain randomized response, just as private; the "
        "intervals allow for it"
    )
    yield from (f"    {number:,}: {reason}" for reason, number in sorted(result.reasons.items()))
