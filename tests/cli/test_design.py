"""``noisewright design`` as a user meets it: good runs, and one sentence with exit code 2 for everything else."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Circle, Interval
from noisewright.cli.design import MOST_PARTS, read_prior_file, read_space
from noisewright.cli.main import main
from noisewright.cli.mechanism_files import read_mechanism
from noisewright.domains import MetricSpace
from noisewright.mechanisms import DesignedLaw, DesignedTable, OptimalWindow, TunedWindow
from report.checking import check

WEIGHTS = np.arange(1, 25) / 300
LINE = ",A,B,C\nA,0,1,3\nB,1,0,2\nC,3,2,0\n"
QUICK = ("--interval", "0:1", "--epsilon", "1", "--objective", "average", "--inputs", "8")
DAY = ("--circle", "24", "--epsilon", "2")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{hour},{weight:.8f}\n" for hour, weight in enumerate(WEIGHTS))
    (tmp_path / "survey.csv").write_text("hour,share\n" + rows)
    (tmp_path / "distances.csv").write_text(LINE)
    return tmp_path


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["design", *arguments])
    return (code, *capsys.readouterr())


# -- good runs ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_first_example_of_the_documentation(capsys):
    arguments = ["--interval", "0:1", "--epsilon", "1", "--loss", "absolute", "--objective", "worst"]
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100
    told = " ".join(out.split())
    assert "Optimal law 0.3162 ★" in told
    assert "no ε-LDP mechanism whatsoever can be below 0.316168" in told
    assert "OGPM: 19 % above the best possible; 20 bits instead of 5." in told


def test_the_second_example_of_the_documentation(capsys):
    arguments = [*DAY, "--loss", "squared", "--prior", "survey.csv", "--cap-worst", "1.1", "--inputs", "24"]
    code, out, err = run(capsys, *arguments, "-o", "mechanism.json")
    assert code == 0
    assert err.startswith("noisewright: the mechanism is in ")
    law = read_mechanism("mechanism.json")
    assert isinstance(law, DesignedLaw)
    assert (law.domain, law.epsilon, law.certificate.objective) == (Circle(24), 2.0, "average")
    assert law.certificate.prior == pytest.approx(tuple(WEIGHTS), abs=1e-7)
    told = " ".join(out.split())
    assert "Best at the average over the prior" in told
    assert "must never come from the data to be protected" in told


def test_json_is_all_there_is(capsys):
    code, out, err = run(capsys, *QUICK, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["domain"] == Interval(0, 1).to_dict()
    assert found["objective"] == "average"
    assert found["rows"][0]["average_error"] <= min(row["average_error"] for row in found["rows"])


def test_other_options_imply_the_objective(capsys):
    for option, implied in (("--point=0.2", "point"), ("--worst-at-most=0.36", "average")):
        code, out, _ = run(capsys, "--interval", "0:1", "--epsilon", "1", "--inputs", "8", option, "--json")
        assert (code, json.loads(out)["objective"]) == (0, implied)
    code, out, _ = run(capsys, *DAY, "--json")
    assert (code, json.loads(out)["objective"]) == (0, "worst")


def test_labels_from_a_table_of_distances(capsys):
    arguments = ["--space", "distances.csv", "--epsilon", "1", "--loss", "zero-one", "-o", "labels.json"]
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    assert "The best mechanism on 3 labels" in out
    assert "by share of wrong reports" in out
    law = read_mechanism("labels.json")
    assert isinstance(law, DesignedTable)
    assert law.domain == MetricSpace("ABC", [[0, 1, 3], [1, 0, 2], [3, 2, 0]])
    code, out, _ = run(
        capsys, "--space", "distances.csv", "--epsilon", "1", "--point", "B", "--cap-worst", "1.1"
    )
    assert code == 0
    assert "Best at the true value B" in out


@pytest.mark.parametrize(
    ("chosen", "kind"), [([], OptimalWindow), (["optimal"], OptimalWindow), (["window"], TunedWindow)]
)
def test_which_mechanism_is_written(capsys, chosen, kind):
    option = [f"--mechanism={name}" for name in chosen]
    assert run(capsys, *DAY, "-o", "m.json", *option)[0] == 0
    assert type(read_mechanism("m.json")) is kind


def test_a_file_is_replaced_only_when_asked(capsys, folder):
    (folder / "m.json").write_text("mine")
    code, out, err = run(capsys, *DAY, "-o", "m.json")
    assert (code, out) == (2, "")
    assert "m.json exists already; choose another name, or pass --force to replace it" in err
    assert (folder / "m.json").read_text() == "mine"
    assert run(capsys, *DAY, "-o", "m.json", "--force")[0] == 0
    assert isinstance(read_mechanism("m.json"), OptimalWindow)


def test_html_tells_how_to_use_the_file(capsys, folder):
    page = folder / "page.html"
    code, _, err = run(capsys, *DAY, "-o", "my law.json", "--html", str(page))
    assert code == 0
    assert "the page is in" in err
    prose = check(page.read_text(encoding="utf-8")).prose
    assert "noisewright explain '@my law.json'" in prose
    assert "--circle NAME=24 --mechanism 'NAME=@my law.json' -o reports.parquet" in prose


def estimated(capsys, folder, column, value, where, law, epsilon):
    """From a task to the estimates of 2,000 people who all have one value."""
    (folder / "readings.csv").write_text(f"{column}\n" + f"{value}\n" * 2000)
    assert run(capsys, *where, "--epsilon", epsilon, *law, "-o", "m.json")[0] == 0
    drawn = ["--epsilon", epsilon, where[0], f"{column}={where[1]}", "--mechanism", f"{column}=@m.json"]
    assert main(["perturb", "readings.csv", *drawn, "-o", "reports.parquet", "--seed", "7"]) == 0
    capsys.readouterr()
    assert main(["estimate", "reports.parquet", "--json", "--bins", "4"]) == 0
    return json.loads(capsys.readouterr().out)["columns"][column]


@pytest.mark.parametrize(
    ("column", "value", "where", "law"),
    [
        ("pulse", 75.0, ("--interval", "40:200"), ("--objective", "average", "--unbiased", "--inputs", "24")),
        ("wake", 7.0, ("--circle", "24"), ("--loss", "squared")),
    ],
)
def test_from_a_design_to_estimates(capsys, folder, column, value, where, law):
    """Within 6 standard errors: one false alarm in 10⁹. An error of a tenth of the domain would be seen."""
    mean = estimated(capsys, folder, column, value, where, law, "4")["mean"]
    assert abs(mean["value"] - value) < 6 * mean["stderr"]
    assert 6 * mean["stderr"] < {"pulse": 16, "wake": 2.4}[column]


def test_reports_of_a_law_for_a_prior_are_estimated_from(capsys, folder):
    law = ("--loss", "squared", "--prior", "survey.csv", "--cap-worst", "1.1", "--inputs", "24")
    found = estimated(capsys, folder, "wake", 7.0, ("--circle", "24"), law, "2")
    assert found["mechanisms"][0]["mechanism"]["mechanism"] == "DesignedLaw"
    bins = found["histogram"]
    assert sum(bins["value"]) == pytest.approx(1)
    assert bins["low"][1] <= 1 <= bins["high"][1] + 1e-9  # everybody is between 6 and 12


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from noisewright.cli.main import main\n"
        "assert main(['design', '--help']) == 0\n"
        "heavy = {'matplotlib', 'numba', 'pandas', 'polars', 'pyarrow', 'scipy'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "never from the private data" in " ".join(done.stdout.split())


# -- priors and spaces -------------------------------------------------------------------------------


def test_a_prior_is_read_in_any_of_its_forms(folder):
    shuffled = np.random.default_rng(3).permutation(24)
    pq.write_table(pa.table({"hour": shuffled + 0.5, "weight": WEIGHTS[shuffled]}), folder / "p.parquet")
    (folder / "one.csv").write_text("weight\n" + "".join(f"{weight}\n" for weight in WEIGHTS))
    for name in ("survey.csv", "p.parquet", "one.csv"):
        assert read_prior_file(name, Circle(24)) == pytest.approx(WEIGHTS, abs=1e-7)
    (folder / "ends.csv").write_text("value,weight\n0,0.25\n1,0.75\n")
    assert read_prior_file("ends.csv", Interval(0, 1)).tolist() == [0.25, 0.75]
    (folder / "labels.csv").write_text("stop,weight\nC,0.2\nA,0.5\nB,0.3\n")
    assert read_prior_file("labels.csv", read_space("distances.csv")).tolist() == [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "weight\n0.5\n0.4\n",
            "the weights in bad.csv do not sum to one; divide each of them by their sum",
        ),
        ("weight\n0\n0\n", "do not sum to one; at least one must be above zero"),
        ("weight\n-0.5\n1.5\n", "must be finite numbers that are not negative"),
        ("weight\ninf\n1\n", "must be finite numbers that are not negative"),
        ("weight\nnan\n1\n", "bad.csv has a row without a number in column 'weight'"),
        ("weight\nmany\n1\n", "weight in data row 1 is not a number"),
        ("weight\n\n1\n", "has a row without a number"),
        ("weight\n", "has a header line but no rows"),
        ("", "is empty"),
        ("a,b,c\n1,2,3\n", "must have one column (weights) or two (value, weight), not 3"),
        ("hour,weight\n1,0.5\n2,0.5\n", "exactly one row for each of 2 equal parts of --circle 24"),
        ("hour,weight\n1,0.5\n24,0.5\n", "is a full turn or more"),
        ("weight\n" + "0.0001\n" * (MOST_PARTS + 1), "has more than 4,096 rows"),
    ],
)
def test_a_bad_prior_is_refused(capsys, folder, content, said):
    (folder / "bad.csv").write_text(content)
    code, out, err = run(capsys, *DAY, "--prior", "bad.csv")
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (",A,B\nA,0,1\n", "must name the same points"),
        (",A,B\nB,0,1\nA,1,0\n", "must name the same points"),
        (",A,A\nA,0,1\nA,1,0\n", "different points"),
        (",A\nA,0\n", "must name 2 to 512 different points"),
        (",A,B\nA,0,1\nB,2,0\n", "the same in both directions"),
        (",A,B\nA,0,x\nB,1,0\n", "is not a number"),
        (",A,B,C\nA,0,1,9\nB,1,0,1\nC,9,1,0\n", "triangle inequality"),
        (",A,B\nA,0,1\nB,1,0\nC,1,1\n", "has more than 2 rows"),
    ],
)
def test_a_bad_space_is_refused(capsys, folder, content, said):
    (folder / "bad.csv").write_text(content)
    code, out, err = run(capsys, "--space", "bad.csv", "--epsilon", "1")
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


# -- mistakes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--epsilon", "1"], "give one domain"),
        (["--interval", "0:1", "--circle", "24", "--epsilon", "1"], "give one domain"),
        (["--interval", "0:1", "--space", "distances.csv", "--epsilon", "1"], "give one domain"),
        (["--interval", "0:1"], "--epsilon"),
        (["--interval", "0:1", "--epsilon", "nan"], "epsilon must be a number above 0"),
        ([*QUICK, "--loss", "nan"], "--loss must be a number"),
        ([*QUICK, "--loss", "cubic"], "--loss is absolute, squared, or a power p"),
        ([*QUICK, "--loss", "zero-one"], "is for labels"),
        ([*DAY, "--objective", "best"], 'objective must be one of "worst"'),
        ([*DAY, "--objective", "point"], "go together"),
        ([*DAY, "--point", "25"], "--point must lie in --circle 24, got 25"),
        ([*DAY, "--point", "noon"], "--point wants a number, for example 71; got 'noon'"),
        ([*DAY, "--prior", "survey.csv", "--objective", "worst"], "a prior has no effect with --objective worst"),
        ([*DAY, "--prior", "nowhere.csv"], "there is no such file"),
        ([*DAY, "--prior", "survey.txt"], "must end in one of"),
        ([*DAY, "--unbiased"], "an unbiased law needs an interval"),
        ([*QUICK, "--inputs", "1"], "--inputs is given twice"),
        (["--interval", "0:1", "--epsilon", "1", "--inputs", "1"], "inputs must be a whole number from 2"),
        ([*QUICK, "--cap-worst", "0.5"], "--cap-worst must be a number above 1"),
        ([*QUICK, "--cap-worst", "nan"], "--cap-worst must be a number above 1"),
        ([*QUICK, "--worst-at-most", "0.1"], "the least possible is 0.31"),
        ([*QUICK, "--worst-at-most", "0.4", "--cap-worst", "2"], "pass one of them"),
        ([*DAY, "-o", "law.txt"], "must end in .json"),
        ([*DAY, "-o", "nowhere/law.json"], "does not exist"),
        ([*DAY, "--mechanism", "window"], "name one"),
        ([*DAY, "--mechanism", "ogpm", "-o", "m.json"], "--mechanism must be optimal or window, not 'ogpm'"),
        ([*DAY, "--html", "e.pdf"], "must end in .html or .htm"),
        (["--space", "nowhere.csv", "--epsilon", "1"], "there is no such file"),
        (["--space", "distances.csv", "--epsilon", "1", "--inputs", "4"], "inputs has no meaning"),
        (["--space", "distances.csv", "--epsilon", "1", "--point", "D", "--cap-worst", "2"], "not one of the 3"),
        (
            ["--space", "distances.csv", "--epsilon", "1", "-o", "m.json", "--mechanism", "window"],
            "labels have no window",
        ),
    ],
)  # fmt: skip
def test_mistakes_get_one_sentence_and_exit_code_two(capsys, folder, arguments, said):
    before = sorted(path.name for path in folder.iterdir())
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("extra", [("--objective", "point", "--point", "0.5"), ("--cap-worst", "1.1")])
def test_an_unbiased_task_stars_an_unbiased_law_and_sets_no_limit_of_its_own(capsys, extra):
    task = ("--interval", "0:1", "--epsilon", "2", "--unbiased", "--inputs", "17", "--json")
    code, text, _ = run(capsys, *task, *extra)
    found = json.loads(text)
    best = next(row for row in found["rows"] if row["name"] == found["best"])
    assert (code, best["admitted"], best["unbiased"]) == (0, True, True)


def test_a_prior_without_a_header_line_is_refused(capsys, folder):
    (folder / "prior.csv").write_text("0\n0.5\n0.5\n")
    code, _, said = run(capsys, "--interval", "0:1", "--epsilon", "1", "--prior", "prior.csv")
    assert code == 2
    assert "header" in said
