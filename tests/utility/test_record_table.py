"""Records of a file: the roles of columns, the rows themselves, and which of them are looked at."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright.errors import BadTable, InvalidParameter
from noisewright.io.table_files import open_input
from noisewright.utility.record_table import ColumnRoles, check_count, choose_records, read_table

COLUMNS = ["id", "age", "bmi", "sex", "ill"]


def test_features_come_from_the_option_then_from_the_model_then_from_the_file():
    roles = ColumnRoles(("age",), ignore=("id",), answers="ill", groups=("sex",))
    assert roles.columns(COLUMNS, None, "x.csv") == ("age", "bmi")
    assert roles.columns(COLUMNS, ["bmi", "age"], "x.csv") == ("bmi", "age")
    named = ColumnRoles(("age",), features=("sex", "age"), groups=("sex",))
    assert named.columns(COLUMNS, ["bmi", "age"], "x.csv") == ("sex", "age")


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({"sensitive": ("agee",)}, "did you mean 'age'"),
        ({"ignore": ("name",)}, "no column 'name'"),
        ({"groups": ("zip",)}, "no column 'zip'"),
        ({"answers": "label"}, "no column 'label'"),
        ({"features": ("age", "weight")}, "no column 'weight'"),
        ({"features": ("bmi",)}, "not among the features"),
        ({"features": ("age", "ill"), "answers": "ill"}, "both answers=... and a feature"),
        ({"ignore": ("age",)}, "both sensitive=... and ignore=..."),
        ({"features": ("age", "id"), "ignore": ("id",)}, "both in features=... and ignore=..."),
        ({"answers": "age"}, "both sensitive=... and answers=..."),
        ({"answers": "ill", "groups": ("ill",)}, "both answers=... and groups=..."),
        ({"groups": ("sex", "sex")}, "named twice by groups=..."),
    ],
)
def test_columns_that_contradict_each_other(roles, said):
    with pytest.raises((InvalidParameter, BadTable), match=said):
        ColumnRoles(**({"sensitive": ("age",)} | roles)).columns(COLUMNS, None, "x.csv")


def test_a_model_that_takes_another_number_of_features():
    check_count(["a", "b"], 2, "x.csv")
    check_count(["a", "b"], None, "x.csv")
    with pytest.raises(BadTable, match="takes 3 features, but would get 2 columns"):
        check_count(["a", "b"], 3, "x.csv")


def test_csv_and_parquet_give_the_same_records(tmp_path):
    table = pa.table({"age": [40, 60], "smokes": [0, 1], "sex": ["F", "M"], "ill": [1, 0]})
    pq.write_table(table, tmp_path / "x.parquet")
    (tmp_path / "x.csv").write_text("age,smokes,sex,ill\n40,0,F,1\n60,1,M,0\n")
    for name in ("x.csv", "x.parquet"):
        found = read_table(open_input(tmp_path / name), name, ["age", "smokes"], ["ill", "sex", "smokes"])
        assert found.values.tolist() == [[40, 0], [60, 1]]
        assert found.groups(["sex", "smokes"]) == ["sex = F, smokes = 0", "sex = M, smokes = 1"]
        assert [str(label) for label in found.labels["ill"]] == ["1", "0"]


def test_records_are_drawn_without_repeats_and_repeatably():
    drawn = choose_records(100, [], 30, 5)
    assert drawn == choose_records(100, [], 30, 5) == sorted(set(drawn))
    assert len(drawn) == 30
    assert set(drawn) <= set(range(1, 101))
    assert drawn != choose_records(100, [], 30, 6)
    assert choose_records(100, [], 100, 5) is choose_records(100, [], None, 5) is None
