"""Certificates for any black box: all mechanisms and ε of a curve, record by record, from queries."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.randomness import Source
from noisewright.utility.certificate import Certificate, Moments
from noisewright.utility.curve import Curve
from noisewright.utility.progress import Progress
from noisewright.utility.records import Records
from noisewright.utility.sampling.asking import Box, Question
from noisewright.utility.sampling.bounds import check_alpha
from noisewright.utility.sampling.families import find_families
from noisewright.utility.sampling.plan import MOST_SHARED, Part, Plan
from noisewright.utility.sampling.seeding import generator
from noisewright.utility.sampling.tally import Tally, merged

_TRIAL_SHARE = 16
_MARGIN = 0.9
"""With a width to reach, 1/16 of the queries try how many are needed for 9/10 of it."""

_LEAST_TRIED = 64
"""With fewer queries a channel, a trial would tell nothing."""

_LEAST = 8
"""Queries for a record and each family of channels, without which nothing can be said."""

_ENDS = ("low", "estimate", "high", "failing", "squares", "largest")


def certify_by_queries(
    box: Box,
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
    """Intervals for the utility of every record under every mechanism and ε, from at most about ``queries``.

    Each interval misses with probability at most ``alpha``: divide by the number of intervals for all to
    hold together. ``references`` are the answers that ought to survive, as codes of the box. The queries are
    shared evenly among the records; a record stops early once its intervals are narrower than ``width``.
    Queries are simulated reports: ``source`` is a seed for them (from the operating system if not given).
    """
    check_alpha(alpha)
    random = generator(source)
    families = find_families(curve.flat())
    _check_queries(queries, len(records), len(families))
    found = {name: np.empty((len(records), len(curve.flat()))) for name in _ENDS}
    before = box.queries
    for record, unit in enumerate(records.units()):
        question = Question(box, records, record, int(references[record]))
        plan = Plan(question, curve.flat(), families, unit, random)
        for part in plan.parts(queries // len(records)):
            for name, row in _judged(part, alpha, width).items():
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


def _check_queries(queries: int, records: int, families: int) -> None:
    least = _LEAST * families * records
    if queries < least:
        raise InvalidParameter(
            f"{queries} queries are too few for {records} records; allow at least {least},"
            " or look at fewer records"
        )


def _judged(part: Part, alpha: float, width: float | None) -> dict[str, Floats]:
    """The intervals and moments of the channels of a family."""
    first, tally, looks = _asked(part, alpha, width)
    low, estimate, high = tally.utility(alpha / looks)
    moments = {"failing": first.failing, "squares": first.squares, "largest": first.largest}
    return {"low": low, "estimate": estimate, "high": high, **moments}


def _asked(part: Part, alpha: float, width: float | None) -> tuple[Tally, Tally, int]:
    """A tally of fixed size, the tally of all queries, and how many looks at the width were allowed for.

    A trial that is then thrown away finds the size. If the intervals are still too wide, what is left is
    asked as well; that is a second look, and the error probability is divided among both. Averages over
    records use the first tally, whose size does not depend on its own answers.
    """
    if width is None or part.exact or part.queries < _LEAST_TRIED * len(part.family):
        tally = part.sample(part.queries)
        return tally, tally, 1
    trial = part.sample(part.queries // _TRIAL_SHARE)
    left = part.queries - trial.queries
    first = part.sample(_needed(trial, alpha / 2, _MARGIN * width, left)) if left > 0 else trial
    left -= first.queries
    if left < first.queries / 8 or _widest(first, alpha / 2) <= width:
        return first, first, 2
    return first, merged(first, part.sample(left)), 2


def _needed(trial: Tally, alpha: float, width: float, most: int) -> int:
    """The least number of queries, in steps of two, after which intervals ought to be so narrow."""
    size = trial.queries
    while size < most and _widest(trial.scaled(size / trial.queries), alpha) > width:
        size *= 2
    return min(size, most)


def _widest(tally: Tally, alpha: float) -> float:
    low, _, high = tally.utility(alpha)
    return float((high - low).max())
