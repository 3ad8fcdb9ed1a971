"""Everything worth knowing about one mechanism, as numbers: what it does, costs, promises and proves."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from noisewright.design.law_words import in_words, label_law_words, window_of
from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.domains.codes import Codes
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import FrequencyOracle, Law, Mechanism, NumericMechanism
from noisewright.report import Report, Reportable
from noisewright.statistics import bisect

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Example:
    """The reports for one true value; half of them lie within ``half_within`` of it."""

    value: float
    window: tuple[float, float] | None
    mean_report: float
    expected_absolute: float
    expected_squared: float
    half_within: float
    most_within: float


@dataclass(frozen=True)
class Explanation(Reportable):
    """One mechanism, explained at a few true values.

    Attributes:
        mechanism: The mechanism.
        examples: What happens to each of the true values.
        worst_absolute: The largest expected |error|.
        worst_squared: The largest expected |error|².
        average_absolute: The expected |error| over all true values, equally weighted.
        average_squared: The expected |error|² over all true values, equally weighted.
    """

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
        """Return the explanation in strict JSON values."""
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
            "unbiased": mechanism.is_unbiased,
            "guarantee": mechanism.guarantee.to_dict(),
            "explanation": mechanism.guarantee.explain(),
            "epsilon": mechanism.epsilon,
            "epsilon_upper": mechanism.epsilon_upper,
            **extra,
            "reports": mechanism.reports.to_dict(),
            "words_per_report": mechanism.words_per_report(),
        }

    def plot(self) -> Figure:
        """Draw the law of the reports at the examples; return the matplotlib figure."""
        from noisewright.design.plots import laws  # noqa: PLC0415  (matplotlib is an extra)

        return laws(self.mechanism, self.values)

    def report(self) -> Report:
        """Describe the mechanism as a document."""
        from noisewright.design.explain_report import explanation_report  # noqa: PLC0415  (it needs this module)

        return explanation_report(self)


@overload
def explain(mechanism: NumericMechanism, at: Sequence[float] = ...) -> Explanation: ...
@overload
def explain(mechanism: FrequencyOracle) -> OracleExplanation: ...
def explain(
    mechanism: NumericMechanism | FrequencyOracle, at: Sequence[float] = ()
) -> Explanation | OracleExplanation:
    """Explain a mechanism: what it does, costs and promises.

    Args:
        mechanism: A mechanism for numbers, or a protocol for labels.
        at: True values to show; by default the ends and the middle of the domain. Labels have none.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> found = explain(OGPM(Interval(40, 200), epsilon=2.0), at=[71.0])
    >>> [round(end, 1) for end in found.examples[0].window]
    [49.5, 92.5]
    """
    if isinstance(mechanism, FrequencyOracle):
        return OracleExplanation(mechanism)
    for value in at:
        if not mechanism.domain.contains(value):
            raise InvalidParameter(f"must be a value of {mechanism.domain.words}, got {value:g}", field="at")
    values = np.array(list(at) or usual_values(mechanism.domain))
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
    """Return the first paragraph of a mechanism's documentation, on one line."""
    return " ".join((inspect.getdoc(kind) or kind.summary).split("\n\n", 1)[0].split())


def usual_values(domain: NumericDomain) -> list[float]:
    """Return the ends and the middle of an interval; on a circle its start, a quarter and half of a turn."""
    values: list[float] = (domain.places(4)[:3] if isinstance(domain, Circle) else domain.places(3)).tolist()
    return values


def _window(mechanism: NumericMechanism, value: float) -> tuple[float, float] | None:
    """Return where the window of a true value begins and ends; on a circle it may end before it begins."""
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
    """Return the distance from the true value within which a share of the reports lies."""
    reports, near = law.reports, np.zeros_like(law.truth)
    if isinstance(reports, Circle):
        furthest = near + reports.length / 2
    else:
        furthest = np.maximum(law.truth - reports.start, reports.start + reports.length - law.truth)
    return bisect(lambda far: law.mass(law.truth - far, law.truth + far) >= share, furthest, near)[0]


PEOPLE = (1_000, 10_000, 100_000, 1_000_000)
"""Sizes of collections for which the error of a share is shown."""


@dataclass(frozen=True)
class OracleExplanation(Reportable):
    """One protocol for labels.

    Attributes:
        mechanism: The protocol.
        reason: Why it was chosen, if it was chosen automatically.

    >>> from noisewright import Categories
    >>> from noisewright.mechanisms import KRR
    >>> found = OracleExplanation(KRR(Categories(["no", "yes"]), epsilon=1.0))
    >>> round(found.standard_error(10_000), 4), round(found.without_noise(10_000), 4)
    (0.0108, 0.005)
    """

    mechanism: FrequencyOracle
    reason: str | None = None

    @property
    def purpose(self) -> str:
        """What the protocol is for: the first paragraph of its documentation."""
        return purpose(type(self.mechanism))

    @property
    def labels(self) -> int:
        """The number of labels."""
        return len(self.mechanism.domain)

    def standard_error(self, people: int) -> float:
        """Return the standard error of a label's share if all labels are equally frequent."""
        return math.sqrt(self.mechanism.spread() / people)

    def without_noise(self, people: int) -> float:
        """Return the standard error of sampling people alone, without noise."""
        return math.sqrt((1 - 1 / self.labels) / self.labels / people)

    @property
    def report_words(self) -> str:
        """The length of a report in words."""
        count, reports = math.ceil(self.mechanism.report_bits), self.mechanism.reports
        bits = "1 bit" if count == 1 else f"{count:,} bits"
        kept = f", stored in {reports.width} bytes" if isinstance(reports, Codes) else ": a label"
        return bits + kept

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation in strict JSON values."""
        made = self.mechanism
        errors = [{"people": n, "standard_error": self.standard_error(n),
                   "without_noise": self.without_noise(n)} for n in PEOPLE]  # fmt: skip
        return {
            "mechanism": made.to_dict(),
            "title": type(made).title,
            "summary": type(made).summary,
            "purpose": self.purpose,
            "reason": self.reason,
            "law": label_law_words(made),
            "variance": made.spread(),
            "errors": errors,
            "bits_per_report": made.report_bits,
            "guarantee": made.guarantee.to_dict(),
            "explanation": made.guarantee.explain(),
            "epsilon": made.epsilon,
            "epsilon_upper": made.epsilon_upper,
            "reports": {"kind": made.reports.kind, "size": getattr(made.reports, "size", self.labels)},
        }

    def plot(self) -> Figure:
        """Draw the standard error of a share against the number of people; return the matplotlib figure."""
        from noisewright.design.plots import errors_by_people  # noqa: PLC0415  (matplotlib is an extra)

        return errors_by_people(self)

    def report(self) -> Report:
        """Describe the protocol as a document."""
        from noisewright.design.explain_report import oracle_report  # noqa: PLC0415  (it needs this module)

        return oracle_report(self)
