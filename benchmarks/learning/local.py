"""LocalClassifier where MRMA was tried: its error beside MRMA's as published, and beside no classifier.

    python -m benchmarks.learning local [--data FOLDER] [--repetitions 100] [--epsilons 0.1 1] [--jobs 2]

FOLDER holds diabetes/ and phoneme/; without it simulated curves and breast cancer are left. Every repetition
draws people and noise anew. "majority" always answers the clients' more frequent class, about the same test
people; "above" is how far our mean error lies above it, with the z of that paired difference and whether it
is significantly above (one-sided at 1 %). "held" is the share of repetitions whose 95 % interval of
``accuracy_`` held the accuracy on the test people, their own noise counted (as of independent people: split
by "distinct" they are not, and fewer hold). "swapped" is the diabetes table with its labels exchanged, so
that the first class, LocalClassifier's default, is not the more frequent one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.learning.diabetes_table import SPLITS
from benchmarks.learning.local_trial import Tried, standard_error, tried
from benchmarks.learning.local_worlds import World, cancer, curves, diabetes, spoken
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON, whole

WORLDS = ("diabetes", "swapped", "phonemes", "curves", "cancer")
NEED_DATA = ("diabetes", "swapped", "phonemes")


def table(world: World, every: Sequence[Tried]) -> Iterator[str]:
    """One line for each ε, errors in % with their standard errors."""
    rivals = "".join(f"{name:>{_width(name)}}" for name in world.rivals)
    yield f"{world.name}: error in % ± standard error over {len(every[0].outcomes)} repetitions"
    ours = f"{'ε':>6}{'LocalClassifier':>18}{'asked':>8}{'majority':>15}"
    yield f"{ours}{rivals}{'above':>8}{'z':>7}{'significantly':>15}{'held':>9}"
    for found in every:
        yield line(found)
        yield f"{'':>6}   chosen: {_counted(found)}{_known(found)}"


def line(found: Tried) -> str:
    """One ε in numbers."""
    means, doubts = 100 * found.errors.mean(axis=0), 100 * standard_error(found.errors)
    ours, majority, *rivals = (f"{mean:.2f} ± {doubt:.2f}" for mean, doubt in zip(means, doubts, strict=True))
    beside = "".join(f"{cell:>{_width(name)}}" for name, cell in zip(found.world.rivals, rivals, strict=True))
    asked = found.world.asked.get(found.epsilon)
    above, z = found.above_majority
    verdict = "yes" if found.worse_than_majority else "no"
    return (
        f"{found.epsilon:>6g}{ours:>18}{'' if asked is None else f'≤ {asked:g}':>8}{majority:>15}{beside}"
        f"{100 * above:>+8.2f}{z:>+7.1f}{verdict:>15}{100 * found.coverage:>7.1f} %"
    )


def _width(name: str) -> int:
    return max(len(name) + 2, 15)


def _counted(found: Tried) -> str:
    return ", ".join(f"{name} {count}" for name, count in found.chosen.most_common())


def _known(found: Tried) -> str:
    known = found.world.known(found.epsilon)
    return f"; {known}" if known else ""


def worlds(names: Sequence[str], folder: Path | None, split: str) -> Iterator[World]:
    """What is asked for; a world that needs the data folder is refused without it."""
    for name in names:
        if name == "curves":
            yield curves()
        elif name == "cancer":
            yield cancer()
        elif folder is None:
            raise InvalidParameter(f"{name} needs --data, the folder that holds diabetes/ and phoneme/")
        elif name == "phonemes":
            yield spoken(folder)
        else:
            yield diabetes(folder, split, swapped=name == "swapped")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    chosen = _options().parse_args(arguments)
    repetitions = whole("repetitions", chosen.repetitions, 2, 1 << 20)
    names = chosen.worlds or [name for name in WORLDS if chosen.data or name not in NEED_DATA]
    for world in worlds(names, chosen.data, chosen.split):
        epsilons = [EPSILON.check(epsilon) for epsilon in chosen.epsilons or world.epsilons]
        every = [tried(world, epsilon, repetitions, chosen.jobs, chosen.seed) for epsilon in epsilons]
        print("\n".join([*table(world, every), ""]), flush=True)


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.learning local",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--data", type=Path, help="folder that holds diabetes/ and phoneme/")
    options.add_argument("--worlds", nargs="+", choices=WORLDS, help="which of them; all by default")
    options.add_argument("--repetitions", type=int, default=100)
    options.add_argument("--epsilons", type=float, nargs="+", help="in place of those of each world")
    options.add_argument("--split", choices=SPLITS, default="rows", help="of the diabetes table")
    options.add_argument("--jobs", type=int, default=2, help="joblib's n_jobs")
    options.add_argument("--seed", type=int, default=0, help="of the first repetition")
    return options


if __name__ == "__main__":
    main()
