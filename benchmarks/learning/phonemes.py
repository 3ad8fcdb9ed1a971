"""Figure 5: the phonemes "sh" and "iy" told apart from log-periodograms that nobody hands over.

    python -m benchmarks.learning phonemes --data FOLDER [--repetitions 200] [--epsilons 1]   # has phoneme/

Of 2,035 curves 535 are for testing, 300 report the tanh of four Fourier coefficients, each 50 of 1,200 judge
one of 24 weak classifiers; the cut-off is 0.9 (Qin and Bai 2026, section 7.2). The paper's numbers of curves
are the wrong way round: the file has 1,163 of "iy" and 872 of "sh".
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks.learning.functional import LEARNERS
from benchmarks.learning.functional_text import error_table
from benchmarks.learning.functional_trial import Design, People, trial
from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.io.file_access import existing_file, reading
from noisewright.learn.ensemble import Plan
from noisewright.learn.functional import FourierBasis, FunctionalFeatures

EPSILONS = (1.0,)
DESIGN = Design(Plan(weak=24, training=300, subset=50, evaluation=1200), cutoff=0.9)
TESTING = 535
FEATURES = FunctionalFeatures(FourierBasis(4))
FREQUENCIES = tuple(f"x.{place}" for place in range(1, 257))
PHONEMES = ("iy", "sh")


def read_phonemes(folder: Path) -> People:
    """Everybody's unit coefficients, and 1 for every "sh"."""
    import pyarrow.parquet as pq

    found = existing_file(folder / "phoneme" / "phoneme.parquet")
    with reading(found):
        table = pq.read_table(found)
    missing = [name for name in (*FREQUENCIES, "g") if name not in table.column_names]
    if missing:
        raise BadTable(f"{found} has no column {missing[0]!r}; is it the phoneme table?")
    spoken = np.array(table["g"].to_pylist())
    chosen = np.isin(spoken, PHONEMES)
    curves = np.stack([table[name].to_numpy()[chosen] for name in FREQUENCIES], axis=1, dtype=np.float64)
    codes = (spoken[chosen] == PHONEMES[1]).astype(np.int64)
    if len(codes) != DESIGN.plan.people + TESTING:
        raise BadTable(f"{found} must have {DESIGN.plan.people + TESTING} rows of {' and '.join(PHONEMES)}")
    return People(FEATURES.transform(curves), codes)


def halves(people: People, seed: int) -> tuple[People, People]:
    """Clients and test curves of one random split."""
    order = np.random.default_rng(seed).permutation(len(people))
    testing, clients = (
        People(people.units[rows], people.codes[rows]) for rows in (order[:TESTING], order[TESTING:])
    )
    return clients, testing


def repetition(people: People, epsilons: Sequence[float], seed: int) -> Floats:
    """The errors of one random split, (ε, learners, columns)."""
    clients, testing = halves(people, seed)
    rows = [
        [trial(clients, testing, learner.on(FEATURES), DESIGN, epsilon, seed) for learner in LEARNERS]
        for epsilon in epsilons
    ]
    return np.array(rows)


def figure_five(
    people: People, repetitions: int, epsilons: Sequence[float] = EPSILONS, jobs: int = 1, seed: int = 0
) -> Floats:
    """All errors, (ε, learners, repetitions, columns)."""
    seeds = range(seed, seed + repetitions)
    found = Parallel(n_jobs=jobs)(delayed(repetition)(people, epsilons, one) for one in seeds)
    return np.moveaxis(np.array(found), 0, 2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning phonemes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--data", type=Path, required=True, help="folder that holds phoneme/")
    options.add_argument("--repetitions", type=int, default=200)
    options.add_argument("--epsilons", type=float, nargs="+", default=list(EPSILONS))
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args(arguments)
    people = read_phonemes(chosen.data)
    found = figure_five(people, chosen.repetitions, chosen.epsilons, chosen.jobs, chosen.seed)
    names = [learner.name for learner in LEARNERS]
    for epsilon, errors in zip(chosen.epsilons, found, strict=True):
        print("\n".join([*error_table(f"phonemes sh and iy, ε = {epsilon:g}", names, errors), ""]))
    share = people.codes.mean()
    print(f"the more frequent phoneme for everybody: {100 * min(share, 1 - share):.1f} % wrong")


if __name__ == "__main__":
    main()
