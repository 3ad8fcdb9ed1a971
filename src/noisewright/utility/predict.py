"""Prediction of how often a classifier's answer survives local privacy: the entry point of this package.

Linear models and trees are read and solved exactly. Every other model is sampled, and its answers bound the
utility of all mechanisms and ε at once. Nobody's data is randomized here: reports are simulated.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.catalogue import DEFAULT_DELTA
from noisewright.parameters import is_number, one_of, whole
from noisewright.progress import Progress
from noisewright.utility.answers import Answers, Asking, ask_records, find_solver, model_columns
from noisewright.utility.core.certificate import Band, Certificate, Moments, read_confidence
from noisewright.utility.core.curve import (
    DEFAULT_MECHANISMS,
    Curve,
    Factory,
    Wanted,
    make_curve,
    read_epsilons,
)
from noisewright.utility.core.records import Records, SensitiveFeatures, read_records
from noisewright.utility.models import BlackBox
from noisewright.utility.prediction import Prediction, WidthNotReached

DEFAULT_EPSILONS: tuple[float, ...] = tuple(np.linspace(0.5, 8.0, 64).tolist())
DEFAULT_QUERIES = 200_000
ROUNDING, UNALIGNED = 1e-11, 2e-5
"""Distance per feature by which bounds are moved outward: see ``slack``."""

MOST_GROUPS = 100
"""Largest number of groups in one prediction."""

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
    """Predict how often a classifier answers a record as before when its sensitive features are randomized.

    Linear models and trees are solved exactly. Any other model is asked at most ``queries`` times, and fewer
    if all intervals are narrower than ``width`` before. All bounds hold together with probability
    ``confidence``.

    Args:
        model: A callable from rows to labels, a fitted scikit-learn classifier, or what ``open_model`` opens.
        data: True records, as a two-dimensional array or a table with named columns.
        sensitive: The features that are randomized, by name or index, each with its interval.
        epsilons: Budgets, ascending; 64 values from 0.5 to 8 by default.
        mechanisms: Names or classes, or a mapping from labels to these or to functions of (domain, ε).
        per: Whether ε is that of one "feature", or of the whole "record", where it is divided evenly.
        confidence: Probability with which all bounds hold together, from 0.5 to below 1.
        queries: Largest number of rows that a model without an exact solution is asked about.
        width: Width of intervals at which sampling stops early; None uses all queries. If some intervals stay
            wider, ``width_reached`` of the result is False and :class:`WidthNotReached` warns.
        answers: True labels, one per record, that should survive; None means the model's own answers.
        groups: One label per record; each group's average is bounded, too. None makes no groups.
        features: The model's columns in its order; None takes those stored at its fit, or all.
        records: Numbers of the records to predict, counted from 1; None takes all.
        points: Points of mechanisms on a grid; None takes each mechanism's own default.
        delta: δ of mechanisms that have one.
        exact: Whether models that can be read are solved exactly; False samples them like any other.
        asking: Batches, time and budget of questions to the model.
        seed: Seed of the simulated reports; None draws one from the operating system.
        progress: Called with the number of finished records and the number of all.

    >>> from sklearn.linear_model import LogisticRegression
    >>> rows = np.array([[0.1], [0.4], [0.6], [0.9]])
    >>> model = LogisticRegression(C=1e6).fit(rows, [0, 0, 1, 1])
    >>> found = predict_utility(model, rows, sensitive={0: (0, 1)}, epsilons=[1, 2, 4], mechanisms=["OGPM"])
    >>> found.exact, found.average.low.round(3).tolist()
    (True, [[0.65, 0.776, 0.932]])
    """
    box = asking.box(model)
    there = read_records(data, sensitive, model_columns(box.classifier, features))
    places, alpha = _places(records, len(there)), 1 - read_confidence(confidence)
    if width is not None and not (is_number(width) and 0 < width < 1):
        raise InvalidParameter(f"must be above 0 and below 1, got {width!r}", field="width")
    members = group_members(groups, len(there), places)
    shared_by = len(there.sensitive) if one_of("per", per, ("feature", "record")) == "record" else 1
    each = read_epsilons(epsilons) / shared_by
    curve = make_curve(mechanisms, each, points=points, delta=delta, lattice=there.lattice)
    chosen, known = ask_records(box, there, places, answers)
    intervals, margin = (len(chosen) + 1 + len(members)) * len(curve.flat()), slack(curve, chosen)
    solve = _solver(box, chosen, known, progress) if exact else None
    certificate = None if solve is None else solve(curve, np.arange(len(chosen)))
    if certificate is None:
        solve = None
        most = whole("queries", queries, 1, 1 << 40)
        certificate = _sampled_certificate(
            box, chosen, known, curve, alpha / intervals, most, width, seed, progress
        )
    found = Prediction(
        curve,
        chosen,
        certificate,
        confidence=1 - alpha,
        average=average_band(certificate, alpha / intervals, margin=margin),
        worst=worst_band(certificate),
        groups={
            name: average_band(certificate, alpha / intervals, which, margin)
            for name, which in members.items()
        },
        members=members,
        model=box.classifier.name,
        answers=OWN if answers is None else GIVEN,
        asked=box.queries,
        width=width,
        again=solve,
    )
    if not found.width_reached:
        warnings.warn(
            f"width={width:g} was not reached: the widest interval of a record is {found.widest:.2g} "
            f"wide after {certificate.queries:,} queries; allow more queries, fewer records, mechanisms or "
            "values of epsilon, or a lower confidence",
            WidthNotReached,
            stacklevel=2,
        )
    return found


Solve = Callable[[Curve, Cells], Certificate | None]


def _solver(box: BlackBox, records: Records, known: Answers, progress: Progress | None) -> Solve | None:
    """Return a function that solves records exactly for any curve; None if the model cannot be read."""
    found = find_solver(box, records, known.own)
    if found is None:
        return None
    solver, read = found

    def solve(curve: Curve, which: Cells) -> Certificate | None:
        certificate = solver(read, records.take(which), known.expected[which], curve, progress)
        return None if certificate is None else certificate.widen(slack(curve, records))

    return solve


def _sampled_certificate(
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
    """Return the certificate of a model that must be sampled, within its budget."""
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
    return certificate.widen(margin)


def slack(curve: Curve, records: Records) -> Floats:
    """Return how far the probabilities of a record's reports may be off, for every mechanism and ε.

    Laws are those of the unit interval. On other intervals, sums of doubles differ in the last bits, and
    reports on a separate lattice (T-PM, T-SW) may be off by a cell or two.
    """
    own = [ROUNDING if channel.lattice.fits else UNALIGNED for channel in curve.flat()]
    return len(records.sensitive) * np.array(own).reshape(curve.shape)


def _places(records: ArrayLike | None, there: int) -> Cells:
    """Return the rows of the requested records."""
    if records is None:
        return np.arange(there)
    numbers = np.atleast_1d(np.asarray(records))
    if numbers.dtype.kind not in "iu" or not numbers.size:
        raise InvalidParameter("records are given by their numbers, counted from 1")
    outside = numbers[(numbers < 1) | (numbers > there)]
    if outside.size:
        raise InvalidParameter(f"there is no record {outside[0]}; the data has {there}")
    return np.unique(numbers.astype(np.int64)) - 1


def group_members(groups: ArrayLike | None, records: int, places: Cells) -> dict[str, Cells]:
    """Return the indices of each group among the predicted records.

    Args:
        groups: One label per record of the data; None makes no groups.
        records: Number of records in the data.
        places: Rows of the predicted records.

    >>> members = group_members(["f", "m", "f"], 3, np.array([0, 2]))
    >>> {name: which.tolist() for name, which in members.items()}
    {'f': [0, 1]}
    """
    if groups is None:
        return {}
    labels: NDArray[Any] = np.asarray(groups).reshape(-1)
    if labels.size != records:
        raise InvalidParameter(f"there are {labels.size} group labels for {records} records")
    texts = np.array([str(label) for label in labels.tolist()])[places]
    names = np.unique(texts)
    if names.size > MOST_GROUPS:
        raise InvalidParameter(
            f"the records fall into {names.size} groups; at most {MOST_GROUPS} can be compared"
        )
    return {str(name): np.flatnonzero(texts == name) for name in names}


def average_band(
    certificate: Certificate, alpha: float, which: Cells | None = None, margin: Floats | float = 0.0
) -> Band:
    """Return the utility averaged over records, or over some of them.

    The mean of the records' bounds is a bound. Sampled records are independent of each other, so their mean
    has a separate interval, which is far narrower.

    Args:
        certificate: The intervals of all records.
        alpha: Probability that the interval of the mean misses the truth.
        which: Indices of the records to average over; None means all.
        margin: Additional distance by which bounds are moved outward.
    """
    chosen = np.arange(len(certificate)) if which is None else which
    plain = certificate.band(lambda part: part[chosen].mean(axis=0))
    if certificate.moments is None or chosen.size == 1:
        return plain
    from noisewright.utility.sampling import average_interval  # noqa: PLC0415  (scipy takes a moment to load)

    picked = (getattr(certificate.moments, name)[chosen] for name in ("failing", "squares", "largest"))
    low, _, high = average_interval(Moments(*picked), alpha)
    low, high = np.maximum(plain.low, low - margin), np.minimum(plain.high, high + margin)
    return Band(np.clip(plain.estimate, low, high), low, high)


def worst_band(certificate: Certificate) -> Band:
    """Return the least utility of any record: all bounds hold together, so the least of each is a bound."""
    return certificate.band(lambda part: part.min(axis=0))
