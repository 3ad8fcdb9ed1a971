"""How far the values of a histogram are off, beside those of smoothed EM and of plain EM alone.

The distance is that of Wasserstein, in lengths of the domain, on average over a few collections of 100,000
people with values in 1,024 steps: a smooth bell, one in which half of the people round to a multiple of 64,
and Zipf's law with its values in random order. ``ratio`` is what is returned over the better of the two.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from noisewright import Integers, Interval
from noisewright.domains import Floats
from noisewright.estimate import Tally, distribution
from noisewright.estimate.em import fit_plainly, fit_smoothly
from noisewright.mechanisms import SW
from noisewright.randomness import SeededSource

SIZE = 1024
PEOPLE = 100_000
ASKED = 1.1


def smooth() -> Floats:
    """A bell, off the middle."""
    chances = np.exp(-0.5 * ((np.arange(SIZE) - 400) / 150) ** 2)
    return np.asarray(chances / chances.sum())


def heaped() -> Floats:
    """The bell, but every second person rounds to a multiple of 64."""
    even, chances = smooth(), np.zeros(SIZE)
    places = np.minimum(64 * np.rint(np.arange(SIZE) / 64).astype(int), SIZE - 1)
    np.add.at(chances, places, even / 2)
    return np.asarray(chances + even / 2)


def zipf() -> Floats:
    """Zipf's law in random order."""
    chances = 1 / np.arange(1, SIZE + 1) ** 1.2
    return np.asarray(np.random.default_rng(5).permutation(chances / chances.sum()))


POPULATIONS = {each.__name__: each for each in (smooth, heaped, zipf)}


def distance(found: Floats, truth: Floats) -> float:
    """Wasserstein's distance of two histograms, in lengths of the domain."""
    return float(np.abs(np.cumsum(found - truth)).mean())


def measure(population: str, epsilon: float, bins: int, collections: int, *, whole: bool) -> Floats:
    """Mean distances of what is returned, of the smoothed fit and of plain EM."""
    chances = POPULATIONS[population]()
    domain = Integers(0, SIZE - 1) if whole else Interval(-0.5, SIZE - 0.5)
    mechanism, truth = SW(domain, epsilon), np.add.reduceat(chances, np.arange(bins) * SIZE // bins)
    total = np.zeros(3)
    for number in range(collections):
        random = np.random.default_rng(number)
        values = random.choice(np.arange(float(SIZE)), PEOPLE, p=chances)
        tally = Tally.of(mechanism.perturb(values, SeededSource(number)), mechanism)
        fine = SIZE if whole else bins * max(1, 128 // bins)
        fits = [fit_smoothly(tally, fine).shares, fit_plainly(tally, fine).shares]
        cuts = np.arange(bins) * fine // bins
        found = [distribution(tally, bins=bins).value, *(np.add.reduceat(fit, cuts) for fit in fits)]
        total += [distance(each, truth) for each in found]
    return total / collections


def main() -> int:
    """Print the table; the exit status is 1 if a ratio is above 1.1."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--collections", type=int, default=4)
    options.add_argument("--bins", type=int, nargs="+", default=[20, 50, 256, 1024])
    options.add_argument("--epsilon", type=float, nargs="+", default=[1.0, 2.0, 4.0])
    options.add_argument("--populations", nargs="+", choices=POPULATIONS, default=list(POPULATIONS))
    options.add_argument("--domain", choices=("integers", "interval", "both"), default="both")
    chosen, passed = options.parse_args(), True
    print("population ε  bins domain   | returned smoothed plain EM ratio")
    for population in chosen.populations:
        for epsilon in chosen.epsilon:
            for bins in chosen.bins:
                for whole in (True, False) if chosen.domain == "both" else (chosen.domain == "integers",):
                    found = measure(population, epsilon, bins, chosen.collections, whole=whole)
                    ratio = found[0] / found[1:].min()
                    passed &= ratio <= ASKED
                    print(
                        f"{population:10} {epsilon:g} {bins:5} {'Integers' if whole else 'Interval'} | "
                        f"{found[0]:.5f}  {found[1]:.5f}  {found[2]:.5f}  {ratio:.2f}"
                        f"{'' if ratio <= ASKED else '  above 1.1'}",
                        flush=True,
                    )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
