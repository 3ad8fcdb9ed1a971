"""Attacks on releases from 100 irises, against what was promised of them (figure 11).

    python -m benchmarks.release attacks [--data FOLDER] [--trials 1000]

"best" is the optimal attack over the worlds: nobody can do better. Success is how often an attack is right
about a record; "worst" that about the most exposed one, with its lower limit; "found" the true positives at
1 % false alarms. Every release must pass. The last lines attack what was sold as 1/64 nat and is not: with
too little noise, and with next to none. Those must fail, or the attacks would have no teeth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.release import data
from benchmarks.release.iris_asked import ALGORITHMS
from benchmarks.release.playing import BUDGET_NAMES, BUDGETS, Played
from benchmarks.release.text import Line, parser, show, status
from noisewright.release.attacks import AttackReport, AttackResult, attack
from noisewright.release.basics.budgets import posterior_success
from noisewright.release.execution import Task

COLUMNS = ("algorithm", "nats", "promised", "best", "advantage", "worst", "AUC", "found", "LiRA", "verdict")
SOLD = 1 / 64
UNDER_NOISED = {"4 as 1/64": 4.0, "none as 1/64": 100.0}
"""Nats of the noise that was really added; at 100 a release differs from its world in the last digits."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    options = parser("attacks", __doc__)
    options.add_argument("--trials", type=int, default=1000)
    chosen = options.parse_args(arguments)
    parted = data.iris(chosen.data, split=0)
    lines: list[Line] = []
    for name, algorithm in ALGORITHMS.items():
        played = Played.of(parted, algorithm, chosen.worlds, chosen.jobs)
        lines += attacked(name, played, chosen.trials)
    show(f"attacks on iris, {chosen.worlds:,} worlds, {chosen.trials:,} trials", COLUMNS, lines)
    return status(lines)


def attacked(name: str, played: Played, trials: int) -> Iterator[Line]:
    """An honest release at every budget, which passes, and dishonest ones, which fail."""
    for label, nats in zip(BUDGET_NAMES, BUDGETS, strict=True):
        report = attack_once(played, nats, nats, trials)
        yield Line(cells(name, label, report), "pass", report.passed)
    for label, nats in UNDER_NOISED.items():
        report = attack_once(played, nats, SOLD, trials)
        yield Line(cells(name, label, report), "fail", not report.passed)


def attack_once(played: Played, nats: float, sold: float, trials: int) -> AttackReport:
    """All attacks on noise for ``nats`` of which was promised what ``sold`` would keep."""
    pool = played.parted.pool
    return attack(
        played.plan(nats), played.worlds, Task(played.algorithm, played.facts, pool.rows, pool.labels),
        promised=posterior_success(sold), trials=trials, seed=4,
    )  # fmt: skip


def cells(name: str, label: str, report: AttackReport) -> tuple[str, ...]:
    """A report in one line, rates in %."""
    best = report["bayes"]
    lira = max((one for one in report.attacks if "lira" in one.name), key=_success)
    return (
        name, label, _percent(report.promised), _percent(_success(best)),
        f"{_percent(float(best.advantage.value))} [{_percent(float(best.advantage.low))}]",
        f"{_percent(float(best.worst.value))} [{_percent(float(best.worst.low))}]",
        _percent(float(best.area.value)), _percent(float(best.found[0].found.value)),
        _percent(_success(lira)), report.verdict,
    )  # fmt: skip


def _success(result: AttackResult) -> float:
    return float(result.success.value)


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"
