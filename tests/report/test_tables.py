"""Tables of reports as CSV: they read back, with exact numbers, and no cell runs in a spreadsheet."""

from __future__ import annotations

import csv
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.io.files import starts_formula
from noisewright.report import Report, Section, Table, number
from noisewright.report.html import render_page
from noisewright.text import percent, plain, short
from report.checking import check, saved_tables

texts = st.text(max_size=12) | st.sampled_from(
    ["=1+1", "@x", "+cmd|' /C calc'!A0", "-2+3", "a,b", 'say "x"', "007"]
)
numbers = st.floats(allow_nan=False) | st.integers(-(10**9), 10**9)


@st.composite
def tables(draw):
    """Tables of texts, and of numbers whose exact value is known."""
    columns = draw(st.integers(1, 4))
    cells = texts | numbers.map(lambda exact: number(short(exact), exact=exact))
    rows = draw(st.lists(st.tuples(texts, *([cells] * (columns - 1))), max_size=4))
    return Table(draw(texts), draw(st.lists(texts, min_size=columns, max_size=columns)), rows)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@given(tables())
def test_every_table_becomes_a_csv_that_reads_back(table):
    rows = read(table.to_csv())
    for cells, row in zip([table.header, *table.rows], rows, strict=True):
        for cell, field in zip(cells, row, strict=True):
            if isinstance(cell, str):
                assert field in (plain(cell), f"'{plain(cell)}")
                assert not starts_formula(field)
            else:
                assert float(field) == cell.exact


@given(tables())
def test_a_page_offers_the_same_csv(table):
    page = check(render_page(Report("t", "l", [Section("s", [table])], verb="test", data={})))
    assert saved_tables(page) == ([read(table.to_csv())] if table.rows else [])


@pytest.mark.parametrize(
    ("shown", "value"),
    [("1,204", 1204), ("36.8 %", 0.368), ("−2.5", -2.5), ("1.2e-09", 1.2e-09), ("100 %", 1), (7, 7), (0.25, 0.25),
     ("–", None), ("12.9 km", None), ("1 to 2", None), ("", None), ("∞", None), ("1e999", math.inf)],
)  # fmt: skip
def test_a_cell_sorts_by_the_number_that_it_shows(shown, value):
    assert number(shown).value == value


@given(st.floats(0, 1))
def test_a_share_is_the_number_that_its_per_cents_say(share):
    value = number(percent(share)).value
    assert math.isclose(value, share, rel_tol=0.006, abs_tol=1e-300)


def test_an_exact_number_goes_before_the_shown_one_and_not_a_number_is_none():
    assert number("0.4", exact=0.36788).value == 0.36788
    assert number("–", exact=math.nan).value is None
    made = check(render_page(Report("t", "l", [Section("s", [
        Table("c", ["a", "b"], [["x", number("∞", exact=math.inf)], ["y", number("0.4", exact=0.36788)]])
    ])], verb="test", data={}))).text  # fmt: skip
    assert 'data-value="Infinity"' in made
    assert 'data-value="0.36788"' in made


def test_labels_units_and_intervals_stay_as_they_are_shown():
    cells = [
        number("50 % (48 % to 52 %)", exact=0.5),
        number("1.2 km", exact=1200.0),
        number("50 %", exact=0.501),
    ]
    rows = read(Table("c", ["label", "80 %", "a", "b"], [["007", *cells]]).to_csv())
    assert rows == [["label", "80 %", "a", "b"], ["007", "50 % (48 % to 52 %)", "1.2 km", "0.501"]]


def test_a_semicolon_separates_no_cell():
    assert '"a;=2+3",' in Table("c", ["label", "n"], [["a;=2+3", number("1")]]).to_csv()
