"""A page that exists is refused by every verb like any other output, and replaced by --force."""

from __future__ import annotations

import click
import pytest

from command_line import refused, run
from noisewright.cli.main import _command

PULSE = ["--interval", "40:200", "--epsilon", "1"]
VERBS = {
    "perturb": ["in.csv", "-o", "out.csv", "--epsilon", "1", "--interval", "x=0:1"],
    "estimate": ["out.csv"],
    "plan": ["--people", "100", "--epsilon", "1", "--interval", "x=0:1"],
    "compare": PULSE,
    "design": PULSE,
    "explain": ["ogpm", *PULSE],
    "predict": ["model.onnx", "in.csv", "--sensitive", "x=0:1"],
    "learn": ["in.csv", "--label", "y", "--epsilon", "1", "--interval", "x=0:1"],
    "release": ["in.csv", "--algorithm", "mean", "--budget", "1"],
    "audit": ["ogpm", "--interval", "0:1", "--claim", "1"],
    "joint plan": ["--users", "100", "--epsilon", "1"],
    "routes perturb": ["in.geojson", "-o", "out.geojson", "--epsilon", "4", "--space", "0,0,1,1"],
    "routes reconstruct": ["in.geojson"],
    "routes count": ["in.geojson"],
    "routes evaluate": ["in.geojson", "out.geojson"],
    "routes compare": ["in.geojson", "--epsilon", "4", "--points", "venues.csv"],
}
LABELS = ["--categories", "a,b", "--epsilon", "1"]


def verbs_with_pages(command: click.Command | None = None, name: str = "") -> dict[str, click.Command]:
    """Every verb that takes --html, by its whole name."""
    command = command or _command()
    found = {}
    for part, each in getattr(command, "commands", {}).items():
        found |= verbs_with_pages(each, f"{name} {part}".strip())
    if any("--html" in parameter.opts for parameter in command.params):
        found[name] = command
    return found


def test_every_verb_that_writes_a_page_can_be_told_to_replace_it():
    found = verbs_with_pages()
    assert set(found) == set(VERBS)
    for name, verb in found.items():
        assert any("--force" in parameter.opts for parameter in verb.params), name


@pytest.mark.parametrize("verb", [*VERBS, "compare labels", "explain labels"])
def test_a_page_that_exists_is_refused_before_any_work_is_done(capsys, tmp_path, monkeypatch, verb):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.html"
    page.write_text("kept")
    words, arguments = verb.split(), VERBS.get(verb, LABELS)
    if words[-1] == "labels":
        words, arguments = words[:1], ["olh", *LABELS] if words[0] == "explain" else LABELS
    said = refused(capsys, *words, *arguments, "--html", page)
    assert f"{page} exists already; choose another name, or pass --force to replace it" in said
    assert page.read_text() == "kept"
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_a_page_is_replaced_if_asked_for(capsys, tmp_path):
    page = tmp_path / "page.html"
    for force in ([], ["--force"]):
        run(capsys, "explain", "ogpm", *PULSE, "--html", page, *force)
        assert page.read_text().startswith("<!DOCTYPE html>")
    page.write_text("earlier")
    run(capsys, "joint", "plan", *VERBS["joint plan"], "--html", page, "--force")
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_a_folder_with_files_is_not_taken_over_by_a_tour(capsys, tmp_path):
    (tmp_path / "clinic.csv").write_text("mine")
    assert "is a folder with files in it" in refused(capsys, "tour", "--out", tmp_path)
    assert (tmp_path / "clinic.csv").read_text() == "mine"
