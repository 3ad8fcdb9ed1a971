"""Certificates for any black box: all mechanisms and ε of a curve, record by record, from queries."""

from __future__ import annotations

import math

import numpy as np

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.progress import Progress
from noisewright.randomness import Source
from noisewright.utility.core.certificate import Certificate, Moments
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records
from noisewright.utility.models import BlackBox
from noisewright.utility.sampling.bounds import check_alpha
from noisewright.utility.sampling.families import find_families
from noisewright.utility.sampling.plan import MOST_SHARED, Part, Plan
from noisewright.utility.sampling.queries import Question, generator
from noisewright.utility.sampling.tally import Tally

_TRIAL_SHARE = 32
_MARGIN = 0.9
"""Part of the requested width for which a trial with 1/32 of the queries plans the number of queries."""

_EARLY = 0.25
"""The part of the error probability that is spent on stopping early; the rest is for all queries."""

_LEAST_TRIED = 64
"""Fewest queries per channel with which a trial is useful."""

_LEAST = 8
"""Fewest queries for a record and each family of channels."""

_FOUND = ("low", "estimate", "high", "failing", "squares", "largest")


def certify_by_queries(
    box: BlackBox,
    records: Records,
    references: Cells,
    curve: Curve,
    *,
    alpha: float,
    queries: int,
    width: float | None = None,
    source: int | Source | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """Return intervals for the utility of every record under every mechanism and ε.

    Queries are simulated reports, and are divided evenly among the records.

    Args:
        box: The model, as a :class:`~noisewright.utility.models.BlackBox`.
        records: The records to predict.
        references: The answers that should survive, as codes of the box.
        curve: The mechanisms and ε.
        alpha: Probability that one interval misses; divide by their number if all must hold together.
        queries: Approximate largest number of rows that are asked.
        width: Width of its intervals at which a record stops early; None uses all queries.
        source: A seed or source of the queries; None draws a seed from the operating system.
        progress: Called with the number of finished records and the number of all.
    """
    check_alpha(alpha)
    random = generator(source)
    families = find_families(curve.flat())
    if queries < (least := _LEAST * len(families) * len(records)):
        raise InvalidParameter(
            f"{queries} queries are too few for {len(records)} records; allow at least {least},"
            " or look at fewer records"
        )
    found = {name: np.empty((len(records), len(curve.flat()))) for name in _FOUND}
    before = box.queries
    for record, unit in enumerate(records.units()):
        question = Question(box, records, record, int(references[record]))
        plan = Plan(question, curve.flat(), families, unit, random, alpha)
        for part in plan.parts(queries // len(records)):
            first, tally, chance = _take_samples(part, alpha, width)
            rows = (*tally.utility(chance), first.failing, first.squares, first.largest)
            for name, row in zip(_FOUND, rows, strict=True):
                found[name][record, part.family.members] = row
        if progress is not None:
            progress(record + 1, len(records))
    shaped = {name: rows.reshape(len(records), *curve.shape) for name, rows in found.items()}
    method = "channel samples" if len(records.sensitive) > MOST_SHARED else "queries"
    return Certificate(
        shaped["estimate"],
        shaped["low"],
        shaped["high"],
        method=(method,) * len(records),
        queries=box.queries - before,
        moments=Moments(shaped["failing"], shaped["squares"], shaped["largest"]),
    )


def _take_samples(part: Part, alpha: float, width: float | None) -> tuple[Tally, Tally, float]:
    """Return a tally of fixed size, the final tally, and the error probability that is left for it.

    A trial, which is then discarded, determines the size. If that is less than all queries, the width may be
    checked twice: early, and after all queries; the error probability is divided between both. Averages over
    records use the first tally, whose size does not depend on its own answers.
    """
    if width is None or part.exact or part.queries < _LEAST_TRIED * len(part.family):
        tally = part.sample(part.queries)
        return tally, tally, alpha
    trial = part.sample(part.queries // _TRIAL_SHARE)
    most = part.queries - trial.queries
    wanted = float(trial.queries)  # in steps of a quarter, until intervals should be narrow enough
    while wanted < most and _widest(trial.scale(wanted / trial.queries), _EARLY * alpha) > _MARGIN * width:
        wanted *= 1.25
    size = min(math.ceil(wanted), most)
    first = part.sample(size)
    if size == most:
        return first, first, alpha
    if _widest(first, _EARLY * alpha) <= width:
        return first, first, _EARLY * alpha
    left = most - first.queries
    tally = first if left < first.queries / 8 else first.join(part.sample(left))
    return first, tally, (1 - _EARLY) * alpha


def _widest(tally: Tally, alpha: float) -> float:
    low, _, high = tally.utility(alpha)
    return float((high - low).max())
