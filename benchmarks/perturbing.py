"""How fast reports are drawn."""

from __future__ import annotations

import numpy as np

from benchmarks import rivals
from benchmarks.timing import Row, rate
from noisewright import Circle, Interval
from noisewright.domains import NumericDomain
from noisewright.mechanisms import Laplace, Mechanism
from noisewright.mechanisms.catalogue import applicable, build

EPSILON = 1.0
BATCH = 1 << 20
"""Reports a call: what a table engine hands over at a time, small enough that memory is used again."""

MANY = 1 << 23
"""Reports a call for which the operating system must hand out, and zero, fresh memory every time."""


def rows() -> list[Row]:
    """The raw stream, the two optimal mechanisms against it and against NumPy, and Laplace against OpenDP."""
    raw = rate(rivals.raw_words(MANY), MANY)
    table = [Row("raw AES-256-CTR words", raw, note="one word a report is the physical limit")]
    for name, domain in (("OGPM", Interval(0, 1)), ("CircularOGPM", Circle(1))):
        table += optimal(Mechanism.registry[name](domain, EPSILON), raw)
    return [*table, *laplace(), *others()]


def optimal(mechanism: Mechanism, raw: float) -> list[Row]:
    """One mechanism against the raw stream and against NumPy; and once more with fresh memory."""
    name, circular = type(mechanism).__name__, isinstance(mechanism.domain, Circle)
    values = np.random.default_rng(1).random(MANY)
    batch = values[:BATCH]
    ours = rate(lambda: mechanism.perturb(batch), BATCH, repeats=15)
    theirs = rate(rivals.numpy_ogpm(batch, EPSILON, circular), BATCH, repeats=5)
    many = rate(lambda: mechanism.perturb(values), MANY)
    fresh = "8 million reports a call: fresh memory is zeroed first"
    return [
        Row(name, ours, "NumPy + os.urandom", ours / theirs, "≥ 5×", ours >= 5 * theirs),
        Row(name, ours, "raw words (raw/ours)", raw / ours, "≤ 3×", raw <= 3 * ours),
        Row(name, many, "raw words (raw/ours)", raw / many, note=fresh),
    ]


def laplace() -> list[Row]:
    """Safe Laplace noise against OpenDP's."""
    values = np.random.default_rng(2).random(2_000_000)
    mechanism = Laplace(Interval(0, 1), EPSILON)
    ours = rate(lambda: mechanism.perturb(values), values.size, repeats=3)
    few = values[:20_000]
    rival = rivals.opendp_laplace(few)
    if rival is None:
        return [Row("Laplace", ours, "OpenDP", asked="≥ 50×", note="OpenDP is not installed")]
    theirs = rate(rival, few.size, repeats=2)
    return [Row("Laplace", ours, "OpenDP vector Laplace", ours / theirs, "≥ 50×", ours >= 50 * theirs)]


def others() -> list[Row]:
    """Every other mechanism, without a rival."""
    table = []
    values = np.random.default_rng(3).random(1_000_000)
    kinds = {kind.__name__: kind for domain in (Circle(1), Interval(0, 1)) for kind in applicable(domain)}
    for name, kind in sorted(kinds.items()):
        if name not in ("OGPM", "CircularOGPM", "Laplace"):
            where: NumericDomain = Interval(0, 1) if Interval in kind.domains else Circle(1)
            mechanism = build(kind, where, EPSILON)
            table.append(Row(name, rate(lambda m=mechanism: m.perturb(values), values.size, repeats=2)))  # type: ignore[misc]
    return table
