"""Use an installed Noisewright as the README says, in the current folder; ``distribution.py`` runs this.

    python clean_environment.py core | refusals | survey | readme

Nothing of the checkout is at hand here but the README and ``reading.py``, which finds its blocks.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

import noisewright
from reading import ROOT, Block, Reader, blocks

PEOPLE = 5_000
TRUE_PRESSURE = 94.65
"""The mean of the table that the tour leaves, as the README says."""

FAR = 6
"""Standard errors that an estimate is never off: a chance of 10^-8."""

NOT_RUN = {
    "make tour": "the installed command takes the tour instead",
    "make test": "tests stay in the repository",
    "pip install '.[all]'": "done before, from the sdist",
}
REFUSALS = {
    "noisewright tour": "plots",
    "noisewright estimate reports.parquet --html page.html": "plots",
    "noisewright learn people.csv --label sex --epsilon 1 --interval hours=0:80 -o learned.json": "models",
    "noisewright release people.csv --algorithm kmeans --clusters 2 --budget 0.25 -o model.json": "models",
    "noisewright audit ogpm --interval 0:1 --claim 1": "models",
    "noisewright predict model.onnx people.csv --sensitive hours=0:80 --epsilon 1": "models",
    "noisewright predict model.joblib people.csv --trust --sensitive hours=0:80 --epsilon 1": "models",
    "noisewright routes perturb trips.csv --epsilon 4 --per route --space 5,40,25,55 -o far.csv": "maps",
    "python -c 'from noisewright.learn import LocalClassifier'": "models",
    "python -c 'from noisewright.release import Release'": "models",
    "python -c 'from noisewright.audit import audit'": "models",
    "python -c 'from noisewright.joint.coins.transfer import base_times; base_times(bytes(32))'": "joint",
}
"""What needs an extra, and which."""


def run(command: str) -> subprocess.CompletedProcess[str]:
    """Type a command into a shell's place, with this environment's programs first."""
    return subprocess.run(shlex.split(command), capture_output=True, text=True, encoding="utf-8", check=False)


def check(holds: bool, complaint: str) -> None:
    if not holds:
        raise SystemExit(f"in a clean environment: {complaint}")


def succeed(command: str) -> str:
    """What a command prints that has to end with 0."""
    done = run(command)
    check(done.returncode == 0, f"{command}\nended with {done.returncode}:\n{done.stderr}")
    return done.stdout


class Typist(Reader):
    """A reader who types commands into a shell, so that the installed program runs and not a function."""

    def _type(self, command: str, where: str) -> str:
        typed = shlex.join(shlex.split(command, comments=True))
        if typed in self.not_run:
            self.left_alone.append(typed)
            return ""
        done = run(command)
        if done.returncode != next((code for part, code in self.exits.items() if part in command), 0):
            self.faults.append(f"{where}: {command}\nended with {done.returncode}: {done.stderr}")
        return done.stdout + done.stderr


def is_installed() -> None:
    """Check that the package comes from this environment, and the command is its own."""
    place = Path(noisewright.__file__).resolve()
    check(place.is_relative_to(Path(sys.prefix).resolve()), f"noisewright comes from {place}")
    said = succeed("noisewright --version").split()
    check(said == ["noisewright", noisewright.__version__], f"the command says {said}")
    check((place.parent / "py.typed").is_file(), "types are not installed")


def estimated(column: str, command: str, truth: float) -> str:
    """Check that an estimated mean is near the truth, and say whether its interval holds."""
    mean = json.loads(succeed(f"{command} --json"))["columns"][column]["mean"]
    off = abs(mean["value"] - truth) / mean["stderr"]
    check(mean["low"] <= mean["value"] <= mean["high"], "an estimate outside of its interval")
    check(off <= FAR, f"a mean {off:.1f} standard errors off")
    held = "holds" if mean["low"] <= truth <= mean["high"] else "misses it, as one in twenty does"
    return (f"mean of {column} {mean['value']:.4g}, 95 % interval {mean['low']:.4g} to {mean['high']:.4g}; "
            f"the truth is {truth:.4g}: the interval {held}")  # fmt: skip


def core() -> None:
    """Plan, randomize and estimate a small CSV, then the README's Python, with nothing but the core."""
    is_installed()
    dice = random.Random(1)
    hours = [min(80, max(0, round(dice.gauss(38, 9)))) for _ in range(PEOPLE)]
    rows = [f"{hour},{dice.choice(['f', 'm'])}" for hour in hours]
    Path("people.csv").write_text("\n".join(["hours,sex", *rows, ""]))
    options = "--epsilon 2 --integers hours=0:80"
    succeed(f"noisewright plan --people {PEOPLE} {options}")
    succeed(f"noisewright perturb people.csv {options} -o reports.parquet")
    print("  " + estimated("hours", "noisewright estimate reports.parquet", sum(hours) / PEOPLE))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    heading = text.count("\n", 0, text.index("### From Python"))
    session = next(block for block in blocks("README.md") if block.kind == "python" and block.line > heading)
    Path("session.py").write_text(session.text)
    said = succeed("python session.py")
    check("95 % interval" in said, f"README, line {session.line}, prints no interval")


def refusals() -> None:
    """Check that whatever needs an extra says which, in one sentence, and leaves nothing behind."""
    points = [
        f"{trip},{10 + trip / 5 + step / 10},{50 + step / 10}" for trip in range(3) for step in range(5)
    ]
    Path("trips.csv").write_text("\n".join(["route,longitude,latitude", *points, ""]))
    Path("model.onnx").write_bytes(b"\x08\x07")
    Path("model.joblib").write_bytes(b"csklearn.linear_model\nLogisticRegression\n.")
    before = set(os.listdir())
    for command, extra in REFUSALS.items():
        done = run(command)
        last = done.stderr.strip().splitlines()[-1:] or [""]
        check(done.returncode != 0, f"{command} does not refuse without [{extra}]")
        check(
            f"[{extra}]" in done.stderr.replace("\n", ""), f"{command} does not name [{extra}]: {done.stderr}"
        )
        if command.startswith("noisewright"):
            check("Traceback" not in done.stderr, f"{command} ends with a traceback: {last}")
    check(set(os.listdir()) == before, f"refusals left {set(os.listdir()) - before} behind")
    print(f"  {len(REFUSALS)} uses of an extra refused by its name")


def survey() -> None:
    """Take the tour, then the first quick start."""
    is_installed()
    succeed("noisewright tour")
    check(Path("tour-report/index.html").is_file(), "the tour wrote no report")
    first = next(block for block in blocks("README.md") if "noisewright perturb" in block.text)
    reader = Typist()
    list(reader._do(first, "README.md"))
    check(not reader.faults, "\n".join(reader.faults))
    print("  " + estimated("blood_pressure", "noisewright estimate pressure.parquet", TRUE_PRESSURE))


def readme() -> None:
    """Do what every block of the README says, the three quick starts among them."""
    for made in ("pressure.parquet", "pressure.html"):
        Path(made).unlink()
    sys.path.insert(0, str(Path.cwd()))
    reader = Typist(not_run=NOT_RUN, exits={"vendor:release": 3})
    done: list[Block] = []
    reader.read("README.md", done.append)
    check(not reader.faults, "\n\n".join(reader.faults))
    check(reader.left_alone == list(NOT_RUN), f"not run: {reader.left_alone}")
    print(f"  {len(done)} blocks of the README done, quick starts of survey, routes and audit among them")


if __name__ == "__main__":
    {"core": core, "refusals": refusals, "survey": survey, "readme": readme}[sys.argv[1]]()
