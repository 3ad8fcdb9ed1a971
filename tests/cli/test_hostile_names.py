"""Every verb on files whose names and labels would steer a terminal: nothing hidden is ever printed."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import noisewright
from noisewright import PureLDP
from noisewright.cli.main import app, main
from noisewright.cli.terminal import console, progress_of, say, status_of
from noisewright.ledger import Ledger
from noisewright.trajectory import Routes
from noisewright.trajectory.files import write_routes
from report.checking import check

HIDDEN = "\x1b[2J\x1b]0;title\x07\x9b31m\u202e\u2066\u200b\u200e\u2028\x7f\x85\U000e0041"
MARKUP = "[red]:smile:[/red][link=x]"
LINES = "\r\nFORGED: all is well"
NAME = f"n{HIDDEN}{MARKUP}"
COLUMN = f"{NAME}{LINES}"
LABEL = "l\u202e\u200b[red]:smile:[/red]"  # lists of labels have no control characters, but these
BOX = "139.47,35.51,139.90,35.86"
CONTROLS = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), *HIDDEN} - set("\n\t") - set("[2J]0;title31m")
"""What must not come out; line breaks of a name are looked for by what stands behind them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Every file that a verb reads, each with hostile names where its format has room for them."""
    place = tmp_path_factory.mktemp("hostile")
    generator = np.random.default_rng(1)
    frame = pd.DataFrame(
        {COLUMN: generator.uniform(1, 99, 60).round(3), "other": generator.normal(size=60).round(3),
         "kind": generator.choice([LABEL, "b"], 60), "group": generator.choice([NAME, "M"], 60)}
    )  # fmt: skip
    frame.to_csv(place / "people.csv", index=False)
    frame.to_parquet(place / "people.parquet")
    frame[[COLUMN]].to_csv(place / "pay.csv", index=False)
    frame[[COLUMN]][1:].to_csv(place / "less.csv", index=False)
    labels = [LABEL, "b", "c"]
    distances = pd.DataFrame(1 - np.eye(3), index=labels, columns=labels)
    distances.to_csv(place / "space.csv")
    pd.DataFrame({COLUMN: ["a", "b"], "weight": [1, 2]}).to_csv(place / "prior.csv", index=False)
    model = LogisticRegression().fit(frame[[COLUMN, "other"]].to_numpy(), frame.kind)
    joblib.dump(model, place / "model.joblib")
    low, size = np.array([139.5, 35.55]), np.array([0.3, 0.25])
    times = [1.6e9 + np.arange(3.0) * 60.0] * 30
    names = [f"{NAME}{place}" for place in range(30)]
    routes = Routes.of([low + size * generator.random((3, 2)) for _ in names], names, times)
    write_routes(place / "trips.geojson", routes)
    corners = low + size * np.array([[-0.01, -0.01], [1.01, 1.01], [0.5, 0.5]])
    venues = [f'"{NAME}",{x},{y}' for x, y in corners.tolist()]
    (place / "venues.csv").write_text("\n".join(["name,lon,lat", *venues]), encoding="utf-8")
    (place / "tool.py").write_text(
        "import random\n"
        "import sys\n"
        f"for _ in range(int(sys.argv[2])): print(random.choice([{NAME!r}, 'b']))\n",
        encoding="utf-8",
    )  # fmt: skip
    (place / "boxes.py").write_text(
        f"import numpy as np\ndef told(data, count, generator):\n"
        f"    return generator.choice([{NAME!r}, 'b'], size=count)\n",
        encoding="utf-8",
    )
    (place / "bad.toml").write_text(f"[users]\n'n\u202e{MARKUP}' = 3\n", encoding="utf-8")
    (place / "bad.json").write_text(json.dumps({COLUMN: NAME, "format": NAME}), encoding="utf-8")
    os.link(place / "people.csv", place / f"p{HIDDEN}[red].csv")
    (place / f"full{HIDDEN}[red]").mkdir()
    (place / f"full{HIDDEN}[red]" / "file").touch()
    ledger = Ledger.create(place / "people.db", budget=4.0, columns={MARKUP: 2.0})  # it takes nothing hidden
    ledger.spend("ada", MARKUP, PureLDP(0.5))
    return place


TOOL = f"{sys.executable} tool.py {{input}} {{count}}"
PATH = f"p{HIDDEN}[red].csv"
REPORTS = ["perturb", "people.csv", "--epsilon", "2", "--interval", f"{COLUMN}=0:100", "--seed", "1"]
MADE = {
    "reports.parquet": [*REPORTS, "--categories", f"kind={LABEL},b", "-o", "reports.parquet"],
    "learned.json": ["learn", "people.csv", "--label", "kind", "--epsilon", "3", "--interval", f"{COLUMN}=0:100",
                     "--seed", "1", "-o", "learned.json"],
    "released.json": ["release", "people.csv", "--algorithm", "logistic", "--label", "kind", "--columns", "other",
                      "--worlds", "16", "--budget", "2", "-o", "released.json"],
    "private.geojson": ["routes", "perturb", "trips.geojson", "--epsilon", "4", "--space", BOX, "--seed", "1",
                        "-o", "private.geojson"],
}  # fmt: skip
"""Files that one verb writes for another."""

GOOD = {
    "plan": ["plan", "--people", "1000", "--epsilon", "1", "--integers", f"{COLUMN}=0:9", "--categories",
             f"{NAME}k={LABEL},b"],
    "perturb": [*REPORTS, "--categories", f"kind={LABEL},b", "-o", f"r{HIDDEN}.csv", "--keep", "group"],
    "estimate": ["estimate", "reports.parquet"],
    "compare": ["compare", "--categories", f"{LABEL},b", "--epsilon", "1"],
    "design": ["design", "--space", "space.csv", "--epsilon", "1", "--loss", "zero-one"],
    "explain": ["explain", "krr", "--categories", f"{LABEL},b", "--epsilon", "1"],
    "predict": ["predict", "model.joblib", "people.csv", "--trust", "--sensitive", f"{COLUMN}=0:100", "--features",
                f"{COLUMN},other", "--group", "group", "--epsilon", "1", "--mechanism", "OGPM"],
    "learn": ["learn", "people.csv", "--label", "kind", "--epsilon", "3", "--interval", f"{COLUMN}=0:100"],
    "classify": ["classify", "people.csv", "--model", "learned.json", "-o", f"said{HIDDEN}.csv"],
    "release": ["release", "people.csv", "--algorithm", "mean", "--worlds", "16", "--budget", "2", "--seed", "1",
                "--columns", COLUMN],
    "apply": ["apply", "released.json", "people.csv", "-o", f"applied{HIDDEN}.csv"],
    "audit": ["audit", "boxes:told", "--vectorized", "--pair", "pay.csv", "less.csv", "--samples", "2000",
              "--seed", "1"],
    "audit a command": ["audit", "--command", TOOL, "--pair", "pay.csv", "less.csv", "--samples", "400"],
    "audit a database": ["audit", "boxes:told", "--vectorized", "--database", "pay.csv", "--samples", "30000",
                         "--seed", "1"],
    "joint plan": ["joint", "plan", "--users", "100", "--epsilon", "1", "--expected-share", "0.1"],
    "budget": ["budget", "--ledger", "people.db", "status"],
    "budget of one": ["budget", "--ledger", "people.db", "status", "--person", "ada"],
    "budget create": ["budget", "--ledger", f"{NAME.replace('/', '')}.db", "create", "--budget", "4"],
    "routes perturb": ["routes", "perturb", "trips.geojson", "--epsilon", "4", "--space", BOX, "--seed", "1",
                       "-o", f"private{HIDDEN}.geojson"],
    "routes count": ["routes", "count", "private.geojson", "--zone", f"{NAME}=139.5,35.6,139.6,35.7", "--zone",
                     "b=139.7,35.6,139.8,35.7"],
    "routes evaluate": ["routes", "evaluate", "trips.geojson", "private.geojson"],
    "routes compare": ["routes", "compare", "trips.geojson", "--points", "venues.csv", "--epsilon", "4"],
    "routes reconstruct": ["routes", "reconstruct", "private.geojson", "-o", f"again{HIDDEN}.geojson"],
}  # fmt: skip

KEPT = {"plan": COLUMN, "perturb": COLUMN, "estimate": LABEL, "release": COLUMN, "routes count": NAME,
        "audit": ""}  # fmt: skip
"""Names that JSON gives to machines as they are."""

REFUSED = {
    "plan": ["plan", "--people", "9", "--epsilon", "1", "--integers", f"{COLUMN}=9"],
    "perturb": ["perturb", "people.csv", "--epsilon", "1", "--interval", "missing=0:1", "-o", "no.csv"],
    "perturb text": ["perturb", PATH, "--epsilon", "1", "--interval", "kind=0:1", "-o", "no.csv"],
    "estimate": ["estimate", PATH],
    "estimate a column": ["estimate", "reports.parquet", "--column", "missing"],
    "compare": ["compare", "--interval", "0:1", "--mechanism", NAME],
    "design": ["design", "--epsilon", "1", "--interval", "0:1", "--prior", "prior.csv"],
    "explain": ["explain", NAME, "--interval", "0:1", "--epsilon", "1"],
    "explain a file": ["explain", "@bad.json"],
    "predict": ["predict", "model.joblib", "people.csv", "--trust", "--sensitive", "missing=0:1"],
    "learn": ["learn", "people.csv", "--label", "missing", "--epsilon", "3", "--interval", f"{COLUMN}=0:100"],
    "classify": ["classify", "people.csv", "--model", "bad.json", "-o", "no.csv"],
    "verify": ["verify", "bad.json"],
    "verify a file": ["verify", PATH],
    "release": ["release", "people.csv", "--algorithm", "mean", "--columns", f"{NAME}x", "--budget", "1"],
    "apply": ["apply", "released.json", "pay.csv", "-o", "no.csv"],
    "audit": ["audit", "boxes:told", "--pair", PATH, f"{PATH}x"],
    "audit a name": ["audit", NAME, "--claim", "1", "--interval", "0:1"],
    "tour": ["tour", "--out", f"full{HIDDEN}[red]"],
    "joint run": ["joint", "run", "--config", "bad.toml"],
    "joint plan": ["joint", "plan", "--users", NAME],
    "budget": ["budget", "--ledger", PATH, "status"],
    "budget of one": ["budget", "--ledger", "people.db", "status", "--person", NAME],
    "budget create": ["budget", "--ledger", "new.db", "create", "--budget", "4", "--column", f"{COLUMN}=2"],
    "routes perturb": ["routes", "perturb", "people.parquet", "--epsilon", "4", "--space", BOX, "-o", "no.csv"],
    "routes count": ["routes", "count", "private.geojson", "--zone", f"{NAME}=1,2,3"],
    "routes evaluate": ["routes", "evaluate", "trips.geojson", PATH],
    "routes compare": ["routes", "compare", "trips.geojson", "--points", PATH, "--epsilon", "4"],
    "routes reconstruct": ["routes", "reconstruct", "trips.geojson"],
    "no verb": [NAME],
    "no option": ["plan", f"--{NAME}"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    yield
    sys.modules.pop("boxes", None)


@pytest.fixture
def run(capsys):
    def command(arguments):
        for needed in MADE.keys() & set(arguments):
            if not Path(needed).exists():
                assert main(MADE[needed]) == 0
                capsys.readouterr()
        code = main(arguments)
        return code, *capsys.readouterr()

    return command


def check_shown(text):
    assert not CONTROLS & set(text), sorted(map(ascii, CONTROLS & set(text)))
    assert not any(line.lstrip(" •|").startswith("FORGED") for line in text.splitlines()), text


@pytest.mark.parametrize("verb", GOOD)
def test_results_and_pages_hide_nothing(run, verb, tmp_path):
    page = tmp_path / "page.html"
    html = [] if verb.startswith(("classify", "apply", "budget")) else ["--html", str(page)]
    code, out, err = run([*GOOD[verb], *html, *(["--force"] if html else [])])
    assert code == 0, err
    check_shown(out + err)
    if html:
        text = page.read_text(encoding="utf-8")
        check(text)
        assert not CONTROLS & set(text), sorted(map(ascii, CONTROLS & set(text)))


@pytest.mark.parametrize("verb", KEPT)
def test_json_hides_nothing_and_keeps_every_name(run, verb):
    force = ["--force"] if "-o" in GOOD[verb] else []
    code, out, err = run([*GOOD[verb], *force, "--json"])
    assert code == 0, err
    check_shown(out + err)
    assert KEPT[verb] in "".join(texts(json.loads(out)))


def texts(document):
    """All names and texts of a JSON document."""
    if isinstance(document, dict):
        return [text for pair in document.items() for part in pair for text in texts(part)]
    if isinstance(document, list):
        return [text for part in document for text in texts(part)]
    return [str(document)]


@pytest.mark.parametrize("verb", REFUSED)
def test_refusals_are_one_line_and_hide_nothing(run, verb):
    code, out, err = run(REFUSED[verb])
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    check_shown(err)


def test_every_verb_is_here():
    verbs = {command.callback.__name__ for command in app.registered_commands}
    for group in (each.typer_instance for each in app.registered_groups):
        verbs |= {f"{group.info.name} {command.callback.__name__}" for command in group.registered_commands}
    assert verbs <= {" ".join(arguments[:2]) for arguments in (*GOOD.values(), *REFUSED.values())} | {
        arguments[0] for arguments in (*GOOD.values(), *REFUSED.values())
    } | {"budget create", "budget status"}  # whose options come before


@pytest.mark.parametrize("room", ["cli", "report", "survey"])
def test_nothing_prints_but_by_the_functions_that_look_at_it(room):
    """So that a new verb cannot forget them."""
    own = {"terminal.py", "console.py"}
    for path in Path(noisewright.__file__).parent.joinpath(room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            call = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert call not in ("print", "typer.echo", "typer.secho", "click.echo"), path
            assert not call.endswith(("stdout.write", "stderr.write")), path
            assert path.name in own or not call.endswith("Console"), path


def test_what_others_print_while_a_verb_runs_is_guarded_too(run, monkeypatch):
    def told(plan, width):
        print(HIDDEN)
        print(HIDDEN, file=sys.stderr)
        return HIDDEN

    monkeypatch.setattr("noisewright.report.terminal.render_text", told)
    before = sys.stdout, sys.stderr
    code, out, err = run(GOOD["plan"])
    assert code == 0
    assert (sys.stdout, sys.stderr) == before
    check_shown(out + err)
    assert out.count("\\x1b[2J") == 2
    assert err.count("\\x1b[2J") == 1


def test_a_traceback_is_guarded_too(tmp_path):
    line = (
        "import sys; from noisewright.cli import main\n"
        f"def fail(*_): raise RuntimeError({HIDDEN!r})\n"
        "main._command = fail; sys.argv = ['noisewright']; main.run()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", line], capture_output=True, check=False,
        env={**os.environ, "NOISEWRIGHT_DEBUG": "1", "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    told = ended.stderr.decode()
    assert ended.returncode == 1
    assert "RuntimeError: \\x1b[2J" in told
    check_shown(told)


def test_letters_that_the_terminal_lacks_are_escaped():
    ended = subprocess.run(
        [sys.executable, "-m", "noisewright", "explain", "krr", "--categories", "größe,b", "--epsilon", "1"],
        capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"\\u03b5 = 1" in ended.stdout


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def check_terminal(stream):
    """Rich's own colours and movements may be there; no sequence of a stranger is, nor markup read as such."""
    told = stream.getvalue()
    assert "\x1b[" in told
    assert not {"\x9b", "\x07", "\u202e", "\u200b", "\u2028"} & set(told)
    for sequence in ("\x1b[2J", "\x1b]", "\x1b[8m", "\x1b[31m"):
        assert sequence not in told
    return told


def test_tables_on_a_terminal(terminal):
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"t{NAME}")
    table.add_column(f"c{NAME}")
    table.add_row(NAME, style="bold green")
    table.add_row(Text(NAME))
    out = console(terminal)
    out.print(table)
    out.print(f"• {NAME}")
    told = check_terminal(terminal)
    assert told.count("[red]:smile:[/red]") == 5
    assert told.count("\\x1b[2J") == 5


def test_bars_and_what_is_printed_meanwhile_on_a_terminal(terminal):
    concealed = f"\x1b[8m\x1b]8;;https://evil.example\x1b\\{NAME}"
    with redirect_stderr(terminal), progress_of(f"{NAME}{{task}}", quiet=False) as progress:
        assert progress is not None
        progress(3, 10)
        print(concealed, file=sys.stderr)
    with redirect_stderr(terminal), status_of("Measuring", quiet=False) as status:
        status(NAME)
        say(NAME)
        print(concealed, file=sys.stderr)
    told = check_terminal(terminal)
    assert "[red]:smile:[/red]" in told
    assert "3 of 10 rows" in told
