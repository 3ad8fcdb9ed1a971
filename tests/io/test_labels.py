"""Labels in tables: compared as text, never guessed, and refused without being quoted."""

import numpy as np
import pyarrow as pa
import pytest

from noisewright import Categories
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.io.labels import LabelList, text_of

CODES = LabelList(Categories(["250", "401", "other"]))


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["401", "250", "401"]),
        pa.array(["401", "250", "401"], pa.large_string()),
        pa.array(["401", "250", "401"], pa.string_view()),
        pa.array([401, 250, 401], pa.int16()),
        pa.array([401, 250, 401], pa.uint64()),
        pa.array(["401", "250", "401"]).dictionary_encode(),
        pa.array([401, 250, 401]).dictionary_encode(),
        pa.chunked_array([["401"], [], ["250", "401"]]),
        pa.chunked_array(
            [pa.array(["401"]).dictionary_encode(), pa.array(["250", "401"]).dictionary_encode()]
        ),
        pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3], pa.int32()), pa.array(["401", "250", "401"])),
    ],
    ids=lambda column: str(column.type),
)
def test_labels_are_found_in_columns_of_any_kind(column):
    assert CODES.places(column, "code").tolist() == [1, 0, 1]


def test_booleans_read_as_true_and_false():
    answers = pa.array([True, False])
    assert LabelList(Categories(["false", "true"])).places(answers, "smokes").tolist() == [1, 0]
    assert LabelList(Categories([False, True])).places(answers, "smokes").tolist() == [1, 0]
    with pytest.raises(
        OutOfDomain, match="smokes in data row 1 is a boolean, which labels spell true and false"
    ):
        LabelList(Categories(["no", "yes"])).places(answers, "smokes")


def test_a_slice_is_read_from_where_it_begins():
    column = pa.array(["zzz", "250", "401", "zzz"]).slice(1, 2)
    assert CODES.places(column, "code").tolist() == [0, 1]
    assert CODES.places(column.dictionary_encode().slice(1), "code").tolist() == [1]
    assert CODES.places(pa.array([], pa.string()), "code").size == 0


@pytest.mark.parametrize(
    ("column", "kind", "sentence"),
    [
        (
            pa.array(["250", "secret"]),
            OutOfDomain,
            "code in data row 12 is not one of the 3 labels of the list",
        ),
        (pa.array(["250", "another"]), OutOfDomain, "code in data row 12 is not one of"),
        (pa.array(["250", "Other"]), OutOfDomain, "row 12 is a label of the list but for capitals"),
        (
            pa.array(["250", " 401"]),
            OutOfDomain,
            "row 12 is a label of the list with blanks around it; remove",
        ),
        (pa.array(["250", None]), BadTable, "code in data row 12 is missing"),
        (pa.array(["250", ""]), BadTable, "code in data row 12 is missing"),
        (pa.array(["250", None]).dictionary_encode(), BadTable, "code in data row 12 is missing"),
        (pa.nulls(2), BadTable, "code in data row 11 is missing"),
        (pa.array([250, 7]), OutOfDomain, "code in data row 12 is not one of"),
        (pa.array([250.0, 401.0]), BadTable, "code holds double values where labels are needed"),
        (pa.array([b"250"]), BadTable, "code holds binary values where labels are needed"),
    ],
)
def test_what_is_no_label_is_refused_by_its_row_and_not_quoted(column, kind, sentence):
    with pytest.raises(kind, match=sentence) as refusal:
        CODES.places(column, "code", first_row=10)
    assert "secret" not in str(refusal.value)


def test_the_remedy_is_a_public_label():
    with pytest.raises(
        OutOfDomain, match=r'add a public label such as "other".*never take the list from the data'
    ):
        CODES.places(pa.array(["7"]), "code")


def test_labels_that_a_table_cannot_tell_apart_are_refused():
    with pytest.raises(InvalidParameter, match="two labels are spelled alike"):
        LabelList(Categories([1, "1"]))
    with pytest.raises(InvalidParameter, match="labels of a table are texts or whole numbers, not float"):
        LabelList(Categories([1.5, 2.5]))


def test_a_label_is_spelled_as_arrow_spells_it():
    for value, kind in ((True, pa.bool_()), (250, pa.int64()), ("a", pa.string()), (np.int64(3), pa.int64())):
        assert text_of(value) == pa.array([value], kind).cast(pa.string())[0].as_py()
