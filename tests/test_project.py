"""What the project says of itself agrees everywhere: version, licence, Python, commands."""

from __future__ import annotations

import os
import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

import noisewright

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = noisewright.__version__
RELEASE = re.compile(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$", re.MULTILINE)


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def document(name):
    return pytest.importorskip("yaml", reason="run `make tools`").safe_load(text(name))


def pythons_of_ci():
    """The versions that CI runs."""
    return document(".github/workflows/checks.yml")["jobs"]["checks"]["strategy"]["matrix"]["python"]


def test_the_version_is_the_same_everywhere():
    citation = document("CITATION.cff")
    newest, day = RELEASE.findall(text("CHANGELOG.md"))[0]
    assert newest == citation["version"] == VERSION
    assert citation["date-released"] == date.fromisoformat(day)
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert f"| {VERSION.rpartition('.')[0]} | yes |" in text("SECURITY.md")
    assert "Unreleased" not in text("CHANGELOG.md")


def test_only_pythons_that_are_tested_are_claimed():
    claimed = [
        each.rpartition(" ")[2]
        for each in PROJECT["project"]["classifiers"]
        if re.search(r":: Python :: \d\.\d+$", each)
    ]
    assert claimed == pythons_of_ci()
    assert PROJECT["project"]["requires-python"] == f">={claimed[0]}"
    assert f"command -v python{claimed[0]}" in text("Makefile")
    assert f"Python {claimed[0]}" in text("README.md")
    assert PROJECT["tool"]["mypy"]["python_version"] == claimed[0]


def test_the_licence_is_the_same_everywhere():
    assert PROJECT["project"]["license"] == document("CITATION.cff")["license"] == "MIT"
    assert text("LICENSE").startswith("MIT License")
    assert "MIT licence" in text("README.md")


def test_the_citation_is_valid():
    citation = document("CITATION.cff")
    required = {"cff-version", "message", "title", "authors"}
    assert required <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == [{"name": "The Noisewright authors"}]
    assert set(citation) <= required | {
        "abstract", "date-released", "keywords", "license", "references", "type", "version"
    }  # fmt: skip
    sources = text("docs/theory/sources.md")
    for reference in citation["references"]:
        assert {"authors", "title", "type"} <= set(reference)
        assert reference["type"] in {"article", "thesis"}
        for author in reference["authors"]:
            assert set(author) == {"family-names", "given-names"}
            assert f"{author['given-names']} {author['family-names']}" in sources
    assert len(citation["references"]) == 5


def test_the_workflow_calls_the_commands_of_the_project():
    workflow = document(".github/workflows/checks.yml")
    assert workflow["permissions"] == {"contents": "read"}
    steps = workflow["jobs"]["checks"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands == ["make tour", "make lint", "make test", "make dist"]
    for command in commands:
        assert re.search(rf"^{command.split()[1]}:", text("Makefile"), re.MULTILINE)
    for step in steps:
        if "uses" in step:
            assert re.fullmatch(r"actions/[\w-]+@v\d+\.\d+\.\d+", step["uses"])
    assert workflow["jobs"]["checks"]["timeout-minutes"]


def test_the_gate_runs_the_same_and_fails_with_any_of_them():
    gate = text(".ci/run")
    assert re.findall(r"^(make \w+) \|\| status=1$", gate, re.MULTILINE) == [
        "make lint",
        "make test",
        "make dist",
    ]
    assert gate.rstrip().endswith('exit "$status"')
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_hooks_fetch_nothing_and_are_those_of_lint():
    (repository,) = document(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    entries = [hook["entry"] for hook in repository["hooks"]]
    assert all(hook["language"] == "system" for hook in repository["hooks"])
    assert all(entry.startswith(".venv/bin/") for entry in entries)
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", text("Makefile"), re.MULTILINE).group(1)
    for line in filter(None, lint.replace("\t$(BIN)/", "").splitlines()):
        wanted = line.removesuffix(" .")
        assert any(entry.removeprefix(".venv/bin/").startswith(wanted) for entry in entries), line


def test_the_changelog_is_for_users():
    releases = re.split(r"^## ", text("CHANGELOG.md"), flags=re.MULTILINE)[1:]
    assert [each.split()[0] for each in releases] == ["0.3.0", "0.2.0", "0.1.0"]
    headings = re.findall(r"^### (.+)$", releases[0], re.MULTILINE)
    assert headings == ["What you can do now", "What you must change", "Fixed"]
    assert len(releases[0].split()) <= 1_500


def test_the_browser_of_the_tests_comes_from_no_particular_host():
    lock = text("tests/browser/package-lock.json")
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') == lock.count('"node_modules/')
    packages = document("tests/browser/package.json")["dependencies"]
    assert set(packages) == {"@sparticuz/chromium", "axe-core", "playwright-core"}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in packages.values())


def test_every_extra_is_in_all_and_in_the_readme():
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = everything.removeprefix("noisewright[").removesuffix("]").split(",")
    engines = {"spark", "dask"}  # large, and nobody needs both
    assert set(named) == set(extras) - {"all", "dev"} - engines
    for extra in (*named, *engines):
        assert f"`{extra}`" in text("README.md")
