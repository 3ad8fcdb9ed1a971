"""What a schema accepts, how records become units, and what it refuses without telling a value."""

import numpy as np
import pytest

from noisewright import Categories, Circle, Interval
from noisewright.domains.product import Product
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn.rules.schema import Schema, read_schema

PARTS = {
    "age": Interval(0, 100),
    "hour": Circle(24),
    "sex": Categories(["f", "m"]),
    "ward": Categories("abc"),
}


def test_every_kind_of_feature_becomes_units():
    schema = read_schema(PARTS, 4)
    units = schema.encode([[25, 6, "m", "b"], [100, 0, "f", "a"]])
    expected = [[-0.5, 0, 1, 1, -1, 1, -1], [1, 1, 0, -1, 1, -1, -1]]
    assert np.allclose(units, expected, atol=1e-12)
    assert schema.names == ("age", "cos hour", "sin hour", "sex", "ward is a", "ward is b", "ward is c")
    assert schema.width == 7


@pytest.mark.parametrize("domain", [PARTS, Product(**PARTS), list(PARTS.values())])
def test_ways_to_declare_the_same(domain):
    assert read_schema(domain, 4).width == 7


def test_without_a_domain_the_real_line_is_squashed_and_needs_no_data():
    schema = read_schema(None, 2)
    one = schema.encode(np.array([[0.5, -1e9]]))
    assert np.allclose(one, [[np.tanh(0.5), -1.0]])
    assert np.array_equal(schema.encode(np.array([[0.5, -1e9], [7.0, 8.0]]))[0], one[0])


def test_one_row_is_encoded_as_it_is_among_many():
    schema, generator = read_schema(PARTS, 4), np.random.default_rng(1)
    rows = [[float(generator.uniform(0, 100)), 3.0, "f", "c"] for _ in range(20)]
    many = schema.encode(rows)
    assert all(np.array_equal(schema.encode([row])[0], many[place]) for place, row in enumerate(rows))


def test_a_table_with_names_is_read_by_name():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"sex": ["m"], "age": [50.0]})
    schema = read_schema({"age": PARTS["age"], "sex": PARTS["sex"]}, 2)
    assert schema.encode(table).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ([101, 6, "m", "b"], r"age\[0\] lies above"),
        ([np.nan, 6, "m", "b"], r"age\[0\] is missing"),
        ([None, 6, "m", "b"], r"age\[0\] is missing"),
        (["x", 6, "m", "b"], "age holds values that are not numbers"),
        ([10, 6, "d", "b"], r"sex\[0\] is not one of the 2"),
        ([10, 25, "f", "b"], r"hour\[0\]"),
    ],
)
def test_values_outside_are_refused_by_their_place(record, words):
    with pytest.raises(OutOfDomain, match=words) as refusal:
        read_schema(PARTS, 4).encode([record])
    assert "101" not in str(refusal.value)


@pytest.mark.parametrize("domain", ["abc", 3, [Interval(0, 1)], {"a": 1, "b": 2}, [], {}])
def test_what_is_no_schema_is_refused(domain):
    with pytest.raises(InvalidParameter):
        read_schema(domain, 2)


def test_rows_of_another_length_are_refused():
    with pytest.raises(BadTable, match="rows of 2 features"):
        read_schema(None, 2).encode(np.zeros((3, 5)))


def test_a_description_leads_back():
    schema = read_schema({**PARTS, "free": None}, 5)
    assert Schema.from_dict(schema.to_dict()) == schema
    with pytest.raises(InvalidParameter, match="broken"):
        Schema.from_dict({"features": [{"name": "a"}]})
