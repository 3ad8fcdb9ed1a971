"""The counted reports of a collection, column by column, with what their files say of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from noisewright.engine.description import Description
from noisewright.errors import BadTable, NoisewrightError
from noisewright.estimate import Tally


@dataclass(frozen=True, eq=False)
class Tallies(Mapping[str, Tally]):
    """A tally for each column, and the descriptions of the tables that were counted.

    Collections of parts add up to that of the whole. Columns of one name belong together, even if they were
    randomized with different ε; a column that only some of the parts have is counted from those.

    >>> import pyarrow as pa
    >>> from noisewright import Interval
    >>> from noisewright.engine import perturb_table, tally_table
    >>> from noisewright.mechanisms import PM
    >>> week = pa.table({"pulse": [71.0, 64.5]})
    >>> cautious, bold = (
    ...     tally_table(perturb_table(week, {"pulse": PM(Interval(40, 200), budget)})) for budget in (0.5, 2)
    ... )
    >>> both = cautious + bold
    >>> both["pulse"].count, len(both["pulse"].groups), both.private
    (4, 2, True)
    """

    columns: Mapping[str, Tally]
    descriptions: tuple[Description, ...]
    origins: tuple[str, ...] = ("the table",)

    def __getitem__(self, name: str) -> Tally:
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def private(self) -> bool:
        """Whether the promise holds; seeded noise is for tests only. All parts agree on that."""
        return self.descriptions[0].private

    @property
    def randomness(self) -> str:
        """Where the noise came from, in the words that every output must repeat."""
        return self.descriptions[0].randomness

    @property
    def clipped(self) -> bool:
        """Whether true values outside a domain may have been moved into it before they were randomized."""
        return any(about.out_of_domain == "clip" for about in self.descriptions)

    def promises(self) -> list[str]:
        """What one row reveals: a sentence for every kind of row there is."""
        return list(dict.fromkeys(about.explain_row() for about in self.descriptions))

    def __add__(self, other: Tallies) -> Tallies:
        if not isinstance(other, Tallies):
            return NotImplemented
        if self.private != other.private:
            raise BadTable(
                f"{_listed(self.origins)} and {_listed(other.origins)} cannot be estimated together: the "
                "noise of only one of them is real, the other is simulated; estimate them apart"
            )
        merged = dict(self.columns)
        for name, tally in other.columns.items():
            merged[name] = self._with(name, tally, other) if name in merged else tally
        return Tallies(merged, self.descriptions + other.descriptions, self.origins + other.origins)

    def _with(self, name: str, tally: Tally, other: Tallies) -> Tally:
        try:
            return self.columns[name] + tally
        except NoisewrightError as refusal:
            where = f"column {name!r} of {_listed(self.origins)} and {_listed(other.origins)}"
            raise type(refusal)(f"{where}: {refusal}") from None


def _listed(names: tuple[str, ...]) -> str:
    """A few names; a collection may have a thousand files.

    >>> _listed(("a.csv", "b.csv", "c.csv"))
    'a.csv and 2 more'
    """
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
