"""Groups of people in words and on a page: every number, how many intervals miss, and no page too wide."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noisewright
from browser.findings import run_script
from noisewright import Bins, Categories, Circle, Interval
from noisewright.errors import BadTable, InvalidParameter
from noisewright.io import perturb_table, read_description
from noisewright.mechanisms import KRR, OUE, SW, CircularOGPM
from noisewright.randomness import SeededSource
from noisewright.report.html import render_page
from noisewright.survey import GroupEstimates
from noisewright.survey.estimate_rows import rows
from noisewright.survey.group_report import FEW, most_frequent
from report.checking import check

PEOPLE = 3000
CODES = Categories([f"code {number} <b>" for number in range(30)])
MECHANISMS = {
    "hours": SW(Interval(0, 24), 2.0),
    "wake": CircularOGPM(Circle(24), 2.0),
    "drug": KRR(Categories(["a", "b"]), 1.0),
    "code": OUE(CODES, 2.0),
    "age": KRR(Bins(Interval(0, 100), [0, 18, 40, 65, 100]), 2.0),
}
LONG = "a region whose name is so long that no telephone has room for it in one line of a table"


def reports(regions, *, mechanisms=MECHANISMS, count=PEOPLE) -> pa.Table:
    random = np.random.default_rng(5)
    table = pa.table(
        {
            "hours": random.normal(8, 2, count).clip(0, 24),
            "wake": random.uniform(5, 9, count),
            "drug": random.choice(["a", "b"], count),
            "code": random.choice(list(CODES.labels), count),
            "age": random.uniform(0, 100, count),
            "region": random.choice(list(regions), count),
        }
    )
    return perturb_table(table, mechanisms, SeededSource(2), keep=["region"])


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("groups")


@pytest.fixture(scope="module")
def few(place) -> GroupEstimates:
    pq.write_table(reports(["<i>north", "south", LONG]), place / "few.parquet")
    return noisewright.estimate_file(place / "few.parquet", by="region", bins=4)


@pytest.fixture(scope="module")
def many(place) -> GroupEstimates:
    drug = {"drug": MECHANISMS["drug"]}
    pq.write_table(
        reports([f"region {number}" for number in range(40)], mechanisms=drug), place / "many.parquet"
    )
    return noisewright.estimate_file(place / "many.parquet", by="region", bins=4, level=0.9)


def test_groups_are_a_mapping_of_estimates_in_order(few):
    assert list(few) == sorted(["<i>north", "south", LONG])
    assert len(few) == 3
    assert sum(group.columns[0].tally.count for group in few.values()) == PEOPLE
    assert [column.name for column in few["south"].columns] == list(MECHANISMS)
    told = json.loads(json.dumps(few.to_dict(), allow_nan=False))
    assert told["by"] == "region"
    assert told["groups"]["south"]["columns"]["hours"]["mean"] == few["south"].columns[0].mean.to_dict()


def test_a_page_has_the_numbers_of_every_group(few):
    parsed = check(render_page(few.report()))
    for name, group in few.items():
        assert name in parsed.prose
        for column in group.columns:
            assert f"{column.tally.count:,}" in parsed.prose
            if hasattr(column, "mean"):
                assert rows(column)[0].interval in parsed.prose
    for text in ("hours by region", "mean direction", "NOT PRIVATE", "apart for each region", "few.parquet"):
        assert text in parsed.prose
    assert parsed.count("svg") == 3 * len(MECHANISMS)


def test_a_text_has_a_table_for_each_column_and_a_section_for_each_group(few):
    text = str(few)
    heads = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert heads[0] == "Estimates of 3 groups by region from few.parquet"
    assert heads[1:6] == [f"{name} by region" for name in MECHANISMS]
    assert heads[6:9] == [f"region: {name}" for name in few]
    assert max(map(len, text.splitlines())) <= 100
    assert few._repr_html_().startswith("<div")
    assert "&lt;i&gt;north" in few._repr_html_()


def test_labels_are_the_most_frequent_of_all_people_and_bins_stay_in_order(few):
    columns = [group.columns[3] for group in few.values()]
    people = sum(column.tally.count * column.frequencies.value for column in columns)
    assert most_frequent(columns) == [CODES.labels[place] for place in np.argsort(-people)[:3]]
    assert "27 more labels are not in this table" in str(few)
    ages = [group.columns[4] for group in few.values()]
    chosen = most_frequent(ages)
    assert chosen == [label for label in ages[0].frequencies.labels if label in chosen]
    assert len(chosen) == 3


def test_many_groups_have_no_sections_and_a_warning(many):
    text = " ".join(str(many).split())
    assert len(many) > FEW
    assert "about 1 in 10 misses the truth, so about 8 of the 80 in the tables by region" in text
    assert "These are 40 groups, too many to show each" in text
    assert "region: region 1" not in text
    assert str(many["region 7"]).startswith("Estimates from many.parquet")


def test_few_intervals_need_no_warning(place):
    found = noisewright.estimate_file(place / "few.parquet", by="region", columns=["drug"])
    assert "misses the truth" not in str(found)


def test_a_description_is_given_as_a_value_or_as_a_file(place, few):
    table = pq.read_table(place / "few.parquet")
    pq.write_table(table.replace_schema_metadata({}), place / "bare.parquet")
    about = read_description(place / "few.parquet")
    (place / "about.json").write_text(about.to_json())
    for given in (about, place / "few.parquet", str(place / "about.json")):
        found = noisewright.estimate_file(
            place / "bare.parquet", columns=["drug"], by="region", description=given
        )
        assert found["south"].to_dict()["columns"]["drug"] == few["south"].to_dict()["columns"]["drug"]
    with pytest.raises(BadTable, match=r"give the description of the original file by description=…"):
        noisewright.estimate_file(place / "bare.parquet")
    with pytest.raises(InvalidParameter, match="bins must be"):
        noisewright.estimate_file(place / "nowhere.parquet", bins=1)


@pytest.mark.slow
def test_pages_of_groups_fit_a_phone_and_can_be_read_by_everybody(place, few, many, tmp_path):
    for name in ("hours", "code"):  # Chromium saves at most ten tables of a page
        one = noisewright.estimate_file(place / "few.parquet", by="region", columns=[name], bins=4)
        (tmp_path / f"{name}.html").write_text(render_page(one.report()))
    (tmp_path / "many.html").write_text(render_page(many.report()))
    found = run_script("report_pages.mjs", tmp_path)
    assert [each for each in found if not each["good"]] == []
    assert [each["overflow"] for each in found] == [0, 0, 0]
