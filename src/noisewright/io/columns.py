"""Which column goes through which mechanism, and what one row of reports then costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import pyarrow as pa

from noisewright.domains.numeric import WHAT_TO_DO
from noisewright.errors import InvalidParameter
from noisewright.guarantees import Guarantee, JointLDP
from noisewright.io.batches import rows_at_a_time
from noisewright.io.column_kinds import column_of
from noisewright.io.column_names import check_names
from noisewright.io.description import Description, row_guarantee
from noisewright.io.report_column import ReportColumn
from noisewright.mechanisms import Mechanism
from noisewright.randomness import SecureSource, Source, label

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)


@dataclass(frozen=True)
class ColumnPlan:
    """A mechanism for each column to randomize, and the columns to pass on as they are.

    Reports are stored under the name of their column, in the order of the table that they come from: numbers
    as real values, labels as text, and codes as bytes of one width.

    Attributes:
        mechanisms: The mechanism of each column to randomize.
        keep: Columns that are passed on as they are; the guarantee does not cover them.
        out_of_domain: "refuse" values outside a domain, or "clip" numbers into it.

    >>> from noisewright import Categories, Interval
    >>> from noisewright.mechanisms import KRR, OGPM
    >>> plan = ColumnPlan({"pulse": OGPM(Interval(40, 200), 1.5), "smokes": KRR(Categories(["n", "y"]), 0.5)})
    >>> plan.guarantee
    PureLDP(epsilon=2.0)
    >>> plan.perturb_batch(pa.table({"smokes": ["y"], "pulse": [71], "name": ["Ada"]})).column_names
    ['smokes', 'pulse']
    """

    mechanisms: Mapping[str, Mechanism]
    keep: Sequence[str] = ()
    out_of_domain: str = "refuse"

    def __post_init__(self) -> None:
        object.__setattr__(self, "mechanisms", dict(self.mechanisms))
        object.__setattr__(self, "keep", (self.keep,) if isinstance(self.keep, str) else tuple(self.keep))
        if not self.mechanisms:
            raise InvalidParameter("a plan needs at least one column with a mechanism")
        for name, column in self.parts.items():
            _check_entry(name, column)
        for name in self.keep:
            if self.columns.count(name) > 1:
                raise InvalidParameter(f"column {name!r} is named twice; a kept column is not randomized")
        self._check_out_of_domain()

    def _check_out_of_domain(self) -> None:
        if self.out_of_domain not in WHAT_TO_DO:
            raise InvalidParameter(f'out_of_domain must be "refuse" or "clip", not {self.out_of_domain!r}')
        if self.out_of_domain == "clip" and not self.numbers:
            raise InvalidParameter(
                'out_of_domain="clip" is for numbers; a label outside the list has no nearest one and can '
                "only be refused"
            )

    @cached_property
    def parts(self) -> dict[str, ReportColumn]:
        """The randomized columns with what the engine must know of them."""
        return {name: column_of(name, mechanism) for name, mechanism in self.mechanisms.items()}

    @property
    def columns(self) -> list[str]:
        """The columns that come out: the randomized ones and the kept ones, as the plan names them."""
        return [*self.mechanisms, *self.keep]

    def in_order_of(self, names: Iterable[str]) -> list[str]:
        """The columns that come out in the order of a table with columns of these names."""
        wanted = set(self.columns)
        return [name for name in names if name in wanted]

    @property
    def numbers(self) -> list[str]:
        """The randomized columns whose true values are numbers."""
        return [name for name, column in self.parts.items() if column.numbers_in]

    @property
    def texts(self) -> list[str]:
        """All other columns: of a CSV they are read as text."""
        return [name for name in self.columns if name not in self.numbers]

    @property
    def rows(self) -> int:
        """How many rows are drawn at a time."""
        return rows_at_a_time(self.parts.values())

    @property
    def guarantee(self) -> Guarantee:
        """What all the reports of one row cost together; kept columns are not covered by it."""
        return row_guarantee(self.mechanisms)

    def describe(self, source: Source) -> Description:
        """What a table of reports drawn from a source must say of itself."""
        return Description(self.mechanisms, tuple(self.keep), self.out_of_domain, label(source))

    def check(self, names: Iterable[str], *, where: str = "the table") -> None:
        """Refuse a table that lacks a column or has two of one name; other names stay unsaid."""
        check_names(self.columns, list(names), where=where)

    def perturb_batch(self, batch: Batch, source: Source | None = None, *, first_row: int = 0) -> Batch:
        """Randomize one batch; each may go to another process or machine, as calls share nothing.

        Args:
            batch: True values.
            source: Randomness; by default a :class:`~noisewright.randomness.SecureSource`.
            first_row: Number of rows before this batch, for refusals that name a place.
        """
        self.check(batch.schema.names)
        source = source or SecureSource()
        columns: dict[str, Any] = {
            name: part.draw(batch.column(name), source, out_of_domain=self.out_of_domain, first_row=first_row)
            for name, part in self.parts.items()
        }
        columns |= {name: batch.column(name) for name in self.keep}
        schema = self.schema(batch.schema, source)
        return type(batch).from_arrays([columns[name] for name in schema.names], schema=schema)

    def perturb_batches(self, batches: Iterable[Batch], source: Source | None = None) -> Iterator[Batch]:
        """Randomize a stream of batches: what Spark's ``mapInArrow`` takes."""
        done = 0
        for batch in batches:
            yield self.perturb_batch(batch, source, first_row=done)
            done += batch.num_rows

    def as_text(self, reports: pa.Table) -> pa.Table:
        """A table of reports as a CSV holds it: labels plain, codes in hexadecimal."""
        for name, part in self.parts.items():
            if not part.numeric:
                place = reports.schema.get_field_index(name)
                texts = part.as_text(reports.column(name))
                reports = reports.set_column(place, pa.field(name, texts.type, nullable=False), texts)
        return reports

    def schema(self, original: pa.Schema, source: Source) -> pa.Schema:
        """The schema of the reports, with their description and none of the metadata of the original."""
        fields = {name: pa.field(name, part.type, nullable=False) for name, part in self.parts.items()}
        fields |= {name: pa.field(name, original.field(name).type) for name in self.keep}
        ordered = [fields[name] for name in self.in_order_of(original.names)]
        return pa.schema(ordered, metadata=self.describe(source).metadata())


def _check_entry(name: object, column: ReportColumn) -> None:
    if not isinstance(name, str):
        raise InvalidParameter(f"a column is named by text, not by {name!r}")
    if isinstance(column.mechanism.guarantee, JointLDP):
        raise InvalidParameter(
            f"column {name!r}: {type(column.mechanism).__name__} draws the noise of people together, which "
            "needs pairs and not rows; use noisewright joint run"
        )
