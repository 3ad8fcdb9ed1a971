"""What the pages about auditing say to type works as it stands there, in an empty folder, with fewer runs."""

import re
import secrets
import shlex
import sys
from pathlib import Path

import pytest

from noisewright.cli.audit_showing import REFUTED
from noisewright.cli.main import main

ROOT = Path(__file__).parents[1]
SAVED = re.compile(r"Save this as `(\w+)\.py`:\n\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(python)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
FEWER = {
    "2_000_000": "200_000",
    "400_000": "100_000",
    "300_000": "60_000",
    " --samples 1e6": " --samples 6e4",
    " --samples 2e6": " --samples 6e4",
}
WITHOUT_PAGE = re.compile(r" --html \S+")
"""Pages have tests of their own, and take most of the time."""
README = "README.md", "Audit a mechanism"


def section(page: str, heading: str) -> str:
    """From a heading to the next of its rank, with fewer runs."""
    text = (ROOT / page).read_text(encoding="utf-8")
    start = text.index(f"\n## {heading}\n")
    found = text[start : text.index("\n## ", start + 4)]
    for many, few in FEWER.items():
        found = found.replace(many, few)
    return found


def blocks(page: str, heading: str) -> list[tuple[str, str]]:
    """Language and content of the blocks of a section."""
    return BLOCK.findall(section(page, heading))


def run(page: str, heading: str) -> dict[str, object]:
    """What the Python blocks define, one after the other."""
    names: dict[str, object] = {}
    code = [content for language, content in blocks(page, heading) if language]
    for number, content in enumerate(code, start=1):
        exec(compile(content, f"{page}, block {number} of {heading!r}", "exec"), names)
    return names


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    """Nothing is there, and seeds that nobody gave are the same every time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(secrets, "randbits", lambda bits: 1)
    yield
    for module in ("mymodule", "clinic"):
        sys.modules.pop(module, None)


@pytest.mark.slow
def test_the_python_of_the_manual_runs_and_finds_what_it_says():
    found = run("docs/python.md", "Auditing")
    assert found["found"].verdict == "false"
    assert found["exposed"].worst == "database 1: row 39 removed"
    assert found["state"].refuted
    assert found["first"].samples == found["again"].samples
    assert not found["shown"].right


@pytest.mark.slow
def test_the_readme_alone_is_enough_to_audit(capsys):
    assert run(*README)["found"].verdict == "false"
    saved = SAVED.findall(section(*README))
    assert [name for name, _ in saved] == ["mymodule", "clinic"]
    for name, content in saved:
        Path(f"{name}.py").write_text(content)
    commands = [content for _, content in blocks(*README) if content.startswith("noisewright ")]
    assert [_exit_code(command) for command in commands] == [REFUTED, REFUTED, REFUTED, 0]
    told = capsys.readouterr().out
    assert "row 199 removed" in told
    assert "1 of 1 wrong mechanisms were convicted" in told


@pytest.mark.slow
def test_without_bounds_the_readme_rightly_says_that_the_claim_stands():
    run(*README)
    for name, content in SAVED.findall(section(*README)):
        Path(f"{name}.py").write_text(content)
    command = next(content for _, content in blocks(*README) if "--bounds" in content)
    assert _exit_code(command) == REFUTED
    assert _exit_code(command.replace(" --bounds cost=0:1000", "")) == 0


def _exit_code(command: str) -> int:
    """The exit code of a command; of the gallery, one exhibit is enough."""
    shorter = WITHOUT_PAGE.sub("", command).replace("--gallery", "--gallery laplace-sum --samples 4000")
    return main(shlex.split(shorter)[1:])
