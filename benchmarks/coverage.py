"""How often intervals of bins and quartiles hold on hostile populations, and how wide they are.

Each line simulates collections of one population with one mechanism and compares the 95 % intervals of ten
bins and three quartiles with the truth. ``held`` is the share of collections in which a bin's interval holds,
on average over the bins, ``worst`` that of the worst bin; then the same for the quartiles, and mean widths. A
line fails if a bin or quartile holds in fewer than 92 % of collections and chance does not explain it (one
false alarm in a thousand lines), or if fewer than 93.5 % of the bins hold on average.

With ``--record FILE`` the collections are added to those that the file has of the same setting, with the next
seeds, and the lines are about all of them; so a long table can be simulated bit by bit.
``benchmarks/coverage.json`` is the record behind the table of the theory.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noisewright import Integers, Interval
from noisewright.domains import Floats
from noisewright.estimate import Tally, distribution, quantile
from noisewright.mechanisms import OGPM, PM, SW, Hybrid, NumericMechanism
from noisewright.randomness import SeededSource

BINS = 10
SHARES = (0.25, 0.5, 0.75)
KINDS: dict[str, type[NumericMechanism]] = {"SW": SW, "PM": PM, "OGPM": OGPM, "Hybrid": Hybrid}
NUMBERS = np.arange(100.0)


def _normal(values: Floats, mean: float, deviation: float) -> Floats:
    """The chance of each number that a normal law rounds to, those beyond the ends at the ends."""
    from scipy.special import ndtr

    step = values[1] - values[0]
    inner = ndtr((values[:-1] + step / 2 - mean) / deviation)
    return np.diff(np.concatenate([[0.0], inner, [1.0]]))


def ages() -> Floats:
    """Whole years from 0 to 99, all alike."""
    return np.full(100, 0.01)


def tens() -> Floats:
    """A bell around 45, rounded to tens."""
    chances = np.zeros(100)
    chances[::10] = _normal(NUMBERS[::10], 45, 18)
    return chances


def thirty() -> Floats:
    """Everybody says 30, the first number of a bin."""
    return np.asarray(np.eye(100)[30])


def middle() -> Floats:
    """Everybody says 35, in the middle of a bin."""
    return np.asarray(np.eye(100)[35])


def far_ends() -> Floats:
    """Half say 0, half say 99."""
    return np.asarray((np.eye(100)[0] + np.eye(100)[99]) / 2)


def hours() -> Floats:
    """47 % say 40, the others are a bell around 38."""
    return np.asarray(0.47 * np.eye(100)[40] + 0.53 * _normal(NUMBERS, 38, 12))


def zipf() -> Floats:
    """Counts with a long tail."""
    chances = 1 / (NUMBERS + 1) ** 1.3
    return np.asarray(chances / chances.sum())


def beta() -> Floats:
    """Beta(2, 5), in whole hundredths."""
    from scipy.special import betainc

    return np.diff(betainc(2, 5, np.arange(101) / 100))


POPULATIONS: dict[str, Callable[[], Floats]] = {
    each.__name__: each for each in (ages, tens, thirty, middle, far_ends, hours, zipf, beta)
}


@dataclass(frozen=True)
class Coverage:
    """The share of collections in which each interval held, and mean widths."""

    bins: Floats
    quartiles: Floats
    width: float
    quartile_widths: Floats
    collections: int

    def __add__(self, other: Coverage) -> Coverage:
        total = self.collections + other.collections
        mine, others = self.collections / total, other.collections / total
        return Coverage(
            mine * self.bins + others * other.bins,
            mine * self.quartiles + others * other.quartiles,
            mine * self.width + others * other.width,
            mine * self.quartile_widths + others * other.quartile_widths,
            total,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of collections in which each interval held, and mean widths."""
        return {
            "collections": self.collections,
            "bins": [round(each) for each in self.bins * self.collections],
            "quartiles": [round(each) for each in self.quartiles * self.collections],
            "width": round(self.width, 6),
            "quartile_widths": [round(each, 4) for each in self.quartile_widths.tolist()],
        }

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> Coverage:
        """Return what :meth:`to_dict` wrote."""
        count = found["collections"]
        bins, quartiles = (np.array(found[name]) / count for name in ("bins", "quartiles"))
        return cls(bins, quartiles, found["width"], np.array(found["quartile_widths"]), count)

    @property
    def passed(self) -> bool:
        """Whether no interval holds too rarely for chance."""
        least = fewest(self.collections, 0.92, 0.001 / (BINS + len(SHARES)))
        each = np.concatenate([self.bins, self.quartiles]) * self.collections
        mean_error = math.sqrt(0.95 * 0.05 / self.collections / BINS)
        return bool((each >= least).all() and self.bins.mean() >= 0.935 - 3 * mean_error)


def fewest(collections: int, chance: float, failure: float) -> int:
    """Return the fewest collections that hold, except with ``failure``, if each does with ``chance``."""
    from scipy.stats import binom

    return int(binom.ppf(failure, collections, chance))


def simulate(
    kind: type[NumericMechanism], epsilon: float, population: str, people: int, collections: int,
    *, whole: bool, seed: int = 0, with_quartiles: bool = True,
) -> Coverage:  # fmt: skip
    """Simulate collections; ``whole`` declares the column's values to be whole numbers."""
    chances = POPULATIONS[population]()
    smooth = population == "beta" and not whole
    mechanism = kind(Integers(0, 99) if whole else Interval(0, 100), epsilon)
    edges = np.arange(11) * 10.0
    truth = chances.reshape(BINS, -1).sum(axis=1)
    quartiles = _quartiles(chances, smooth=smooth)
    held, quartile_held, width = np.zeros(BINS), np.zeros(len(SHARES)), 0.0
    quartile_width = np.zeros(len(SHARES))
    for number in range(seed, seed + collections):
        random = np.random.default_rng(number)
        values = 100 * random.beta(2, 5, people) if smooth else random.choice(NUMBERS, people, p=chances)
        tally = Tally.of(mechanism.perturb(values, SeededSource(number)), mechanism)
        found = distribution(tally, bins=BINS, method="unbiased")
        assert np.allclose(found.edges, edges - 0.5 * whole)
        held += (found.low <= truth + 1e-12) & (truth - 1e-12 <= found.high)
        width += float((found.high - found.low).mean())
        if with_quartiles:
            places = quantile(tally, share=SHARES)
            quartile_held += (places.low <= quartiles + 1e-9) & (quartiles - 1e-9 <= places.high)
            quartile_width += places.high - places.low
    if not with_quartiles:
        quartile_held[:] = collections
    means = (held, quartile_held, np.array(width), quartile_width)
    bins, quarters, wide, quarters_wide = (total / collections for total in means)
    return Coverage(bins, quarters, float(wide), quarters_wide, collections)


def _quartiles(chances: Floats, *, smooth: bool) -> Floats:
    if smooth:
        from scipy.special import betaincinv

        return np.asarray(100 * betaincinv(2, 5, SHARES))
    return NUMBERS[np.searchsorted(np.cumsum(chances), np.array(SHARES) - 1e-9)]


def lines(options: argparse.Namespace) -> Iterator[bool]:
    """Print a line for each setting and yield whether it passed."""
    print("population people  ε mechanism domain      n | bins held worst  width | quartiles held    widths")
    kept = options.record is not None and options.record.exists()
    record = json.loads(options.record.read_text(encoding="utf-8")) if kept else {}
    for population in options.populations:
        for people in options.people:
            for epsilon in options.epsilon:
                for name in options.mechanisms:
                    for whole in (
                        (True, False) if options.domain == "both" else (options.domain == "integers",)
                    ):
                        domain = "Integers" if whole else "Interval"
                        key = f"{population} {people} {epsilon:g} {name} {domain}"
                        before = record.get(key)
                        seed = options.seed if before is None else before["collections"]
                        found = simulate(
                            KINDS[name], epsilon, population, people, options.collections, whole=whole,
                            seed=seed, with_quartiles=not options.bins_only,
                        )  # fmt: skip
                        if before is not None:
                            found = Coverage.from_dict(before) + found
                        if options.record is not None:
                            record[key] = found.to_dict()
                            options.record.write_text(json.dumps(record, indent=0) + "\n", encoding="utf-8")
                        rare = " ".join(f"{share:.3f}" for share in found.quartiles)
                        wide = " ".join(f"{width:.2f}" for width in found.quartile_widths)
                        print(
                            f"{population:10} {people:6} {epsilon:2g} {name:9} "
                            f"{domain:8} {found.collections:4} | {found.bins.mean():.3f}     "
                            f"{found.bins.min():.3f} {found.width:.4f} | {rare} {wide}"
                            f"{'' if found.passed else '  FAILED'}",
                            flush=True,
                        )
                        yield found.passed


def main() -> int:
    """Simulate the chosen settings and print the table; the exit status is 1 if a line failed."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--collections", type=int, default=200)
    options.add_argument("--people", type=int, nargs="+", default=[20_000, 200_000])
    options.add_argument("--epsilon", type=float, nargs="+", default=[1.0, 4.0])
    options.add_argument("--populations", nargs="+", choices=POPULATIONS, default=list(POPULATIONS))
    options.add_argument("--mechanisms", nargs="+", choices=KINDS, default=list(KINDS))
    options.add_argument("--domain", choices=("integers", "interval", "both"), default="both")
    options.add_argument(
        "--bins-only", action="store_true", help="leave out the quartiles, which take longer"
    )
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--record", type=Path, help="add to the collections that this file has")
    return 0 if all(list(lines(options.parse_args()))) else 1


if __name__ == "__main__":
    sys.exit(main())
