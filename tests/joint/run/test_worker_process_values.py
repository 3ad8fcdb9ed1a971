"""The users' values in the hands of workers: read as the engine reads them, and dealt in turn."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from noisewright import Categories
from noisewright.errors import BadTable, OutOfDomain
from noisewright.joint.run.worker_process import hold

ILLS = Categories(["none", "flu", "cold"])
LABELS = ["flu", "none", "cold", "none", "flu", "none"]


def people(path, column="why"):
    return {"file": str(path), "column": column}


@pytest.mark.parametrize("name", ["visits.csv", "visits.parquet", "visits.arrow"])
def test_each_worker_takes_every_so_many_th_user(tmp_path, name):
    path = tmp_path / name
    table = pa.table({"name": list("abcdef"), "why": LABELS})
    if name.endswith("csv"):
        path.write_text("name,why\n" + "".join(f"p,{label}\n" for label in LABELS))
    elif name.endswith("parquet"):
        pq.write_table(table, path)
    else:
        feather.write_feather(table, path, compression="uncompressed")
    hands = [hold(people(path), ILLS, index, 2) for index in (0, 1)]
    assert [hand.total for hand in hands] == [6, 6]
    assert [hand.labels for hand in hands] == [["flu", "cold", "flu"], ["none", "none", "none"]]


def test_made_up_people_are_as_many_as_asked_for():
    asked = {"file": None, "count": 10, "share": 0.3}
    hands = [hold(asked, Categories(["no", "yes"]), index, 3) for index in range(3)]
    assert [hand.total for hand in hands] == [10] * 3
    assert sum(hand.labels.count("yes") for hand in hands) == 3
    assert sum(len(hand.labels) for hand in hands) == 10


@pytest.mark.parametrize(
    ("column", "labels", "found"),
    [
        (pa.array([250, 401, 250]), ["250", "401"], ["250", "401", "250"]),
        (pa.array([True, False, True]), ["false", "true"], ["true", "false", "true"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b"], ["a", "b", "a"]),
    ],
)
def test_numbers_booleans_and_dictionaries_are_labels_too(tmp_path, column, labels, found):
    pq.write_table(pa.table({"why": column}), tmp_path / "v.parquet")
    assert hold(people(tmp_path / "v.parquet"), Categories(labels), 0, 1).labels == found


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("name,why\np,flu\np,none\np,croup\n", OutOfDomain, "why in data row 3 is not one of the 3 labels"),
        ("name,why\np,flu\np,\n", BadTable, "why in data row 2 is missing"),
        ("name,why\np,flu \n", OutOfDomain, "why in data row 1 is a label of the list with blanks around it"),
        ("name,reason\np,flu\n", BadTable, "has no column 'why'; it has 2 columns, none of that name"),
        ("why,why\nflu,flu\n", BadTable, "has 2 columns named 'why'"),
        ("name,why\n", BadTable, "has columns but no rows; there is nobody to take part"),
    ],
)
def test_what_does_not_fit_is_named_by_its_place_and_not_shown(tmp_path, text, kind, sentence):
    (tmp_path / "visits.csv").write_text(text)
    with pytest.raises(kind, match=sentence) as refusal:
        hold(people(tmp_path / "visits.csv"), ILLS, 1, 2)  # whoever holds the row, all refuse
    assert "croup" not in str(refusal.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadTable, match="there is no such file"):
        hold(people(tmp_path / "none.csv"), ILLS, 0, 1)
