import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from catalogue import KINDS, NAMES, build
from noisewright import Categories, Circle, Interval, __version__
from noisewright.errors import BadTable
from noisewright.guarantees import PureLDP
from noisewright.io import Description, perturb_file, perturb_table, read_description
from noisewright.io.description import LARGEST
from noisewright.mechanisms import OGPM, CircularOGPM, JointRandomizedResponse
from noisewright.randomness import SIMULATED, SeededSource

MECHANISMS = {"pulse": OGPM(Interval(40, 200), 1.5), "wake": CircularOGPM(Circle(24), 0.5)}
TABLE = pa.table({"pulse": [71.0, 64.5], "wake": [6.5, 23.0], "region": ["n", "s"]})
FILES = ["reports.parquet", "reports.pq", "reports.csv", "reports.arrow", "reports.feather"]


@pytest.fixture
def readings(tmp_path):
    path = tmp_path / "readings.parquet"
    pq.write_table(TABLE, path)
    return path


@pytest.mark.parametrize("name", FILES)
def test_a_file_says_all_that_an_analyst_needs(readings, tmp_path, name):
    written = perturb_file(readings, tmp_path / name, MECHANISMS, keep=["region"], out_of_domain="clip")
    found = read_description(tmp_path / name)
    assert found == written.description
    assert found.mechanisms == MECHANISMS
    assert found.guarantee == PureLDP(2.0)
    assert (found.kept, found.out_of_domain, found.package) == (("region",), "clip", __version__)
    assert found.private


@pytest.mark.parametrize("name", FILES)
def test_seeded_reports_say_that_they_are_not_private(readings, tmp_path, name):
    perturb_file(readings, tmp_path / name, MECHANISMS, source=SeededSource(1))
    found = read_description(str(tmp_path / name))
    assert not found.private
    assert found.randomness == SIMULATED
    for sentence in (found.explain_column("pulse"), found.explain_row()):
        assert sentence.startswith("NOT PRIVATE")


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_every_mechanism_can_be_described_and_rebuilt(kind, domain):
    mechanism = build(kind, domain, 1.0)
    reports = perturb_table(pa.table({"x": [0.5, 1.5, 2.5]}), {"x": mechanism})
    assert read_description(reports).mechanisms == {"x": mechanism}
    assert set(mechanism.reports.contains(reports["x"].to_numpy()).tolist()) == {True}


def test_the_description_is_strict_json():
    text = Description(MECHANISMS).to_json()
    parsed = json.loads(text)
    assert parsed["format"] == 1
    assert parsed["columns"]["pulse"]["mechanism"]["domain"]["cells"] == 1 << 20
    assert parsed["columns"]["pulse"]["guarantee"] == {"notion": "pure_ldp", "epsilon": 1.5}
    assert parsed["row"]["guarantee"] == {"notion": "pure_ldp", "epsilon": 2.0}
    assert "factor of 7.4" in parsed["row"]["explanation"]


def test_in_memory_tables_are_described_too():
    arrow = perturb_table(TABLE, MECHANISMS)
    frame = perturb_table(TABLE.to_pandas(), MECHANISMS)
    for reports in (arrow, arrow.schema, arrow.to_batches()[0], frame, frame.attrs["noisewright"]):
        assert read_description(reports).mechanisms == MECHANISMS


def changed(**parts):
    return json.dumps(Description(MECHANISMS).to_dict() | parts)


def nested(*path, value):
    whole = Description(MECHANISMS).to_dict()
    part = whole
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return json.dumps(whole)


BROKEN = {
    "nothing": ("", "not the strict JSON"),
    "text": ("reports!", "not the strict JSON"),
    "bytes": (b"\xff\xfe\x00", "not the strict JSON"),
    "pickle": (b"\x80\x04K\x01.", "not the strict JSON"),
    "deep": ("[" * 100_000, "not the strict JSON"),
    "nan": ('{"format": NaN}', "not the strict JSON"),
    "repeated key": ('{"format": 1, "format": 1}', "not the strict JSON"),
    "list": ("[1]", "not written by Noisewright"),
    "foreign": ('{"creator": "pandas"}', "not written by Noisewright"),
    "odd format": (changed(format="1"), "not written by Noisewright"),
    "true format": (changed(format=True), "not written by Noisewright"),
    "newer": (changed(format=2), "newer Noisewright .*upgrade"),
    "large": (" " * LARGEST + changed(), "larger than"),
    "extra": (changed(surprise=1), "the fields must be exactly"),
    "few": ('{"format": 1}', "the fields must be exactly"),
    "no columns": (changed(columns={}), "broken"),
    "columns list": (changed(columns=[]), "broken"),
    "column text": (changed(columns={"pulse": "OGPM"}), "broken"),
    "randomness": (changed(randomness="dice"), "randomness must be one of"),
    "out of domain": (changed(out_of_domain="drop"), "out_of_domain must be one of"),
    "kept": (changed(kept=3), "broken"),
    "unknown mechanism": (
        nested("columns", "pulse", "mechanism", "mechanism", value="OS.system"), "unknown mechanism",
    ),
    "unhashable mechanism": (nested("columns", "pulse", "mechanism", "mechanism", value=[]), "broken"),
    "mechanism text": (nested("columns", "pulse", "mechanism", value="x"), "broken"),
    "extra field": (nested("columns", "pulse", "mechanism", "x", value=1), "broken"),
    "domain text": (nested("columns", "pulse", "mechanism", "domain", value="x"), "broken"),
    "epsilon": (nested("columns", "pulse", "mechanism", "epsilon", value=-1), "epsilon must be a number above 0"),
    "column promise": (
        nested("columns", "pulse", "guarantee", "epsilon", value=0.1), "the promise for column 'pulse' is not",
    ),
    "row promise": (nested("row", "guarantee", "epsilon", value=0.1), "the promise for a row is not"),
    "unknown notion": (nested("row", "guarantee", "notion", value="magic"), "unknown notion"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), BROKEN.values(), ids=BROKEN)
def test_a_broken_description_is_refused_with_one_sentence(text, sentence):
    table = TABLE.replace_schema_metadata({b"noisewright": text})
    with pytest.raises(BadTable, match=sentence) as refusal:
        read_description(table)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 600


def test_tables_without_a_description_are_refused(tmp_path):
    with pytest.raises(BadTable, match="the table carries no description"):
        read_description(TABLE)
    with pytest.raises(BadTable, match="the frame carries no description"):
        read_description(pd.DataFrame({"pulse": [1.0]}))
    with pytest.raises(BadTable, match="a DataFrame carries no description"):
        read_description(pl.DataFrame({"pulse": [1.0]}))
    pq.write_table(TABLE, tmp_path / "foreign.parquet")
    with pytest.raises(BadTable, match=r"foreign.parquet carries no description"):
        read_description(tmp_path / "foreign.parquet")


def test_a_csv_without_its_description_is_refused(readings, tmp_path):
    perturb_file(readings, tmp_path / "reports.csv", MECHANISMS)
    (tmp_path / "reports.csv.json").unlink()
    with pytest.raises(BadTable, match=r"reports.csv.json is missing"):
        read_description(tmp_path / "reports.csv")


@pytest.mark.parametrize("name", ["reports.parquet", "reports.arrow"])
def test_a_truncated_report_file_is_refused(readings, tmp_path, name):
    path = tmp_path / name
    perturb_file(readings, path, MECHANISMS)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadTable, match="truncated"):
        read_description(path)


def test_a_description_cannot_ask_for_minutes_of_calibration():
    joint = JointRandomizedResponse(Categories(["no", "yes"]), epsilon=1.0, users=100, correlation=-0.1)
    described = Description({"answer": joint}).to_dict()
    assert Description.from_dict(described).mechanisms["answer"] == joint
    described["columns"] = {f"answer {place}": described["columns"]["answer"] for place in range(65)}
    with pytest.raises(BadTable, match="more than 64 of its columns are of people who share coins"):
        Description.from_dict(described)
