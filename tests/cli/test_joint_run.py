"""``noisewright joint run``: what it prints, writes and refuses, and that it leaves no process behind."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from noisewright.cli.joint import run
from noisewright.cli.main import main
from noisewright.errors import BadTable, InvalidParameter
from noisewright.io import read_description
from noisewright.joint.run.config import EXAMPLE, RunConfig
from noisewright.mechanisms.joint import JointRandomizedResponse

SMALL = """
[users]
count = {count}
share = 0.25
[privacy]
epsilon = 1
{privacy}
[run]
output = "reports.parquet"
"""


def written(folder: Path, count: int = 8, privacy: str = "expected-share = 0.1") -> Path:
    path = folder / "pairs.toml"
    path.write_text(SMALL.format(count=count, privacy=privacy))
    return path


def test_the_example_is_a_configuration(capsys):
    run(example=True)
    assert capsys.readouterr().out == EXAMPLE
    assert RunConfig.of(EXAMPLE).count == 200


def test_without_a_configuration_the_way_to_one_is_told():
    with pytest.raises(InvalidParameter, match="give --config FILE, or --example"):
        run()


def test_a_run_prints_counts_and_both_privacy_numbers_and_writes_described_reports(capsys, tmp_path):
    run(config=written(tmp_path))
    out, err = capsys.readouterr()
    assert "8 simulated users in 4 pairs, grouped by beacon" in out
    for words in (
        "yes",
        "95 % interval",
        "averaged over who the partner is",
        "Given that the partner colludes",
    ):
        assert words in out
    for words in ("security of the coins: honest but curious", "security of the grouping", "fallbacks: none"):
        assert words in out
    assert "the reports are in" in err
    reports = tmp_path / "reports.parquet"
    mechanism = read_description(reports).mechanisms["value"]
    assert isinstance(mechanism, JointRandomizedResponse)
    assert mechanism.users == 8
    assert set(pq.read_table(reports).column("value").to_pylist()) <= {"no", "yes"}


def test_json_is_strict_and_says_the_same(capsys, tmp_path):
    assert (
        main(["joint", "run", "--config", str(written(tmp_path, privacy="correlation = -0.36")), "--json"])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["users"], found["pairs"], found["fallbacks"], found["grouping"]) == (8, 4, 0, "beacon")
    assert found["privacy"]["epsilon_average"] == 1.0
    assert found["privacy"]["correlation"] == pytest.approx(-0.36)
    assert 1 - 1e-9 <= found["privacy"]["epsilon_collector"] <= found["privacy"]["epsilon_colluding"]
    assert found["privacy_in_words"][0].startswith("Pairs are public: whoever sees both reports of a pair")
    assert found["plan"] is None
    assert [count["label"] for count in found["counts"]] == ["no", "yes"]
    assert found["pairs_per_second"] > 0


def test_the_collector_comes_first_and_is_supposed_to_know_the_expected_share(capsys, tmp_path):
    run(config=written(tmp_path, privacy="expected-share = 0.1"))
    out = " ".join(capsys.readouterr().out.split())
    collector, alone = (out.index(f"• {words}") for words in ("Pairs are public", "Seen alone"))
    assert out.index("What the collector learns") < collector < alone
    assert 'about 10 % of people are "yes"' in out[collector:alone]


def test_a_plan_that_shares_no_coins_says_so_and_why(capsys, tmp_path):
    run(config=written(tmp_path, privacy="expected-share = 0.1\ncolluders = 1"))
    out = " ".join(capsys.readouterr().out.split())
    assert "coins: Do not share coins: for a share of 0.1 no correlation beats randomized response" in out
    assert "• Nobody shares coins" in out
    assert "Pairs are public:" not in out


def test_an_output_is_not_replaced_unasked_and_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr("noisewright.joint.run.joint.Child", None)  # nothing may be started
    path = written(tmp_path)
    (tmp_path / "reports.parquet").write_text("earlier")
    with pytest.raises(
        BadTable, match=r"exists already, and a second draw .* spends the budget a second time"
    ):
        run(config=path)
    path.write_text(path.read_text().replace("reports.parquet", "reports.xlsx"))
    with pytest.raises(BadTable, match=r"must end in one of \.parquet"):
        run(config=path)
    path.write_text(path.read_text().replace("reports.xlsx", "nowhere/reports.parquet"))
    with pytest.raises(BadTable, match="does not exist"):
        run(config=path)


def test_the_users_own_file_is_never_the_output(tmp_path, monkeypatch):
    monkeypatch.setattr("noisewright.joint.run.joint.Child", None)
    (tmp_path / "visits.csv").write_text("smokes\nno\nyes\n")
    path = tmp_path / "pairs.toml"
    path.write_text(
        '[users]\nfile = "visits.csv"\ncolumn = "smokes"\n[privacy]\nepsilon = 1\n'
        '[run]\noutput = "visits.csv"\n'
    )
    with pytest.raises(BadTable, match="is the input itself"):
        run(config=path, replace=True)


def test_an_earlier_output_is_replaced_if_asked_for(tmp_path, capsys):
    path = written(tmp_path, privacy="correlation = -0.3")
    path.write_text(path.read_text().replace("reports.parquet", "reports.csv"))
    for name in ("reports.csv", "reports.csv.json"):
        (tmp_path / name).write_text("earlier")
    run(config=path, replace=True)
    assert (tmp_path / "reports.csv").read_text().startswith('"value"')
    assert read_description(tmp_path / "reports.csv").mechanisms["value"].users == 8


@pytest.mark.parametrize(
    ("count", "privacy", "sentence"),
    [
        (7, "", "an odd number of users in pairs"),
        (8, "correlation = -2", "correlation"),
        (8, "correlation = 1.5", "correlation"),
        (8, "colluders = 8", "colluders"),
    ],
)
def test_users_and_correlations_that_cannot_be_are_refused_and_nothing_is_written(
    tmp_path, count, privacy, sentence
):
    with pytest.raises(InvalidParameter, match=sentence):
        run(config=written(tmp_path, count, privacy))
    assert not (tmp_path / "reports.parquet").exists()


def test_coins_for_several_categories_are_planned(tmp_path, capsys):
    """Of three answers one is expected from nine people in ten: sharing pays, and the run says so."""
    values = tmp_path / "v.csv"
    values.write_text("c\n" + "a\n" * 36 + "b\nc\n" * 2)
    path = tmp_path / "pairs.toml"
    people = f'[users]\nfile="{values}"\ncolumn="c"\ncategories=["a","b","c"]\n'
    path.write_text(people + "[privacy]\nepsilon=1\nexpected-share=0.9\ncap-colluding=3\n")
    assert main(["joint", "run", "--config", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["plan"].startswith("Share coins with correlation -0.")
    assert told["privacy"]["epsilon_colluding"] <= 3
    assert told["privacy"]["epsilon_collector"] is None
    assert [count["label"] for count in told["counts"]] == ["a", "b", "c"]


def processes_with(mark: str) -> list[str]:
    """Running processes that were started with a mark in their environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            marked = mark.encode() in (place / "environ").read_bytes()
            gone = (place / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            continue
        if marked and not gone:
            found.append((place / "cmdline").read_text())
    return found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_leaves_no_process_and_no_file(tmp_path, number):
    mark = f"NOISEWRIGHT_MARK={secrets.token_hex(8)}"
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = os.environ | dict([mark.split("=")]) | {"TMPDIR": str(scratch)}
    program = (
        "import signal, sys; from pathlib import Path; from noisewright.cli.main import _terminate; "
        "from noisewright.cli.joint import run; signal.signal(signal.SIGTERM, _terminate); "
        "run(config=Path(sys.argv[1]))"
    )
    path = written(tmp_path, count=4000)
    running = subprocess.Popen(
        [sys.executable, "-c", program, path], env=environment, stderr=subprocess.DEVNULL
    )
    patience = time.monotonic() + 60
    while not any("relay_process" in line for line in processes_with(mark)) and time.monotonic() < patience:
        time.sleep(0.05)
    assert len(processes_with(mark)) == 4  # the run, two workers, the relay
    running.send_signal(number)
    assert running.wait(600) != 0
    while processes_with(mark) and time.monotonic() < patience:
        time.sleep(0.05)
    assert processes_with(mark) == []
    assert sorted(file.name for file in tmp_path.iterdir()) == ["pairs.toml", "scratch"]
    assert list(scratch.iterdir()) == []  # nor the relay's private key
