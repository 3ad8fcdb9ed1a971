"""Refusals name what was typed: options, and never parameters or classes of Python."""

import ast
import re
from pathlib import Path

import pytest

import noisewright
from command_line import refused, run
from noisewright.cli.verb import OptionWords

PEOPLE = "age,pulse,most_loss,smokes,other\n20,71.5,3,no,1.5\n60,80.5,4,yes,2.5\n"
PERTURB = ["perturb", "people.csv", "-o", "reports.csv", "--epsilon", "1"]
PLAN = ["plan", "--people", "1e4", "--epsilon", "1", "--integers", "age=0:99"]
JOINT = ["joint", "plan", "--users", "100", "--epsilon", "1"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([*PERTURB, "--integers=age=0:50"], "age in data row 2 lies above --integers age=0:50; widen the range"),
        ([*PERTURB, "--interval=age=0:50"], "age in data row 2 lies above --interval age=0:50; widen the"),
        (
            [*PERTURB, "--interval=pulse=0:75", "--interval=other=0:75"],
            "pulse in data row 2 lies above --interval pulse=0:75; widen the interval or pass --out-of-domain",
        ),
        ([*PERTURB, "--integers=pulse=0:99"], "round it, declare --interval, or pass --out-of-domain clip"),
        ([*PERTURB, "--integers=most_loss=0:3"], "most_loss in data row 2 lies above --integers most_loss=0:3"),
        (
            [*PERTURB, "--integers=age=0:99", "--mechanism=circularogpm"],
            "needs a domain of kind --circle, got --integers age=0:99; use OGPM",
        ),
        ([*PERTURB, "--integers=age=0:99", "--out-of-domain=x"], "--out-of-domain must be"),
        ([*PERTURB, "--integers=age=0:99", "--epsilon=0"], "--epsilon is one number"),
        (
            [*PERTURB, "--categories=smokes=no,yes", "--out-of-domain=clip"],
            "noisewright: --out-of-domain clip is for numbers",
        ),
        ([*JOINT, "--most-loss=-1"], "noisewright: --most-loss must be a number from 0 up, got -1"),
        ([*JOINT, "--share-range=3:5"], "noisewright: --share-range must lie between 0 and 1"),
        ([*JOINT, "--expected-share=3"], "noisewright: --expected-share must be a number between 0 and 1"),
        ([*JOINT, "--cap-average=-3"], "noisewright: --cap-average must be a number above 0"),
        ([*JOINT, "--cap-colluding=0"], "noisewright: --cap-colluding must be a number above 0"),
        (["estimate", "people.csv", "--bins=1"], "noisewright: --bins must be a whole number from 2 to 1024"),
        (["estimate", "people.csv", "--quantile=2"], "noisewright: --quantile must be shares of people between 0 and 1, got 2"),
        ([*PLAN, "--quantile=0.5,2"], "noisewright: --quantile wants shares between 0 and 1"),
        ([*PLAN, "--mechanism=foo"], "noisewright: --mechanism 'foo' is unknown; known: "),
        (["compare", "--interval=0:1", "--loss=-1"], "noisewright: --loss must be a number above 0 and at most 16"),
        (["compare", "--interval=0:1", "--mechanism=foo"], "noisewright: --mechanism 'foo' is unknown; known: "),
        (["compare", "--categories=a,b", "--mechanism=foo"], "noisewright: --mechanism 'foo' is unknown; known: auto"),
        (["design", "--interval=0:1", "--epsilon=1", "--loss=-1"], "noisewright: --loss must be a number above 0"),
        (["explain", "ogpm", "--interval=0:1", "--epsilon=1", "--at=3"], "noisewright: --at must be a value of"),
    ],
)  # fmt: skip
def test_refusals_name_options(capsys, arguments, sentence):
    said = refused(capsys, *arguments)
    assert sentence in said
    assert len(said.splitlines()) == 1


def test_what_is_printed_names_no_class(capsys, folder):
    out, _ = run(capsys, *PERTURB, "--integers=age=0:99", "--interval=pulse=40:200")
    assert "age: SW on the range of whole numbers from 0 to 99\n  epsilon 0.5." in out
    assert "pulse: SW on the interval from 40 to 200\n  epsilon 0.5." in out
    said = refused(capsys, *PERTURB, "--integers=age=0:99")
    assert "choose another name, or pass --force to replace it" in said


WORDS = OptionWords(
    {
        "bins": "--bins",
        "jobs": "--jobs",
        "interval": "--interval",
        "circle": "--circle",
        "timeout": "--timeout",
    }
    | {"max_speed": "--max-speed", "replace": "--force", "clip": "--clip"},
    {"interval": ["x=0:1", "y=0:1", "n=0:9"], "circle": ["hour=24"]},
)


@pytest.mark.parametrize(
    ("python", "spelled"),
    [
        ("two bins must be apart", "two bins must be apart"),
        ("leave `bins` out, or give `for` mean", "leave --bins out, or give `for` mean"),
        ("allow more with timeout=..., or", "allow more with --timeout, or"),
        ("run it with jobs=1 if", "run it with --jobs 1 if"),
        ("or pass clip=True", "or pass --clip"),
        ("leave max_speed out", "leave --max-speed out"),
        ("a column 'max_speed' is missing", "a column 'max_speed' is missing"),
        ("column jobs=1,bins=2", "column --jobs 1,bins=2"),
        ('as in "jobs=1"', 'as in "jobs=1"'),
        ("unknown=3 and other_name", "unknown=3 and other_name"),
        ("y lies above Interval(0.0, 1.0)", "y lies above --interval y=0:1"),
        ("z lies above Interval(0.0, 1.5)", "z lies above --interval 0:1.5"),
        ("on Interval(0.0, 1.0, cells=64)", "on --interval x=0:1"),
        ("on Circle(24.0); declare an Interval", "on --circle hour=24; declare --interval"),
        ("on Integers(0, 9)", "on Integers(0, 9)"),
        ("such as OGPM(Interval(40, 200), epsilon=2)", "such as OGPM(--interval 40:200, epsilon=2)"),
    ],
)
def test_the_rule(python, spelled):
    assert WORDS.spell(python) == spelled


def test_the_field_of_a_refusal_is_an_option():
    assert WORDS.spell("bins must be a whole number", "bins") == "--bins must be a whole number"
    assert WORDS.spell("column 'bins': bins must be one", "bins") == "column 'bins': --bins must be one"
    assert WORDS.spell("other must be one", "other") == "other must be one"


@pytest.mark.parametrize(
    "message",
    [
        "file token_env.csv is empty",
        "cannot read data/token_env: it is a folder",
        "see token_env/a.csv",
        "in ./token_env",
    ],
)
def test_files_are_not_options(message):
    assert OptionWords({"token_env": "--token-env"}, {}).spell(message) == message


def test_the_last_word_of_a_sentence_is_an_option():
    assert (
        OptionWords({"token_env": "--token-env"}, {})
        .spell("name it with token_env.")
        .endswith("--token-env.")
    )


def test_refusals_that_begin_with_a_parameter_carry_it():
    """So that the command line can show the option: "jobs must not be 0" is told of ``--jobs``."""
    for path in Path(noisewright.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "InvalidParameter"
                and node.args
            ):
                text = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
                begins = isinstance(text, ast.Constant) and re.match(
                    r"(?!there |it |values? )[a-z_]+ must ", text.value
                )
                assert not begins, f"{path.name}, line {node.lineno}: {text.value}"
