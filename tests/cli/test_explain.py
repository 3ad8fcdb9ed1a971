"""``noisewright explain`` on the command line."""

from __future__ import annotations

import json

import pytest

from catalogue import KINDS, NAMES, build
from noisewright import Interval
from noisewright.cli.main import main
from noisewright.cli.mechanism_files import write_mechanism
from noisewright.mechanisms import OGPM
from noisewright.text import epsilon_words
from report.checking import check

PULSE = ("--interval", "40:200", "--epsilon", "2")


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["explain", *arguments])
    return (code, *capsys.readouterr())


def test_json_is_all_there_is_and_its_numbers_are_the_law(capsys):
    code, out, err = run(capsys, "ogpm", *PULSE, "--at", "71", "--at", "200", "--json")
    assert (code, err) == (0, "")
    found, mechanism = json.loads(out), OGPM(Interval(40, 200), 2.0)
    law = mechanism.law([71.0, 200.0])
    assert found["mechanism"] == mechanism.to_dict()
    assert [e["value"] for e in found["examples"]] == [71, 200]
    assert [e["expected_absolute"] for e in found["examples"]] == law.expected("absolute").tolist()
    assert [e["expected_squared"] for e in found["examples"]] == law.expected("squared").tolist()
    assert found["worst_absolute"] == mechanism.worst_error("absolute")
    assert found["worst_squared"] == mechanism.worst_error("squared")
    assert found["average_absolute"] == mechanism.average_error("absolute")
    assert found["epsilon_upper"] == mechanism.epsilon_upper <= 2
    assert found["explanation"] == mechanism.guarantee.explain()
    assert found["words_per_report"] == 1
    assert found["reports"]["cells"] == 1 << 20


def test_the_text_has_the_numbers_the_words_and_a_small_plot(capsys):
    code, out, _ = run(capsys, "OGPM", *PULSE, "--at", "71")
    assert code == 0
    told = " ".join(out.split())
    assert "With probability 36.8 % the report is a uniformly random value from 40 to 200" in told
    assert "window of width 43.03" in told
    assert "from 49.48 to 92.52" in told
    assert "by at most a factor of 7.4" in told
    assert epsilon_words(OGPM(Interval(40, 200), 2.0).epsilon_upper, 10) in told
    assert "rounding goes toward privacy" in told
    assert "1,048,576" in told
    assert "█" in out
    assert max(map(len, out.splitlines())) <= 104


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_every_mechanism_answers(capsys, tmp_path, kind, domain):
    where = ["--interval", "-1:3"] if domain is Interval else ["--circle", "24"]
    name = kind.__name__
    if kind.designed:  # it comes from a file
        name = f"@{write_mechanism(tmp_path / 'mechanism.json', build(kind, domain, 1.0))}"
    code, out, err = run(capsys, name, *where, "--epsilon", "1")
    assert (code, err) == (0, "")
    assert out.startswith(kind.title)


@pytest.mark.parametrize("name", ["t-sw", "T-SW", "tsw", "TSW"])
def test_names_are_read_kindly(capsys, name):
    code, out, _ = run(capsys, name, *PULSE, "--json")
    assert code == 0
    assert json.loads(out)["mechanism"]["mechanism"] == "TSW"


def test_html_is_written_beside_the_text(capsys, tmp_path):
    page = tmp_path / "explain.html"
    code, out, err = run(capsys, "circularogpm", "--circle", "24", "--epsilon", "2", "--html", str(page))
    assert code == 0
    assert str(page) in err
    assert "What it promises" in out
    assert check(page.read_text(encoding="utf-8")).count("svg") == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ogmp", *PULSE], "mechanism 'ogmp' is unknown; did you mean OGPM"),
        (["ogpm", *PULSE, "--at", "300"], "--at must be a value of the interval from 40 to 200, got 300"),
        (["ogpm", "--circle", "24", "--epsilon", "1"], "kind --interval, got --circle 24; use CircularOGPM"),
        (["ogpm", "--epsilon", "1"], "give one domain"),
        (["ogpm", "--interval", "0:1", "--epsilon", "-1"], "epsilon must be a number above 0"),
        (
            ["ogpm", "--interval", "0:1", "--epsilon", "1,2"],
            "epsilon must be a number above 0 and at most 32, got '1,2'",
        ),
        (["ogpm", *PULSE, "--epsilon", "1"], "--epsilon is given twice"),
        (["ogpm", *PULSE, "--at", "abc"], "--at wants a number, for example 71; got 'abc'"),
        (["ogpm", *PULSE, "--delta", "0.1"], "--delta is given, but no mechanism here takes one"),
        (["ogpm", *PULSE, "--html", "e.pdf"], "must end in .html or .htm"),
        (["ogpm", "--interval", "0:1"], "--epsilon"),
        (["gaussian", *PULSE, "--delta", "0"], "delta must be a number above"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_code_two(capsys, arguments, said):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
