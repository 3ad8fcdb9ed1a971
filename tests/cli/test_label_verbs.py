"""``explain`` and ``compare`` for labels."""

import json
import math

import pytest

from noisewright import Categories
from noisewright.cli.main import main
from noisewright.mechanisms.categorical.choice import ORACLES, best_oracle, oracle
from report.checking import check

LIST = ["--categories", "asthma,diabetes,none"]


def run(capsys, *arguments):
    code = main(list(arguments))
    return (code, *capsys.readouterr())


@pytest.mark.parametrize("kind", ORACLES)
def test_every_protocol_is_explained(capsys, tmp_path, kind):
    made = oracle(kind.__name__, Categories(["asthma", "diabetes", "none"]), 1.0)
    code, out, err = run(capsys, "explain", kind.__name__, *LIST, "--epsilon", "1", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["mechanism"] == made.to_dict()
    assert found["variance"] == made.spread()
    assert found["errors"][0]["standard_error"] == math.sqrt(made.spread() / 1000)
    assert found["epsilon_upper"] == made.epsilon_upper
    page = tmp_path / "page.html"
    code, out, _ = run(capsys, "explain", kind.__name__, *LIST, "--epsilon", "1", "--html", str(page))
    assert code == 0
    assert all(
        part in out for part in (kind.title, "What it does", "by at most a factor of 2.8", "1,000,000")
    )
    assert max(map(len, out.splitlines())) <= 104
    assert check(page.read_text(encoding="utf-8")).count("svg") == 1


def test_auto_says_why(capsys):
    reason = best_oracle(Categories(["asthma", "diabetes", "none"]), 1.0).reason
    _, out, _ = run(capsys, "explain", "auto", *LIST, "--epsilon", "1")
    assert reason in " ".join(out.split())


def test_protocols_side_by_side(capsys, tmp_path):
    (tmp_path / "codes.txt").write_text("\n".join(f"code {place}" for place in range(50)))
    page, many = tmp_path / "page.html", ["--categories", f"@{tmp_path}/codes.txt"]
    code, out, _ = run(capsys, "compare", *many, "--epsilon", "0.5,4", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["labels"], found["epsilons"]) == (50, [0.5, 4.0])
    for epsilon in (0.5, 4.0):
        best = best_oracle(Categories([f"code {place}" for place in range(50)]), epsilon)
        rows = [row for row in found["entries"] if row["epsilon"] == epsilon]
        assert [row["protocol"] for row in rows] == [each.name for each in best.candidates]
        assert [row["protocol"] for row in rows if row["chosen"]] == [type(best.mechanism).__name__]
        assert [row["ratio"] for row in rows] == [
            each.spread / best.candidates[0].spread for each in best.candidates
        ]
    code, out, _ = run(capsys, "compare", *many, "--epsilon", "1", "--html", str(page))
    assert code == 0
    assert "Protocols for 50 labels" in out
    assert "★" in out
    parsed = check(page.read_text(encoding="utf-8"))
    assert parsed.count("svg") == 1
    assert "As the list of labels grows" in parsed.prose


def test_only_the_named_protocols(capsys):
    _, out, _ = run(capsys, "compare", *LIST, "--epsilon", "1", "--mechanism", "krr,olh", "--json")
    assert {row["protocol"] for row in json.loads(out)["entries"]} == {"KRR", "OLH"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["explain", "krr", *LIST], "--epsilon is missing"),
        (["explain", "krr", *LIST, "--epsilon", "1", "--interval", "0:1"], "--interval is for numbers"),
        (["explain", "krr", *LIST, "--epsilon", "1", "--at", "3"], "--at is for numbers"),
        (["explain", "krr", *LIST, "--epsilon", "1", "--delta", "0.1"], "--delta is for numbers"),
        (["explain", "krr", "--categories", "one", "--epsilon", "1"], "at least two labels"),
        (["explain", "rr", *LIST, "--epsilon", "1"], "RR is for two labels, got 3"),
        (["explain", "best", *LIST, "--epsilon", "1"], "mechanism 'best' is unknown; known: auto"),
        (["explain", "krr", *LIST, "--epsilon", "0"], "epsilon must be a number above 0"),
        (["explain", "krr", *LIST, "--epsilon", "1", "--html", "page.txt"], "must end in .html"),
        (["compare", *LIST, "--loss", "squared"], "--loss is for numbers"),
        (["compare", *LIST, "--circle", "24"], "--circle is for numbers"),
        (["compare", *LIST, "--epsilon", "x"], "--epsilon wants numbers"),
        (["compare", *LIST, "--mechanism", "ogpm"], "--mechanism 'ogpm' is unknown"),
        (["compare", "--categories", "@none.txt"], "cannot read none.txt"),
    ],
)
def test_bad_questions_get_one_sentence(capsys, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert sentence in err
    assert not list(tmp_path.iterdir())
