"""The verb as a user meets it: plans for numbers, labels, pairs, maps and models, and refusals."""

import json

import pytest

from command_line import refused, run
from noisewright import Categories, Interval
from noisewright.design import plan_column, recommend
from noisewright.mechanisms import best_oracle

AGE = ["--interval", "age=0:100"]
SMOKES = ["--categories", "smokes=no,yes"]
PAIR = [*SMOKES, "--categories", "s=a,b", "--pair", "smokes,s"]
QUICK = ["--for", "age=bins", "--bins", "age=0,18,65,100"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def planned(capsys, *options):
    out, _ = run(capsys, "plan", "--people", 10_000, "--epsilon", 1, *options, "--json")
    return json.loads(out, parse_constant=pytest.fail)


def test_numbers(capsys):
    found = planned(capsys, *AGE, "--width", "0.5", "--histogram", 5, "--quantile", 0.5)["questions"][0]
    names = [each["what"] for each in found["estimates"]]
    assert names == ["mean", "standard deviation", "median", "one of 5 bins"]
    own = plan_column(recommend(Interval(0, 100), 1.0).mechanism, 10_000, quantiles=(), histogram=0)
    assert found["estimates"][0]["width"] == pytest.approx(own["mean"].width)
    assert "people" not in found["estimates"][0]  # a width of shares says nothing of years
    assert found["estimates"][3]["people"] < 10_000


def test_labels_pairs_maps_and_models_share_the_budget(capsys, folder):
    options = [
        *AGE, *QUICK, "--categories", "smokes=no,yes", "--categories", "region=n,e,s,w",
        "--pair", "smokes,age", "--grid", "8x4", "--model", 4, "--accuracy", 0.7, "--width", 0.05,
    ]  # fmt: skip
    found = planned(capsys, *options)
    questions = {each["name"]: each for each in found["questions"]}
    assert list(questions) == ["region", "smokes and age", "map"]
    assert all(each["epsilon"] == 0.25 for each in questions.values())
    for name, size in {"region": 4, "smokes and age": 6, "map": 32}.items():
        oracle = best_oracle(Categories(range(size)), 0.25).mechanism
        own = plan_column(oracle, 10_000, share_width=0.05).estimates[0]
        assert questions[name]["estimates"][0]["width"] == pytest.approx(own.width)
        assert questions[name]["estimates"][0]["people"] == own.people
    assert found["model"]["features"] == 4
    assert found["model"]["expected_accuracy"] < 0.8
    assert found["model"]["people"] > 1_000
    told, _ = run(capsys, "plan", "--people", 10_000, "--epsilon", 1, *options, "--html", "page.html")
    assert "one of 6 pairs of labels" in told
    assert "a cell of a grid of 8 x 4" in told
    assert "For 70 %: about" in told
    assert told.count("share of a cell") == told.count("share of a pair") == 1
    page = (folder / "page.html").read_text()
    assert page.count("<section>") == 6  # the last says how the plan came about
    assert "smokes and age" in page


def test_guesses(capsys):
    even = planned(capsys, *AGE, *QUICK)["questions"][0]
    guessed = planned(capsys, *AGE, *QUICK, "--guess", "age=0.1,0.8,0.1")["questions"][0]
    worst = planned(capsys, *AGE, *QUICK, "--guess", "worst")["questions"][0]
    assert [each["what"] for each in guessed["estimates"]] == [
        "share of 0 to 18", "share of 18 to 65", "share of 65 to 100",
    ]  # fmt: skip
    assert worst["estimates"][0]["width"] > even["estimates"][0]["width"]
    assert (even["guess"], worst["guess"]) == ("people spread evenly", "the worst population")


def test_what_will_be_left_open_is_said(capsys):
    told, _ = run(capsys, "plan", "--people", 1000, "--epsilon", 1, *AGE, *QUICK)
    assert "Left open: where in their bin people are" in told


def test_what_is_not_planned_is_said(capsys):
    options = ["--circle", "h=24", "--width", "h=2", "--histogram", 2]
    told, _ = run(capsys, "plan", "--people", 1000, "--epsilon", 4, *options)
    assert "no number of people is given for the width 2" in " ".join(told.split())


def test_bins_of_one_column_go_before_the_purpose_of_all(capsys):
    both = [*AGE, "--interval", "pulse=40:200", "--for", "mean", "--bins", "age=10", "--histogram", 2]
    age, pulse = planned(capsys, *both, "--quantile", 0.5)["questions"]
    assert age["reason"].endswith("--bins of one column goes before --for mean of all")
    assert "--bins" not in pulse["reason"]


def test_a_pair_takes_its_own_guess_or_those_of_its_columns(capsys):
    own = planned(capsys, *PAIR, "--guess", "smokes,s=0.06,0.14,0.24,0.56", "--width", "smokes,s=0.1")
    (pair,) = own["questions"]
    assert pair["name"] == "smokes and s"
    assert [each["what"] for each in pair["estimates"]][:2] == ["share of no | a", "share of no | b"]
    assert all(each["wanted"] == 0.1 for each in pair["estimates"])
    apart = planned(capsys, *PAIR, "--guess", "smokes=0.2,0.8", "--guess", "s=0.3,0.7", "--width", 0.1)
    widths = [[each["width"] for each in found["questions"][0]["estimates"]] for found in (own, apart)]
    assert widths[0] == pytest.approx(widths[1], rel=1e-9)
    half = planned(capsys, *PAIR, "--guess", "smokes=0.2,0.8")["questions"][0]["estimates"]
    assert half[0]["width"] == pytest.approx(half[1]["width"], rel=1e-3)
    assert half[0]["width"] < 0.99 * half[2]["width"]


def test_a_pair_is_named_for_its_budget_as_it_is_for_itself(capsys):
    told = json.loads(run(capsys, "plan", "--people", 1000, "--epsilon", "smokes,s=2", *PAIR, "--json")[0])
    assert told["questions"][0]["epsilon"] == 2.0
    said = refused(capsys, "plan", "--people", 1000, "--epsilon", "smokes=1", "--epsilon", "s=1", *PAIR)
    assert "name the pair: --epsilon smokes,s=..." in said


def test_columns_of_a_pair_may_have_commas_in_their_names(capsys):
    named = ["--categories", "a,b=x,y", "--categories", "c=x,y", "--pair", "a,b,c"]
    assert planned(capsys, *named)["questions"][0]["name"] == "a,b and c"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "nothing to plan"),
        ([*SMOKES, "--pair", "smokes"], "--pair wants the names of two columns"),
        ([*SMOKES, "--pair", "smokes,smokes"], "--pair smokes,smokes names one column twice"),
        (
            [*SMOKES, "--pair", "smokes,region"],
            "--pair smokes,region names column 'region', which has no domain; add --categories region=A,B,...",
        ),
        ([*AGE, *SMOKES, "--pair", "age,smokes"], "column 'age' holds numbers; give it --bins age=EDGES"),
        ([*PAIR, "--guess", "smokes=0.2,0.7"], "column 'smokes': the shares of a guess must sum to one"),
        ([*PAIR, "--guess", "smokes=0.2,0.7,0.1"], "column 'smokes': a guess has a share for each of the 2"),
        (
            [*PAIR, "--guess", "smokes=0.2,0.8", "--guess", "smokes,s=0.1,0.2,0.3,0.4"],
            "--guess is given for the pair smokes,s and for its column 'smokes'; give one of them",
        ),
        ([*PAIR, "--width", "smokes=0.1"], "part of a pair; name the pair: --width smokes,s=..."),
        ([*PAIR, "--width", "s,smokes=0.1"], "part of a pair; name the pair: --width smokes,s=..."),
        ([*PAIR, "--guess", "x=1"], "which is not asked; asked are 'smokes,s', and a column is asked by"),
        (["--grid", "8"], "--grid wants columns x rows"),
        (["--grid", "0x5"], "--grid wants columns x rows"),
        (["--model", "x"], "--model wants a number of features"),
        (["--model", "3", "--accuracy", "0.9"], "--accuracy must lie between"),
        ([*AGE, "--accuracy", "0.7"], "--accuracy is for --model"),
        ([*AGE, "--guess", "age=1,2"], "column 'age': the shares of a guess must sum to one"),
        ([*AGE, "--guess", "foo=1"], "--guess names column 'foo'"),
        ([*AGE, "--guess", "worst", "--guess", "age=1"], "but not both"),
        ([*AGE, "--width", "x=2"], "--width names column 'x'"),
        ([*AGE, "--width", "age=-2"], "column 'age': --width must be above 0, got -2"),
        ([*SMOKES, "--width", "-1"], "column 'smokes': --width must be above 0, got -1"),
        ([*AGE, "--width", "2"], "is given with its name"),
        ([*AGE, "--mechanism", "ogpm", "--guess", "worst"], "is not linear in the true value"),
        ([*AGE, "--histogram", "1"], "--histogram must be a whole number from 2"),
        ([*AGE, "--level", "1"], "--level must be a number above 0"),
        (["--interval", "model=0:1", "--model", "3"], "named twice by the questions"),
    ],
)
def test_wrong_use_is_refused_with_one_sentence(capsys, options, sentence):
    said = refused(capsys, "plan", "--people", 1000, "--epsilon", 1, *options)
    assert sentence in said
    assert len(said.splitlines()) == 1
