"""Columns of labels through every protocol: tables, files of all kinds, and what strangers make of them."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Categories, Interval
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.estimate import Tally
from noisewright.io import (
    ColumnPlan,
    perturb_file,
    perturb_table,
    read_description,
    tally_file,
    tally_files,
    tally_table,
    write_reports,
)
from noisewright.io.codes import from_hex, to_hex
from noisewright.io.table_files import ROWS
from noisewright.mechanisms import (
    KRR,
    OLH,
    OUE,
    PM,
    RR,
    SUE,
    HadamardResponse,
    JointRandomizedResponse,
    SubsetSelection,
)
from noisewright.randomness import SeededSource

LABELS = [f"code {place}" for place in range(11)]
DOMAIN = Categories(LABELS)
KINDS = [KRR, OUE, SUE, OLH, SubsetSelection, HadamardResponse]
TRUTH = [LABELS[place % 7] for place in range(500)]


def mechanism(kind):
    return kind(DOMAIN, 1.5)


def counts(tally):
    (group,) = tally.groups
    return group.counts.tolist(), tally.count


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_holds_what_the_mechanism_draws(kind):
    made = mechanism(kind)
    table = perturb_table(pa.table({"code": TRUTH}), {"code": made}, SeededSource(3))
    drawn = made.perturb(TRUTH, SeededSource(3))
    assert counts(tally_table(table)["code"]) == counts(Tally.of(drawn, made))
    assert read_description(table).mechanisms == {"code": made}
    assert not table.schema.field("code").nullable


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
def test_files_of_every_kind_bring_the_same_reports_back(tmp_path, kind, ending):
    (tmp_path / "visits.csv").write_text("name,code\n" + "".join(f"Ada,{label}\n" for label in TRUTH))
    made, target = mechanism(kind), tmp_path / f"reports.{ending}"
    assert perturb_file(tmp_path / "visits.csv", target, {"code": made}, source=SeededSource(3)).rows == 500
    assert counts(tally_file(target)["code"]) == counts(Tally.of(made.perturb(TRUTH, SeededSource(3)), made))
    assert "Ada" not in target.read_bytes().decode("latin-1")


def test_what_columns_look_like(tmp_path):
    table = pa.table({"a": TRUTH, "b": TRUTH})
    reports = perturb_table(table, {"a": mechanism(KRR), "b": mechanism(OLH)})
    assert reports.schema.types == [pa.dictionary(pa.int32(), pa.string()), pa.binary(10)]
    frame = perturb_table(table.to_pandas(), {"a": mechanism(KRR), "b": mechanism(OUE)})
    assert isinstance(frame["a"].dtype, pd.CategoricalDtype)
    assert {len(code) for code in frame["b"]} == {2}
    assert tally_table(frame)["b"].count == 500


@pytest.mark.parametrize("kind", KINDS)
def test_frames_of_all_kinds_give_the_same_reports(kind):
    made, table = mechanism(kind), pa.table({"code": TRUTH})
    wanted = counts(tally_table(perturb_table(table, {"code": made}, SeededSource(3)))["code"])
    categorical = table.to_pandas().astype("category")
    for frame in (table.to_pandas(), categorical, table.to_batches()[0]):
        assert counts(tally_table(perturb_table(frame, {"code": made}, SeededSource(3)))["code"]) == wanted
    reports = perturb_table(pl.from_arrow(table), {"code": made}, SeededSource(3))
    about = ColumnPlan({"code": made}).describe(SeededSource(3))
    assert counts(tally_table(reports, description=about)["code"]) == wanted


def test_labels_and_numbers_in_one_row_share_its_cost():
    made = {"pulse": PM(Interval(40, 200), 0.5), "code": mechanism(OLH)}
    reports = perturb_table(
        pa.table({"code": TRUTH, "pulse": [70.5] * 500, "name": TRUTH}), made, keep=["name"]
    )
    assert reports.column_names == ["code", "pulse", "name"]
    assert read_description(reports).guarantee.epsilon == 2.0
    assert tally_table(reports)["pulse"].count == tally_table(reports)["code"].count == 500


@pytest.mark.parametrize("kind", KINDS)
def test_batches_as_spark_hands_them_out(kind):
    plan = pickle.loads(pickle.dumps(ColumnPlan({"code": mechanism(kind)})))
    batches = [pa.record_batch({"code": TRUTH[:300]}), pa.record_batch({"code": pa.array([], pa.string())})]
    batches.append(pa.record_batch({"code": TRUTH[300:]}))
    drawn = list(plan.perturb_batches(batches))
    assert [batch.num_rows for batch in drawn] == [300, 0, 200]
    assert tally_table(pa.Table.from_batches(drawn))["code"].count == 500


def test_rows_of_refusals_are_counted_over_batches():
    plan = ColumnPlan({"code": mechanism(KRR)})
    batches = [pa.record_batch({"code": TRUTH[:300]}), pa.record_batch({"code": [*TRUTH[:10], "secret"]})]
    with pytest.raises(OutOfDomain, match="code in data row 311 is not one of the 11 labels"):
        list(plan.perturb_batches(batches))


def test_wide_codes_are_drawn_a_few_rows_at_a_time():
    long = OUE(Categories(range(23_496)), 1.0)
    assert ColumnPlan({"code": long}).rows == (1 << 24) // 2937
    assert ColumnPlan({"code": mechanism(OLH)}).rows == ROWS


def test_a_long_list_fits_and_a_longer_one_is_refused_before_anything_is_written(tmp_path):
    pq.write_table(pa.table({"item": [5, 23_495]}), tmp_path / "items.parquet")
    target = tmp_path / "reports.parquet"
    perturb_file(tmp_path / "items.parquet", target, {"item": OLH(Categories(range(23_496)), 1.0)})
    assert tally_file(target)["item"].count == 2
    target.unlink()
    endless = Categories([f"a label of some length, number {place}" for place in range(120_000)])
    pq.write_table(pa.table({"item": [endless.labels[0]]}), tmp_path / "items.parquet")
    with pytest.raises(BadTable, match="take more than the 4 MiB that a table may say of itself; shorten"):
        perturb_file(tmp_path / "items.parquet", target, {"item": OLH(endless, 1.0)})
    assert [path.name for path in tmp_path.iterdir()] == ["items.parquet"]


def test_clipping_has_no_meaning_for_labels_alone():
    with pytest.raises(InvalidParameter, match='out_of_domain="clip" is for numbers; a label'):
        ColumnPlan({"code": mechanism(KRR)}, out_of_domain="clip")
    mixed = {"pulse": PM(Interval(40, 200), 0.5), "code": mechanism(KRR)}
    table = pa.table({"pulse": [400.0], "code": ["nothing"]})
    with pytest.raises(OutOfDomain, match="code in data row 1 is not one of"):
        perturb_table(table, mixed, out_of_domain="clip")


# -- joint mechanisms ----------------------------------------------------------------------------------------


def joint():
    return JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=100, colluders=2, correlation=-0.2)


def test_joint_mechanisms_need_pairs_and_not_rows():
    with pytest.raises(
        InvalidParameter, match=r"column 'smokes': .* needs pairs and not rows; use noisewright joint"
    ):
        perturb_table(pa.table({"smokes": ["no", "yes"]}), {"smokes": joint()})


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
def test_reports_of_pairs_can_be_written_and_read(tmp_path, ending):
    target = tmp_path / f"reports.{ending}"
    reports = joint().perturb(["no", "yes"] * 50, SeededSource(1))
    written = write_reports(target, {"smokes": reports}, {"smokes": joint()})
    assert (written.rows, written.description.private) == (100, True)
    assert read_description(target).mechanisms == {"smokes": joint()}
    assert counts(tally_file(target)["smokes"]) == counts(Tally.of(reports, joint()))
    with pytest.raises(BadTable, match="exists already"):
        write_reports(target, {"smokes": reports}, {"smokes": joint()})
    write_reports(target, {"smokes": reports}, {"smokes": joint()}, source=SeededSource(1), replace=True)
    assert not read_description(target).private


@pytest.mark.parametrize("kind", KINDS)
def test_reports_made_on_devices_can_be_written(tmp_path, kind):
    made, target = mechanism(kind), tmp_path / "reports.parquet"
    reports = made.perturb(TRUTH, SeededSource(2))
    write_reports(target, {"code": reports}, {"code": made})
    assert counts(tally_file(target)["code"]) == counts(Tally.of(reports, made))


# -- what strangers do to files ------------------------------------------------------------------------------


def changed(reports, row, report):
    """The same table with another report in a row."""
    column = reports.column("code").to_pylist()
    column[row] = report
    kind = reports.schema.field("code").type
    kind = pa.binary() if pa.types.is_fixed_size_binary(kind) else pa.string()
    return pa.table({"code": pa.array(column, kind)}).replace_schema_metadata(reports.schema.metadata)


@pytest.mark.parametrize(
    ("kind", "report"),
    [
        (KRR, "a label of nobody"),
        (OUE, b"\x01\x08"),  # a bit beyond the 11 labels
        (OUE, b"\x01"),
        (OLH, b"\0" * 8 + b"\xff\xff"),  # no hash function has that value
        (OLH, b"\0" * 11),
        (SubsetSelection, b"\x01\x00"),  # a set of one
        (HadamardResponse, b"\0\0\0\xff"),
    ],
)
def test_a_report_that_nobody_can_have_made_is_refused_by_its_row(kind, report):
    reports = perturb_table(pa.table({"code": TRUTH}), {"code": mechanism(kind)})
    with pytest.raises(
        OutOfDomain, match=f"code in data row 418 of the table was not made by {kind.__name__}"
    ):
        tally_table(changed(reports, 417, report))


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_report_is_refused(kind):
    reports = perturb_table(pa.table({"code": TRUTH}), {"code": mechanism(kind)})
    with pytest.raises(
        BadTable, match="code in data row 8 of the table is missing; a mechanism never leaves"
    ):
        tally_table(changed(reports, 7, None))


@pytest.mark.parametrize("text", ["zz", "0", "0\u00e9", "0fff", ""])
def test_a_csv_with_broken_codes_is_refused_by_its_row(tmp_path, text):
    (tmp_path / "visits.csv").write_text("code\n" + "code 1\n" * 3)
    made, target = HadamardResponse(DOMAIN, 1.0), tmp_path / "reports.csv"
    perturb_file(tmp_path / "visits.csv", target, {"code": made})
    lines = target.read_text().splitlines()
    target.write_text("\n".join([*lines[:2], f'"{text}"', lines[3]]) + "\n")
    with pytest.raises(
        OutOfDomain, match=r"code in data row 2 of .*reports.csv was not made by HadamardResponse"
    ):
        tally_file(target)


def test_numbers_where_codes_belong_are_refused():
    reports = perturb_table(pa.table({"code": TRUTH}), {"code": mechanism(OLH)})
    table = pa.table({"code": np.zeros(500)}).replace_schema_metadata(reports.schema.metadata)
    with pytest.raises(BadTable, match="holds double values where codes of 10 bytes are needed"):
        tally_table(table)


def test_a_description_may_not_claim_more_than_its_mechanism_keeps():
    said = json.loads(ColumnPlan({"code": mechanism(KRR)}).describe(SeededSource(1)).to_json())
    said["columns"]["code"]["guarantee"]["epsilon"] = 0.5
    with pytest.raises(BadTable, match="not the one that its mechanism keeps"):
        read_description(said)


def test_tables_of_labels_are_bounded_in_descriptions():
    part = {"mechanism": "LabelExponential", "epsilon": 1.0,
            "domain": {"kind": "categories", "labels": list(range(5000))}}  # fmt: skip
    promise = {"notion": "pure_ldp", "epsilon": 1.0}
    said = ColumnPlan({"code": mechanism(KRR)}).describe(SeededSource(1)).to_dict()
    said["columns"]["code"] = {"mechanism": part, "guarantee": promise, "explanation": ""}
    with pytest.raises(BadTable, match="more than 16,777,216 entries"):
        read_description(said)


def test_files_of_several_protocols_and_budgets_merge(tmp_path):
    paths = []
    for place, made in enumerate((KRR(DOMAIN, 1.0), OLH(DOMAIN, 1.0), OLH(DOMAIN, 2.0), OUE(DOMAIN, 1.0))):
        paths.append(tmp_path / f"{place}.parquet")
        write_reports(paths[-1], {"code": made.perturb(TRUTH)}, {"code": made})
    together = tally_files(paths)["code"]
    assert (together.count, len(together.groups)) == (2000, 4)


def test_other_lists_do_not_merge(tmp_path):
    for name, domain in (("a", ["no", "yes"]), ("b", ["yes", "no"])):
        made = RR(Categories(domain), 1.0)
        write_reports(tmp_path / f"{name}.parquet", {"code": made.perturb(["no"])}, {"code": made})
    with pytest.raises(BadTable, match=r"column 'code' of .*a.parquet and .*b.parquet"):
        tally_files([tmp_path / "a.parquet", tmp_path / "b.parquet"])


def test_hexadecimal_text_and_back():
    rows = np.random.default_rng(1).integers(0, 256, (50, 7), dtype=np.uint8)
    texts = to_hex(rows)
    assert texts.to_pylist() == [row.tobytes().hex() for row in rows]
    for column in (
        texts,
        pa.chunked_array([texts.slice(0, 20), texts.slice(20)]),
        pa.array([t.upper() for t in texts.to_pylist()]),
    ):
        found, wrong = from_hex(column, 7)
        assert wrong is None
        assert (found == rows).all()
    assert (from_hex(texts.slice(3, 4), 7)[0] == rows[3:7]).all()
