"""The paper's yardstick ρ̂: how often the answer holds among a few thousand simulated reports.

It has the error of its draws, ±0.02 at 2,000, which the paper does not state; a record's true value lies
beyond that in one case of twenty.
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.base import open_stream
from noisewright.parameters import whole
from noisewright.randomness import Source, Stream
from noisewright.utility.channels import Channel
from noisewright.utility.curve import Curve
from noisewright.utility.published.points import uniforms
from noisewright.utility.published.robustness import Asked
from noisewright.utility.records import Records

DRAWS = 2000
"""Simulated reports for each record, mechanism and ε (section 7.1)."""


def empirical_utility(
    box: Asked,
    records: Records,
    references: Cells,
    curve: Curve,
    *,
    draws: int = DRAWS,
    source: Source | None = None,
) -> Floats:
    """The share of simulated reports that keep the answer, as (records, mechanisms, ε).

    Reports are drawn from the exact law of each channel; those outside 0..1 are lost, as in the paper, and
    the model is not asked about them.
    """
    stream, draws = open_stream(source), whole("draws", draws, 1, 10_000_000)
    shares = np.empty((len(records), len(curve.flat())))
    for one in range(len(records)):
        reports = [_reports(channel, records.units()[one], stream, draws) for channel in curve.flat()]
        shares[one] = _kept(box, records, one, int(references[one]), reports)
    return shares.reshape(len(records), *curve.shape)


def _reports(channel: Channel, units: Floats, stream: Stream, draws: int) -> Floats:
    """Simulated reports of one record through one channel, one row a draw."""
    spread = uniforms(stream, draws, units.size)
    return np.stack(
        [
            channel.lattice.centres(channel.law(float(unit)).draw(spread[:, axis]))
            for axis, unit in enumerate(units)
        ],
        axis=1,
    )


def _kept(box: Asked, records: Records, one: int, reference: int, reports: list[Floats]) -> Floats:
    """The share of each set of reports that keeps the answer; one question serves all sets."""
    every = np.stack(reports)
    inside = ((every >= 0) & (every <= 1)).all(axis=2)
    kept = np.zeros(inside.shape, dtype=bool)
    if inside.any():
        rows = records.placed(one, every[inside])
        kept[inside] = box.ask(rows, int(records.numbers[one])) == reference
    return np.asarray(kept.mean(axis=1))
