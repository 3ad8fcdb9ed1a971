"""The site builds without a warning, has every public name and command, and looks right in a browser."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from browser.findings import in_words, site_findings
from noisewright.cli.main import app

ROOT = Path(__file__).parents[1]
TOOLS = Path(sys.executable).parent

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (TOOLS / "zensical").exists(), reason="no tools to build the site: run `make tools`"
    ),
]


def run(*command: str | Path) -> str:
    """Run a tool in the project's folder, and return all that it prints."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def configuration(tmp_path_factory):
    """The pages laid out in a folder of their own, and a configuration that reads them."""
    folder = tmp_path_factory.mktemp("site")
    run(sys.executable, "docs/site_pages.py", folder / "pages")
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    text = text.replace("build/pages", "pages").replace("build/site", "site")
    text = text.replace("docs/examples.py", str(ROOT / "docs" / "examples.py"))
    text = text.replace("paths: [src]", f"paths: [{ROOT / 'src'}]")
    (folder / "mkdocs.yml").write_text(text, encoding="utf-8")
    return folder / "mkdocs.yml"


@pytest.fixture(scope="module")
def site(configuration):
    """The site as Zensical builds it."""
    run(TOOLS / "zensical", "build", "--strict", "--clean", "--config-file", configuration)
    return configuration.parent / "site"


def test_material_builds_the_same_pages_without_a_warning(configuration, site, tmp_path):
    run(
        TOOLS / "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--config-file",
        configuration,
        "--site-dir",
        tmp_path,
    )
    built = {page.relative_to(tmp_path) for page in tmp_path.rglob("*.html")}
    assert built == {page.relative_to(site) for page in site.rglob("*.html")}


def test_every_public_name_is_in_the_reference(site):
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        names = importlib.import_module("site_pages").public_names()
    finally:
        sys.path.remove(str(ROOT / "docs"))
    pages = "".join(page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html"))
    shown = set(re.findall(r'id="(noisewright\.[\w.]+)"', pages))
    assert [name for room in names.values() for name in room if name not in shown] == []


def test_every_command_and_option_is_in_the_reference(site):
    page = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    lost = []

    def look(command, path):
        for name, inner in getattr(command, "commands", {}).items():
            look(inner, f"{path} {name}")
        if not hasattr(command, "commands"):
            options = [option for each in command.params for option in each.opts if option.startswith("--")]
            lost.extend(f"{path} {word}" for word in [path, *options] if word not in page)

    look(get_command(app), "noisewright")
    assert not lost


def test_nothing_is_wrong_with_the_site_in_a_browser(site):
    """Accessibility, other people's servers, links and anchors, wide pages: at 1280 and 390, light and dark."""
    assert in_words(site_findings(site)) == ""
