"""Writers of tables of reports, and a warning of CSV cells that a spreadsheet would take for formulas.

Excel, LibreOffice and others run what begins with ``=``, ``+``, ``-`` or ``@``, so a label that a stranger
chose can call programs or send the sheet away. Values are written as they are, since other programs want
them so; whoever writes the file is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from noisewright.errors import FormulaCells
from noisewright.io.file_errors import warn_caller
from noisewright.text import plain

FORMULA: Final = r"^[=+\-@＝＋－＠\t\r\n]"
"""How such a cell begins; spreadsheets read the wide signs of East Asian keyboards, too."""

NUMBER: Final = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
MOST_NAMES: Final = 3


@contextmanager
def report_writer(kind: str, path: Path, schema: pa.Schema) -> Iterator[Any]:
    """An object with ``write_table`` for a file of a given kind; closed at the end whatever happens.

    A CSV with cells that a spreadsheet would run is written as it is, and warned of.
    """
    with pa.OSFile(str(path), "wb") as sink:
        writer = _writer(kind, sink, schema)
        try:
            yield writer
        except BaseException:
            with suppress(OSError, pa.ArrowException):
                writer.close()  # the draft is about to vanish: only release what the writer holds
            raise
        writer.close()
    if isinstance(writer, FormulaWatch):
        writer.tell()


def _writer(kind: str, sink: Any, schema: pa.Schema) -> Any:
    if kind == "csv":
        return FormulaWatch(csv.CSVWriter(sink, schema), schema.names)
    if kind == "arrow":
        return pa.ipc.new_file(sink, schema)
    reports = [field for field in schema if not field.nullable]
    numbers = [field.name for field in reports if pa.types.is_floating(field.type)]
    codes = [field.name for field in reports if pa.types.is_fixed_size_binary(field.type)]
    # Noise has no repeated values for a dictionary to save, but the bytes of numbers, taken column by column,
    # do shrink: half the size at twice the speed of the usual settings. Labels do repeat.
    return pq.ParquetWriter(
        sink,
        schema,
        compression="snappy",
        use_dictionary=[  # type: ignore[arg-type]  # the stubs know only yes and no
            name for name in schema.names if name not in (*numbers, *codes)
        ],
        column_encoding=dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
    )


class FormulaWatch:
    """A writer of a CSV that remembers the columns with such cells, and tells of them in the end.

    Args:
        writer: has ``write_table`` and ``close``.
        names: of the columns, which stand in the first line.
    """

    def __init__(self, writer: Any, names: Iterable[str]) -> None:
        self._writer = writer
        self._found = dict.fromkeys(name for name in names if _any_formula(pa.array([name])))

    def write_table(self, table: pa.Table) -> None:
        """Write some rows."""
        self._writer.write_table(table)
        for name, column in zip(table.column_names, table.columns, strict=True):
            if name not in self._found and any(map(_any_formula, column.chunks)):
                self._found[name] = None

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()

    def tell(self) -> None:
        """Warn if there is reason to."""
        warn_formulas(self._found)


def warn_formulas(columns: Iterable[str]) -> None:
    """Warn of columns, if there are any, that were written to a CSV and have such a cell or name."""
    names = [repr(plain(name)) for name in columns]
    if names:
        more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
        warn_caller(
            f"a spreadsheet would run cells of {', '.join(names[:MOST_NAMES])}{more} as formulas, for they "
            "begin with =, +, -, @, a tab or a line break; the values are written as they are, so import the "
            "CSV as text",
            FormulaCells,
        )


def starts_formula(text: str) -> bool:
    """Whether a spreadsheet would take a text for a formula; numbers are none.

    >>> [starts_formula(text) for text in ("=1+1", "-cmd", "@SUM(A1)", "-1.5e3", "+.5", "a=1", "")]
    [True, True, True, False, False, False, False]
    """
    return _any_formula(pa.array([text]))


def _any_formula(column: Any) -> bool:
    if pa.types.is_dictionary(column.type):
        column = column.dictionary
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    suspects = column.filter(pc.match_substring_regex(column, FORMULA), null_selection_behavior="drop")
    return bool(len(suspects)) and not pc.all(pc.match_substring_regex(suspects, NUMBER)).as_py()
