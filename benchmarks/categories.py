"""Case study: real categories, counted by every frequency oracle, and what its claims are worth.

    python -m benchmarks.categories --data FOLDER     # FOLDER holds kosarak/ and amazon_beauty/

Kosarak: each of 100,000 visitors reports one random item of the click stream, out of all items as a public
list. Amazon: 29,999 ratings of one to five stars. *Claimed* is the variance that the mechanism states for
these very people; *measured* the mean squared error of the raw shares, so their ratio should be 1. Intervals
cover the luck of drawing people, too, so they hold the shares of these people at least as often as they say.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noisewright import Categories
from noisewright.domains import Floats
from noisewright.estimate import Frequencies, Tally, frequencies
from noisewright.mechanisms import KRR, OLH, OUE, SUE, FrequencyOracle, HadamardResponse, SubsetSelection
from noisewright.mechanisms.categorical import best_oracle

People = NDArray[np.int64]

EPSILONS = (1.0, 4.0)
TOP = 20
AT_A_TIME = 1 << 13
"""People whose reports are in memory together: a bit for each of 23,496 items makes them long."""

Kinds = tuple[type[FrequencyOracle], ...]

FOR_MANY_LABELS: Kinds = (KRR, OUE, SUE, OLH, HadamardResponse)
"""Without subset selection: it draws a word for each item and visitor, which takes minutes."""

FOR_FEW_LABELS: Kinds = (*FOR_MANY_LABELS, SubsetSelection)


def main() -> None:
    """Read the data, run both studies and print their tables."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True, help="folder that holds the two folders")
    options.add_argument("--repeats", type=int, default=200, help="collections of ratings to average over")
    chosen = options.parse_args()
    study("Kosarak items", *kosarak(chosen.data), FOR_MANY_LABELS, repeats=1)
    study("Amazon ratings", *amazon(chosen.data), FOR_FEW_LABELS, chosen.repeats)


def kosarak(folder: Path) -> tuple[Categories, People]:
    """All items as a list, and one item of each visitor, picked once with a fixed seed."""
    with gzip.open(folder / "kosarak" / "kosarak_first100k.dat.gz", "rt") as lines:
        visits = [np.array(line.split(), dtype=np.int64) for line in lines]
    generator = np.random.default_rng(1)
    one_each = np.array([items[generator.integers(items.size)] for items in visits])
    return Categories(np.unique(np.concatenate(visits)).tolist()), one_each


def amazon(folder: Path) -> tuple[Categories, People]:
    """The stars from one to five, and all ratings."""
    import pyarrow.parquet as pq

    table = pq.read_table(folder / "amazon_beauty" / "ratings_beauty_first29999.parquet", columns=["Rating"])
    return Categories(range(1, 6)), table["Rating"].to_numpy()


@dataclass(frozen=True)
class Score:
    """How far the estimates of one collection are from the truth."""

    raw: float
    norm_sub: float
    clipped: float
    ratio: float
    covered: float
    recall: float

    @classmethod
    def of(cls, found: Frequencies, truth: Floats, claimed: Floats) -> Score:
        """Compare raw shares, norm-sub, clip and rescale, and intervals with the truth."""
        above = np.maximum(found.raw, 0)
        squared = np.mean((found.raw - truth) ** 2)
        return cls(
            raw=float(squared),
            norm_sub=float(np.mean((found.value - truth) ** 2)),
            clipped=float(np.mean((above / above.sum() - truth) ** 2)),
            ratio=float(squared / claimed.mean()),
            covered=float(np.mean((found.low <= truth) & (truth <= found.high))),
            recall=len(most_frequent(found.raw) & most_frequent(truth)) / TOP,
        )


def most_frequent(shares: Floats) -> set[int]:
    """The places of the largest shares."""
    return set(np.argsort(-shares, kind="stable")[:TOP].tolist())


def study(title: str, domain: Categories, people: People, kinds: Kinds, repeats: int) -> None:
    """Every oracle at every ε on the same people; a star marks the one that "auto" takes."""
    print(f"{title}: {people.size:,} people, {len(domain):,} labels; squared errors, {repeats} collection(s)")
    print("  ε  oracle             raw       norm-sub  clip and rescale  measured/claimed  in 95 %  top 20")
    truth = np.bincount(domain.snap(people), minlength=len(domain)) / people.size
    for epsilon in EPSILONS:
        best = best_oracle(domain, epsilon).mechanism
        for kind in kinds:
            mechanism = kind(domain, epsilon)
            claimed = mechanism.share_variance(truth, people.size) - truth * (1 - truth) / people.size
            scores = [Score.of(collect(mechanism, people), truth, claimed) for _ in range(repeats)]
            name = kind.__name__ + "*" * (mechanism == best)
            print(f"  {epsilon:g}  {name:17}  {line(scores)}")


def collect(mechanism: FrequencyOracle, people: People) -> Frequencies:
    """Randomize everyone's label and estimate, some people at a time as a server would."""
    tallies = (Tally.of(mechanism.perturb(some), mechanism) for some in batches(people))
    return frequencies(reduce(add, tallies), consistency="norm-sub")


def batches(people: People) -> Iterator[list[Hashable]]:
    """The people, some at a time."""
    for start in range(0, people.size, AT_A_TIME):
        yield people[start : start + AT_A_TIME].tolist()


def line(scores: list[Score]) -> str:
    """The averages over collections."""
    raw, norm, clipped, ratio, covered, recall = np.mean([tuple(vars(score).values()) for score in scores], 0)
    found = f"{recall:.0%}" if len(scores) == 1 else "–"
    return f"{raw:.2e}  {norm:.2e}  {clipped:.2e}          {ratio:<16.3f}  {covered:<6.1%}   {found}"


if __name__ == "__main__":
    main()
