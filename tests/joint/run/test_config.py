"""The configuration of a run: what it says, and how it is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from noisewright import Categories
from noisewright.design import joint_plan
from noisewright.errors import BadTable, InvalidParameter
from noisewright.joint.run.config import EXAMPLE, LARGEST, RunConfig
from noisewright.joint.run.joint import chooser
from noisewright.mechanisms import JointRandomizedResponse

USERS = "[users]\ncount = 4\nshare = 0.5\n"
PRIVACY = "[privacy]\nepsilon = 1\n"


def test_the_example_says_what_it_says():
    config = RunConfig.of(EXAMPLE)
    assert (config.count, config.share, config.categories) == (200, 0.1, Categories(["no", "yes"]))
    assert (config.epsilon, config.colluders, config.expected_share, config.cap_colluding) == (
        1.0,
        5,
        0.1,
        3.0,
    )
    assert (config.method, config.members, config.workers, config.timeout) == ("beacon", 3, 2, 30.0)
    assert config.simulated


def test_little_needs_to_be_said():
    config = RunConfig.of(USERS + PRIVACY)
    assert (config.method, config.members, config.workers, config.output) == ("beacon", 3, 2, None)
    assert (config.correlation, config.expected_share, config.share_range) == (None, None, None)


def test_a_run_without_a_share_shares_no_coins():
    said = chooser(RunConfig.of(USERS + PRIVACY))(1000)
    assert said.reason.startswith("Do not share coins: no share is known")
    assert said.mechanism.correlation == 0


def test_a_run_with_an_accepted_loss_draws_coins_that_cost_no_more_at_any_share():
    said = chooser(RunConfig.of(USERS + PRIVACY + "most-loss = 0.01\n"))(1000)
    assert "no share is known" in said.reason
    alone = JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=1000)
    for holders in (0, 250, 500, 750, 1000):
        assert said.mechanism.count_variance(holders) <= 1.01 * alone.count_variance(holders)
    assert said.mechanism.count_variance(0) < 0.7 * alone.count_variance(0)


def test_a_run_plans_for_a_range_of_shares():
    config = RunConfig.of(USERS + PRIVACY + "share-range = [0, 0.2]\nmost-loss = 0.5\n")
    assert (config.share_range, config.most_loss) == ((0.0, 0.2), 0.5)
    plan = joint_plan(1000, 1.0, shares=(0.0, 0.2), most_loss=0.5)
    assert chooser(config)(1000).mechanism == plan.mechanism
    assert "for a share of 0 to 0.2" in chooser(config)(1000).reason


def test_files_are_looked_for_beside_the_configuration(tmp_path):
    (tmp_path / "pairs.toml").write_text(
        '[users]\nfile = "visits.csv"\ncolumn = "smokes"\n' + PRIVACY + '[run]\noutput = "reports.parquet"\n'
    )
    config = RunConfig.read(tmp_path / "pairs.toml")
    assert config.file == tmp_path / "visits.csv"
    assert config.output == tmp_path / "reports.parquet"
    assert not config.simulated


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[users", "the configuration is not TOML"),
        ("[people]\n", r"\[people\] has no meaning here; the tables are users, privacy, grouping, run"),
        ("users = 3\n", r"\[users\] has no meaning here"),
        (USERS + "colour = 1\n" + PRIVACY, r"\[users\] has no key 'colour'; its keys are count, share"),
        (
            USERS + PRIVACY + 'colluders = "five"\n',
            r"colluders in \[privacy\] must be a whole number from 0 to 1,000,000, got 'five'",
        ),
        (USERS + PRIVACY + "colluders = 1.5\n", "colluders in .* must be a whole number"),
        (USERS + PRIVACY + "colluders = -1\n", r"colluders in \[privacy\] must be a whole number from 0"),
        (USERS + "[privacy]\nepsilon = true\n", r"epsilon in \[privacy\] must be a number"),
        (USERS + "[privacy]\nepsilon = 0\n", "epsilon in .privacy. must be a number above 0"),
        (USERS + "[privacy]\nepsilon = nan\n", "epsilon in .privacy. must be a number above 0"),
        (USERS + "[privacy]\n", r"\[privacy\] needs epsilon"),
        (USERS + PRIVACY + "correlation = inf\n", "correlation in .* must be a number from -1 to 1"),
        (
            USERS + PRIVACY + "correlation = 0\nexpected-share = 0.1\n",
            "expected-share or correlation, not both",
        ),
        (
            USERS + PRIVACY + "share-range = [0.1, 0.2]\nexpected-share = 0.1\n",
            "expected-share or share-range, not both",
        ),
        (USERS + PRIVACY + "share-range = [0.1]\n", "share-range in .* must be two numbers from 0 to 1"),
        (USERS + PRIVACY + "share-range = [0.2, 0.1]\n", "share-range in .* the lower one first"),
        (USERS + PRIVACY + "share-range = [0.1, nan]\n", "share-range in .* two numbers from 0 to 1"),
        (USERS + PRIVACY + "most-loss = -1\n", "most-loss in .* must be a number from 0 up"),
        (USERS + PRIVACY + "most-loss = 1\ncorrelation = 0\n", "most-loss or correlation, not both"),
        (USERS + PRIVACY + "expected-share = 1.5\n", "expected-share in .* must be a number from 0 to 1"),
        (USERS + PRIVACY + "correlation = -1.5\n", "correlation in .privacy. must be a number from -1 to 1"),
        ("[users]\ncount = 4\nshare = nan\n" + PRIVACY, "share in .users. must be a number from 0 to 1"),
        (PRIVACY, r"\[users\] needs either file and column, or count and share"),
        ('[users]\ncount = 4\nfile = "x.csv"\n' + PRIVACY, "needs either file and column, or count"),
        ("[users]\ncount = 4\n" + PRIVACY, r"\[users\] needs share"),
        ('[users]\nfile = "x.csv"\n' + PRIVACY, r"\[users\] needs column"),
        ('[users]\nfile = "x.csv"\ncolumn = "c"\nshare = 0.1\n' + PRIVACY, "share has no place in this"),
        (USERS + 'column = "c"\n' + PRIVACY, "column has no place in this"),
        (USERS + 'categories = ["a", "b", "c"]\n' + PRIVACY, "share in .users. is for two categories"),
        (USERS + 'categories = ["a"]\n' + PRIVACY, "need at least two labels"),
        (USERS + 'categories = ["a", 1]\n' + PRIVACY, "categories in .users. must be a list of texts"),
        (
            USERS + PRIVACY + '[grouping]\nmethod = "server"\n',
            "method in .* must be one of beacon, committee",
        ),
        (USERS + PRIVACY + "[grouping]\nmembers = 2\n", "members in .* must be a whole number from 3"),
        (USERS + PRIVACY + "cap-colluding = 0\n", "cap-colluding in .privacy. must be a number above 0"),
        (USERS + PRIVACY + "[run]\nworkers = 0\n", "workers in .* must be a whole number from 1"),
        (USERS + PRIVACY + "[run]\ntimeout = 0\n", r"timeout in \[run\] must be a number above 0"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(text, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        RunConfig.of(text)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path):
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    for name in ("none.toml", "bad.toml"):
        with pytest.raises(BadTable, match=f"cannot read .*{name}"):
            RunConfig.read(tmp_path / name)


def test_what_is_no_small_regular_file_is_refused_without_being_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")  # opening it would wait for ever
    for name in (tmp_path / "pipe.toml", "/dev/zero"):
        with pytest.raises(BadTable, match="is not a regular file"):
            RunConfig.read(Path(name))
    (tmp_path / "large.toml").write_text(USERS + PRIVACY + "#" * LARGEST)
    with pytest.raises(BadTable, match="is larger than 64 KiB and is not read; no configuration is"):
        RunConfig.read(tmp_path / "large.toml")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = " + "[" * 5000, "without end"),
        ("a = " + "9" * 6000, "endless number"),
        (
            f"[users]\ncount = 4\nshare = {'9' * 400}\n[privacy]\nepsilon = 1",
            "share in .users. must be a number from 0",
        ),
        (
            f"[users]\ncount = 4\nshare = 1\n[privacy]\nepsilon = 1\nmost-loss = {'9' * 400}",
            "most-loss in .privacy.",
        ),
    ],
    ids=["deep", "digits", "share", "most-loss"],
)
def test_numbers_and_lists_without_end_are_refused(text, sentence):
    with pytest.raises(InvalidParameter, match=sentence) as refusal:
        RunConfig.of(text)
    assert len(str(refusal.value)) < 200
