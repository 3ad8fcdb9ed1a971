"""What a function under audit is called with, by the kind of its input file."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright.audit.blackbox.exchange import read_data, read_for_programs, read_value
from noisewright.errors import BadTable


def test_tables_of_numbers_are_arrays(tmp_path):
    (tmp_path / "one.csv").write_text("age\n31\n57\n")
    (tmp_path / "two.csv").write_text("age,pay\n31,1.5\n57,2\n")
    assert read_data(tmp_path / "one.csv").tolist() == [31.0, 57.0]
    assert read_data(tmp_path / "two.csv").tolist() == [[31.0, 1.5], [57.0, 2.0]]


@pytest.mark.parametrize(
    "text", ["age,name\n31,Ada\n57,Bo\n", "age,pay\n31,\n57,2\n"], ids=["text", "missing"]
)
def test_other_tables_are_arrow_tables(tmp_path, text):
    (tmp_path / "people.csv").write_text(text)
    table = read_data(tmp_path / "people.csv")
    assert isinstance(table, pa.Table)
    assert table.column("age").to_pylist() == [31.0, 57.0]


def test_an_empty_cell_among_numbers_is_a_missing_one_and_among_words_a_word(tmp_path):
    (tmp_path / "people.csv").write_text("age,name,none\n31,,\n,Bo,\n")
    table = read_data(tmp_path / "people.csv")
    assert table.to_pylist() == [
        {"age": 31.0, "name": "", "none": ""},
        {"age": None, "name": "Bo", "none": ""},
    ]


def test_parquet_keeps_its_types(tmp_path):
    pq.write_table(pa.table({"age": [31, None]}), tmp_path / "gap.parquet")
    pq.write_table(pa.table({"age": [31, 57]}), tmp_path / "whole.parquet")
    assert isinstance(read_data(tmp_path / "gap.parquet"), pa.Table)
    assert read_data(tmp_path / "whole.parquet").tolist() == [31.0, 57.0]


def test_json_is_what_it_says_and_lists_of_numbers_are_arrays(tmp_path):
    (tmp_path / "rows.json").write_text('[{"age": 31}]')
    (tmp_path / "numbers.json").write_text("[[1, 2], [3, 4]]")
    assert read_data(tmp_path / "rows.json") == [{"age": 31}]
    assert read_data(tmp_path / "numbers.json").shape == (2, 2)
    assert isinstance(read_value("[1, true]"), list)
    assert read_value("[[1, 2], 3]") == [[1, 2], 3]
    assert read_value("NaN") == "NaN"


def test_no_refusal_shows_a_value(tmp_path):
    (tmp_path / "broken.json").write_text('{"secret": 4711')
    (tmp_path / "empty.csv").write_text("age\n")
    for name, said in (("broken.json", "not the strict JSON"), ("empty.csv", "no rows")):
        with pytest.raises(BadTable, match=said) as refusal:
            read_data(tmp_path / name)
        assert "4711" not in str(refusal.value)
    assert np.ndim(read_value("[0.5]")) == 1


def test_neighbours_for_programs_keep_every_cell_as_it_was_typed(tmp_path):
    (tmp_path / "people.csv").write_text("code,pay\n007,3\n008,2.50\n")
    frame = read_for_programs(tmp_path / "people.csv")
    assert frame.to_csv(index=False) == "code,pay\n007,3\n008,2.50\n"
    with pytest.raises(BadTable, match="must be CSV or JSON"):
        read_for_programs(tmp_path / "people.parquet")
