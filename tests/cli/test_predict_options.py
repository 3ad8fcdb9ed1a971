"""What is typed after ``noisewright predict`` becomes intervals, a curve of ε, columns and records."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Interval
from noisewright.cli.predict_columns import Roles, check_count
from noisewright.cli.predict_options import POINTS, read_curve, read_list, read_sensitive, read_share, spread
from noisewright.cli.predict_records import chosen, read_table
from noisewright.engine.reading import open_input
from noisewright.errors import BadTable, InvalidParameter

COLUMNS = ["id", "age", "bmi", "sex", "ill"]


def test_a_name_may_hold_an_equals_sign_and_ends_may_be_negative():
    assert read_sensitive(["a=b=-40:60"]) == {"a=b": Interval(-40, 60)}


@pytest.mark.parametrize("texts", [[], ["age"], ["=0:1"], ["age=0"], ["age=a:b"], ["age=1:0"], ["age=1:1"],
                                   ["age=0:inf"], ["age=0:1", "age=0:2"]])  # fmt: skip
def test_sensitive_features_without_a_meaning(texts):
    with pytest.raises(InvalidParameter, match=r"sensitive|age"):
        read_sensitive(texts)


@pytest.mark.parametrize("ends", [(0.5, 8), (0.01, 32), (1, 2), (0.3, 0.9), (3.1, 3.9)])
def test_a_range_ascends_from_end_to_end_with_the_round_numbers(ends):
    values = spread(*ends)
    assert (values[0], values[-1], len(values)) == (*ends, POINTS)
    assert (np.diff(values) > 0).all()
    assert {value for value in (0.5, 1.0, 2.0, 4.0) if ends[0] <= value <= ends[1]} <= set(values)
    # No step is much longer than an equal ratio, so a least ε is found about that well.
    assert np.diff(np.log(values)).max() < 2.1 * np.log(ends[1] / ends[0]) / (POINTS - 1)


@pytest.mark.parametrize(
    "text", ["0", "-1", "nan", "inf", "33", "a", "1:", ":2", "2:1", "1:1", "1:2:3", "1,", "", "0:1"]
)
def test_budgets_without_a_meaning(text):
    with pytest.raises(InvalidParameter, match="epsilon"):
        read_curve(text)


def test_lists_and_shares():
    assert read_curve("4,1,4") == (1.0, 4.0)
    assert read_list("--features", None) == ()
    for text in ("a,,b", "a,b,a", ""):
        with pytest.raises(InvalidParameter, match="--features"):
            read_list("--features", text)
    for share in (0.0, 1.0, -0.5, float("nan"), float("inf")):
        with pytest.raises(InvalidParameter, match="--target must be between 0 and 1"):
            read_share("--target", share, "0.9")


def test_features_come_from_the_option_then_from_the_model_then_from_the_file():
    roles = Roles(("age",), ignored=("id",), answers="ill", groups=("sex",))
    assert roles.columns(COLUMNS, None, "x.csv") == ("age", "bmi")
    assert roles.columns(COLUMNS, ["bmi", "age"], "x.csv") == ("bmi", "age")
    named = Roles(("age",), features=("sex", "age"), groups=("sex",))
    assert named.columns(COLUMNS, ["bmi", "age"], "x.csv") == ("sex", "age")


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({"sensitive": ("agee",)}, "did you mean 'age'"),
        ({"ignored": ("name",)}, "no column 'name'"),
        ({"groups": ("zip",)}, "no column 'zip'"),
        ({"answers": "label"}, "no column 'label'"),
        ({"features": ("age", "weight")}, "no column 'weight'"),
        ({"features": ("bmi",)}, "none of the features"),
        ({"features": ("age", "ill"), "answers": "ill"}, "both --answers and a feature"),
        ({"ignored": ("age",)}, "both --sensitive and --ignore"),
        ({"features": ("age", "id"), "ignored": ("id",)}, "both in --features and --ignore"),
        ({"answers": "age"}, "both --sensitive and --answers"),
        ({"answers": "ill", "groups": ("ill",)}, "both --answers and --group"),
        ({"groups": ("sex", "sex")}, "named twice by --group"),
    ],
)
def test_columns_that_contradict_each_other(roles, said):
    with pytest.raises((InvalidParameter, BadTable), match=said):
        Roles(**({"sensitive": ("age",)} | roles)).columns(COLUMNS, None, "x.csv")


def test_a_model_that_takes_another_number_of_features():
    check_count(["a", "b"], 2, "x.csv")
    check_count(["a", "b"], None, "x.csv")
    with pytest.raises(BadTable, match="takes 3 features, but 2 columns"):
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
    drawn = chosen(100, [], 30, 5)
    assert drawn == chosen(100, [], 30, 5) == sorted(set(drawn))
    assert len(drawn) == 30
    assert set(drawn) <= set(range(1, 101))
    assert drawn != chosen(100, [], 30, 6)
    assert chosen(100, [], 100, 5) is chosen(100, [], None, 5) is None
