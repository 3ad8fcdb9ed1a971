"""``noisewright joint plan`` on the command line."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from noisewright.cli.joint import plan
from noisewright.cli.verb import Verb
from noisewright.design.joint_plan import joint_plan
from noisewright.errors import BadTable, InvalidParameter
from noisewright.mechanisms import Mechanism
from report.checking import check

USUAL = ["--users", "10000", "--epsilon", "0.1", "--colluders", "50", "--expected-share", "0.08"]


@pytest.fixture
def run():
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(cls=Verb)(plan)
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


def words(text):
    return " ".join(text.split())


def test_the_table_has_three_choices_and_both_numbers_in_words(run):
    found = run(*USUAL)
    assert found.exit_code == 0
    lines = [line.strip() for line in found.stdout.splitlines()]
    head = next(place for place, line in enumerate(lines) if line.startswith("coins"))
    rows = lines[head + 1 : head + 4]
    assert [line.split()[0] for line in rows] == ["randomized", "heuristic", "best"]
    assert max(map(len, found.stdout.splitlines())) <= 100
    said = words(found.stdout)
    assert "Seen alone, averaged over who the partner is, with 50 of 10,000 users colluding" in said
    assert "Given that the partner colludes" in said
    assert "56 % less variance" in said
    assert "to 23 % more (a share of 0.5)" in said


def test_without_a_share_nobody_shares_coins(run):
    asked = ["--users", "1000", "--epsilon", "1"]
    told = json.loads(run(*asked, "--json").stdout)
    assert (told["share_known"], told["shares"], told["most_loss"]) == (False, [0.0, 1.0], None)
    assert not told["shares_coins"]
    assert told["rows"][-1]["epsilon_colluding"] == pytest.approx(1.0)
    said = words(run(*asked).stdout)
    assert "Do not share coins: no share is known" in said
    assert "variance and ÷ RR: at the worst of all shares" in said
    assert "It has 0.037 % more variance than randomized response at the worst of all shares" in said


def test_with_an_accepted_loss_all_shares_count_alike(run):
    asked = ["--users", "10000", "--epsilon", "1", "--colluders", "50", "--most-loss", "0.01"]
    told = json.loads(run(*asked, "--json").stdout)
    assert (told["share_known"], told["shares"], told["most_loss"]) == (False, [0.0, 1.0], 0.01)
    assert told["variance_ratio"]["most"] <= 1.01
    assert told["variance_ratio"]["mean"] < 0.95
    said = words(run(*asked).stdout)
    assert "Counting an unknown share among 10,000 users" in said
    assert "cost at most 1 % more variance at any share" in said
    assert "variance and ÷ RR: on average over all shares" in said


@pytest.mark.parametrize("shares", [["--share-range", "0.6:0.9"], ["--expected-share", "0.8"]])
@pytest.mark.parametrize("labels", ["2", "5"])
def test_the_ratio_is_that_of_the_variances_beside_it(run, shares, labels):
    """With five labels the worst variance and the worst ratio of a range are those of two shares."""
    found = run("--users", "1000", "--epsilon", "1", "--labels", labels, *shares).stdout.splitlines()
    found = [line.strip().replace("randomized response", "RR") for line in found]
    (head,) = [place for place, line in enumerate(found) if line.startswith("coins")]
    assert ("variance" in found[head]) is (labels == "2" or "--expected-share" in shares)
    if "variance" in found[head]:
        alone, heuristic = (found[place].split()[3:5] for place in (head + 1, head + 2))
        assert float(heuristic[0]) / float(alone[0]) == pytest.approx(float(heuristic[1]), abs=2e-3)


def test_the_heuristic_is_called_what_it_is_unasked(run):
    said = words(run(*USUAL).stdout)
    assert "The published heuristic: It breaks the cap 0.1 on the average: it spends ε = 0.1096." in said
    assert "a colluding partner can learn the value with certainty" in said
    assert "48 % of the reports of users whose partner colludes" in said
    assert "The published heuristic: Seen alone" not in said
    assert "The published heuristic: Seen alone" in words(run(*USUAL, "--heuristic").stdout)


def test_json_is_all_there_is_and_rebuilds_the_mechanism(run):
    found = run(*USUAL, "--json", "--cap-colluding", "2", "--correlation", "-0.1")
    told = json.loads(found.stdout)
    expected = joint_plan(10_000, 0.1, 50, share=0.08, cap_colluding=2.0)
    assert Mechanism.from_dict(told["mechanism"]) == expected.mechanism
    assert [row["name"] for row in told["rows"]] == ["randomized response", "heuristic", "given", "best"]
    assert told["rows"][2]["correlation"] == pytest.approx(-0.1)
    assert told["rows"][3]["variance"] == expected.variance
    assert told["rows"][3]["epsilon_colluding"] <= 2
    assert told["rows"][1]["epsilon_colluding"] == "infinity"


def test_a_range_of_shares_and_larger_groups(run):
    told = json.loads(
        run("--users", "9999", "--epsilon", "1", "--share-range", "0:0.2", "--group", "3", "--json").stdout
    )
    assert (told["shares"], told["group"]) == ([0.0, 0.2], 3)
    assert told["rows"][-1]["ratio"] < 1


def test_the_page_is_whole(run, tmp_path):
    page = tmp_path / "plan.html"
    assert run(*USUAL, "--correlation", "-0.3", "--html", str(page)).exit_code == 0
    text = page.read_text()
    check(text)
    assert "learn the value with certainty" in text
    assert "★ best" in text
    assert "to 23 % more (a share of 0.5)" in text
    assert "1.224" in text  # the variance at a share of one half over that of randomized response


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--users", "9999", "--epsilon", "1"], "odd number of users"),
        ([*USUAL, "--share-range", "0:0.2"], "either --expected-share or --share-range"),
        (["--users", "10", "--epsilon", "1", "--share-range", "half"], "--share-range wants low:high"),
        ([*USUAL, "--correlation", "-0.99"], "correlation -0.99 is out of range"),
        (["--users", "10", "--epsilon", "-1"], "epsilon must be"),
        ([*USUAL, "--users", "20"], "--users is given twice"),
        ([*USUAL, "--labels", "1"], "--labels must be a whole number from 2 to 1000, got 1"),
        ([*USUAL, "--group", "1"], "--group must be a whole number from 2 to 16, got 1"),
        ([*USUAL, "--correlation", "5"], "--correlation 5 is out of range: here it can be at most"),
        (
            ["--users", "10", "--epsilon", "abc"],
            "--epsilon must be a number above 0 and at most 32, got 'abc'",
        ),
        (
            ["--users", "10", "--epsilon", "1", "--share-range", "nan:1"],
            "--share-range must be a finite number",
        ),
        (["--users", "10", "--epsilon", "1", "--expected-share", "nan"], "--expected-share must be a finite"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(run, arguments, refusal):
    found = run(*arguments)
    assert isinstance(found.exception, InvalidParameter)
    assert refusal in str(found.exception)


def test_a_page_that_cannot_be_written_is_refused_before_any_work(run, tmp_path):
    assert isinstance(run(*USUAL, "--html", str(tmp_path / "plan.txt")).exception, BadTable)
