"""Commands as black boxes: what they are given, what they print, and how they fail."""

import json
import os
import signal
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from noisewright.audit.blackbox import Command, black_box
from noisewright.audit.blackbox.exchange import parse_output
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.io.digest import digest

ONE, MANY = "{input}", "{input} {count}"


@pytest.fixture
def tool(tmp_path):
    """A command line that runs a small shell script; its first argument is the input."""

    def write(script, arguments=ONE):
        path = tmp_path / "tool.sh"
        path.write_text(script)
        return f"/bin/sh {path} {arguments}"

    return write


def test_every_output_is_a_process_with_a_seed_of_its_own(tool):
    box = black_box(tool("echo $NOISEWRIGHT_SEED"))
    seeds = [int(word) for word in box.draw([1], 4, seed=7).as_words()]
    assert len(set(seeds)) == 4
    assert all(0 <= seed < 1 << 63 for seed in seeds)
    assert seeds == [int(word) for word in box.draw([1], 4, seed=7).as_words()]
    assert box.title == "sh"


def test_the_input_is_a_private_file_that_goes_away(tool, tmp_path):
    box = black_box(
        tool(f'echo "\\"$1\\""; cp -p "$1" {tmp_path}/seen; stat -c %a "$(dirname $1)" > {tmp_path}/mode')
    )
    path = json.loads(box.draw({"ages": np.array([61, 35])}, 1, seed=1).words[0])
    assert json.loads((tmp_path / "seen").read_text()) == {"ages": [61, 35]}
    assert (tmp_path / "mode").read_text() == "700\n"
    assert not os.path.exists(path)


def test_frames_are_csv_and_paths_are_passed_as_they_are(tool, tmp_path):
    box = black_box(tool('head -n 1 "$1"'))
    frame = pd.DataFrame({"age": [61, 35], "ill": [1, 0]})
    assert box.draw(frame, 1, seed=1).words.tolist() == ['"age,ill"']
    (tmp_path / "a b; rm.csv").write_text("name\nAda\n")
    for path in (tmp_path / "a b; rm.csv", str(tmp_path / "a b; rm.csv")):
        assert box.draw(path, 1, seed=1).words.tolist() == ['"name"']


@pytest.mark.parametrize("subject", ["no/such/file.csv", object(), [float("nan")]])
def test_inputs_that_cannot_be_given_are_refused(tool, subject):
    with pytest.raises(InvalidParameter, match="input") as refusal:
        black_box(tool("echo 1")).draw(subject, 1, seed=1)
    assert "such" not in str(refusal.value)


def test_lines_are_outputs_of_one_process(tool, tmp_path):
    box = black_box(tool(f"echo started >> {tmp_path}/log; seq $2", MANY))
    assert box.draw([1], 50, seed=1).numbers[:, 0].tolist() == list(range(1, 51))
    assert (tmp_path / "log").read_text() == "started\n"


@pytest.mark.parametrize(
    ("script", "printed"),
    [("seq 3", "3"), ("echo value; seq 5", "more than 5"), ("yes 1", "more than 5")],
)
def test_another_number_of_lines_is_refused_and_without_end_stopped(tool, script, printed):
    with pytest.raises(BadMechanism, match=f"printed {printed} lines when 5 outputs were wanted"):
        Command(tool(script, MANY)).draw([1], 5, seed=1)


def test_a_failure_after_all_lines_is_one(tool):
    with pytest.raises(BadMechanism, match="exit code 3"):
        Command(tool("seq 5; exit 3", MANY)).draw([1], 5, seed=1)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo secret >&2; echo secret; exit 3", "exit code 3"),
        ("kill -9 $$", "by signal 9"),
        ("head -c 1100000 /dev/zero", "more than 1048576 bytes"),
    ],
)
def test_failures_are_told_without_what_was_said(tool, script, words, capfd):
    with pytest.raises(BadMechanism, match=words) as refusal:
        black_box(tool(script)).draw([1], 1, seed=1)
    assert "secret" not in str(refusal.value) + "".join(capfd.readouterr())


@pytest.mark.parametrize("arguments", [ONE, MANY])
def test_a_hanging_command_is_killed_with_its_children(tool, tmp_path, arguments):
    script = f"sleep 60 & echo $! > {tmp_path}/child; echo 1; wait"
    with pytest.raises(BadMechanism, match=r"no output within 0\.2 seconds"):
        Command(tool(script, arguments), timeout=0.2).draw([1], 2, seed=1)
    assert ends(int((tmp_path / "child").read_text()))


@pytest.mark.parametrize("arguments", [ONE, MANY])
def test_a_child_that_has_left_the_session_is_not_waited_for(tool, arguments):
    """The sleeping child holds the output open for longer than the time allowed, and is beyond a kill."""
    box = Command(tool(f"{ESCAPING} echo 1", arguments), timeout=20.0)
    with escaping(box):
        assert box.draw([1], 1, seed=1).numbers.tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("script", "timeout", "words"),
    [("sleep 30", 2.0, "within 2 seconds"), ("echo 1; exit 3", 20.0, "code 3")],
)
def test_a_child_that_has_left_the_session_hides_no_failure(tool, script, timeout, words):
    box = Command(tool(f"{ESCAPING} {script}"), timeout=timeout)
    with escaping(box), pytest.raises(BadMechanism, match=words):
        box.draw([1], 1, seed=1)


ESCAPING = (  # goes on once the child has really left
    "here=$(dirname $0); setsid sh -c 'echo $$ > '$here'/escaped; exec sleep 30' & "
    "while [ ! -s $here/escaped ]; do sleep 0.01; done;"
)


@contextmanager
def escaping(box):
    """The escaped child must outlive what is done inside, and is then put to an end."""
    yield
    child = int((Path(box.arguments[1]).parent / "escaped").read_text())
    assert running(child)
    os.kill(child, signal.SIGKILL)


def test_what_a_program_leaves_in_its_session_is_killed(tool, tmp_path):
    box = black_box(tool(f"sleep 60 & echo $! > {tmp_path}/child; echo 1"))
    assert len(box.draw([1], 1, seed=1)) == 1
    assert ends(int((tmp_path / "child").read_text()))


def test_what_is_printed_late_by_a_child_counts(tool):
    assert black_box(tool("(sleep 0.1; echo 7) &")).draw([1], 1, seed=1).numbers.tolist() == [[7.0]]


def ends(number):
    for _ in range(100):
        if not running(number):
            return True
        time.sleep(0.02)
    return False


def running(number):
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_command_that_is_not_there():
    with pytest.raises(BadMechanism, match="cannot be started: No such file"):
        black_box("/no/such/tool {input}").draw([1], 1, seed=1)


@pytest.mark.parametrize("template", ["./tool", "", "{input}", "./tool '{input}"])
def test_command_lines_without_a_place_for_the_input_are_refused(template):
    with pytest.raises(InvalidParameter, match="the command"):
        black_box(template)


def test_a_changed_tool_is_another_mechanism(tool):
    before = digest(black_box(tool("echo 1")).describe())
    assert digest(black_box(tool("echo 1")).describe()) == before
    assert digest(black_box(tool("echo 2")).describe()) != before


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        (b"12\n", 12),
        (b"-.5e3", -500.0),
        (b"1_000", "1_000"),
        (b'{"a": [1, null]}', {"a": [1, None]}),
        (b"no answer\n", "no answer"),
        (b"\xff", "\udcff"),
        (b"[" * 100_000, "[" * 100_000),
        (b"9" * 5000, "9" * 5000),
    ],
)
def test_what_is_printed_is_read(printed, value):
    assert parse_output(printed) == value
