"""The verb as a user meets it: good runs, and one sentence with exit code 2 for everything else."""

import json
import os
import pty
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Circle, Interval, __version__
from noisewright.cli.main import main
from noisewright.guarantees import PureLDP
from noisewright.io import read_description
from noisewright.mechanisms import PM, SW, CircularOGPM, Gaussian

COMMAND = [sys.executable, "-m", "noisewright.cli"]
READINGS = "name,heart_rate,wake_time,region\nAda,71,6.5,north\nBo,64.5,23.75,south\nCy,102,0,north\n"
PULSE = ["--interval", "heart_rate=40:200"]
WAKE = ["--circle", "wake_time=24"]
TO = ["-o", "reports.parquet"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "readings.csv").write_text(READINGS)
    return tmp_path


def perturb(*arguments):
    return main(["perturb", "readings.csv", *arguments])


def test_the_example_of_the_documentation(folder, capsys):
    assert perturb("--epsilon", "2", *PULSE, *WAKE, *TO) == 0
    told = capsys.readouterr()
    assert told.err == ""
    title, pulse, wake, row = (" ".join(part.split()) for part in told.out.split("\n\n"))
    assert title == "3 rows of reports in reports.parquet Randomness: cryptographic."
    assert pulse.startswith(
        "heart_rate: SW on the interval from 40 to 200 epsilon 1. An observer of one report"
    )
    assert "Chosen for mean and distribution: SW reveals the shape and the mean" in pulse
    assert wake.startswith("wake_time: CircularOGPM on the circle of period 24 epsilon 1. An observer of one")
    assert "Chosen for mean and distribution: CircularOGPM: on a circle" in wake
    assert row.startswith("One row epsilon 2. An observer of one row of 2 reports")
    assert row.endswith("by at most a factor of 7.4.")
    assert pq.read_schema("reports.parquet").names == ["heart_rate", "wake_time"]
    found = read_description("reports.parquet")
    assert found.mechanisms == {
        "heart_rate": SW(Interval(40, 200), 1.0),
        "wake_time": CircularOGPM(Circle(24), 1.0),
    }
    assert found.private


def test_budgets_set_by_hand(capsys):
    assert perturb("--epsilon", "heart_rate=1.5", "--epsilon", "wake_time=0.5", *PULSE, *WAKE, *TO) == 0
    found = read_description("reports.parquet")
    assert {name: m.epsilon for name, m in found.mechanisms.items()} == {"heart_rate": 1.5, "wake_time": 0.5}
    assert found.guarantee == PureLDP(2.0)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "0.7", "2.3"])
def test_what_is_printed_for_the_row_is_exactly_the_budget(folder, capsys, epsilon):
    folder.joinpath("readings.csv").write_text("a,b,c\n1,1,1\n")
    columns = [f"--interval={name}=0:2" for name in "abc"]
    assert perturb("--epsilon", epsilon, *columns, *TO, "--json") == 0
    assert json.loads(capsys.readouterr().out)["row"]["guarantee"]["epsilon"] == float(epsilon)


@pytest.mark.parametrize(
    ("chosen", "kinds"),
    [
        ([], {"heart_rate": SW, "wake_time": CircularOGPM}),
        (["heart_rate=pm"], {"heart_rate": PM, "wake_time": CircularOGPM}),
        (["pmc", "heart_rate=Gaussian"], {"heart_rate": Gaussian}),
        (["PM-C"], {}),
    ],
)
def test_mechanisms_are_chosen_by_name(chosen, kinds):
    options = [f"--mechanism={name}" for name in chosen]
    delta = ["--delta", "1e-6"] if Gaussian in kinds.values() else []
    assert perturb("--epsilon", "2", *PULSE, *WAKE, *TO, *options, *delta) == 0
    found = read_description("reports.parquet").mechanisms
    assert {name: type(found[name]) for name in kinds} == kinds


def test_names_with_signs_and_negative_bounds(folder):
    folder.joinpath("readings.csv").write_text("a=b:c,-t,x y\n-12.5,1,0\n-40,2,1\n")
    done = perturb(
        "--epsilon", "a=b:c=1", "--epsilon", "-t=1", "--epsilon", "x y=1",
        "--interval", "a=b:c=-40:-1e0", "--interval=-t=-1:2", "--circle", "x y=2", *TO,
    )  # fmt: skip
    assert done == 0
    found = read_description("reports.parquet").mechanisms
    assert [m.domain for m in found.values()] == [Interval(-40, -1), Interval(-1, 2), Circle(2)]


def test_the_summary_for_machines(capsys):
    assert perturb("--epsilon", "2", *PULSE, "-o", "reports.csv", "--json", "--keep", "region") == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert (told["rows"], told["output"], told["private"], told["kept"]) == (
        3,
        "reports.csv",
        True,
        ["region"],
    )
    assert told["columns"]["heart_rate"]["mechanism"]["epsilon"] == 2.0
    assert read_description("reports.csv").kept == ("region",)


def test_kept_columns_are_named_loudly(capsys):
    assert perturb("--epsilon", "2", *PULSE, *TO, "--keep", "region") == 0
    assert "NOT randomized, as asked: region" in capsys.readouterr().out
    assert pq.read_table("reports.parquet")["region"].to_pylist() == ["north", "south", "north"]


def test_quiet_is_quiet(capsys):
    assert perturb("--epsilon", "2", *PULSE, *TO, "--quiet") == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("how", ["--quiet", "--json", None])
def test_a_seed_is_called_not_private_everywhere(capsys, how):
    options = [how] if how else []
    assert perturb("--epsilon", "2", *PULSE, *TO, "--seed", "7", *options) == 0
    told = capsys.readouterr()
    assert "reports.parquet is NOT PRIVATE" in told.err
    assert how == "--quiet" or "NOT PRIVATE" in told.out
    assert not read_description("reports.parquet").private
    first = pq.read_table("reports.parquet")
    assert perturb("--epsilon", "2", *PULSE, *TO, "--seed", "7", "--force", "-q") == 0
    assert pq.read_table("reports.parquet") == first


def test_numbers_outside_are_clipped_only_if_asked(folder, capsys):
    folder.joinpath("readings.csv").write_text("heart_rate\n71\n731731\n")
    assert perturb("--epsilon", "2", *PULSE, *TO) == 2
    assert capsys.readouterr().err == (
        "noisewright: heart_rate in data row 2 lies above --interval heart_rate=40:200; "
        "widen the interval or pass --out-of-domain clip\n"
    )
    assert perturb("--epsilon", "2", *PULSE, *TO, "--out-of-domain", "clip") == 0


def test_reports_that_are_randomized_again_are_noticed(capsys):
    assert perturb("--epsilon", "2", *PULSE, *TO, "--keep", "wake_time") == 0
    again = ["perturb", "reports.parquet", "--epsilon", "2", "--out-of-domain", "clip", "--quiet"]
    capsys.readouterr()
    assert main([*again, *PULSE, "-o", "again.csv"]) == 0
    assert capsys.readouterr().err == (
        "noisewright: reports.parquet already holds reports of heart_rate; randomizing them again spends no "
        "more privacy but adds noise\n"
    )
    assert main([*again, *PULSE, "--seed", "1", "-o", "seeded.csv", "--force"]) == 0
    capsys.readouterr()
    assert main(["perturb", "seeded.csv", *again[2:], *PULSE, "-o", "last.csv"]) == 0
    assert capsys.readouterr().err.endswith("randomizing them again adds noise\n")


def test_a_kept_column_of_reports_is_true_and_draws_no_notice(capsys):
    assert perturb("--epsilon", "2", *PULSE, "-o", "reports.csv", "--keep", "wake_time", "-q") == 0
    assert main(["perturb", "reports.csv", "--epsilon", "2", *WAKE, *TO, "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_an_output_is_replaced_only_with_force(folder, capsys):
    folder.joinpath("reports.parquet").write_bytes(b"old")
    assert perturb("--epsilon", "2", *PULSE, *TO) == 2
    told = capsys.readouterr().err
    assert told.startswith("noisewright: reports.parquet exists already")
    assert "--force" in told
    assert folder.joinpath("reports.parquet").read_bytes() == b"old"
    assert perturb("--epsilon", "2", *PULSE, *TO, "--force") == 0


BAD = {
    "epsilon 0": (["--epsilon", "0", *PULSE], "epsilon must be a number above 0 and at most 32, got 0;"),
    "epsilon -1": (["--epsilon", "-1", *PULSE], "epsilon must be a number above 0 and at most 32, got -1;"),
    "epsilon nan": (["--epsilon", "nan", *PULSE], "epsilon must be a number above 0 and at most 32, got nan"),
    "epsilon inf": (["--epsilon", "inf", *PULSE], "epsilon must be a number above 0 and at most 32, got inf"),
    "epsilon text": (["--epsilon", "two", *PULSE], "epsilon must be a number above 0 and at most 32, got 'two'"),
    "epsilon named 0": (["--epsilon", "heart_rate=0", *PULSE], "epsilon must be a number above 0"),
    "epsilon missing": (PULSE, "Missing option '--epsilon'"),
    "epsilon mixed": (["--epsilon=1", "--epsilon=heart_rate=1", *PULSE], "--epsilon is one number for the whole"),
    "epsilon twice": (["--epsilon=1", "--epsilon=2", *PULSE], "--epsilon is one number for the whole row"),
    "epsilon of nobody": (["--epsilon=x=1", *PULSE], "--epsilon names column 'x', which has no --interval"),
    "epsilon not for all": (["--epsilon=heart_rate=1", *PULSE, *WAKE], "column 'wake_time' has no --epsilon"),
    "two epsilons": (["--epsilon=1", "--epsilon=2", *PULSE], "--epsilon is given 2 times without a column; --epsilon is one number for the whole row"),
    "epsilon of a column": (["--epsilon=heart_rate=x", *PULSE], "column 'heart_rate': --epsilon must be a number above 0"),
    "edges that fall": (["--epsilon=1", *PULSE, "--bins=heart_rate=200,40"], "column 'heart_rate': the edges of --bins must be rising numbers"),
    "one bin": (["--epsilon=1", *PULSE, "--bins=heart_rate=1"], "column 'heart_rate': the number of --bins must be a whole number from 2 to 1024"),
    "delta of text": (["--epsilon=1", *PULSE, "--mechanism=gaussian", "--delta=few"], "Invalid value for '--delta': it must be a number, such as 0.5; see"),
    "epsilon named twice": (["--epsilon=heart_rate=1"] * 2 + PULSE, "column 'heart_rate' is named twice by --epsilon"),
    "no columns": (["--epsilon=1"], "name at least one column to randomize"),
    "column twice": (["--epsilon=1", *PULSE, *PULSE], "column 'heart_rate' is named twice by --interval, --integers or --circle"),
    "interval of one": (["--epsilon=1", "--interval=heart_rate=40"], "--interval wants name=low:high"),
    "interval unnamed": (["--epsilon=1", "--interval=40:200"], "--interval wants name=low:high"),
    "interval of text": (["--epsilon=1", "--interval=heart_rate=a:b"], "--interval wants name=low:high"),
    "interval reversed": (["--epsilon=1", "--interval=heart_rate=2:1"], "column 'heart_rate': --interval heart_rate=2:1 needs its low end below its high end"),
    "interval endless": (["--epsilon=1", "--interval=heart_rate=0:inf"], "column 'heart_rate': the high end of --interval must be a finite number, got inf"),
    "circle of text": (["--epsilon=1", "--circle=wake_time=day"], "--circle wants name=period"),
    "circle of 0": (["--epsilon=1", "--circle=wake_time=0"], "column 'wake_time': --circle wake_time=0 needs a period above 0"),
    "missing column": (["--epsilon=1", "--interval=pulse=0:1"], "has no column 'pulse'; it has 4 columns, none of that"),
    "missing kept": (["--epsilon=1", *PULSE, "--keep=age"], "readings.csv has no column 'age'"),
    "kept and drawn": (["--epsilon=1", *PULSE, "--keep=heart_rate"], "column 'heart_rate' is named twice"),
    "text column": (["--epsilon=1", "--interval=region=0:1"], "region in data row 1 is not a number"),
    "unknown mechanism": (["--epsilon=1", *PULSE, "--mechanism=magic"], "--mechanism 'magic' is unknown; known: "),
    "wrong mechanism": (["--epsilon=1", *WAKE, "--mechanism=ogpm"], "got --circle wake_time=24; use CircularOGPM"),
    "mechanism for some": (
        ["--epsilon=1", *PULSE, *WAKE, "--mechanism=laplace"],
        "got --circle wake_time=24; choose it for single columns: --mechanism heart_rate=laplace",
    ),
    "seed twice": (["--epsilon=1", *PULSE, "--seed=1", "--seed=2"], "--seed is given twice"),
    "output twice": (["--epsilon=1", *PULSE, "-o", "a.csv", "--output=b.csv"], "--output is given twice"),
    "two mechanisms": (["--epsilon=1", *PULSE, "--mechanism=pm", "--mechanism=sw"], "--mechanism names one"),
    "delta missing": (["--epsilon=1", *PULSE, "--mechanism=gaussian"], "Gaussian needs --delta"),
    "delta too much": (["--epsilon=1", *PULSE, "--delta=1e-6"], "--delta is given, but no mechanism here takes one"),
    "out of domain": (["--epsilon=1", *PULSE, "--out-of-domain=drop"], '--out-of-domain must be "refuse" or "clip"'),
    "seed": (["--epsilon=1", *PULSE, "--seed=-1"], "--seed must be a whole number from 0 to 2^128 - 1, got -1"),
    "seed text": (["--epsilon=1", *PULSE, "--seed=x"], "Invalid value for '--seed'"),
    "unknown option": (["--epsilon=1", *PULSE, "--bogus"], "No such option: --bogus"),
    "extra argument": (["--epsilon=1", *PULSE, "more.csv"], "unexpected extra argument"),
    "kind of output": (["--epsilon=1", *PULSE, "-o", "reports.xlsx"], "reports.xlsx must end in one of .parquet"),
    "input as output": (["--epsilon=1", *PULSE, "-o", "readings.csv"], "is the input itself"),
    "no folder": (["--epsilon=1", *PULSE, "-o", "none/reports.csv"], "the folder none does not exist"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), BAD.values(), ids=BAD)
def test_a_wrong_use_is_refused_with_one_sentence(folder, capsys, arguments, sentence):
    output = [] if "-o" in arguments else TO
    assert perturb(*arguments, *output) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("noisewright: ")
    assert sentence in told.err
    assert told.err.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == ["readings.csv"]


BAD_VALUES = {
    "nan": ("nan", "is missing"),
    "inf": ("inf", "is infinite (inf)"),
    "minus inf": ("-inf", "is infinite (-inf)"),
    "outside": ("731731", "lies above --interval heart_rate=40:200"),
    "text": ("731731x", "is not a number"),
    "empty": ("", "is missing"),
}


@pytest.mark.parametrize(("value", "sentence"), BAD_VALUES.values(), ids=BAD_VALUES)
def test_a_bad_value_is_refused_through_the_whole_program(folder, value, sentence):
    """As a process of its own, so that nothing but the sentence can reach the terminal."""
    folder.joinpath("readings.csv").write_text(f"name,heart_rate\nAda,71\nBo,{value}\n")
    folder.joinpath("reports.parquet").write_bytes(b"an earlier output")
    arguments = ["perturb", "readings.csv", "--epsilon=1", *PULSE, *TO, "--force"]
    done = subprocess.run([*COMMAND, *arguments], check=False, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"noisewright: heart_rate in data row 2 {sentence}")
    assert done.stderr.count("\n") == 1
    assert "731731" not in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["readings.csv", "reports.parquet"]
    assert folder.joinpath("reports.parquet").read_bytes() == b"an earlier output"


FILES = {
    "no file": ("nowhere.csv", None, "cannot read nowhere.csv: there is no such file or folder"),
    "empty": ("a.csv", b"", "a.csv is empty: it has no bytes at all"),
    "header only": ("a.csv", b"heart_rate\n", "a.csv has columns but no rows"),
    "no parquet": ("a.parquet", b"heart_rate\n71\n", "a.parquet is not a Parquet file"),
    "truncated parquet": ("a.parquet", b"PAR1" + bytes(50), "a.parquet is truncated"),
    "empty parquet": ("a.parquet", b"", "a.parquet is empty"),
}


@pytest.mark.parametrize(("name", "content", "sentence"), FILES.values(), ids=FILES)
def test_a_bad_file_is_refused_with_one_sentence(folder, capsys, name, content, sentence):
    if content is not None:
        folder.joinpath(name).write_bytes(content)
    assert main(["perturb", name, "--epsilon=1", *PULSE, *TO]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"noisewright: {sentence}")
    assert told.count("\n") == 1
    assert not folder.joinpath("reports.parquet").exists()


def test_control_characters_of_a_name_do_not_reach_the_terminal(folder, capsys):
    folder.joinpath("readings.csv").write_text("\x1b[31mred\x07,b\n1,2\n")
    assert perturb("--epsilon=1", *PULSE, *TO) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_an_unexpected_error_withholds_its_text(monkeypatch, capsys):
    def fail(*_, **__):
        raise RuntimeError("Ada has 731731")

    monkeypatch.setattr("noisewright.io.perturb_file", fail)
    assert perturb("--epsilon=1", *PULSE, *TO) == 1
    told = capsys.readouterr().err
    assert told.startswith("noisewright: an unexpected RuntimeError stopped the run")
    assert "731731" not in told


def test_version_help_and_no_arguments(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"noisewright {__version__}\n"
    for arguments in ([], ["--help"], ["perturb", "--help"]):
        assert main(arguments) == 0
        assert "perturb" in capsys.readouterr().out
    assert main(["perturbate"]) == 2
    assert capsys.readouterr().err.startswith("noisewright: No such command 'perturbate'")


def test_help_names_the_argument_and_says_that_circles_wrap(capsys):
    assert main(["perturb", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "[OPTIONS] READINGS" in told
    assert "wraps them round a circle" in told


def test_the_package_itself_is_the_command():
    command = [sys.executable, "-m", "noisewright", "--version"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    assert done.stdout == f"noisewright {__version__}\n"
    code = "import sys, noisewright; print('noisewright.__main__' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=600
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize("arguments", [["--help"], ["perturb", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(arguments):
    code = (
        "import sys; from noisewright.cli.main import main; main(sys.argv[1:]); "
        "print([m for m in ('numba', 'matplotlib', 'pandas', 'polars', 'pyarrow', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True, timeout=600
    )
    assert done.stdout.endswith("[]\n")


def test_a_small_run_loads_nothing_that_it_does_not_need():
    code = (
        "import sys; from noisewright.cli.main import main; main(sys.argv[1:]); "
        "print([m for m in ('numba', 'matplotlib', 'pandas', 'polars', 'scipy', 'rich') if m in sys.modules])"
    )
    arguments = ["perturb", "readings.csv", "--epsilon=1", *PULSE, *TO, "-q"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True, timeout=600
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_nothing(folder, number, code):
    """The signal comes once the hidden draft exists: in the middle of the work."""
    values = pa.array(np.linspace(40, 200, 1 << 20))
    with pq.ParquetWriter("readings.parquet", pa.schema({"heart_rate": pa.float64()})) as writer:
        for _ in range(60):
            writer.write_table(pa.table({"heart_rate": values}))
    arguments = ["perturb", "readings.parquet", "--epsilon=1", *PULSE, "-o", "reports.csv"]
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        until = time.monotonic() + 60
        while not list(folder.glob(".noisewright-*")) and time.monotonic() < until:
            time.sleep(0.02)
        running.send_signal(number)
        out, err = running.communicate(timeout=600)
    assert running.returncode == code
    assert out == b""
    assert err in (b"", b"noisewright: interrupted\n")
    assert sorted(path.name for path in folder.iterdir()) == ["readings.csv", "readings.parquet"]


def test_progress_is_shown_on_a_terminal_only(folder):
    arguments = [*COMMAND, "perturb", "readings.csv", "--epsilon=1", *PULSE, *TO]
    terminal, end = pty.openpty()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=end) as running:
        os.close(end)
        out = running.stdout.read()
    shown = b""
    try:
        while piece := os.read(terminal, 4096):
            shown += piece
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(terminal)
    assert running.returncode == 0
    assert b"Randomizing" in shown
    assert out.startswith(b"3 rows of reports")


def test_a_reader_that_goes_away_is_no_disaster(folder):
    arguments = " ".join([*COMMAND, "perturb", "readings.csv", "--epsilon=1", *PULSE, *TO, "--json"])
    done = subprocess.run(
        ["bash", "-c", f"{arguments} | true"], check=False, capture_output=True, text=True, timeout=600
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_a_page_of_the_reports_can_be_had_too(folder):
    assert perturb("--epsilon", "1", *PULSE, *TO, "--html", "page.html") == 0
    assert "3 rows of reports" in (folder / "page.html").read_text()


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_drawn(folder, capsys):
    assert perturb("--epsilon", "1", *PULSE, *TO, "--html", "nowhere/page.html") == 2
    assert not (folder / "reports.parquet").exists()
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
def test_a_full_standard_output_is_told_in_a_sentence():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "noisewright", "explain", "ogpm", "--interval", "0:1", "--epsilon", "1"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=600, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "noisewright: cannot print the result: No space left on device\n"


def test_a_closed_standard_output_is_no_mishap():
    line = f"{sys.executable} -m noisewright explain ogpm --interval 0:1 --epsilon 1 >&-"
    done = subprocess.run(["/bin/sh", "-c", line], stderr=subprocess.PIPE, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_fault_is_shown_to_who_debugs():
    fault = "import noisewright.cli.main as cli; cli._command = lambda: 1 / 0; cli.run()"
    for debugging, shown in (
        ("1", b"ZeroDivisionError: division by zero"),
        ("", b"an unexpected ZeroDivisionError"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", fault], env={**os.environ, "NOISEWRIGHT_DEBUG": debugging},
            stderr=subprocess.PIPE, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert shown in done.stderr
        assert (b"Traceback" in done.stderr) == bool(debugging)
