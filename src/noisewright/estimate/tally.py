"""Tallies: the counts that are kept of a collection of reports, and that can be added up.

A tally holds a group of whole numbers for every mechanism that reports came from (``groups.py``).
Tallies of parts of a collection add up to the tally of the whole, in any order, on any number of machines;
memory does not grow with the number of reports. Every estimate of this room is computed from a tally.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import add
from typing import Any, Final, TypeVar

import numpy as np

from noisewright.errors import BadTable, InvalidParameter
from noisewright.estimate.groups import MOST, Group, LabelGroup, NumberGroup, SupportGroup
from noisewright.mechanisms import FiniteMechanism, FrequencyOracle, Mechanism
from noisewright.parameters import is_number, shown, whole

Kind = TypeVar("Kind", bound=Group)

MOST_DEALT = 10**9
"""Number of reports up to which NumPy draws halves of an exact size."""

SEED = 20_260_103
"""Which reports make up a half is fixed, so that an estimate is the same every time."""


KINDS: Final = {
    "interval": "an interval",
    "integers": "whole numbers",
    "circle": "a circle",
    "bins": "bins",
    "categories": "labels",
    "metric": "labels with distances",
}
NAMES: Final = {
    "low": "low end",
    "high": "high end",
    "edges": "edge",
    "labels": "label",
    "distances": "distance",
}
"""The parameters of domains in words."""


@dataclass(frozen=True, eq=False)
class Tally:
    """The counted reports of one column, of one mechanism or of several.

    Attributes:
        groups: The counts of each mechanism.

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
        """Return the tally of a frequency oracle from numbers that were counted elsewhere, checked.

        Args:
            supports: How many reports support each label.
            reports: Number of reports.
            mechanism: The oracle that made them.

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
        for other in others:
            if other is not first and (how := _difference(first.to_dict(), other.to_dict())):
                raise BadTable(f"reports about different domains cannot be estimated together: {how}")

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
        """Number of reports."""
        return sum(group.count for group in self.groups)

    def of_kind(self, kind: type[Kind]) -> list[Kind]:
        """Return the groups that count reports in one way."""
        return [group for group in self.groups if isinstance(group, kind)]

    def to_dict(self) -> dict[str, Any]:
        """Return the tally in plain JSON values, to be sent to where tallies are added up."""
        return {"groups": [group.to_dict() for group in self.groups]}

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Tally:
        """Rebuild a tally from :meth:`to_dict`."""
        try:
            return Tally(tuple(_rebuilt(part) for part in description["groups"]))
        except (KeyError, TypeError, ValueError, AttributeError) as broken:
            raise BadTable(f"the description of a tally is broken: {str(broken)[:200]}") from None


def kind_of_group(mechanism: Mechanism) -> type[Group]:
    """Return the kind of group that counts the reports of a mechanism."""
    if isinstance(mechanism, FrequencyOracle):
        return SupportGroup
    return LabelGroup if isinstance(mechanism, FiniteMechanism) else NumberGroup


def _rebuilt(part: Mapping[str, Any]) -> Group:
    mechanism = Mechanism.from_dict(part["mechanism"])
    return kind_of_group(mechanism).from_dict(mechanism, part)


def _difference(first: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """Say how two descriptions of domains differ; None if they do not.

    The lattice does not matter: reports made on lattices of different fineness belong together.

    >>> _difference({"kind": "circle", "period": 24.0}, {"kind": "circle", "period": 7.0})
    'the period is 24 in some and 7 in others'
    """
    if first["kind"] != other["kind"]:
        return f"some are about {_kind(first['kind'])}, others about {_kind(other['kind'])}"
    for name in first:
        one, two = first[name], other.get(name)
        if name == "cells" or one == two:
            continue
        if isinstance(one, Mapping) and isinstance(two, Mapping):
            if how := _difference(one, two):
                return how
            continue
        return _two(name, one, two)
    return None


@lru_cache(maxsize=8)
def halves(tally: Tally) -> tuple[Tally, Tally]:
    """Split the reports, and those of each mechanism, into two halves by public chance.

    From a billion reports on, each has a coin of its own, so that halves differ by a few in 100,000.
    """
    random = np.random.default_rng(SEED)
    pairs: list[tuple[Group, Group]] = []
    for group in tally.groups:
        if group.count < MOST_DEALT:
            half = (group.count + len(pairs) % 2) // 2
            one = np.asarray(random.multivariate_hypergeometric(group.counts, half))
        else:
            one = np.asarray(random.binomial(group.counts, 0.5))
        pairs.append((replace(group, counts=one), replace(group, counts=group.counts - one)))
    one_half, other_half = zip(*pairs, strict=True)
    return Tally(tuple(one_half)), Tally(tuple(other_half))


def _two(name: str, one: Any, two: Any) -> str:
    """Say how two values of one parameter differ; lists by their lengths, or by the first different items."""
    what = NAMES.get(name, name)
    if not isinstance(one, list) or not isinstance(two, list):
        return f"the {what} is {_short(one)} in some and {_short(two)} in others"
    if len(one) != len(two):
        return f"there are {len(one):,} {what}s in some and {len(two):,} in others"
    if name == "labels" and set(one) == set(two):
        return "the labels are the same, but not in the same order"
    place = next(number for number, pair in enumerate(zip(one, two, strict=True)) if pair[0] != pair[1])
    if isinstance(one[place], list):
        return f"{what}s differ"
    return f"{what} {place + 1:,} is {_short(one[place])} in some and {_short(two[place])} in others"


def _kind(kind: str) -> str:
    return KINDS.get(kind, kind)


def _short(value: Any) -> str:
    """A public value of a domain, cut short where it is long."""
    return f"{value:.12g}" if is_number(value) else shown(value)
