"""Everything worth knowing about one mechanism, as numbers: what it does, costs, promises and proves."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Law, Mechanism, NumericMechanism
from noisewright.mechanisms.facts import is_unbiased
from noisewright.pages.counting import words_per_report
from noisewright.pages.law_words import in_words, window_of
from noisewright.pages.wording import domain_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Example:
    """What happens to one true value. Within ``half_within`` of it lies half of the reports."""

    value: float
    window: tuple[float, float] | None
    mean_report: float
    expected_absolute: float
    expected_squared: float
    half_within: float
    most_within: float


@dataclass(frozen=True)
class Explanation:
    """One mechanism, explained at a few true values."""

    mechanism: NumericMechanism
    examples: tuple[Example, ...]
    worst_absolute: float
    worst_squared: float
    average_absolute: float
    average_squared: float

    @property
    def purpose(self) -> str:
        """What the mechanism is for: the first paragraph of its documentation."""
        return purpose(type(self.mechanism))

    @property
    def values(self) -> list[float]:
        """The true values of the examples."""
        return [example.value for example in self.examples]

    def to_dict(self) -> dict[str, Any]:
        """The explanation in strict JSON values."""
        mechanism = self.mechanism
        extra = {"delta_upper": mechanism.delta_upper} if hasattr(mechanism, "delta_upper") else {}
        return {
            "mechanism": mechanism.to_dict(),
            "title": type(mechanism).title,
            "summary": type(mechanism).summary,
            "purpose": self.purpose,
            "law": in_words(mechanism),
            "examples": [asdict(example) for example in self.examples],
            "worst_absolute": self.worst_absolute,
            "worst_squared": self.worst_squared,
            "average_absolute": self.average_absolute,
            "average_squared": self.average_squared,
            "unbiased": is_unbiased(mechanism),
            "guarantee": mechanism.guarantee.to_dict(),
            "explanation": mechanism.guarantee.explain(),
            "epsilon": mechanism.epsilon,
            "epsilon_upper": mechanism.epsilon_upper,
            **extra,
            "reports": mechanism.reports.to_dict(),
            "words_per_report": words_per_report(mechanism),
        }

    def plot(self) -> Figure:
        """The law of the reports at the examples; returns the matplotlib figure."""
        from noisewright.pages.charts import laws  # noqa: PLC0415  (matplotlib is an extra)

        return laws(self.mechanism, self.values)


def explain(mechanism: NumericMechanism, at: Sequence[float] = ()) -> Explanation:
    """Explain a mechanism at given true values, or at the ends and the middle of its domain.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> found = explain(OGPM(Interval(40, 200), epsilon=2.0), at=[71.0])
    >>> [round(end, 1) for end in found.examples[0].window]
    [49.5, 92.5]
    """
    values = np.array(_checked(mechanism.domain, at) or usual_values(mechanism.domain))
    law = mechanism.law(values)
    columns = (
        values, law.mean(), law.expected("absolute"), law.expected("squared"),
        _within(law, 0.5), _within(law, 0.95),
    )  # fmt: skip
    examples = [
        Example(value, _window(mechanism, value), *rest)
        for value, *rest in zip(*(np.asarray(column).tolist() for column in columns), strict=True)
    ]
    return Explanation(
        mechanism,
        tuple(examples),
        worst_absolute=mechanism.worst_error("absolute"),
        worst_squared=mechanism.worst_error("squared"),
        average_absolute=mechanism.average_error("absolute"),
        average_squared=mechanism.average_error("squared"),
    )


def purpose(kind: type[Mechanism]) -> str:
    """The first paragraph of a mechanism's documentation, on one line."""
    return " ".join((inspect.getdoc(kind) or kind.summary).split("\n\n", 1)[0].split())


def usual_values(domain: NumericDomain) -> list[float]:
    """The ends and the middle of an interval; on a circle its start, a quarter and half of a turn."""
    values: list[float] = (domain.places(4)[:3] if isinstance(domain, Circle) else domain.places(3)).tolist()
    return values


def _checked(domain: NumericDomain, at: Sequence[float]) -> list[float]:
    for value in at:
        if not domain.contains(value):
            raise InvalidParameter(f"{value:g} is not a value of {domain_words(domain)}; choose one that is")
    return list(at)


def _window(mechanism: NumericMechanism, value: float) -> tuple[float, float] | None:
    """Where the window of a true value begins and ends; on a circle it may end before it begins."""
    inner = window_of(mechanism)
    if inner is None:
        return None
    reports, window = inner.reports, inner.window
    low = reports.start + float(window.begin(inner.domain.snap(np.array([value])))[0]) * reports.pitch
    high = low + window.width * reports.pitch
    if isinstance(reports, Circle) and high > reports.period:
        high -= reports.period
    return low, high


def _within(law: Law, share: float) -> Floats:
    """The distance from the true value within which a share of the reports lies."""
    low = np.zeros_like(law.truth)
    high = np.full_like(law.truth, law.reports.length / 2 if isinstance(law.reports, Circle) else 0.0)
    if not isinstance(law.reports, Circle):
        ends = law.reports.start, law.reports.start + law.reports.length
        high = np.maximum(law.truth - ends[0], ends[1] - law.truth)
    for _ in range(60):
        middle = (low + high) / 2
        enough = law.mass(law.truth - middle, law.truth + middle) >= share
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high
