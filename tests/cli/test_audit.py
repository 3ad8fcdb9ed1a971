"""``noisewright audit`` from end to end: functions, mechanisms, commands, files, searches, watching, exits."""

from __future__ import annotations

import json
import sys

import pytest

from command_line import refused, run, timeless
from noisewright.audit.evidence import INCONCLUSIVE, REFUTED
from noisewright.audit.scores import SCORES
from noisewright.cli.main import main
from noisewright.cli.mechanism_files import write_mechanism
from noisewright.domains import Categories
from noisewright.mechanisms import KRR
from report.checking import check

MODULE = """
import numpy as np
from noisewright import Categories
from noisewright.guarantees import RelativeDP
from noisewright.mechanisms import JointRandomizedResponse

def total(data, count, generator):
    return np.sum(data) + generator.laplace(scale=2.0, size=count)

def constant(data, count):
    return np.full(count, np.sum(data))

def comb(data, count, generator):
    return generator.random(count) + 2 * generator.integers(0, 2, count) + np.sum(data) % 2

def crash(data):
    raise RuntimeError("patient 4711 is ill")

answer = 42

class Count:
    guarantee = RelativeDP(0.5, 0.0, "trial")

    def __call__(self, data, count, generator):
        return total(data, count, generator)

counted = Count()
joint = JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=1000, correlation=-0.2)
"""
TOOL = """
import os, random, sys
chance = random.Random(os.environ["NOISEWRIGHT_SEED"])
total = sum(map(float, open(sys.argv[1]).read().split()[1:]))
for _ in range(int(sys.argv[2])):
    print(total + chance.gauss(0, 0.5))
"""
TOTAL = ["black_boxes:total", "--vectorized", "--seed", "1"]
SURE = ["--confidence", "0.999999999"]  # our mechanisms draw from the secure source, whatever the seed
PAIR = ["--pair", "all.csv", "one_less.csv"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "black_boxes.py").write_text(MODULE)
    (tmp_path / "needy.py").write_text("import no_such_module")
    (tmp_path / "broken.py").write_text("def f(:")
    (tmp_path / "all.csv").write_text("pay\n3\n2\n1\n")
    (tmp_path / "one_less.csv").write_text("pay\n3\n2\n")
    yield tmp_path
    sys.modules.pop("black_boxes", None)


def convicted(capsys, *arguments):
    """Standard output and error of an audit that must refute the claim."""
    code = main(["audit", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert code == REFUTED, err
    return out, err


def test_a_false_claim_has_an_exit_code_a_witness_and_a_page(capsys, folder):
    """Laplace noise of scale 2 for values that differ by 1 keeps ε = ½."""
    out, err = convicted(
        capsys, *TOTAL, *PAIR, "--claim", "epsilon=0.1", "--samples", "2e4", "--html", "audit.html"
    )
    assert "refuted: The claim of ε = 0.1 is false" in out
    for said in ("all.csv against one_less.csv", "20,000 runs", "The witness", "bit patterns"):
        assert said in " ".join(out.split()), said
    assert "audit.html" in err
    assert check((folder / "audit.html").read_text(encoding="utf-8")).count("svg") == 3


def test_an_input_that_every_run_gives_away_is_a_verdict_everywhere(capsys, folder):
    """Few runs prove less than a large claim allows; that is neither a refutation nor nothing."""
    arguments = ["audit", "black_boxes:constant", "--vectorized", *PAIR, "--claim", "8", "--samples", "200"]
    assert main([*arguments, "--html", "audit.html"]) == INCONCLUSIVE
    out = " ".join(capsys.readouterr().out.split())
    page = check((folder / "audit.html").read_text(encoding="utf-8"))
    for said in (out, " ".join(page.prose.split())):
        assert "the outputs identify the input, as far as 200 runs show" in said
        assert "which the claim of ε = 8 allows; nothing speaks for the claim" in said
        assert "Nothing was found" not in said
    assert main([*arguments, "--json"]) == INCONCLUSIVE
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["identified"], found["inconclusive"]) == ("identified", True, True)


def test_a_refuted_assumption_is_told_everywhere(capsys, folder):
    arguments = [
        "audit",
        "black_boxes:comb",
        "--vectorized",
        *PAIR,
        "--samples",
        "4000",
        "--assume",
        "monotone",
    ]
    out, _ = run(capsys, *arguments, "--html", "audit.html")
    page = check((folder / "audit.html").read_text(encoding="utf-8"))
    for said in (" ".join(out.split()), " ".join(page.prose.split())):
        assert "What was assumed is false: that the likelihood ratio" in said
        assert "the upper bound is withheld" in said
        assert "at most (see assumption)" not in said
    found = json.loads(run(capsys, *arguments, "--json")[0])
    assert (found["delta_upper"], found["assumption"]) == (None, None)
    assert found["refuted_assumption"]["lower"] > found["refuted_assumption"]["upper"]


def test_a_true_claim_stands_and_json_is_all_there_is(capsys):
    arguments = ["audit", *TOTAL, *PAIR, "--claim", "0.5", "--samples", "20000", "--epsilon", "0:2", "--json"]
    out, _ = run(capsys, *arguments)
    found = json.loads(out)
    assert (found["verdict"], found["inputs"]) == ("not refuted", ["all.csv", "one_less.csv"])
    assert (found["epsilons"][0], found["epsilons"][-1]) == (0.0, 2.0)
    assert 0.3 < found["epsilon_lower"]["0"] <= 0.5
    assert timeless(run(capsys, *arguments)[0]) == timeless(out)


def test_one_of_our_mechanisms_is_held_to_its_own_claim(capsys):
    arguments = ["audit", "ogpm", "--interval", "0:1", "--claim", "1", "--samples", "4e4", *SURE, "--json"]
    out, _ = run(capsys, *arguments)
    found = json.loads(out)
    assert (found["mechanism"], found["verdict"]) == ("OGPM", "not refuted")
    assert 0.8 < found["epsilon_lower"]["0"] <= 1


def test_noise_with_a_delta_of_its_own_is_held_to_that(capsys):
    arguments = ["audit", "gaussian", "--interval", "0:1", "--samples", "4000", *SURE, "--json"]
    for typed, claimed in (("1", 1e-5), ("1,delta=0.001", 0.001)):
        found = json.loads(run(capsys, *arguments, "--claim", typed)[0])
        assert found["claim"] == {"epsilon": 1.0, "delta": claimed}


def test_a_function_with_a_guarantee_is_a_function_and_is_held_to_it(capsys):
    arguments = ["audit", "black_boxes:counted", "--vectorized", "--seed", "1", *PAIR, "--samples", "4000"]
    assert json.loads(run(capsys, *arguments, "--json")[0])["claim"] == {"epsilon": 0.5, "delta": 0.0}


def test_a_guarantee_that_is_no_claim_is_none(capsys):
    arguments = [
        "audit",
        "black_boxes:joint",
        "--left",
        "no",
        "--right",
        "yes",
        "--samples",
        "2000",
        "--json",
    ]
    assert json.loads(run(capsys, *arguments)[0])["claim"] is None


def test_the_mechanism_of_a_file_brings_its_claim(capsys):
    write_mechanism("law.json", KRR(Categories("abc"), 1.0))
    found = json.loads(run(capsys, "audit", "@law.json", "--samples", "4000", *SURE, "--json")[0])
    assert found["claim"] == {"epsilon": 1.0, "delta": 0.0}
    assert "own domain" in refused(capsys, "audit", "@law.json", "--interval", "0:1")


def test_a_command_gets_the_files_themselves(capsys, folder):
    (folder / "tool.py").write_text(TOOL)
    command = f"{sys.executable} tool.py {{input}} {{count}}"
    out, _ = convicted(
        capsys, "--command", command, *PAIR, "--claim", "0.5", "--samples", "400", "--jobs", "1", "--json"
    )
    assert json.loads(out)["samples"] == 400


def test_outputs_that_identify_the_input_are_called_infinite(capsys):
    out, _ = convicted(
        capsys, "black_boxes:constant", "--vectorized", "--left", "1", "--right", "2", "--claim", "1",
        "--samples", "4000",
    )  # fmt: skip
    assert ": Infinite: the outputs identify the input" in out


def test_a_database_is_searched_for_its_worst_neighbour(capsys, folder):
    (folder / "people.csv").write_text("pay\n" + "0.1\n" * 11 + "9\n")
    out, _ = convicted(
        capsys, *TOTAL, "--database", "people.csv", "--claim", "1", "--samples", "4e4", "--json"
    )
    search = json.loads(out)["search"]
    moved = [each["name"] for each in search["screened"] if each["rounds"] == search["screened"][0]["rounds"]]
    assert search["worst"] in moved
    assert any(name.endswith("row 11 removed") for name in moved)  # no worse than made-up ones, and no better
    assert search["neighbours"] == 12 + 6 + 4 * 6  # extremes, and everybody in four halves of six


def test_watching_takes_fewer_runs_than_an_audit(capsys):
    assert run(capsys, "audit", *TOTAL, *PAIR, "--claim", "8", "--watch", "--samples", "100")[0]


def test_watching_ends_when_the_claim_falls(capsys):
    arguments = [*TOTAL, "--left", "0", "--right", "3", "--claim", "0.5", "--watch", "--samples", "2e4"]
    out, _ = convicted(capsys, *arguments, "--score", "value")
    *before, last = out.splitlines()
    assert "is false" in last
    assert all("nothing refutes" in line for line in before)
    out, _ = convicted(capsys, *arguments, "--score", "value", "--json")
    states = [json.loads(line) for line in out.splitlines()]
    assert [state["log_capital"] >= state["log_needed"] for state in states] == [False] * len(before) + [True]
    assert "ε" in out


def test_kept_samples_answer_the_next_question_without_a_run(capsys, folder):
    arguments = ["audit", *TOTAL, *PAIR, "--samples", "8000", "--keep", "kept", "--score", "value", "--json"]
    out, err = run(capsys, *arguments)
    files = {path: path.stat().st_mtime_ns for path in (folder / "kept").rglob("*.parquet")}
    assert files
    assert "PRIVATE" in err
    assert json.loads(run(capsys, *arguments, "--claim", "3")[0])["delta_lower"][0] == pytest.approx(
        json.loads(out)["delta_lower"][0], rel=0.2
    )
    assert {path: path.stat().st_mtime_ns for path in (folder / "kept").rglob("*.parquet")} == files


def test_the_published_estimate_stands_beside_ours_with_its_label(capsys):
    out, _ = run(capsys, "audit", *TOTAL, *PAIR, "--samples", "4000", "--score", "value", "--eureka")
    assert "as published: an estimate, not a bound" in " ".join(out.split())


def test_the_gallery_has_a_table_of_the_exhibits_that_were_named(capsys, folder):
    names = ["randomized-response-published", "randomized-response"]
    out, _ = run(capsys, "audit", "--gallery", *names, "--samples", "6000", "--html", "gallery.html")
    assert "1 of 1 wrong mechanisms were convicted, and 0 of 1 right ones" in " ".join(out.split())
    check((folder / "gallery.html").read_text(encoding="utf-8"))
    assert "and no 'mona-lisa'" in refused(capsys, "audit", "--gallery", "mona-lisa")


def test_a_mechanism_of_ours_says_which_epsilon_it_was_built_for(capsys, folder):
    arguments = ["audit", "ogpm", "--interval", "0:1", "--claim", "2", "--samples", "400", "--html", "a.html"]
    out, _ = run(capsys, *arguments)
    page = check((folder / "a.html").read_text(encoding="utf-8"))
    for said in (" ".join(out.split()), " ".join(page.prose.split())):
        assert "OGPM on the interval from 0 to 1, built for epsilon = 2." in said


def test_the_help_names_every_score(capsys):
    out = " ".join(run(capsys, "audit", "--help")[0].split())
    listed = out.split("The score that tells outputs apart: ")[1].split(".")[0]
    assert listed.replace(" or ", ", ").split(", ") == ["auto", *SCORES]


REFUSALS = [
    ([], "name one thing to audit"),
    (["a:b", "--url", "https://x.example"], "name one thing to audit"),
    (TOTAL, "an audit needs inputs"),
    (["black_boxes:total", *PAIR], "say --vectorized if it returns that many outputs at once"),
    (["black_boxes:crash", *PAIR, "--vectorized"], "takes (data) only; vectorized functions take"),
    ([*TOTAL, *PAIR, "--left", "1", "--right", "2"], "inputs are given once"),
    ([*TOTAL, "--left", "1"], "give both"),
    ([*TOTAL, "--left", "1", "--right", "1"], "--left and --right are the same"),
    ([*TOTAL, "--pair", "all.csv", "all.csv"], "both files of --pair have the same content"),
    (["--command", "./tool {input}", "--pair", "all.csv", "all.csv"], "have the same content"),
    (["black_boxes:crash", *PAIR, "--samples", "50"], "--samples must be a whole number from 200"),
    ([*TOTAL, "--pair", "all.csv", "none.csv"], "there is no such file"),
    ([*TOTAL, "--pair", "all.csv", "black_boxes.py"], "which says what it holds"),
    (["black_boxes:nothing", *PAIR], "has nothing named nothing"),
    (["black_boxes:answer", *PAIR], "is a int"),
    (["no_such_module:f", *PAIR], "there is no module no_such_module in this folder"),
    (["black_boxes.py:total", *PAIR], "without .py: black_boxes:function"),
    (["needy:f", *PAIR], "the module needy needs no_such_module, which is not installed"),
    (["broken:f", *PAIR], "could not be imported (SyntaxError); import it in Python to see why"),
    ([*TOTAL, *PAIR, "--claim", "delta=1"], "a claim"),
    ([*TOTAL, *PAIR, "--samples", "many"], "such as 2e6"),
    ([*TOTAL, *PAIR, "--samples", "0.5"], "such as 2e6"),
    ([*TOTAL, *PAIR, "--samples", "9", "--seconds", "1"], "give one of them"),
    ([*TOTAL, *PAIR, "--seconds", "nan"], "--seconds must be a finite number"),
    ([*TOTAL, *PAIR, "--epsilon", "4:1"], "--epsilon wants a range"),
    ([*TOTAL, *PAIR, "--confidence", "1"], "--confidence must be"),
    ([*TOTAL, *PAIR, "--epsilon", "2"], "--epsilon is the range of the curve, such as 0:4"),
    (["ogpm", "--interval", "0:1", "--epsilon", "2", "--claim", "1"], "built for the epsilon of --claim"),
    ([*TOTAL, *PAIR, "--assume", "magic"], "--assume must be one of monotone"),
    ([*TOTAL, *PAIR, "--assume", "intervals:3"], "--assume must be one of monotone"),
    ([*TOTAL, *PAIR, "--score", "magic"], "--score must be one of auto, value"),
    ([*TOTAL, *PAIR, "--samples", "1e12"], "no more than 1e+11"),
    ([*TOTAL, *PAIR, "--claim", "1", "--bits", "--watch"], "--bits does not go with --watch"),
    ([*TOTAL, *PAIR, "--jobs", "0"], "--jobs must be"),
    ([*TOTAL, *PAIR, "--keep", "all.csv"], "--keep all.csv is a file"),
    ([*TOTAL, *PAIR, "--relation", "change"], "leave it out for a pair"),
    ([*TOTAL, *PAIR, "--html", "page.pdf"], "a page is HTML"),
    ([*TOTAL, *PAIR, "--watch"], "--watch monitors a claim"),
    (
        ["ogpm", "--interval", "0:1", "--claim", "40"],
        "--claim must be an epsilon above 0 and at most 32",
    ),
    ([*TOTAL, "--database", "all.csv", "--watch"], "--database does not go with --watch"),
    ([*TOTAL, "--database", "all.csv", "--seconds", "5"], "give --samples, not --seconds"),
    ([*TOTAL, "--database", "all.csv", "--eureka"], "--eureka is for a pair"),
    ([*TOTAL, *PAIR, "--interval", "0:1"], "are for our mechanisms"),
    (["ogpm", "--interval", "0:1", "--claim", "1", "--vectorized"], "--vectorized is for functions"),
    (["ogpm", "--interval", "0:1", "--claim", "1", "--timeout", "-5"], "timeout must be above 0"),
    (["--command", "./tool {input}", "--vectorized", *PAIR], "--vectorized is for functions"),
    (["--gallery", "--vectorized"], "--vectorized does not go with --gallery"),
    (["--gallery", "--interval", "0:1"], "--interval does not go with --gallery"),
    (["--gallery", "--timeout", "5"], "--timeout does not go with --gallery"),
    (["ogpm", "--interval", "0:1"], "--claim is missing: ogpm is built for its epsilon, as in --claim 1"),
    (["krr", "--categories", "a,b"], "--claim is missing: krr is built for its epsilon, as in --claim 1"),
    (["krr"], "krr is a mechanism for labels; say which, for example --categories a,b,c\n"),
    (
        ["ogmp"],
        "mechanism 'ogmp' is unknown; did you mean OGPM? To audit a function, name it module:function",
    ),
    (["foo"], "mechanism 'foo' is unknown; known: Laplace, "),
    (["foo"], "TSW. To audit a function, name it module:function"),
    (["foo", "--claim", "1", "--interval", "0:1"], "To audit a function, name it module:function"),
    (["foo", "--categories", "a,b"], "To audit a function, name it module:function"),
    (
        ["ogpm", "--interval", "0:1", "--claim", "1", "--database", "all.csv"],
        "mechanisms randomize one value",
    ),
    (["--gallery", "--claim", "1"], "--claim does not go with --gallery"),
    (["ogpm", "pm", "--claim", "1"], "one TARGET"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSALS)
def test_bad_input_is_one_sentence(capsys, arguments, said):
    err = refused(capsys, "audit", *arguments)
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_crash_is_told_without_what_it_says_about_people(capsys):
    err = refused(capsys, "audit", "black_boxes:crash", *PAIR, "--samples", "400", "--jobs", "1")
    assert "RuntimeError" in err
    assert "4711" not in err
