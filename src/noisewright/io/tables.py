"""Tables in memory: pandas, Polars and Arrow in, reports of the same kind out."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

import numpy as np
import pyarrow as pa

from noisewright.domains import Domain
from noisewright.errors import BadTable
from noisewright.io.columns import Bounds, ColumnPlan, with_mechanisms
from noisewright.io.description import KEY
from noisewright.io.numbers import note_whole_numbers
from noisewright.io.table_files import even_batches
from noisewright.mechanisms import Mechanism
from noisewright.randomness import SecureSource, Source

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    Frame = TypeVar("Frame", pd.DataFrame, pl.DataFrame, pa.RecordBatch, pa.Table)


class ArrowStream(Protocol):
    """A table of another library with the Arrow stream protocol, such as a DuckDB relation."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a capsule with a stream of batches."""


@overload
def perturb_table(  # type: ignore[overload-overlap]  # frames speak the protocol too, and come first
    table: Frame,
    mechanisms: Mapping[str, Mechanism | Domain],
    source: Source | None = ...,
    keep: Sequence[str] = ...,
    *,
    out_of_domain: str = ...,
    epsilon: float | Mapping[str, float] | None = ...,
    purpose: str | Mapping[str, str] | None = ...,
    bins: Bounds | None = ...,
) -> Frame: ...
@overload
def perturb_table(
    table: ArrowStream,
    mechanisms: Mapping[str, Mechanism | Domain],
    source: Source | None = ...,
    keep: Sequence[str] = ...,
    *,
    out_of_domain: str = ...,
    epsilon: float | Mapping[str, float] | None = ...,
    purpose: str | Mapping[str, str] | None = ...,
    bins: Bounds | None = ...,
) -> pa.Table: ...
def perturb_table(
    table: Any,
    mechanisms: Mapping[str, Mechanism | Domain],
    source: Source | None = None,
    keep: Sequence[str] = (),
    *,
    out_of_domain: str = "refuse",
    epsilon: float | Mapping[str, float] | None = None,
    purpose: str | Mapping[str, str] | None = None,
    bins: Bounds | None = None,
) -> Any:
    """Randomize columns of a pandas or Polars frame or an Arrow table or batch; returns the same kind.

    Reports of labels are a dictionary of texts, a categorical column in a frame; codes are bytes. Columns
    come out in the order of the table. The index of a pandas frame may name people, so the result has a
    fresh one. An Arrow result carries its description in the metadata of its schema, a pandas result in
    ``frame.attrs["noisewright"]``; a Polars frame can carry none. A column on an interval that holds whole
    numbers only gets a :class:`WholeNumbers` warning before anything is randomized.

    Args:
        table: True values. Any other object with the Arrow stream protocol, such as a DuckDB relation,
            becomes an Arrow table.
        mechanisms: The mechanism of each column to randomize, or the domain of its true values.
        source: Randomness; by default a :class:`~noisewright.randomness.SecureSource`.
        keep: Columns that come out as they are; all others stay behind.
        out_of_domain: "refuse" values outside a domain, or "clip" numbers into it.
        epsilon: Budget of all columns given as domains together, or of each by name.
        purpose: What the reports of those columns are wanted for: "mean", "distribution", "both" (the
            default), "bins" or "single"; for all, or by name (:func:`noisewright.design.recommend`).
        bins: Edges, or the number, of the bins of some of those columns.

    >>> import pandas as pd
    >>> from noisewright import Integers
    >>> from noisewright.mechanisms import OGPM
    >>> frame = pd.DataFrame({"heart_rate": [71, 64, 102]}, index=["Ada", "Bo", "Cy"])
    >>> perturb_table(frame, {"heart_rate": OGPM(Integers(40, 200), epsilon=2.0)}).index.tolist()
    [0, 1, 2]

    With a domain instead of a mechanism, the mechanism is chosen:

    >>> reports = perturb_table(
    ...     pa.table({"age": [31, 64]}), {"age": Integers(0, 99)}, epsilon=1.0, bins={"age": [0, 18, 65, 100]}
    ... )
    >>> reports.schema.field("age").type
    DictionaryType(dictionary<values=string, indices=int32, ordered=0>)
    """
    plan = ColumnPlan(with_mechanisms(mechanisms, epsilon, purpose, bins), keep, out_of_domain)
    source = source or SecureSource()
    if _is(table, "pandas"):
        return _pandas(table, plan, source)
    if _is(table, "polars"):
        return _polars(table, plan, source)
    if isinstance(table, pa.RecordBatch):
        return _arrow(pa.Table.from_batches([table]), plan, source).combine_chunks().to_batches()[0]
    if isinstance(table, pa.Table):
        return _arrow(table, plan, source)
    if hasattr(table, "__arrow_c_stream__"):
        return _arrow(pa.table(table), plan, source)
    raise BadTable(
        "a table is a pandas or Polars DataFrame or an Arrow Table or RecordBatch, "
        f"not a {type(table).__name__}"
    )


def _is(table: Any, package: str) -> bool:
    """Return whether a table is a frame of a package, which must have been imported to make one."""
    module = sys.modules.get(package)
    return module is not None and isinstance(table, module.DataFrame)


def _arrow(table: pa.Table, plan: ColumnPlan, source: Source) -> pa.Table:
    plan.check(table.schema.names)
    if not table.num_rows:
        raise BadTable("the table has no rows; there is nothing to randomize")
    note_whole_numbers(plan.mechanisms, table, complete=True)
    pieces = even_batches(table.select(plan.in_order_of(table.schema.names)).to_batches(), plan.rows)
    return pa.concat_tables(list(plan.perturb_batches(pieces, source)))


def _pandas(frame: Any, plan: ColumnPlan, source: Source) -> Any:
    plan.check([label for label in frame.columns if isinstance(label, str)])
    columns = {name: from_pandas(frame[name], name) for name in plan.mechanisms}
    drawn = _arrow(pa.table(columns), ColumnPlan(plan.mechanisms, (), plan.out_of_domain), source)
    # Kept columns never leave pandas, so their types stay what they were.
    order = plan.in_order_of(frame.columns)
    result = frame[[name for name in order if name in plan.keep]].reset_index(drop=True)
    for place, name in enumerate(order):
        if name in plan.mechanisms:
            result.insert(place, name, _to_pandas(drawn.column(name)))
    result.attrs = {KEY: plan.describe(source).to_dict()}
    return result


def from_pandas(series: Any, name: str, kind: pa.DataType | None = None) -> Any:
    """Return a column of a pandas frame as Arrow; numbers without a copy.

    Args:
        series: The column.
        name: Its name, for a refusal.
        kind: The type that it must have; by default, the one that its values have.
    """
    if kind is None and isinstance(series.dtype, np.dtype) and series.dtype.kind == "f" and len(series):
        values = series.to_numpy()
        if values.min() == values.min():  # nothing is missing: Arrow need not look at each number
            return pa.array(values)
    try:
        return pa.Array.from_pandas(series, type=kind)
    except (pa.ArrowException, TypeError, ValueError):
        if kind is not None:
            raise BadTable(f"{name} holds other values than {kind}; give it one type first") from None
        raise BadTable(f"{name} holds mixed values; make them all numbers, or all texts, first") from None


def _to_pandas(reports: Any) -> Any:
    """Return labels as a categorical column, codes as bytes, and numbers as an array without a copy."""
    labels = pa.types.is_dictionary(reports.type)
    return reports.to_pandas() if labels else reports.to_numpy()


def _polars(frame: Any, plan: ColumnPlan, source: Source) -> Any:
    plan.check(frame.columns)
    drawn = _arrow(
        frame.select(list(plan.mechanisms)).to_arrow(),
        ColumnPlan(plan.mechanisms, (), plan.out_of_domain),
        source,
    )
    together = sys.modules["polars"].from_arrow(drawn).hstack(frame.select(plan.keep))
    return together.select(plan.in_order_of(frame.columns))
