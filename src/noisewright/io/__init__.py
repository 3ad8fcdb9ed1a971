"""Tables and files in, tables and files of reports out.

A :class:`ColumnPlan` says which column goes through which mechanism. Only the randomized columns come
out; everything else in a table is raw personal data and stays behind unless it is named in ``keep``.
Whatever comes out carries its own description, which :func:`read_description` reads back. Reports of numbers
are stored as numbers, reports that are labels as text, and codes (bits, hashes) as bytes.

    >>> import pyarrow as pa
    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> table = pa.table({"name": ["Ada", "Bo"], "heart_rate": [71.0, 64.5]})
    >>> reports = perturb_table(table, {"heart_rate": OGPM(Interval(40, 200), epsilon=2.0)})
    >>> reports.column_names, read_description(reports).guarantee
    (['heart_rate'], PureLDP(epsilon=2.0))

Reports keep the order of the rows, so whoever knows the order of the input knows whose report is whose. The
guarantee does not depend on anonymity and holds all the same; shuffle the rows if you want anonymity too.
"""

from noisewright.io.columns import ColumnPlan, recommend_columns, split_evenly
from noisewright.io.description import Description, read_description
from noisewright.io.files import Written, write_reports
from noisewright.io.numbers import WholeNumbers
from noisewright.io.perturb import perturb_file
from noisewright.io.tables import perturb_table
from noisewright.io.tallies import Tallies, tally_file, tally_files, tally_table

__all__ = [
    "ColumnPlan",
    "Description",
    "Tallies",
    "WholeNumbers",
    "Written",
    "perturb_file",
    "perturb_table",
    "read_description",
    "recommend_columns",
    "split_evenly",
    "tally_file",
    "tally_files",
    "tally_table",
    "write_reports",
]
