import pickle
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from noisewright import Circle, Interval
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.guarantees import PureLDP
from noisewright.io import ColumnPlan, read_description
from noisewright.io.table_files import ahead, even_batches
from noisewright.mechanisms import OGPM, CircularOGPM
from noisewright.randomness import SeededSource

PULSE = OGPM(Interval(40, 200), epsilon=1.5)
WAKE = CircularOGPM(Circle(24), epsilon=0.5)
PLAN = ColumnPlan({"pulse": PULSE})


def plan_of(**options):
    return ColumnPlan({"pulse": PULSE, "wake": WAKE}, **options)


def table(rows=100):
    return pa.table(
        {
            "name": [f"person {i}" for i in range(rows)],
            "wake": np.linspace(0, 23, rows),
            "pulse": np.linspace(40, 200, rows),
        },
        metadata={"owner": "somebody"},
    )


def test_only_randomized_columns_come_out():
    reports = plan_of().perturb_batch(table())
    assert reports.column_names == ["wake", "pulse"]
    assert set(reports.schema.metadata) == {b"noisewright"}
    assert not np.array_equal(reports["pulse"].to_numpy(), table()["pulse"].to_numpy())


def test_a_column_is_passed_on_only_if_asked():
    reports = plan_of(keep=["name"]).perturb_batch(table())
    assert reports.column_names == ["name", "wake", "pulse"]
    assert reports["name"] == table()["name"]
    assert read_description(reports).kept == ("name",)


def test_reports_are_what_the_mechanism_draws():
    reports = PLAN.perturb_batch(table(), SeededSource(7))
    drawn = PULSE.perturb(table()["pulse"].to_numpy(), SeededSource(7))
    assert np.array_equal(reports["pulse"].to_numpy(), drawn)


def test_a_cell_is_recovered_from_its_real_value():
    cells = np.arange(0, PULSE.reports.lattice, 997)
    assert np.array_equal(PULSE.reports.snap(PULSE.reports.centres(cells)), cells)


def test_a_record_batch_stays_a_record_batch_and_may_be_empty():
    batch = table().to_batches()[0]
    assert isinstance(PLAN.perturb_batch(batch), pa.RecordBatch)
    assert PLAN.perturb_batch(batch.slice(0, 0)).num_rows == 0


def test_a_stream_of_batches_keeps_its_order_and_counts_rows():
    batches = table().to_batches(max_chunksize=30)
    done = list(plan_of().perturb_batches(iter(batches)))
    assert [batch.num_rows for batch in done] == [30, 30, 30, 10]


def test_a_plan_travels_to_another_process():
    copy = pickle.loads(pickle.dumps(plan_of(keep=("name",))))
    assert copy == plan_of(keep=("name",))


def test_the_row_costs_the_sum_of_its_columns():
    assert plan_of().guarantee == PureLDP(2.0)


TYPES = [
    pa.int8(), pa.uint8(), pa.int16(), pa.int32(), pa.int64(), pa.uint64(), pa.float16(), pa.float32(),
    pa.float64(), pa.decimal128(10, 0), pa.decimal256(40, 0),
]  # fmt: skip


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_every_numeric_type_gives_the_same_reports(kind):
    values = [71, 64, 102, 120]
    if pa.types.is_decimal(kind):
        column = pa.array([Decimal(v) for v in values], kind)
    elif kind == pa.float16():
        column = pa.array(np.array(values, dtype=np.float16))
    else:
        column = pa.array(values, kind)
    reports = PLAN.perturb_batch(pa.table({"pulse": column}), SeededSource(3))
    assert np.array_equal(reports["pulse"].to_numpy(), PULSE.perturb(values, SeededSource(3)))


def encodings():
    plain = pa.array([71.0, 71.0, 102.0, 71.0])
    yield "dictionary", plain.dictionary_encode()
    yield (
        "chunked dictionary",
        pa.chunked_array([plain[:1].dictionary_encode(), plain[1:].dictionary_encode()]),
    )
    yield "run ends", pc.run_end_encode(plain)
    yield "chunks", pa.chunked_array([plain[:1], plain[1:1], plain[1:]])
    yield "slice", pa.concat_arrays([pa.array([99.0]), plain])[1:]


@pytest.mark.parametrize("column", [pytest.param(column, id=name) for name, column in encodings()])
def test_every_encoding_gives_the_same_reports(column):
    reports = PLAN.perturb_batch(pa.table({"pulse": column}), SeededSource(3))
    assert np.array_equal(
        reports["pulse"].to_numpy(), PULSE.perturb([71.0, 71.0, 102.0, 71.0], SeededSource(3))
    )


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (["71", "seventy"], "pulse holds string values where numbers are needed"),
        ([True, False], "pulse holds bool values where numbers are needed"),
        (pa.array([1, 2], pa.timestamp("s")), r"pulse holds timestamp\[s\] values where numbers are needed"),
        ([71.0, None], r"pulse in data row 12 is missing \(null\); drop or impute"),
        (pa.array([None, None]), r"pulse in data row 11 is missing \(null\)"),
        (pa.array([71.0, None]).dictionary_encode(), r"pulse in data row 12 is missing \(null\)"),
        ([[1.0], [2.0]], "pulse holds list<.*> values where numbers are needed"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place(column, sentence):
    with pytest.raises(BadTable, match=sentence):
        PLAN.perturb_batch(pa.table({"pulse": column}), first_row=10)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (float("nan"), r"pulse in data row 12 is missing \(NaN\)"),
        (float("inf"), r"pulse in data row 12 is infinite \(inf\)"),
        (float("-inf"), r"pulse in data row 12 is infinite \(-inf\)"),
        (231.0625, r"pulse in data row 12 lies above Interval\(40.0, 200.0\); widen the interval or pass"),
        (39.0625, r"pulse in data row 12 lies below Interval\(40.0, 200.0\)"),
    ],
)
def test_a_bad_value_is_refused_with_its_place_and_stays_unsaid(value, sentence):
    with pytest.raises(OutOfDomain, match=sentence) as refusal:
        PLAN.perturb_batch(pa.table({"pulse": [71.0, value, 999.0]}), first_row=10)
    assert "0625" not in str(refusal.value)
    assert refusal.value.__cause__ is None
    assert refusal.value.__context__ is None


def test_clipping_moves_finite_values_only():
    plan = ColumnPlan({"pulse": PULSE}, out_of_domain="clip")
    assert plan.perturb_batch(pa.table({"pulse": [-5.0, 999.0]})).num_rows == 2
    with pytest.raises(OutOfDomain, match=r"data row 2 is infinite"):
        plan.perturb_batch(pa.table({"pulse": [-5.0, float("inf")]}))


def test_a_missing_column_is_refused_without_the_names_there_are():
    with pytest.raises(
        BadTable, match=r"no column 'pulse'; it has 3 columns, none of that name; is"
    ) as refusal:
        PLAN.perturb_batch(pa.table({"Ada": [1], "71.5": [2], "single": [3]}))
    assert not any(name in str(refusal.value) for name in ("Ada", "71.5", "single"))


def test_close_names_are_suggested_three_at_most():
    with pytest.raises(BadTable, match=r"did you mean ('pulse\d' or ){2}'pulse\d'\?$"):
        PLAN.check(["Ada", *(f"pulse{i}" for i in range(9))])


def test_two_columns_of_one_name_are_refused():
    twice = pa.table([[71.0], [72.0]], names=["pulse", "pulse"])
    with pytest.raises(BadTable, match="2 columns named 'pulse'"):
        PLAN.perturb_batch(twice)


@pytest.mark.parametrize(
    ("mechanisms", "options", "sentence"),
    [
        ({}, {}, "at least one column"),
        ({3: PULSE}, {}, "named by text"),
        ({"pulse": "OGPM"}, {}, "needs a mechanism for numbers, such as"),
        ({"pulse": PULSE}, {"keep": ["pulse"]}, "named twice"),
        ({"pulse": PULSE}, {"keep": ["name", "name"]}, "named twice"),
        ({"pulse": PULSE}, {"out_of_domain": "drop"}, 'must be "refuse" or "clip"'),
    ],
)
def test_a_plan_without_meaning_is_refused(mechanisms, options, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        ColumnPlan(mechanisms, **options)


def test_keep_takes_one_name_as_it_is():
    assert ColumnPlan({"pulse": PULSE}, keep="name").keep == ("name",)


@pytest.mark.parametrize("sizes", [[5], [1, 1, 1], [7, 0, 2], [3, 3, 3, 3], [10, 1]])
def test_even_batches_keep_rows_and_order(sizes):
    values = np.arange(sum(sizes))
    ends = np.cumsum([0, *sizes])
    batches = [pa.record_batch({"x": values[a:b]}) for a, b in pairwise(ends)]
    tables = list(even_batches(batches, rows=4))
    assert [t.num_rows for t in tables[:-1]] == [4] * (len(tables) - 1)
    assert np.concatenate([t["x"].to_numpy() for t in tables]).tolist() == values.tolist()


def test_working_ahead_hands_errors_on():
    def items():
        yield 1
        raise BadTable("broken")

    work = ahead(items())
    assert next(work) == 1
    with pytest.raises(BadTable, match="broken"):
        next(work)
