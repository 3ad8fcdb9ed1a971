"""How fast categories are randomized and counted, against the packages that do the same.

    python -m benchmarks.counting

All sides serve the same people, turn and turn about in one process and one thread, and medians are compared.
Each package counts reports that it made itself, for its hash functions and formats differ from ours; being
slow, it gets fewer people than we do, and rates are per report. Our words come from AES-256-CTR, theirs from
a Mersenne Twister.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import packaged, rivals
from benchmarks.packaged import KRR, OLH, OUE, MultiFreqLDPy, Package, PureLDPPackage
from benchmarks.timing import Row, show
from noisewright import Categories
from noisewright.domains import Cells, Floats
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.categorical import FrequencyOracle

LABELS = 100
EPSILON = 1.0
REPEATS = 9

Work = tuple[Callable[[], object], int]
"""Something to do, and how many reports it makes or counts."""

MANY = {KRR: 1_000_000, OUE: 100_000, OLH: 1_000_000}
FEW = {KRR: 100_000, OUE: 4_000, OLH: 2_000}
"""People on our side and on theirs: enough for some milliseconds a turn."""

WORDS = 1 << 22
SHARERS = 100_000
OURS = "ours"
LIMIT = "raw AES-256-CTR words"
SHARING = "pure-ldp, shared hashes"
UNASKED = (LIMIT, SHARING)
"""Set beside ours for scale: the limit of the machine, and a protocol with larger errors."""

PERTURBING = {KRR: 8.0, OUE: None, OLH: None}
COUNTING = {OUE: None, OLH: 50.0}
"""How many times faster we want to be."""


def main() -> None:
    """Run this benchmark alone."""
    show(rows())


def rows() -> list[Row]:
    """The lines of the table: perturbing, then counting."""
    packages = packaged.installed(LABELS, EPSILON)
    table = []
    for protocol, asked in PERTURBING.items():
        table += compare(f"{protocol}: perturb, k = {LABELS}", perturbing(protocol, packages), asked)
    for protocol, asked in COUNTING.items():
        table += compare(f"{protocol}: count, k = {LABELS}", counting(protocol, packages), asked)
    return table


def perturbing(protocol: str, packages: list[Package]) -> dict[str, Work]:
    """Drawing reports: ours first."""
    cells = everyone(MANY[protocol])
    some = cells[: FEW[protocol]]
    works: dict[str, Work] = {OURS: (partial(oracle(protocol).perturb_cells, cells), cells.size)}
    if protocol == KRR:
        works[LIMIT] = rivals.raw_words(WORDS), WORDS
    for package in packages:
        works[package.name] = partial(package.perturb, protocol, package.people(some)), some.size
        if protocol == KRR and isinstance(package, MultiFreqLDPy):
            works[f"{package.name}, loop compiled"] = package.compiled_loop(some), some.size
    return works


def counting(protocol: str, packages: list[Package]) -> dict[str, Work]:
    """From reports to shares: ours first."""
    cells, mechanism = everyone(MANY[protocol]), oracle(protocol)
    mine = mechanism.perturb_cells(cells)
    works: dict[str, Work] = {OURS: (partial(shares, mechanism, mine), cells.size)}
    some = cells[: FEW[protocol]]
    for package in packages:
        reports = package.perturb(protocol, package.people(some))
        works[package.name] = partial(package.count, protocol, reports), some.size
        if protocol == OLH and isinstance(package, PureLDPPackage):
            more = cells[:SHARERS]  # its hash functions are counted once, however many share them
            works[SHARING] = package.shared_hashes(package.people(more)), more.size
    return works


def shares(mechanism: FrequencyOracle, reports: NDArray[Any]) -> Floats:
    """Unbiased shares of all labels."""
    return mechanism.unbiased(mechanism.supports(reports), len(reports))


def oracle(protocol: str) -> FrequencyOracle:
    """Our mechanism for a protocol."""
    made = Mechanism.registry[protocol.replace("k-RR", "KRR")](Categories(range(LABELS)), EPSILON)
    assert isinstance(made, FrequencyOracle)
    return made


def everyone(count: int) -> Cells:
    """People with a few frequent and many rare labels; public, so a seed will do."""
    return np.random.default_rng(6).zipf(1.5, count) % LABELS


def compare(what: str, works: dict[str, Work], asked: float | None) -> list[Row]:
    """A line for each rival, with the ratio of medians."""
    speeds = medians(works)
    ours, mine = speeds.pop(OURS), works[OURS][1]
    if not speeds:
        return [Row(what, ours, note="no other package is installed")]
    table = []
    for name, theirs in speeds.items():
        note = f"{theirs / 1e6:,.3g} M/s; {mine:,} and {works[name][1]:,} reports"
        row = Row(what, ours, name, ours / theirs, note=note)
        if asked is not None and name not in UNASKED:
            row = replace(row, asked=f"≥ {asked:g}×", kept=ours >= asked * theirs)
        table.append(row)
    return table


def medians(works: dict[str, Work]) -> dict[str, float]:
    """Reports a second in the median turn; all take turns, so that a busy machine slows all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(REPEATS + 1):
        for name, (work, _) in works.items():
            start = time.perf_counter()
            work()
            if turn:  # the first turn compiles and warms up
                seconds[name].append(time.perf_counter() - start)
    return {name: count / median(seconds[name]) for name, (_, count) in works.items()}


if __name__ == "__main__":
    main()
