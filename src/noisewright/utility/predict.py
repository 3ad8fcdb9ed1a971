"""Predicting how often a classifier's answer survives local privacy: the entry point of this room.

Linear models and trees are read and solved exactly; everything else is asked, and the answers bound the
utility of every mechanism and ε at once. Nothing is randomized for anybody here: reports are simulated.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.catalogue import DEFAULT_DELTA
from noisewright.parameters import is_number, whole
from noisewright.utility.asking import Answers, Asking, ask_records, model_columns
from noisewright.utility.bands import average_band, group_bands, worst_band
from noisewright.utility.certificate import Certificate
from noisewright.utility.curve import (
    DEFAULT_MECHANISMS,
    Curve,
    Factory,
    Wanted,
    make_curve,
    read_epsilons,
)
from noisewright.utility.groups import group_members
from noisewright.utility.models import BlackBox
from noisewright.utility.prediction import Prediction, WidthNotReached
from noisewright.utility.progress import Progress
from noisewright.utility.reading import SensitiveFeatures, read_records
from noisewright.utility.records import Records
from noisewright.utility.solving import find_solver

DEFAULT_EPSILONS = tuple(np.linspace(0.5, 8.0, 64).tolist())
DEFAULT_QUERIES = 200_000
ROUNDING, UNALIGNED = 1e-11, 2e-5
"""Bounds are moved outward by so much a feature: see ``slack``."""

OWN = "the model's answer on the true record"
GIVEN = "the given answer"


def predict_utility(
    model: Any,
    data: Any,
    *,
    sensitive: SensitiveFeatures,
    epsilons: ArrayLike = DEFAULT_EPSILONS,
    mechanisms: Sequence[Wanted] | Mapping[str, Wanted | Factory] = DEFAULT_MECHANISMS,
    per: str = "feature",
    confidence: float = 0.99,
    queries: int = DEFAULT_QUERIES,
    width: float | None = None,
    answers: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    features: Sequence[str] | None = None,
    records: ArrayLike | None = None,
    points: int | None = None,
    delta: float = DEFAULT_DELTA,
    exact: bool = True,
    asking: Asking = Asking(),  # noqa: B008  (frozen)
    seed: int | None = None,
    progress: Progress | None = None,
) -> Prediction:
    """How often a classifier answers a record as before when its sensitive features are randomized.

    ``model`` is a callable from rows to labels, a fitted scikit-learn classifier, or what
    ``models.open_model`` opens. ``data`` is an array or a table of true records; ``sensitive`` names the
    features that are randomized, each with its interval. ``epsilons`` are budgets of one feature, or of the
    whole record with ``per="record"``, where they are divided evenly.

    The answer to survive is the model's own on the true record, or ``answers`` (true labels). ``groups``, one
    label a record, asks for the average of each group. ``records`` are the numbers of the records to look at,
    counted from 1; all if not given. The columns are those that the model remembers from its fit, or all of a
    table, or ``features``. A model that cannot be solved exactly is asked at most ``queries``
    times, and fewer if all intervals are narrower than ``width`` before; if some never are, ``width_reached``
    of the result is False and a ``WidthNotReached`` warns.

    >>> from sklearn.linear_model import LogisticRegression
    >>> rows = np.array([[0.1], [0.4], [0.6], [0.9]])
    >>> model = LogisticRegression(C=1e6).fit(rows, [0, 0, 1, 1])
    >>> found = predict_utility(model, rows, sensitive={0: (0, 1)}, epsilons=[1, 2, 4], mechanisms=["OGPM"])
    >>> found.exact, found.average.low.round(3).tolist()
    (True, [[0.65, 0.776, 0.932]])
    """
    box = asking.box(model)
    there = read_records(data, sensitive, model_columns(box.classifier, features))
    places, alpha, width = _places(records, len(there)), 1 - read_confidence(confidence), read_width(width)
    members = group_members(groups, len(there), places)
    each = _each(epsilons, per, len(there.sensitive))
    curve = make_curve(mechanisms, each, points=points, delta=delta, lattice=there.lattice)
    chosen, known = ask_records(box, there, places, answers)
    intervals, margin = (len(chosen) + 1 + len(members)) * len(curve.flat()), slack(curve, chosen)
    solve = _solver(box, chosen, known, progress) if exact else None
    certificate = None if solve is None else solve(curve, np.arange(len(chosen)))
    if certificate is None:
        solve = None
        most = whole("queries", queries, 1, 1 << 40)
        certificate = _asked(box, chosen, known, curve, alpha / intervals, most, width, seed, progress)
    found = Prediction(
        curve,
        chosen,
        certificate,
        confidence=1 - alpha,
        average=average_band(certificate, alpha / intervals, margin=margin),
        worst=worst_band(certificate),
        groups=group_bands(certificate, alpha / intervals, members, margin),
        members=members,
        model=box.classifier.name,
        answers=OWN if answers is None else GIVEN,
        asked=box.queries,
        width=width,
        again=solve,
    )
    if not found.width_reached:
        warnings.warn(
            f"a width of {width:g} was asked for, but the widest interval of a record is {found.widest:.2g} "
            f"wide after {certificate.queries:,} queries; allow more queries, fewer records, mechanisms or "
            "values of epsilon, or a lower confidence",
            WidthNotReached,
            stacklevel=2,
        )
    return found


Solve = Callable[[Curve, Cells], Certificate | None]


def _solver(box: BlackBox, records: Records, known: Answers, progress: Progress | None) -> Solve | None:
    """How to solve some of the records exactly for any curve; None for a model that cannot be read."""
    found = find_solver(box, records, known.own)
    if found is None:
        return None
    solver, read = found

    def solve(curve: Curve, which: Cells) -> Certificate | None:
        certificate = solver(read, records.take(which), known.expected[which], curve, progress)
        return None if certificate is None else certificate.widened(slack(curve, records))

    return solve


def _asked(
    box: BlackBox,
    records: Records,
    known: Answers,
    curve: Curve,
    alpha: float,
    queries: int,
    width: float | None,
    seed: int | None,
    progress: Progress | None,
) -> Certificate:
    """The certificate of a model that must be asked, within its budget."""
    from noisewright.utility.sampling import certify_by_queries  # noqa: PLC0415  (scipy is slow to load)

    left = queries if box.budget is None else min(queries, box.budget - box.queries)
    if left < 1:
        raise InvalidParameter(f"the true records use up the budget of {box.budget} questions; raise it")
    margin = slack(curve, records)
    narrow = None if width is None else max(width - 2 * float(margin.max()), width / 2)
    certificate = certify_by_queries(
        box, records, known.expected, curve,
        alpha=alpha, queries=left, width=narrow, source=seed, progress=progress,
    )  # fmt: skip
    return certificate.widened(margin)


def slack(curve: Curve, records: Records) -> Floats:
    """How far the probabilities of a record's reports may be off, for every mechanism and ε.

    Laws are those of the unit interval. On other intervals sums of doubles differ in the last bits; reports
    on a lattice of their own (T-PM, T-SW) may lie a cell or two elsewhere.
    """
    own = [ROUNDING if channel.lattice.fits else UNALIGNED for channel in curve.flat()]
    return len(records.sensitive) * np.array(own).reshape(curve.shape)


def read_confidence(confidence: float) -> float:
    """A confidence as a number, or a refusal."""
    if not (is_number(confidence) and 0.5 <= float(confidence) < 1):
        raise InvalidParameter(f"confidence must be at least 0.5 and below 1, got {confidence!r}")
    return float(confidence)


def read_width(width: float | None) -> float | None:
    """The width that intervals are to have, or a refusal."""
    if width is not None and not (is_number(width) and 0 < float(width) < 1):
        raise InvalidParameter(f"width must be above 0 and below 1, got {width!r}")
    return None if width is None else float(width)


def _each(epsilons: ArrayLike, per: str, features: int) -> Floats:
    if per not in ("feature", "record"):
        raise InvalidParameter(f'per must be "feature" or "record", not {per!r}')
    budgets = read_epsilons(epsilons)
    return np.asarray(budgets / features if per == "record" else budgets)


def _places(records: ArrayLike | None, there: int) -> Cells:
    """The rows of the records that are asked for."""
    if records is None:
        return np.arange(there)
    numbers = np.atleast_1d(np.asarray(records))
    if numbers.dtype.kind not in "iu" or not numbers.size:
        raise InvalidParameter("records are given by their numbers, counted from 1")
    outside = numbers[(numbers < 1) | (numbers > there)]
    if outside.size:
        raise InvalidParameter(f"there is no record {outside[0]}; the data has {there}")
    return np.unique(numbers.astype(np.int64)) - 1
