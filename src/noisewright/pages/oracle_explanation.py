"""Everything worth knowing about one protocol for labels, as numbers: what it does, costs and promises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noisewright.domains.codes import Codes
from noisewright.mechanisms import FrequencyOracle
from noisewright.pages.explanation import purpose
from noisewright.pages.oracle_words import label_law_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PEOPLE = (1_000, 10_000, 100_000, 1_000_000)
"""Sizes of collections that the error of a share is told for."""


@dataclass(frozen=True)
class OracleExplanation:
    """One protocol for labels, and why it was chosen if it was chosen automatically.

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
        """How many labels there are."""
        return len(self.mechanism.domain)

    def standard_error(self, people: int) -> float:
        """The standard error of a label's share if all labels are equally frequent."""
        return math.sqrt(self.mechanism.spread() / people)

    def without_noise(self, people: int) -> float:
        """The standard error that the luck of the draw alone would leave."""
        return math.sqrt((1 - 1 / self.labels) / self.labels / people)

    @property
    def report_words(self) -> str:
        """How long a report is."""
        count, reports = math.ceil(self.mechanism.report_bits), self.mechanism.reports
        bits = "1 bit" if count == 1 else f"{count:,} bits"
        kept = f", stored in {reports.width} bytes" if isinstance(reports, Codes) else ": a label"
        return bits + kept

    def to_dict(self) -> dict[str, Any]:
        """The explanation in strict JSON values."""
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
        """The standard error of a share against the number of people; returns the matplotlib figure."""
        from noisewright.pages.oracle_charts import errors_by_people  # noqa: PLC0415  (matplotlib is an extra)

        return errors_by_people(self)
