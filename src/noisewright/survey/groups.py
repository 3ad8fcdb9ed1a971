"""Counted reports that can be estimated at once: of everybody, or of each group of people.

A group is the people who share the value of a *public* column, such as a region that was kept beside the
reports. Grouping costs no privacy; but each group has fewer reports than all together, so its intervals are
wider.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from noisewright.io.description import Description, read_description
from noisewright.io.tallies import Tallies, tally_groups
from noisewright.progress import Progress
from noisewright.report import Report, Reportable
from noisewright.survey.estimates import EstimateRequest, Estimates, estimate_all


class CountedReports(Tallies):
    """The counted reports of a collection."""

    @classmethod
    def of(cls, tallies: Tallies) -> CountedReports:
        """Return tallies that can be estimated."""
        return cls(tallies.columns, tallies.descriptions, tallies.origins)

    def estimate(self, *, progress: Progress | None = None, **asked: Any) -> Estimates:
        """Estimate everything that the reports reveal, with intervals.

        Args:
            progress: Called with the number of reports done, and of all.
            asked: Fields of :class:`EstimateRequest`, such as ``bins=10`` or ``level=0.9``.
        """
        return self.answer(EstimateRequest(**asked), progress)

    def answer(self, request: EstimateRequest, progress: Progress | None = None) -> Estimates:
        """Estimate what is asked; ``progress`` is called with the number of reports done, and of all."""
        return estimate_all(self, request, progress)


@dataclass(frozen=True, eq=False)
class CountedGroups(Mapping[str, CountedReports]):
    """The counted reports of each group of people.

    Attributes:
        by: The public column whose values are the groups.
        groups: The counted reports of each group, by name in order.
    """

    by: str
    groups: Mapping[str, CountedReports]

    @classmethod
    def of(cls, by: str, tallies: Mapping[Any, Tallies]) -> CountedGroups:
        """Return groups of tallies that can be estimated, ordered by name."""
        return cls(by, {group: CountedReports.of(tallies[group]) for group in sorted(tallies)})

    def __getitem__(self, group: str) -> CountedReports:
        return self.groups[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def estimate(self, *, progress: Progress | None = None, **asked: Any) -> GroupEstimates:
        """Estimate everything that the reports of each group reveal, with intervals.

        Args:
            progress: Called with the number of groups done, and of all.
            asked: Fields of :class:`EstimateRequest`, such as ``bins=10`` or ``level=0.9``.
        """
        return self.answer(EstimateRequest(**asked), progress)

    def answer(self, request: EstimateRequest, progress: Progress | None = None) -> GroupEstimates:
        """Estimate what is asked; ``progress`` is called with the number of groups done, and of all."""
        found = {}
        for number, (group, tallies) in enumerate(self.groups.items(), 1):
            found[group] = estimate_all(tallies, request)
            if progress:
                progress(number, len(self.groups))
        return GroupEstimates(self.by, found)


@dataclass(frozen=True, eq=False)
class GroupEstimates(Reportable, Mapping[str, Estimates]):
    """The estimates of each group of people.

    Attributes:
        by: The public column whose values are the groups.
        groups: The estimates of each group, by name in order.
    """

    by: str
    groups: Mapping[str, Estimates]

    def __getitem__(self, group: str) -> Estimates:
        return self.groups[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def to_dict(self) -> dict[str, Any]:
        """Everything in strict JSON values."""
        return {"by": self.by, "groups": {group: found.to_dict() for group, found in self.groups.items()}}

    def report(self) -> Report:
        """Describe the estimates of all groups as a document."""
        from noisewright.survey.group_report import group_report  # noqa: PLC0415  (it needs this module)

        return group_report(self)


def counted(tallies: Mapping[str | None, Tallies], by: str | None) -> CountedReports | CountedGroups:
    """Return what was counted: of everybody, or of each group if there is a column to group by."""
    return CountedReports.of(tallies[None]) if by is None else CountedGroups.of(by, tallies)


PathLike = str | os.PathLike[str]


@overload
def estimate_file(paths: PathLike | Sequence[PathLike], *, by: None = None, **asked: Any) -> Estimates: ...


@overload
def estimate_file(paths: PathLike | Sequence[PathLike], *, by: str, **asked: Any) -> GroupEstimates: ...


def estimate_file(
    paths: PathLike | Sequence[PathLike],
    *,
    columns: Iterable[str] | None = None,
    by: str | None = None,
    description: Description | PathLike | None = None,
    progress: Progress | None = None,
    **asked: Any,
) -> Estimates | GroupEstimates:
    """Estimate everything that files of reports reveal, with intervals: of all people, or by group.

    Args:
        paths: A file of reports, a folder or a glob of them, or several that are one collection. They may lie
            in a store, such as ``s3://bucket/reports``.
        columns: Names of columns; default: all.
        by: A public column that was kept, or a value that folders such as ``region=north`` state, whose
            values divide the people into groups.
        description: What the reports are, where other software dropped it: a description, or the file or
            folder that has one.
        progress: Called with the number of reports done, and of all.
        asked: Fields of :class:`EstimateRequest`, such as ``bins=10`` or ``level=0.9``.
    """
    request = EstimateRequest(**asked)
    files = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    chosen = None if columns is None else list(columns)
    about = read_description(description) if isinstance(description, str | os.PathLike) else description
    tallies = counted(tally_groups(files, by, chosen, progress, description=about), by)
    return tallies.answer(request, progress)
