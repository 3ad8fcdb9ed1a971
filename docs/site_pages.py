"""Lay out the pages of the site: those written by hand, and the references that code and commands give.

    python docs/site_pages.py FOLDER

writes them into a folder, from which ``mkdocs.yml`` builds the site; ``make docs`` does both. Pages of the
repository's root get a place beside the others, and links follow them.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from types import ModuleType

import click
import typer.main
from examples import as_markdown

import noisewright
from noisewright.cli.main import app

ROOT = Path(__file__).parents[1]
ROOT_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Pages of the repository's root, and what they are called on the site."""

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)]*)?\)")
HEADINGS = re.compile(r"^\|.*(?=\n\| --- \|)", re.MULTILINE)
"""The headings of a table."""

EXAMPLE = re.compile(r"^ *noisewright .*(?:\n\S.*|\n *noisewright .*)*", re.MULTILINE)
"""A paragraph of ``--help`` that shows a command."""

MODULES = ("randomness", "errors")
"""Modules outside of packages whose names are public."""


def site_path(path: str) -> str:
    """The place on the site of a file of the repository."""
    moved = ROOT_PAGES.get(path) or path.removeprefix("docs/")
    return re.sub(r"(^|/)README\.md$", r"\1index.md", moved)


def as_site_page(text: str, path: str) -> str:
    """Rewrite a page of the repository for the site: links follow, and every column of a table has a heading.

    A link to a file that the site does not have becomes its text.
    """

    def moved(found: re.Match[str]) -> str:
        image, label, target, anchor = found.groups()
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if place not in ROOT_PAGES and not place.startswith("docs/"):
            return label
        site = posixpath.relpath(site_path(place), posixpath.dirname(site_path(path)) or ".")
        return f"{image}[{label}]({site}{anchor or ''})"

    named = HEADINGS.sub(
        lambda head: re.sub(r"\| +(?=\|)", "| <span class='spoken'>name</span> ", head[0]), text
    )
    return LINK.sub(moved, named).replace('"docs/images/', '"images/')


def lay_out(folder: Path) -> None:
    """Write all pages of the site into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "images", folder / "images", ignore=shutil.ignore_patterns("*.py", "__*"))
    for name in ("site.css", "site.js"):
        shutil.copy(ROOT / "docs" / name, folder)
    written = [*ROOT_PAGES, *(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md"))]
    pages = {
        site_path(path): as_site_page((ROOT / path).read_text(encoding="utf-8"), path) for path in written
    }
    for path, text in [*pages.items(), *references()]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def references() -> Iterator[tuple[str, str]]:
    """The pages that are made from docstrings and from the command line, with their places."""
    yield "reference/commands.md", "\n\n".join(["# Commands", *command_reference()]) + "\n"
    for room, names in public_names().items():
        yield f"reference/{room.rpartition('.')[2]}.md", "\n\n".join(room_reference(room, names)) + "\n"


def public_names() -> dict[str, list[str]]:
    """For each room the public names that it is the first to export."""
    packages = [
        info.name for info in pkgutil.walk_packages(noisewright.__path__, "noisewright.") if info.ispkg
    ]
    seen: set[str] = set()
    rooms: dict[str, list[str]] = {}
    for package in ["noisewright", *(f"noisewright.{name}" for name in MODULES), *packages]:
        module = importlib.import_module(package)
        room = ".".join(package.split(".")[:2])
        for name in exported(module):
            value = getattr(module, name)
            home = getattr(value, "__module__", None)
            ours = isinstance(home, str) and home.startswith("noisewright")
            defined = f"{home if ours else package}.{name}"
            if defined not in seen and not inspect.ismodule(value):
                rooms.setdefault(room, []).append(f"{package}.{name}")
                seen.add(defined)
    return rooms


def exported(module: ModuleType) -> list[str]:
    """The names that a package lists, or those that one of the modules defines."""
    own = [
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    ]
    return list(getattr(module, "__all__", [name for name in own if not name.startswith("_")]))


def room_reference(room: str, names: list[str]) -> Iterator[str]:
    """The page of a room: what it is for, then every public name from its docstring."""
    yield f"# {room}"
    yield as_markdown(inspect.getdoc(importlib.import_module(room)) or "")
    for name in names:
        yield f"::: {name}"


def command_reference() -> Iterator[str]:
    """Every command with its arguments and options, as ``--help`` shows them."""
    group = typer.main.get_command(app)
    yield from _commands(group, click.Context(group, info_name="noisewright"))


def _commands(command: click.Command, context: click.Context) -> Iterator[str]:
    path = context.command_path
    if hasattr(command, "list_commands"):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            yield from _commands(inner, click.Context(inner, info_name=name, parent=context))
        return
    yield f"## {path}"
    yield f"```\n{path} {' '.join(command.collect_usage_pieces(context))}\n```"
    yield EXAMPLE.sub(r"```\n\g<0>\n```", inspect.cleandoc(command.help or "").replace("\b\n", ""))
    rows = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    if rows := [row for row in rows if row]:
        lines = [f"| <code>{_cell(name)}</code> | {_cell(text)} |" for name, text in rows]
        yield "\n".join(["| option | meaning |", "| --- | --- |", *lines])


def _cell(text: str) -> str:
    return escape(" ".join(text.split()), quote=False).replace("|", "&#124;")


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
