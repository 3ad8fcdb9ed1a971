"""Counted support: how many reports of a frequency oracle support each label, and how many reports there are.

Whatever its reports look like, bits or hashes or labels, nothing else of them is needed for an estimate. A
group for k labels is k + 1 whole numbers, and a list of labels is never cut into parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from noisewright.errors import BadTable
from noisewright.estimate.group import MOST, Group, whole_numbers
from noisewright.estimate.label_group import at_least_one
from noisewright.mechanisms import FrequencyOracle
from noisewright.mechanisms.basics.finite import label_list


@dataclass(frozen=True, eq=False)
class SupportGroup(Group):
    """Reports of a frequency oracle: ``counts`` says how many support each label.

    >>> from noisewright import Categories
    >>> from noisewright.mechanisms import KRR
    >>> group = SupportGroup.of(["no", "yes", "no"], KRR(Categories(["no", "yes"]), epsilon=1.0))
    >>> group.counts.tolist(), group.count
    ([2, 1], 3)
    """

    mechanism: FrequencyOracle
    reports: int

    @classmethod
    def of(cls, reports: Any, mechanism: FrequencyOracle) -> Self:
        found = at_least_one(label_list(reports))
        return cls(mechanism, np.asarray(mechanism.supports(found), dtype=np.int64), len(found))

    @classmethod
    def from_dict(cls, mechanism: FrequencyOracle, part: Mapping[str, Any]) -> Self:
        return cls.counted(part["supports"], part["reports"], mechanism)

    @classmethod
    def counted(cls, supports: Any, reports: Any, mechanism: FrequencyOracle) -> Self:
        """A group of numbers counted elsewhere, refused unless some reports can have made them."""
        if type(reports) is not int or not 0 < reports < MOST:
            raise BadTable("the number of reports of a tally must be a whole number above 0")
        counts = whole_numbers(supports, mechanism.support_size, signed=mechanism.votes)
        each = mechanism.labels_supported
        if np.abs(counts).max() > reports or (each is not None and sum(supports) != each * reports):
            raise BadTable("the counts of a tally do not fit its number of reports")
        return cls(mechanism, counts, reports)

    @property
    def count(self) -> int:
        return self.reports

    def __add__(self, other: Self) -> Self:
        return type(self)(self.mechanism, self.counts + other.counts, self.reports + other.reports)

    def to_dict(self) -> dict[str, Any]:
        return {
            "mechanism": self.mechanism.to_dict(),
            "supports": self.counts.tolist(),
            "reports": self.reports,
        }
