"""Which column goes through which mechanism, and what one row of reports then costs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from noisewright.design.purpose import BINS, BOTH, Recommendation, recommend
from noisewright.domains import Domain, NumericDomain
from noisewright.domains.numeric import WHAT_TO_DO
from noisewright.errors import BadTable, BudgetSpent, InvalidParameter, NoisewrightError
from noisewright.guarantees import Guarantee, JointLDP
from noisewright.guarantees.base import round_down
from noisewright.io.description import Description, column_of, row_guarantee
from noisewright.io.numbers import ReportColumn, place, texts
from noisewright.io.table_files import check_names, rows_at_a_time
from noisewright.mechanisms import Mechanism
from noisewright.parameters import EPSILON, whole
from noisewright.randomness import SecureSource, SeededSource, Source, label

if TYPE_CHECKING:
    from noisewright.ledger import Ledger

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)

Bounds = Mapping[str, int | Sequence[float]]
"""Bins of some columns, as edges or as a number of equal ones."""


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
            raise InvalidParameter(
                f'must be "refuse" or "clip", not {self.out_of_domain!r}', field="out_of_domain"
            )
        if self.out_of_domain == "clip" and not self.numbers:
            raise InvalidParameter(
                'out_of_domain="clip" is for numbers; a label outside the list has no nearest one and can '
                "only be refused"
            )

    @cached_property
    def parts(self) -> dict[str, ReportColumn]:
        """The randomized columns, each as a :class:`ReportColumn`."""
        return {name: column_of(name, mechanism) for name, mechanism in self.mechanisms.items()}

    @property
    def columns(self) -> list[str]:
        """The columns of the output: the randomized ones and the kept ones, as the plan names them."""
        return [*self.mechanisms, *self.keep]

    def in_order_of(self, names: Iterable[str]) -> list[str]:
        """Return the columns of the output in the order of a table with columns of these names."""
        wanted = set(self.columns)
        return [name for name in names if name in wanted]

    def select(self, table: pa.Table, names: Iterable[str] | None = None) -> pa.Table:
        """Return the columns of a table that the output has, without dictionaries.

        Args:
            table: Rows of a table, perhaps with its columns in another order.
            names: The columns of the table in its own order; by default those of ``table``.
        """
        wanted = table.select(self.in_order_of(table.schema.names if names is None else names))
        for index, field in enumerate(wanted.schema):
            if pa.types.is_dictionary(field.type):  # dictionaries may differ from batch to batch
                wanted = wanted.set_column(
                    index, field.name, wanted.column(index).cast(field.type.value_type)
                )
        return wanted

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
        """Number of rows drawn at a time."""
        return rows_at_a_time(column.row_bytes for column in self.parts.values())

    @property
    def guarantee(self) -> Guarantee:
        """What all the reports of one row cost together; kept columns are not covered by it."""
        return row_guarantee(self.mechanisms)

    def describe(self, source: Source) -> Description:
        """Return the description of a table of reports drawn from a source."""
        return Description(self.mechanisms, tuple(self.keep), self.out_of_domain, label(source))

    @classmethod
    def of(cls, description: Description) -> ColumnPlan:
        """Return the plan whose reports a description is about."""
        return cls(description.mechanisms, description.kept, description.out_of_domain)

    def check(self, names: Iterable[str], *, where: str = "the table") -> None:
        """Refuse a table that lacks a column or has two of one name, without showing other names."""
        check_names(self.columns, list(names), where=where)

    def perturb_batch(self, batch: Batch, source: Source | None = None, *, first_row: int = 0) -> Batch:
        """Randomize one batch; calls share nothing, so each may run in another process or machine.

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
        """Randomize a stream of batches, as Spark's ``mapInArrow`` wants it."""
        done = 0
        for batch in batches:
            yield self.perturb_batch(batch, source, first_row=done)
            done += batch.num_rows

    def perturb_known(
        self,
        pieces: Iterable[pa.Table],
        ledger: Ledger,
        person: str,
        source: Source | None = None,
    ) -> Iterator[pa.Table]:
        """Randomize the rows of people who have accounts; values that were reported before cost nothing.

        Args:
            pieces: True values, and the names of the people.
            ledger: What each person has spent and reported.
            person: The column of names; it does not come out.
            source: Randomness of a simulated ledger; by default a secure one.
        """
        # What a simulated ledger remembers is seeded, whatever is drawn now.
        noise, done = SeededSource(0) if ledger.terms.simulated else SecureSource(), 0
        for piece in pieces:
            people = _names(piece.column(person), person, done)
            columns: dict[str, Any] = {name: piece.column(name) for name in self.keep}
            for name, part in self.parts.items():
                values = part.truth(piece.column(name), out_of_domain=self.out_of_domain, first_row=done)
                try:
                    known = ledger.perturb_many(people, name, values, part.mechanism, source)
                except BudgetSpent as refusal:
                    raise BudgetSpent(_with_row(str(refusal), done)) from None
                columns[name] = part.stored(known)
            schema = self.schema(piece.schema, noise)
            yield pa.Table.from_arrays([columns[name] for name in schema.names], schema=schema)
            done += piece.num_rows

    def perturb_part(
        self, pieces: Iterable[pa.Table], source: Source, *, first_row: int = 0, rows: int | None = None
    ) -> Iterator[pa.Table]:
        """Randomize one part of a table; seeded noise is the same however the table is divided.

        A seed's noise belongs to blocks of :attr:`rows` rows of the whole table. A part that holds only a
        piece of a block draws the whole block, with copies of a row in place of the others, and keeps its
        piece: the report of a row depends on no other row.

        Args:
            pieces: True values of the part, of at most :attr:`rows` rows each.
            source: Randomness.
            first_row: Number of rows before this part; seeded noise only.
            rows: Number of rows of the whole table; needed by seeded noise only.
        """
        if not isinstance(source, SeededSource):
            yield from self.perturb_batches(pieces, source)
            return
        assert rows is not None
        row, size = first_row, self.rows
        for piece in pieces:
            while piece.num_rows:
                block, before = divmod(row, size)
                mine = piece.slice(0, size - before)
                piece = piece.slice(mine.num_rows)  # noqa: PLW2901  (what is left of it)
                places = np.zeros(min(size, rows - block * size), dtype=np.int64)
                places[before : before + mine.num_rows] = np.arange(mine.num_rows)
                try:
                    noise = source.after(block * len(self.parts))
                    drawn = self.perturb_batch(mine.take(places), noise)
                except NoisewrightError:  # its row counts from the start of the block
                    self.perturb_batch(mine, source, first_row=row - first_row)
                    raise
                yield drawn.slice(before, mine.num_rows)
                row += mine.num_rows

    def as_text(self, reports: pa.Table) -> pa.Table:
        """Return a table of reports as a CSV holds it: labels plain, codes in hexadecimal."""
        for name, part in self.parts.items():
            if not part.numeric:
                place = reports.schema.get_field_index(name)
                texts = part.as_text(reports.column(name))
                reports = reports.set_column(place, pa.field(name, texts.type, nullable=False), texts)
        return reports

    def schema(self, original: pa.Schema, source: Source) -> pa.Schema:
        """Return the schema of the reports, with their description and no other metadata."""
        fields = {name: pa.field(name, part.type, nullable=False) for name, part in self.parts.items()}
        fields |= {name: pa.field(name, original.field(name).type) for name in self.keep}
        ordered = [fields[name] for name in self.in_order_of(original.names)]
        return pa.schema(ordered, metadata=self.describe(source).metadata())


def _names(column: Any, person: str, first_row: int) -> list[str]:
    """Return the names of people as texts; refuse a missing one by its row."""
    if column.null_count:
        row = pc.index(column.is_null(), True).as_py()
        raise BadTable(f"{place(person, first_row + row)} is missing; every row needs the name of its person")
    names: list[str] = texts(column, person).to_pylist()
    return names


def _with_row(refusal: str, first_row: int) -> str:
    """Return a refusal that names a person by a place in a batch with the row of the table instead.

    >>> _with_row("people[2] has epsilon 0 left of 1", 10)
    'the person in data row 13 has epsilon 0 left of 1'
    """
    found = re.match(r"people\[(\d+)\]", refusal)
    row = 0 if found is None else first_row + int(found[1]) + 1
    return refusal if found is None else f"the person in data row {row}{refusal[found.end() :]}"


def _check_entry(name: object, column: ReportColumn) -> None:
    if not isinstance(name, str):
        raise InvalidParameter(f"a column is named by text, not by {name!r}")
    if isinstance(column.mechanism.guarantee, JointLDP):
        raise InvalidParameter(
            f"column {name!r}: {type(column.mechanism).__name__} draws the noise of people together, which "
            "needs pairs and not rows; use noisewright joint run"
        )


def split_evenly(epsilon: float, parts: int) -> list[float]:
    """Split ε into equal shares whose exact sum does not exceed it, and rounds up to it.

    Three times the float next to 1/3 is more than 1, so the shares are rounded down, and as many of them are
    raised by one unit in the last place as there is room for.

    Args:
        epsilon: The budget to share.
        parts: Number of shares, from 1 on.

    >>> split_evenly(2.0, 2), split_evenly(0.3, 3)
    ([1.0, 1.0], [0.09999999999999999, 0.09999999999999999, 0.1])
    >>> sum(map(Fraction, split_evenly(1.0, 3))) <= 1
    True
    """
    total = Fraction(EPSILON.check(epsilon))
    count = whole("the number of columns", parts, 1, 1 << 20)
    share = round_down(total / count)
    more = math.nextafter(share, math.inf)
    raised = int((total - count * Fraction(share)) / (Fraction(more) - Fraction(share)))
    return [share] * (count - raised) + [more] * raised


def recommend_columns(
    domains: Mapping[str, Domain],
    epsilon: float | Mapping[str, float],
    purpose: str | Mapping[str, str] = BOTH,
    bins: Bounds | None = None,
) -> dict[str, Recommendation]:
    """Choose a mechanism for each column by what its reports are wanted for.

    Args:
        domains: where the true values of each column live.
        epsilon: the budget of one row, shared evenly by the columns; or a budget for each.
        purpose: "mean", "distribution", "both", "bins" or "single", for all columns of numbers or for some
            by name. Default: "both", or "bins" for columns that have some.
        bins: the edges, or the number, of the bins of a column.

    >>> from noisewright import Categories, Interval
    >>> chosen = recommend_columns({"pulse": Interval(40, 200), "smokes": Categories(["no", "yes"])}, 2.0)
    >>> [type(each.mechanism).__name__ for each in chosen.values()]
    ['SW', 'KRR']
    """
    cut = dict(bins or {})
    for what, given in (("bins", cut), ("purpose", purpose), ("epsilon", epsilon)):
        if isinstance(given, Mapping):
            _known(what, given, domains)
    if isinstance(epsilon, Mapping):
        if missing := [name for name in domains if name not in epsilon]:
            raise InvalidParameter(f"column {missing[0]!r} has no epsilon; give one to every column")
        budgets = dict(epsilon)
    else:
        budgets = dict(zip(domains, split_evenly(epsilon, len(domains)), strict=True))
    found = {}
    for name, domain in domains.items():
        numbers = isinstance(domain, NumericDomain)
        wanted = purpose.get(name) if isinstance(purpose, Mapping) else purpose if numbers else None
        wanted = BINS if name in cut and wanted in (None, BOTH) else wanted or BOTH
        try:
            found[name] = recommend(domain, budgets[name], wanted, cut.get(name))
        except NoisewrightError as refusal:
            raise type(refusal)(f"column {name!r}: {refusal}") from None
    return found


def with_mechanisms(
    columns: Mapping[str, Any],
    epsilon: float | Mapping[str, float] | None,
    purpose: str | Mapping[str, str] | None,
    bins: Bounds | None,
) -> dict[str, Mechanism]:
    """Return columns with their mechanisms; a mechanism is chosen for those given as domains.

    Args:
        columns: a mechanism or a domain for each column.
        epsilon: the budget of all columns that are given as domains, together or one by one; needed if
            there are any.
        purpose: what the reports of those columns are wanted for.
        bins: the bins of those columns that have some.
    """
    domains: dict[str, Domain] = {name: each for name, each in columns.items() if isinstance(each, Domain)}
    if not domains:
        for what, given in (("epsilon", epsilon), ("purpose", purpose), ("bins", bins)):
            if given is not None:
                raise InvalidParameter(
                    f"{what} is for columns that are given as domains, such as Interval(40, 200); here every "
                    "column has its mechanism"
                )
        return dict(columns)
    if epsilon is None:
        raise InvalidParameter("columns that are given as domains need an epsilon, for example epsilon=2")
    chosen = recommend_columns(domains, epsilon, BOTH if purpose is None else purpose, bins)
    return {name: chosen[name].mechanism if name in chosen else each for name, each in columns.items()}


def _known(what: str, given: Mapping[str, object], domains: Mapping[str, Domain]) -> None:
    for name in given:
        if name not in domains:
            raise InvalidParameter(f"{what} names the column {name!r}, which is not given as a domain here")
