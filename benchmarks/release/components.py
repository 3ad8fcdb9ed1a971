"""PCA: what restoring records from released components loses, ‖X′ − X‖ / ‖X‖ (figures 6 and 7).

    python -m benchmarks.release components --data FOLDER [--worlds 1024]

Dry Bean in [0, 1], 16 columns; CIFAR-10 in 8 × 8 grey pixels, 64 columns (published: 3,072 colours), in a
quarter of the worlds. On test records; less is better. "no noise" is the mean over worlds. The mean of the
columns is released with the components; the published experiments neither subtract nor release one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.release import data
from benchmarks.release.clock import clocked
from benchmarks.release.playing import BUDGET_NAMES, SHAPES, Played
from benchmarks.release.text import Line, needed, numbers, parser, show, status
from noisewright.release.algorithms.components import Components

BEAN_COMPONENTS, PICTURE_COMPONENTS = (1, 4, 8), (1, 3)
RELEASES = 200
PICTURES_TESTED = 2000


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    chosen = parser("components", __doc__).parse_args(arguments)
    folder = needed(chosen.data, "components")
    lines = [
        *tried("dry bean", data.beans(folder), BEAN_COMPONENTS, chosen.worlds, chosen.jobs),
        *tried("CIFAR-10", pictures(folder), PICTURE_COMPONENTS, chosen.worlds // 8 * 2, chosen.jobs),
    ]
    names = ("data", "components", "noise", "no noise", *BUDGET_NAMES, "all worlds took")
    show("restoration error of PCA", names, lines)
    return status(lines)


def pictures(folder: Path) -> data.Parted:
    """All pictures of the pool, some of the test."""
    parted = data.read_pictures(folder)
    test = data.Table(parted.test.rows[:PICTURES_TESTED], parted.test.labels[:PICTURES_TESTED])
    return data.Parted(parted.pool, test)


def tried(name: str, parted: data.Parted, counts: Sequence[int], worlds: int, jobs: int) -> Iterator[Line]:
    """The errors of each number of components and shape of noise."""
    for count in counts:
        with clocked() as spent:
            played = Played.of(parted, Components(count), worlds, jobs)
        for shape in SHAPES:
            errors = [-played.unnoised(), *(-worth for worth in played.curve(shape, RELEASES))]
            took = str(spent) if shape == "optimal" else ""
            yield Line((name, str(count), shape, *numbers(errors), took))
