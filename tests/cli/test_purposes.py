"""``perturb --for`` and ``--bins``: what is chosen, what is said before anything is drawn, what is refused."""

import json
import re

import numpy as np
import pytest

from command_line import refused, run
from noisewright import Bins, Integers, Interval
from noisewright.cli.main import main
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.io import perturb_file, perturb_table, read_description, recommend_columns, tally_table
from noisewright.mechanisms import KRR, OGPM, PM, SW, DesignedLaw, SubsetSelection
from noisewright.randomness import SeededSource
from noisewright.survey import estimate_all
from report.checking import check

pa = pytest.importorskip("pyarrow")
PULSE, AGE = ["--interval", "pulse=40:200"], ["--integers", "age=0:99"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    rows = zip(rng.uniform(40, 200, 4_000), rng.integers(0, 100, 4_000), strict=True)
    lines = [f"{pulse:.2f},{age}" for pulse, age in rows]
    (tmp_path / "people.csv").write_text("pulse,age\n" + "\n".join(lines) + "\n")
    return tmp_path


def chosen(capsys, *options):
    """The mechanisms of a run, and what it said on standard error."""
    _, said = run(
        capsys, "perturb", "people.csv", "--epsilon", 1, *options, "-o", "reports.parquet", "--force"
    )
    return read_description("reports.parquet").mechanisms, said


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ([], SW),
        (["--for", "both"], SW),
        (["--for", "distribution"], SW),
        (["--for", "mean"], DesignedLaw),
        (["--for", "single"], OGPM),
        (["--for", "pulse=single"], OGPM),
        (["--bins", "pulse=10"], SubsetSelection),
        (["--for", "bins", "--bins", "pulse=40,100,200"], KRR),
        (["--for", "single", "--mechanism", "pulse=pm"], PM),
    ],
)
def test_each_purpose(capsys, options, kind):
    found, _ = chosen(capsys, *PULSE, *options)
    assert type(found["pulse"]) is kind


def test_what_reports_leave_open_is_said_before_anything_is_drawn(capsys, folder):
    """Even a run that fails at the first row has said it, so it cannot come after the drawing."""
    _, said = chosen(capsys, *PULSE, "--for", "single")
    assert "what reports of pulse leave open: how people are spread from 40 to 70.2" in said
    assert (
        "the interval of the mean keeps a width of 11.4 if people are spread evenly over the whole domain, of less"
        in said
    )
    (folder / "people.csv").write_text("pulse,age\n999,5\n")
    failed = refused(
        capsys, "perturb", "people.csv", "--epsilon", 1, *PULSE, "--for", "single", "-o", "x.parquet"
    )
    spots, refusal = failed.splitlines()
    assert "leave open" in spots
    assert "data row 1" in refusal


def test_mechanisms_by_hand_are_not_spared(capsys):
    assert "everything but the mean" in chosen(capsys, *PULSE, "--mechanism", "duchi")[1]
    assert chosen(capsys, *PULSE)[1] == ""
    out, _ = run(
        capsys, "perturb", "people.csv", "--epsilon", 1, *PULSE, "--for", "single", "-o", "a.csv", "--json"
    )
    facts = json.loads(out)
    assert facts["choices"]["pulse"]["purpose"] == "single"
    assert facts["untold"]["pulse"][0].startswith("how people are spread")


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_bins_come_back_as_shares_with_edges(capsys, folder, kind):
    """Four standard errors of each share; what cannot be told is said and not estimated."""
    options = [*AGE, "--bins", "age=0,18,65,100", "--seed", 3]
    run(capsys, "perturb", "people.csv", "--epsilon", 4, *options, "-o", f"bins.{kind}")
    told, _ = run(capsys, "estimate", f"bins.{kind}")
    assert "18 to 64" in told
    assert "What these reports leave open: where in their bin people are; so there is no mean" in told
    assert "median" not in told
    out, _ = run(capsys, "estimate", f"bins.{kind}", "--json", "--html", "page.html")
    column = json.loads(out)["columns"]["age"]
    assert column["domain"]["edges"] == [-0.5, 17.5, 64.5, 99.5]
    found = column["frequencies"]
    assert np.abs(np.array(found["value"]) - [0.18, 0.47, 0.35]).max() < 4 * max(found["stderr"]) + 0.03
    assert column["left_open"]
    page = check((folder / "page.html").read_text())
    assert "bin share ± standard error" in page.prose
    assert "The estimated share of people in each bin" in page.prose
    assert "Label" not in page.prose
    assert "in support of each label or bin" in page.prose


def test_the_page_of_reports_says_why_and_calls_bins_bins(capsys, folder):
    options = [*AGE, "--bins", "age=0,18,65,100", "--html", "page.html"]
    told, _ = run(capsys, "perturb", "people.csv", "--epsilon", 4, *options, "-o", "bins.csv")
    (why,) = re.findall(r"Chosen for [^.]*\.", " ".join(told.split()))
    page = check((folder / "page.html").read_text()).prose
    assert why in page
    assert "the report is the true bin" in page
    assert "true label" not in page
    (folder / "answers.csv").write_text("smokes\n" + "no\nyes\n" * 50)
    options = ["--categories", "smokes=no,yes", "--html", "labels.html", "-o", "labels.csv"]
    told, _ = run(capsys, "perturb", "answers.csv", "--epsilon", 4, *options)
    (why,) = re.findall(r"Auto chose [^.]*\.", " ".join(told.split()))
    page = check((folder / "labels.html").read_text()).prose
    assert why in page
    assert "the report is the true label" in page


def test_a_number_that_was_not_learned_is_not_printed(capsys):
    run(
        capsys,
        "perturb",
        "people.csv",
        "--epsilon",
        1,
        *PULSE,
        "--mechanism",
        "duchi",
        "--seed",
        1,
        "-o",
        "d.csv",
    )
    told, _ = run(capsys, "estimate", "d.csv", "--bins", 4)
    assert "What these reports leave open: everything but the mean" in told
    rows = {line.strip().split("  ")[0]: line for line in told.splitlines()}
    assert rows["median"].count("unknown") == 2
    assert "unknown" not in rows["mean"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--for", "median"], "--for wants one of mean, distribution, both, bins, single"),
        (["--for", "mean", "--for", "both"], "--for wants one of"),
        (["--for", "age=mean"], "--for names column 'age'"),
        (
            ["--for", "bins"],
            "is wanted for bins but has none; give it --bins pulse=EDGES, or --bins pulse=10",
        ),
        (["--bins", "pulse=40,300"], "at least two bins"),
        (["--bins", "pulse=0,100,200"], "begin with 40 and end with 200"),
        (["--bins", "pulse=many"], "--bins wants name=edges"),
        (["--bins", "pulse"], "--bins wants name=edges"),
        (["--bins", "age=3"], "--bins names column 'age'"),
        (["--for", "mean", "--mechanism", "pm"], "both given for all columns"),
        (["--for", "pulse=mean", "--mechanism", "pulse=pm"], "both --mechanism and --for"),
        (["--bins", "pulse=3", "--mechanism", "pulse=pm"], "both --mechanism and --bins"),
        (["--for", "pulse=mean", "--bins", "pulse=3"], "both --bins and --for"),
        (["--for", "mean", "--bins", "pulse=3"], "--for mean is for no column"),
        (["--bins", "pulse=3", "--mechanism", "pm"], "is for no column"),
        (["--delta", "1e-6"], "no mechanism here takes one"),
    ],
)
def test_wrong_use_is_refused_with_one_sentence(capsys, folder, options, sentence):
    said = refused(capsys, "perturb", "people.csv", "--epsilon", "1", *PULSE, *options, "-o", "x.parquet")
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert not (folder / "x.parquet").exists()


def test_labels_have_no_purpose(capsys):
    options = ["--categories", "age=a,b", "--for", "mean", "-o", "x.parquet"]
    assert "--for is for numbers" in refused(capsys, "perturb", "people.csv", "--epsilon", 1, *options)


def test_a_bad_value_of_a_binned_column_is_named_by_its_row_only(capsys, folder):
    (folder / "people.csv").write_text("pulse,age\n70,5\n70,12345\n")
    options = ["--epsilon", 1, *AGE, "--bins", "age=10", "-o", "x.parquet"]
    said = refused(capsys, "perturb", "people.csv", *options)
    assert "age in data row 2 lies above" in said
    assert "12345" not in said
    assert main(["perturb", "people.csv", *map(str, options), "--out-of-domain", "clip"]) == 0


# -- from Python -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("purpose", "kind"),
    [(None, SW), ("both", SW), ("distribution", SW), ("mean", DesignedLaw), ("single", OGPM)],
)
def test_tables_by_purpose(purpose, kind):
    table = pa.table({"pulse": [70.5, 80.25]})
    reports = perturb_table(table, {"pulse": Interval(40, 200)}, epsilon=1.0, purpose=purpose)
    assert read_description(reports).mechanisms["pulse"].__class__ is kind


def test_tables_and_files_with_bins_and_mechanisms_side_by_side(folder):
    columns = {"age": Integers(0, 99), "pulse": PM(Interval(40, 200), 1.0)}
    written = perturb_file("people.csv", "p.parquet", columns, epsilon={"age": 2.0}, bins={"age": 5})
    assert written.description.mechanisms["age"].domain == Bins(Integers(0, 99), 5)
    assert written.description.guarantee.epsilon == 3.0
    frame = pytest.importorskip("pandas").DataFrame({"age": np.arange(100).repeat(50)})
    reports = perturb_table(frame, {"age": Integers(0, 99)}, SeededSource(1), epsilon=3.0, bins={"age": 4})
    found = estimate_all(tally_table(reports)).columns[0]
    assert np.abs(found.frequencies.value - 0.25).max() < 0.05


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "need an epsilon"),
        ({"epsilon": 1.0, "purpose": "median"}, "column 'pulse': the purpose must be one of"),
        ({"epsilon": 1.0, "purpose": {"age": "mean"}}, "purpose names the column 'age'"),
        ({"epsilon": {"age": 1.0}}, "epsilon names the column 'age'"),
        ({"epsilon": {}}, "column 'pulse' has no epsilon"),
        ({"epsilon": 1.0, "bins": {"pulse": [0, 1]}}, "column 'pulse': the edges"),
    ],
)
def test_bad_choices_are_refused(arguments, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        perturb_table(pa.table({"pulse": [70.5]}), {"pulse": Interval(40, 200)}, **arguments)


def test_a_purpose_without_a_domain_is_refused():
    with pytest.raises(InvalidParameter, match="every column has its mechanism"):
        perturb_table(pa.table({"x": [0.5]}), {"x": PM(Interval(0, 1), 1.0)}, purpose="mean")
    with pytest.raises(OutOfDomain, match="data row 1"):
        perturb_table(pa.table({"x": [5.0]}), {"x": Interval(0, 1)}, epsilon=1.0, bins={"x": 2})


def test_budgets_are_shared_evenly():
    found = recommend_columns({"a": Interval(0, 1), "b": Integers(0, 9)}, 3.0, {"b": "single"})
    assert [each.mechanism.epsilon for each in found.values()] == [1.5, 1.5]
    assert [each.purpose for each in found.values()] == ["both", "single"]


def test_bins_that_were_fixed_beforehand_are_not_cut_anew_in_silence(capsys):
    """estimate --bins changes the histogram of pulse; age has its bins, and who typed the option is told."""
    chosen(capsys, *PULSE, *AGE, "--bins", "age=0,18,65,100")
    out, said = run(capsys, "estimate", "reports.parquet", "--bins", "5", "--json")
    found = json.loads(out)["columns"]
    assert (len(found["pulse"]["histogram"]["value"]), len(found["age"]["frequencies"]["value"])) == (5, 3)
    assert "--bins is not for every column: the bins of 'age' were fixed before anybody was asked" in said
    for quiet in (["reports.parquet"], ["reports.parquet", "--column", "pulse", "--bins", "5"]):
        _, said = run(capsys, "estimate", *quiet)
        assert "--bins" not in said
    said = refused(capsys, "estimate", "reports.parquet", "--column", "age", "--bins", "20")
    assert "no column has one: the bins of 'age' were fixed before anybody was asked" in said


def test_bins_are_refused_where_all_columns_are_labels(capsys, folder):
    (folder / "people.csv").write_text("smokes\n" + "no\nyes\n" * 20)
    chosen(capsys, "--categories", "smokes=no,yes")
    said = refused(capsys, "estimate", "reports.parquet", "--bins", "4")
    assert "no column has one: all are labels" in said
