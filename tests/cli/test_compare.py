"""``noisewright compare`` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from noisewright import Circle, Interval
from noisewright.cli.main import main
from noisewright.mechanisms import OGPM, PM, PMC, CircularOGPM, Gaussian
from report.checking import check


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["compare", *arguments])
    return (code, *capsys.readouterr())


def test_json_is_all_there_is_and_its_numbers_are_the_mechanisms(capsys):
    code, out, err = run(
        capsys, "--interval", "40:200", "--epsilon", "1,2", "--loss", "squared",
        "--mechanism", "ogpm", "--mechanism", "pm", "--json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["domain"] == Interval(40, 200).to_dict()
    assert found["epsilons"] == [1, 2]
    assert [e["mechanism"] for e in found["entries"]] == ["OGPM", "PM"] * 2
    for entry in found["entries"]:
        mechanism = {"OGPM": OGPM, "PM": PM}[entry["mechanism"]](Interval(40, 200), entry["epsilon"])
        assert entry["worst_error"] == mechanism.worst_error("squared")
        assert entry["average_error"] == mechanism.average_error("squared")
        assert entry["epsilon_upper"] == mechanism.epsilon_upper
        assert entry["guarantee"] == mechanism.guarantee.to_dict()
        assert entry["unbiased"] is (entry["mechanism"] == "PM")
    assert "worst_error_flat" not in found["entries"][0]


def test_options_may_be_lists_and_repeated_and_nothing_is_shown_twice(capsys):
    code, out, _ = run(
        capsys, "--interval", "0:1", "--epsilon", "1,2", "--epsilon", "4", "--epsilon", "1",
        "--mechanism", "pm,ogpm", "--mechanism", "PM", "--json",
    )  # fmt: skip
    assert code == 0
    found = [(e["epsilon"], e["mechanism"]) for e in json.loads(out)["entries"]]
    assert sorted(found) == [(e, m) for e in (1, 2, 4) for m in ("OGPM", "PM")]


def test_a_circle_is_measured_in_both_metrics(capsys):
    code, out, _ = run(
        capsys, "--circle", "24", "--epsilon", "2", "--loss", "2", "--mechanism", "pm-c",
        "--mechanism", "circular-ogpm", "--json",
    )  # fmt: skip
    assert code == 0
    best, other = json.loads(out)["entries"]
    assert (best["mechanism"], best["worst_error_flat"]) == ("CircularOGPM", None)
    assert best["worst_error"] == CircularOGPM(Circle(24), 2.0).worst_error("squared")
    assert other["worst_error_flat"] == PMC(Interval(0, 24), 2.0).worst_error("squared")


def test_delta_reaches_the_gaussians(capsys):
    code, out, _ = run(
        capsys, "--interval", "0:1", "--epsilon", "1", "--delta", "0.01", "--mechanism", "gaussian", "--json"
    )
    assert code == 0
    (entry,) = json.loads(out)["entries"]
    assert entry["worst_error"] == Gaussian(Interval(0, 1), 1.0, 0.01).worst_error()
    assert entry["guarantee"]["delta"] == 0.01
    assert entry["pure"] is False


def test_the_table_fits_a_terminal_and_marks_the_best(capsys):
    code, out, _ = run(capsys, "--circle", "24", "--epsilon", "2")
    assert code == 0
    lines = out.splitlines()
    assert max(map(len, lines)) <= 100
    glance, best = (line for line in lines if " ★ " in line and "•" not in line)
    assert CircularOGPM.title in glance
    assert "CircularOGPM" in best
    told = " ".join(out.split())
    assert "flatters OGPM" in told
    for sign in (
        "★ marks the smallest",
        "÷ OGPM is the worst error divided",
        "Bits are the length of one report",
    ):
        assert sign in told


def test_html_is_written_whole_beside_the_json(capsys, tmp_path):
    page = tmp_path / "<script>alert(1) & co.html"
    arguments = ["--interval", "0:1", "--epsilon", "1,2", "--mechanism", "ogpm", "--mechanism", "t-sw"]
    code, out, err = run(capsys, *arguments, "--html", str(page), "--json")
    assert code == 0
    assert "the page is in" in err
    json.loads(out)
    parsed = check(page.read_text(encoding="utf-8"))
    assert parsed.count("svg") == 2
    assert "★ marks the smallest" in parsed.prose
    assert [path.name for path in tmp_path.iterdir()] == [page.name]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give one domain, either --interval low:high, --integers low:high or --circle period"),
        (["--interval", "0:1", "--circle", "24"], "give one domain"),
        (["--interval", "1"], "--interval wants low:high, for example 40:200; got '1'"),
        (["--interval", "1:0"], "--interval 1:0 needs its low end below its high end"),
        (["--circle", "day"], "--circle wants a period"),
        (["--interval", "0:1", "--epsilon", "1,,2"], "--epsilon wants numbers"),
        (["--interval", "0:1", "--epsilon", "0"], "epsilon must be a number above 0"),
        (["--interval", "0:1", "--epsilon", "nan"], "epsilon must be a number above 0"),
        (["--interval", "0:1", "--loss", "cubic"], "--loss is absolute, squared, or a power p"),
        (["--interval", "0:1", "--loss", "-2"], "--loss must be a number above 0"),
        (["--interval", "0:1", "--mechanism", "ogmp"], "did you mean OGPM"),
        (
            ["--circle", "24", "--mechanism", "laplace"],
            "Laplace needs a domain of kind --interval, got --circle 24; use CircularOGPM",
        ),
        (["--interval", "0:1", "--interval", "0:2"], "--interval is given twice, but only one can be used"),
        (["--circle", "24", "--circle=7"], "--circle is given twice"),
        (["--interval", "0:1", "--loss", "1", "--loss", "2"], "--loss is given twice"),
        (["--interval", "0:1", "--epsilon", "1", "--epsilon", "x"], "--epsilon wants numbers"),
        (["--interval", "0:1", "--mechanism", "pm", "--delta", "0.1"], "--delta is given, but no mechanism"),
        (["--interval", "0:1", "--html", "e.pdf"], "must end in .html or .htm, not as e.pdf does"),
        (["--interval", "0:1", "--delta", "3"], "delta must be a number above"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_code_two(capsys, arguments, said):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_page_that_cannot_be_written_is_refused(capsys, tmp_path):
    arguments = ["--interval", "0:1", "--epsilon", "1", "--mechanism", "ogpm", "--html"]
    code, out, err = run(capsys, *arguments, str(tmp_path / "nowhere" / "page.html"))
    assert (code, out) == (2, "")
    assert "does not exist" in err
    code, _, err = run(capsys, *arguments, str(tmp_path))
    assert code == 2
    assert "it is a folder" in err


def test_without_matplotlib_a_page_is_refused_before_any_work(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr("noisewright.design.comparison.compare", lambda *_: pytest.fail("too late"))
    code, out, err = run(capsys, "--interval", "0:1", "--html", str(tmp_path / "page.html"))
    assert (code, out) == (2, "")
    assert "run: pip install" in err
    assert "[plots]" in err
    assert list(tmp_path.iterdir()) == []


def test_numbers_alone_load_nothing_heavy():
    code = (
        "import sys; from noisewright.cli.main import main\n"
        "heavy = {'matplotlib', 'numba', 'sklearn', 'pandas', 'polars', 'pyarrow', 'scipy'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "assert main(['compare', '--interval', '0:1', '--epsilon', '1', '--mechanism', 'ogpm', '--json']) == 0\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
