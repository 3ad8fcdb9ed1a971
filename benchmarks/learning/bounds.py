"""Random small worlds in which theorems of Qin & Bai fail, as section 23 of the theory says.

    python -m benchmarks.learning bounds [--worlds 9000] [--seed 3]

In each world people stand at two to five places, reports come through a channel, and every rule is tried.
*Theorem 4* is held against ¾ of the distance of appendix A.4, which is half of the one that it is about.
*Theorem 5* is held against its bound as published, with Laplace noise whose far reports count for the last
place. What is printed is the largest amount by which an excess risk is above its bound; the exit status is 1
if either theorem was not seen to fail, or if theorem 4 with its own distance was.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.stats import laplace

from noisewright.domains import Floats
from noisewright.published.mrma import Discrepancy, LabelledLaw, noised, reversed_bound, weak_bound

ROUNDING = 1e-12


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, and print the largest excess over each bound."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning bounds",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--worlds", type=int, default=9000, help="a third of them of each kind of channel")
    options.add_argument("--seed", type=int, default=3)
    chosen = options.parse_args(arguments)
    random = np.random.default_rng(chosen.seed)
    right, halved, reversal = -1.0, -1.0, -1.0
    for kind in (any_channel, laplace_channel, turning_channel):
        for clean, noisy in worlds(kind, chosen.worlds // 3, random):
            apart = Discrepancy.between(clean, noisy)
            bound = weak_bound(0.0, apart).total
            printed = reversed_bound(0.0, apart, as_published=True).total
            for rule in map(np.array, itertools.product((0, 1), repeat=len(clean.mass))):
                among_reports = noisy.excess(rule)
                above = clean.excess(rule) - among_reports
                right = max(right, above - bound)
                halved = max(halved, above - (bound - 0.75 * apart.variation))
                if kind is laplace_channel:
                    least = min(clean.excess(rule), clean.excess(1 - rule))
                    reversal = max(reversal, least - among_reports - printed)
    print(f"theorem 4 with its own distance: {right:.3g} above its bound")
    print(f"theorem 4 with the distance of A.4: {halved:.3g} above, in {chosen.worlds:,} worlds")
    print(f"theorem 5 as printed, Laplace noise: {reversal:.3g} above, in {chosen.worlds // 3:,} worlds")
    return int(right > ROUNDING or halved <= ROUNDING or reversal <= ROUNDING)


def worlds(
    kind: Callable[[np.random.Generator, int], Floats], count: int, random: np.random.Generator
) -> Iterator[tuple[LabelledLaw, LabelledLaw]]:
    """Random laws of people, each with the law of its reports."""
    for _ in range(count):
        places = int(random.integers(2, 6))
        mass = random.dirichlet(np.full(places, random.choice([0.2, 1.0, 5.0])))
        shape = random.choice([0.1, 0.5, 1.0])
        clean = LabelledLaw(mass, random.beta(shape, shape, places))
        keep = random.choice([1.0, random.uniform(0.5, 1)])
        yield clean, noised(clean, kind(random, places), keep)


def any_channel(random: np.random.Generator, places: int) -> Floats:
    """A random law of the report for each place."""
    return random.dirichlet(np.full(places, random.choice([0.05, 0.3, 1.0])), size=places)


def laplace_channel(random: np.random.Generator, places: int) -> Floats:
    """Laplace noise on a line; reports beyond an end count for the last place."""
    at = np.linspace(-1, 1, places)
    edges = np.concatenate([[-np.inf], (at[1:] + at[:-1]) / 2, [np.inf]])
    return np.asarray(np.diff(laplace.cdf(edges - at[:, None], scale=10 ** random.uniform(-1.5, 1)), axis=1))


def turning_channel(random: np.random.Generator, places: int) -> Floats:
    """The next place of a circle, or sometimes any."""
    anywhere = random.uniform(0, 1) * random.integers(2)
    return np.asarray((1 - anywhere) * np.roll(np.eye(places), 1, axis=1) + anywhere / places)
