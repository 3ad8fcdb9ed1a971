"""What is kept of a collection of reports: counts that can be added up, and nothing else.

A tally holds a group of whole numbers for every mechanism that reports came from: for numbers how many fell
into each part of the report domain (``number_group.py``), for labels how often each was reported
(``label_group.py``), for frequency oracles how many reports support each label (``support_group.py``).
Tallies of parts of a collection add up to the tally of the whole, in any order, on any number of machines;
memory does not grow with the number of reports. Every estimate of this room is computed from a tally.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, TypeVar

import numpy as np

from noisewright.errors import BadTable, InvalidParameter
from noisewright.estimate.group import MOST, Group
from noisewright.estimate.label_group import LabelGroup
from noisewright.estimate.number_group import NumberGroup
from noisewright.estimate.support_group import SupportGroup
from noisewright.mechanisms import FiniteMechanism, FrequencyOracle, Mechanism
from noisewright.parameters import whole

Kind = TypeVar("Kind", bound=Group)

MOST_WORDS = 80
"""Letters of a domain that are quoted in a refusal; a list of labels may have a million."""


@dataclass(frozen=True, eq=False)
class Tally:
    """The counted reports of one column, of one mechanism or of several.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import PM
    >>> cautious, bold = PM(Interval(0, 1), epsilon=0.5), PM(Interval(0, 1), epsilon=2.0)
    >>> monday = Tally.of(cautious.perturb([0.2, 0.4]), cautious)
    >>> tuesday = Tally.of(bold.perturb([0.3]), bold)
    >>> (monday + tuesday).count
    3
    """

    groups: tuple[Group, ...]

    @classmethod
    def of(cls, reports: Any, mechanism: Mechanism | None = None) -> Tally:
        """Count reports: an array with its mechanism, a tally as it is, or several tallies together."""
        if isinstance(reports, Tally):
            if mechanism is not None and any(group.mechanism != mechanism for group in reports.groups):
                raise InvalidParameter("the tally holds reports of another mechanism than the one given")
            return reports
        if mechanism is None and isinstance(reports, Iterable) and not isinstance(reports, np.ndarray):
            parts = list(reports)
            if parts and all(isinstance(part, Tally) for part in parts):
                together: Tally = reduce(add, parts)
                return together
        if not isinstance(mechanism, Mechanism):
            raise InvalidParameter("reports need the mechanism that made them, or a tally")
        return cls((kind_of_group(mechanism).of(reports, mechanism),))

    @classmethod
    def of_supports(cls, supports: Any, reports: int, mechanism: FrequencyOracle) -> Tally:
        """A tally of a frequency oracle from numbers that were counted elsewhere, checked.

        >>> from noisewright import Categories
        >>> from noisewright.mechanisms import KRR
        >>> Tally.of_supports([620, 380], 1000, KRR(Categories(["no", "yes"]), epsilon=1.0)).count
        1000
        """
        many = whole("the number of reports", reports, 1, MOST - 1)
        return cls((SupportGroup.counted(np.asarray(supports).tolist(), many, mechanism),))

    def __post_init__(self) -> None:
        if not self.groups:
            raise BadTable("a tally needs at least one group of reports")
        first, *others = (group.mechanism.domain for group in self.groups)
        if any(other is not first and _place(other) != _place(first) for other in others):
            said = sorted({_place_words(domain) for domain in (first, *others)})
            raise BadTable(
                "reports about different domains cannot be estimated together: " + " and ".join(said)
            )

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        merged: dict[Mechanism, Group] = {}
        for group in (*self.groups, *other.groups):
            key = group.mechanism
            merged[key] = merged[key] + group if key in merged else group
        return Tally(tuple(merged.values()))

    @property
    def domain(self) -> Any:
        """The domain of the true values."""
        return self.groups[0].mechanism.domain

    @property
    def count(self) -> int:
        """How many reports there are."""
        return sum(group.count for group in self.groups)

    def of_kind(self, kind: type[Kind]) -> list[Kind]:
        """The groups that count reports in one way."""
        return [group for group in self.groups if isinstance(group, kind)]

    def to_dict(self) -> dict[str, Any]:
        """The tally in plain JSON values, to be sent to where tallies are added up."""
        return {"groups": [group.to_dict() for group in self.groups]}

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Tally:
        """Rebuild a tally from :meth:`to_dict`."""
        try:
            return Tally(tuple(_rebuilt(part) for part in description["groups"]))
        except (KeyError, TypeError, ValueError, AttributeError) as broken:
            raise BadTable(f"the description of a tally is broken: {str(broken)[:200]}") from None


def kind_of_group(mechanism: Mechanism) -> type[Group]:
    """How the reports of a mechanism are counted."""
    if isinstance(mechanism, FrequencyOracle):
        return SupportGroup
    return LabelGroup if isinstance(mechanism, FiniteMechanism) else NumberGroup


def _rebuilt(part: Mapping[str, Any]) -> Group:
    mechanism = Mechanism.from_dict(part["mechanism"])
    return kind_of_group(mechanism).from_dict(mechanism, part)


def _place(domain: Any) -> dict[str, Any]:
    """A domain without its lattice: reports made on lattices of different fineness belong together."""
    return {name: value for name, value in domain.to_dict().items() if name != "cells"}


def _place_words(domain: Any) -> str:
    said = ", ".join(f"{name} {value}" for name, value in _place(domain).items())
    return said if len(said) <= MOST_WORDS else said[: MOST_WORDS - 1] + "…"
