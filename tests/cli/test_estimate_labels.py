"""``noisewright estimate`` for labels."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Categories, Interval
from noisewright.cli.main import main
from noisewright.estimate import frequencies
from noisewright.io import write_reports
from noisewright.mechanisms import (
    KRR,
    OLH,
    OUE,
    PM,
    HadamardResponse,
    JointRandomizedResponse,
    SubsetSelection,
)
from noisewright.randomness import SeededSource
from report.checking import check

LABELS = [f"L{place:02d}" for place in range(30)]
DOMAIN = Categories(LABELS)
TRUTH = np.array(LABELS)[np.minimum(np.random.default_rng(7).geometric(0.2, 4000) - 1, 29)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, made, truth=TRUTH, seed=1):
    reports = made.perturb(truth, SeededSource(seed))
    write_reports(path, {"code": reports}, {"code": made})
    return reports


def estimate(capsys, *arguments):
    code = main(["estimate", *arguments])
    return (code, *capsys.readouterr())


@pytest.mark.parametrize("kind", [KRR, OUE, OLH, SubsetSelection, HadamardResponse])
def test_json_has_everything(capsys, kind):
    made = kind(DOMAIN, 2.0)
    reports = write("reports.parquet", made)
    code, out, err = estimate(capsys, "reports.parquet", "--json", "--level", "0.9")
    assert (code, err) == (0, "")
    column = json.loads(out)["columns"]["code"]
    wanted = frequencies(reports, made, level=0.9)
    assert column["frequencies"]["labels"] == LABELS
    assert column["frequencies"]["value"] == wanted.value.tolist()
    assert column["frequencies"]["low"] == wanted.low.tolist()
    assert column["people"]["high"] == (4000 * wanted.high).tolist()
    assert column["domain"] == {"kind": "categories", "size": 30}
    assert column["mechanisms"][0]["mechanism"] == {"mechanism": kind.__name__, "epsilon": 2.0}
    assert (column["reports"], json.loads(out)["level"]) == (4000, 0.9)


def test_the_table_has_the_most_frequent_labels(capsys):
    write("reports.parquet", KRR(DOMAIN, 4.0))
    code, out, _ = estimate(capsys, "reports.parquet")
    assert code == 0
    lines = [line.split() for line in out.splitlines() if line.startswith("  L")]
    assert len(lines) == 20
    assert [line[0] for line in lines[:3]] == ["L00", "L01", "L02"]
    assert "code: 4,000 reports on 30 labels" in out
    assert "10 more are not shown." in out
    assert max(map(len, out.splitlines())) <= 104


@pytest.mark.parametrize(("options", "shown"), [(["--top", "3"], 3), (["--all"], 30), (["--top", "500"], 30)])
def test_as_many_labels_as_are_wanted(capsys, options, shown):
    write("reports.parquet", KRR(DOMAIN, 2.0))
    _, out, _ = estimate(capsys, "reports.parquet", *options)
    assert sum(line.startswith("  L") for line in out.splitlines()) == shown
    assert ("not shown" in out) == (shown < 30)


@pytest.mark.parametrize("consistency", ["norm-sub", "em"])
def test_shares_are_made_consistent_only_by_name(capsys, consistency):
    write("reports.parquet", OUE(DOMAIN, 1.0))
    raw = json.loads(estimate(capsys, "reports.parquet", "--json")[1])["columns"]["code"]["frequencies"]
    made = json.loads(estimate(capsys, "reports.parquet", "--json", "--consistency", consistency)[1])
    made = made["columns"]["code"]["frequencies"]
    assert min(raw["value"]) < 0
    assert min(made["value"]) >= 0
    assert sum(made["value"]) == pytest.approx(1)
    assert (made["raw"], made["low"], made["stderr"]) == (raw["value"], raw["low"], raw["stderr"])
    assert made["consistency"] == consistency


def test_files_of_several_protocols_are_one_collection(capsys):
    for place, made in enumerate((KRR(DOMAIN, 1.0), OLH(DOMAIN, 2.0), HadamardResponse(DOMAIN, 2.0))):
        write(f"{place}.parquet", made, seed=place)
    code, out, _ = estimate(capsys, "0.parquet", "1.parquet", "2.parquet")
    assert code == 0
    assert "code: 12,000 reports on 30 labels" in out
    assert "Optimized local hashing (OLH), ε = 2: 4,000 reports" in out


def test_joint_reports_can_be_estimated(capsys):
    made = JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=1000, colluders=5, correlation=-0.2)
    write("pairs.parquet", made, ["no", "yes"] * 500)
    code, out, _ = estimate(capsys, "pairs.parquet")
    assert code == 0
    assert "Joint randomized response" in out
    assert "partner" in out


def test_numbers_and_labels_in_one_file(capsys, folder):
    mechanisms = {"pulse": PM(Interval(40, 200), 4.0), "code": KRR(DOMAIN, 4.0)}
    reports = {
        "pulse": mechanisms["pulse"].perturb(np.full(4000, 71.0)),
        "code": mechanisms["code"].perturb(TRUTH),
    }
    write_reports("both.parquet", reports, mechanisms)
    code, out, _ = estimate(capsys, "both.parquet", "--html", "page.html")
    assert code == 0
    assert "Share of people in each bin" in out
    assert "L00" in out
    page = check(folder.joinpath("page.html").read_text(encoding="utf-8"))
    assert page.count("svg") == 2
    assert "Shares and numbers of people with 95 % intervals" in page.prose
    assert "All labels as a table" in page.prose


def test_a_label_is_text_on_the_page_and_nothing_else(capsys, folder):
    made = KRR(Categories(["<script>alert(1)</script>", "$x$", "a" * 200]), 4.0)
    write("odd.parquet", made, ["$x$"] * 100)
    code, out, _ = estimate(capsys, "odd.parquet", "--html", "page.html")
    assert code == 0
    check(folder.joinpath("page.html").read_text(encoding="utf-8"))
    assert "a" * 41 not in out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--consistency", "clip"], "--consistency must be one of none, norm-sub, em, not 'clip'"),
        (["--top", "0"], "--top must be a whole number from 1"),
        (["--level", "1"], "level"),
        (["--column", "cod"], "holds no reports of 'cod'"),
    ],
)
def test_bad_questions_get_one_sentence(capsys, options, sentence):
    write("reports.parquet", KRR(DOMAIN, 2.0))
    code, out, err = estimate(capsys, "reports.parquet", *options)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert sentence in err


def test_a_tampered_code_is_refused_by_its_row(capsys):
    write("reports.parquet", OUE(DOMAIN, 2.0))
    table = pq.read_table("reports.parquet")
    codes = table.column("code").to_pylist()
    codes[9] = codes[9][:-1] + b"\xff"
    changed = pa.table({"code": pa.array(codes, pa.binary(4))}).replace_schema_metadata(table.schema.metadata)
    pq.write_table(changed, "changed.parquet")
    code, out, err = estimate(capsys, "changed.parquet")
    assert (code, out) == (2, "")
    assert "code in data row 10 of changed.parquet was not made by OUE" in err


def test_somebody_in_several_files_is_thought_of(capsys):
    write("monday.parquet", KRR(DOMAIN, 1.0))
    write("tuesday.parquet", OLH(DOMAIN, 0.5), seed=2)
    _, alone, _ = estimate(capsys, "monday.parquet")
    _, both, _ = estimate(capsys, "monday.parquet", "tuesday.parquet")
    assert "multiply" not in alone
    assert "the factors of all their rows multiply" in " ".join(both.split())


def test_shares_below_nothing_are_explained(capsys):
    write("reports.parquet", KRR(DOMAIN, 0.5))
    _, raw, _ = estimate(capsys, "reports.parquet", "--all")
    _, tidy, _ = estimate(capsys, "reports.parquet", "--all", "--consistency", "norm-sub")
    assert "Unbiased shares may fall below 0" in raw
    assert "Unbiased shares may fall below 0" not in tidy
