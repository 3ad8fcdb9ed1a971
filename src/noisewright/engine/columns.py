"""Which column goes through which mechanism, and what one row of reports then costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import pyarrow as pa

from noisewright.domains.numeric import WHAT_TO_DO
from noisewright.engine.description import Description, row_guarantee
from noisewright.engine.naming import absent
from noisewright.engine.numbers import arrow, floats, perturb_column
from noisewright.errors import BadTable, InvalidParameter
from noisewright.guarantees import Guarantee
from noisewright.mechanisms import NumericMechanism
from noisewright.randomness import SecureSource, Source, label

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)


@dataclass(frozen=True)
class ColumnPlan:
    """A mechanism for each column to randomize, and the columns to pass on as they are.

    Reports are stored as real values under the name of their column: a cell's centre. That is what every
    tool can average and plot, and nothing is lost, since ``mechanism.reports.snap`` gives the cell back.

    >>> from noisewright import Circle, Interval
    >>> from noisewright.mechanisms import OGPM, CircularOGPM
    >>> plan = ColumnPlan({"pulse": OGPM(Interval(40, 200), 1.5), "wake": CircularOGPM(Circle(24), 0.5)})
    >>> plan.guarantee
    PureLDP(epsilon=2.0)
    >>> plan.perturb_batch(pa.table({"wake": [6.5], "pulse": [71], "name": ["Ada"]})).column_names
    ['pulse', 'wake']
    """

    mechanisms: Mapping[str, NumericMechanism]
    keep: Sequence[str] = ()
    out_of_domain: str = "refuse"

    def __post_init__(self) -> None:
        object.__setattr__(self, "mechanisms", dict(self.mechanisms))
        object.__setattr__(self, "keep", (self.keep,) if isinstance(self.keep, str) else tuple(self.keep))
        if not self.mechanisms:
            raise InvalidParameter("a plan needs at least one column with a mechanism")
        for name, mechanism in self.mechanisms.items():
            _check_entry(name, mechanism)
        for name in self.keep:
            if self.columns.count(name) > 1:
                raise InvalidParameter(f"column {name!r} is named twice; a kept column is not randomized")
        if self.out_of_domain not in WHAT_TO_DO:
            raise InvalidParameter(f'out_of_domain must be "refuse" or "clip", not {self.out_of_domain!r}')

    @property
    def columns(self) -> list[str]:
        """The columns that come out: the randomized ones, then the kept ones."""
        return [*self.mechanisms, *self.keep]

    @property
    def guarantee(self) -> Guarantee:
        """What all the reports of one row cost together; kept columns are not covered by it."""
        return row_guarantee(self.mechanisms)

    def describe(self, source: Source) -> Description:
        """What a table of reports drawn from a source must say of itself."""
        return Description(self.mechanisms, tuple(self.keep), self.out_of_domain, label(source))

    def check(self, names: Iterable[str], *, where: str = "the table") -> None:
        """Refuse a table that lacks a column or has two of one name; other names stay unsaid."""
        present = list(names)
        for name in self.columns:
            if name not in present:
                raise BadTable(f"{where} has no column {name!r}; {absent(name, present)}")
            if present.count(name) > 1:
                raise BadTable(
                    f"{where} has {present.count(name)} columns named {name!r}; rename all but one"
                )

    def perturb_batch(self, batch: Batch, source: Source | None = None, *, first_row: int = 0) -> Batch:
        """Randomize one batch; ``first_row`` is the number of rows before it, for refusals that name a place.

        Each batch may go to another process or machine: nothing is shared between calls.
        """
        self.check(batch.schema.names)
        source = source or SecureSource()
        columns: list[Any] = [
            self._draw(name, batch.column(name), source, first_row) for name in self.mechanisms
        ]
        columns += [batch.column(name) for name in self.keep]
        return type(batch).from_arrays(columns, schema=self.schema(batch.schema, source))

    def _draw(self, name: str, column: Any, source: Source, first_row: int) -> Any:
        values = floats(column, name, first_row)
        reports = perturb_column(
            self.mechanisms[name],
            values,
            source,
            out_of_domain=self.out_of_domain,
            name=name,
            first_row=first_row,
        )
        return arrow(reports)

    def perturb_batches(self, batches: Iterable[Batch], source: Source | None = None) -> Iterator[Batch]:
        """Randomize a stream of batches: what Spark's ``mapInArrow`` takes."""
        done = 0
        for batch in batches:
            yield self.perturb_batch(batch, source, first_row=done)
            done += batch.num_rows

    def schema(self, original: pa.Schema, source: Source) -> pa.Schema:
        """The schema of the reports, with their description and none of the metadata of the original."""
        reports = [pa.field(name, pa.float64(), nullable=False) for name in self.mechanisms]
        kept = [pa.field(name, original.field(name).type) for name in self.keep]
        return pa.schema([*reports, *kept], metadata=self.describe(source).metadata())


def _check_entry(name: object, mechanism: object) -> None:
    if not isinstance(name, str):
        raise InvalidParameter(f"a column is named by text, not by {name!r}")
    if not isinstance(mechanism, NumericMechanism):
        raise InvalidParameter(
            f"column {name!r} needs a mechanism for numbers, such as OGPM(Interval(40, 200), epsilon=2)"
        )
