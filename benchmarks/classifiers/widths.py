"""How wide the intervals of black boxes are, beside those of plain samples from the channel.

    python -m benchmarks.classifiers.widths [--queries 20000] [--repetitions 10] [--features 1,2,3,50]

One record, near the boundary of a classifier or far from it, and a classifier that is asked only. Each number
is the mean width of our interval ÷ that of Clopper and Pearson from as many plain draws, at the same
confidence; with several channels these share the draws evenly. The exit status tells whether all are at most
1.3. Three classifiers are fitted, "noise", "speckles" and "dust" are rules that no map can follow.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from noisewright.utility import Asking, predict_utility
from noisewright.utility.core.channels import Lattice
from noisewright.utility.core.curve import make_curve
from noisewright.utility.sampling import clopper_pearson
from noisewright.utility.sampling.direct import sample_directly

MOST = 1.3
"""What no ratio may exceed."""

FEATURES = (1, 2, 3, 5, 10, 20, 21, 50)
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0, 12.0)
MECHANISMS = ("OGPM", "TruncatedLaplace")
CONFIDENCE = 0.99
TRAINED, POOL, LOOKS = 400, 60, 100

Rule = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Case:
    """A classifier and one record."""

    name: str
    rule: Rule
    record: np.ndarray

    def __call__(self, units: np.ndarray) -> np.ndarray:
        """Which reports, in unit coordinates, change the answer."""
        return np.asarray(self.rule(units) != self.rule(self.record[None])[0])

    def at(self, lattice: Lattice, cells: np.ndarray) -> np.ndarray:
        """The same for cells."""
        return self(lattice.centres(cells))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one table of single channels and one of a whole curve."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.classifiers.widths",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--queries", type=int, default=20_000)
    options.add_argument("--repetitions", type=int, default=10)
    options.add_argument("--features", type=lambda text: tuple(map(int, text.split(","))), default=FEATURES)
    options.add_argument("--only", choices=["channel", "curve"], help="one of the two tables")
    options.add_argument("--width", type=float, default=None, help="ask for this width, too")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args(arguments)
    worst = 0.0
    single = [([mechanism], [epsilon]) for mechanism in MECHANISMS for epsilon in EPSILONS]
    for name, title, curves in (
        ("channel", f"one channel, the worse of {' and '.join(MECHANISMS)}", single),
        ("curve", "one curve of all channels", [(list(MECHANISMS), list(EPSILONS))]),
    ):
        if chosen.only not in (None, name):
            continue
        print(f"\n{title}; {chosen.queries:,} queries, {chosen.repetitions} repetitions, {CONFIDENCE:.0%}")
        print(f"{'s':>3}  {'classifier':<16}" + "".join(f"{f'ε = {epsilon:g}':>9}" for epsilon in EPSILONS))
        for features in chosen.features:
            for case in cases(features):
                found = np.max([ratios(case, *curve, chosen) for curve in curves], axis=0)
                print(f"{features:>3}  {case.name:<16}" + "".join(f"{one:9.2f}" for one in found), flush=True)
                worst = max(worst, float(found.max()))
    print(f"\nlargest ratio {worst:.2f}, at most {MOST} asked: {'yes' if worst <= MOST else 'NO'}")
    return int(worst > MOST)


def ratios(
    case: Case, mechanisms: list[str], epsilons: list[float], chosen: argparse.Namespace
) -> np.ndarray:
    """Our mean width ÷ the plain one's at each ε of the table (the largest of all mechanisms, or 0)."""
    features, total = case.record.size, len(mechanisms) * len(epsilons)
    alpha, each = (1 - CONFIDENCE) / (2 * total), chosen.queries // total
    ours = []
    for repetition in range(chosen.repetitions):
        found = predict_utility(
            case.rule, case.record[None], sensitive=dict.fromkeys(range(features), (0, 1)),
            epsilons=epsilons, mechanisms=mechanisms, confidence=CONFIDENCE, queries=chosen.queries,
            width=chosen.width, exact=False, seed=chosen.seed + repetition,
            asking=Asking(classes=(False, True), timeout=None),
        )  # fmt: skip
        ours.append(found.certificate.high[0] - found.certificate.low[0])
    channels, random = make_curve(mechanisms, epsilons).flat(), np.random.default_rng(chosen.seed + 1000)
    draws = sample_directly(case, channels, case.record, total * 10 * each, random)
    plain = np.array([plain_width(failing, each, alpha) for failing in draws.failing])
    found = (np.mean(ours, axis=0) / plain.reshape(len(mechanisms), -1)).max(axis=0)
    return np.array([found[epsilons.index(one)] if one in epsilons else 0.0 for one in EPSILONS])


def plain_width(failing: float, draws: int, alpha: float) -> float:
    """The expected width of the binomial interval."""
    hits = np.arange(*binom.interval(1 - 1e-9, draws, failing) + np.array([0, 1])).astype(int)
    low, high = clopper_pearson(hits, draws, alpha)
    return float(binom.pmf(hits, draws, failing) @ (high - low))


def cases(features: int) -> Iterator[Case]:
    """Fitted models and rough rules, each at the record that is changed most and least often."""
    dice = np.random.default_rng(features)
    table = dice.random((TRAINED, features))
    labels = table[:, 0] + np.sin(5 * table.mean(axis=1)) + dice.normal(0, 0.1, TRAINED)
    labels = labels > np.median(labels)
    linear = LogisticRegression(C=100).fit(table, labels)
    fitted = {
        "linear": linear,
        "forest": RandomForestClassifier(5, max_depth=6, random_state=0).fit(table, labels),
        "neighbours": KNeighborsClassifier(5).fit(table, labels),
    }
    rules: dict[str, Rule] = {name: model.predict for name, model in fitted.items()}
    rules["noise"] = lambda rows: spots(rows) < 0.5
    rules["speckles"] = lambda rows: spots(rows) < 0.2
    rules["dust"] = lambda rows: linear.predict(rows) ^ (spots(rows) < 0.02)
    for name, rule in rules.items():
        near, far = nearest_and_farthest(rule, dice.random((POOL, features)), dice)
        yield Case(f"{name}, near", rule, near)
        yield Case(f"{name}, far", rule, far)


def spots(rows: np.ndarray) -> np.ndarray:
    """Numbers from [0, 1) that jump from one report to the next."""
    return np.modf(np.abs(np.sin(rows @ np.arange(1, rows.shape[1] + 1) * 1e5)) * 1e4)[0]


def nearest_and_farthest(
    rule: Rule, records: np.ndarray, dice: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The records whose answers small changes move most often, and least often."""
    kept = [
        np.mean(rule(np.clip(one + dice.normal(0, 0.1, (LOOKS, one.size)), 0, 1)) == rule(one[None])[0])
        for one in records
    ]
    return records[np.argmin(kept)], records[np.argmax(kept)]


if __name__ == "__main__":
    raise SystemExit(main())
