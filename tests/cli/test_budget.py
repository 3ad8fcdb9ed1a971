"""``noisewright budget`` on the command line."""

from __future__ import annotations

import json

import pytest

from noisewright import Interval, PureLDP
from noisewright.cli.main import main
from noisewright.ledger import Ledger
from noisewright.mechanisms import OGPM


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run a verb on the ledger people.db of an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["budget", "--ledger", "people.db", *arguments])
        return (code, *capsys.readouterr())

    return command


def collect() -> None:
    ledger = Ledger.open("people.db")
    ledger.perturb_many(["anna", "bert"], "heart_rate", [71.0, 80.0], OGPM(Interval(40, 200), 1.0))
    ledger.spend("anna", "age", PureLDP(0.5))


def test_a_ledger_is_created_filled_and_looked_at(run):
    code, out, err = run("create", "--budget", "4", "--column", "heart_rate=2", "--column", "a=b=0.5")
    assert (code, err) == (0, "")
    assert "The ledger is people.db, its key people.db.key" in out
    collect()
    code, out, err = run("status")
    assert (code, err) == (0, "")
    assert "Everybody may spend epsilon 4 in all, at most 2 on heart_rate, 0.5 on a=b." in out
    assert "2 people, 3 reports; all can go on." in out


def test_status_in_json_is_all_there_is(run):
    run("create", "--budget", "4")
    collect()
    code, out, err = run("status", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == Ledger.open("people.db").status().to_dict()


def test_one_person(run):
    run("create", "--budget", "4", "--column", "heart_rate=2")
    collect()
    code, out, _ = run("status", "--person", "anna")
    assert code == 0
    assert "Left\n  Epsilon 2.5 in all" in out
    assert "elsewhere" in out
    code, out, _ = run("status", "--person", "anna", "--json")
    found = json.loads(out)
    assert found["spent"] == {"notion": "pure_ldp", "epsilon": 1.5}
    assert found["remaining_in_columns"] == {"heart_rate": 1.0, "age": 2.5}
    assert [entry["made_by"] for entry in found["history"]] == ["OGPM", "elsewhere"]


def test_create_in_json_and_with_everything(run, tmp_path):
    code, out, err = run("create", "--budget", "4", "--delta", "1e-5", "--simulated", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["ledger"] == "people.db"
    assert found["terms"]["delta"] == 1e-5
    assert "NOT PRIVATE" in found["terms"]["simulated"]
    assert "NOT PRIVATE" in run("status")[1]


def test_a_key_elsewhere(run, tmp_path):
    (tmp_path / "safe").mkdir()
    assert run("--key", "safe/key", "create", "--budget", "1")[0] == 0
    assert (tmp_path / "safe" / "key").exists()
    assert run("status")[0] == 0
    code, _, err = run("status", "--person", "anna")
    assert code == 2
    assert "the key people.db.key is missing" in err
    assert run("--key", "safe/key", "status", "--person", "anna")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["status"], "there is no ledger people.db; create it first"),
        (["create"], "Missing option '--budget'"),
        (["create", "--budget", "much"], "--budget wants a number, for example 4; got 'much'"),
        (["create", "--budget", "0"], "budget must be a number above 0 and at most 1000"),
        (["create", "--budget", "nan"], "budget must be a number above 0"),
        (["create", "--budget", "1", "--budget", "2"], "--budget is given twice"),
        (
            ["create", "--budget", "1", "--column", "age"],
            "--column wants name=epsilon, for example heart_rate=2",
        ),
        (["create", "--budget", "1", "--column", "age=x"], "--column wants name=epsilon"),
        (
            ["create", "--budget", "2", "--column", "a=1", "--column", "a=2"],
            "once for each column; got 'a=2'",
        ),
        (
            ["create", "--budget", "1", "--column", "age=2"],
            "column 'age' may not have more than the --budget of 1",
        ),
        (["create", "--budget", "1", "--delta", "2"], "delta must be a number above"),
        (["--ledger", "other.db", "status"], "--ledger is given twice"),
        (["spend"], "No such command 'spend'"),
        ([], "Missing command"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_code_two(run, tmp_path, arguments, said):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_is_not_created_twice(run):
    assert run("create", "--budget", "1")[0] == 0
    code, _, err = run("create", "--budget", "100")
    assert (code, "exists already" in err) == (2, True)


def test_a_key_that_is_named_must_fit_even_where_none_is_needed(run, tmp_path):
    assert run("create", "--budget", "1")[0] == 0
    assert run("--key", "people.db.key", "status")[0] == 0
    assert run("--key", "no.key", "status") == (
        2, "", "noisewright: the key no.key is missing; put it back, a ledger is of no use without it\n",
    )  # fmt: skip
    (tmp_path / "other.key").write_bytes(bytes(32))
    (tmp_path / "other.key").chmod(0o600)
    code, _, err = run("--key", "other.key", "status")
    assert (code, err) == (2, "noisewright: other.key is the key of another ledger, not of people.db\n")


def test_a_file_that_is_no_ledger(run, tmp_path):
    (tmp_path / "people.db").write_text("person,age\n")
    code, _, err = run("status")
    assert (code, err) == (2, "noisewright: people.db is not a ledger\n")


def test_help_does_not_need_a_ledger(capsys):
    assert main(["budget", "--help"]) == 0
    assert "noisewright budget --ledger people.db status" in capsys.readouterr().out


def test_help_needs_no_ledger(capsys):
    for word in ("create", "status"):
        main(["budget", word, "--help"])
        assert "Usage" in capsys.readouterr().out
    assert main(["budget", "status"]) == 2
    assert "--ledger people.db" in capsys.readouterr().err
