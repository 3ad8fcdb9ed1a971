"""Every block of the README, the guides and the manual works as a reader types it, in order and in one folder.

Runs and worlds are fewer than the pages say, so that the whole takes a minute; what is printed is held to its
words. Chance is fixed, because a page may show a verdict that luck decides.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import secrets
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from noisewright.audit.evidence import REFUTED
from noisewright.cli.main import main
from noisewright.io.private_files import write_private
from noisewright.release import Release, Secret
from noisewright.release.attacks import calibration
from reading import ROOT, Reader, blocks, commands, kinds, missing

NOT_RUN = {
    "make tour": "the tour is taken once for all tests (fixture `taken`), and its files are here",
    "make test": "runs this test",
    "openssl genpkey -algorithm ed25519 -out audit.key": "not on every machine; the folder has such a key",
    "openssl pkey -in audit.key -pubout -out audit.pub": "not on every machine; the folder has its public half",
    "pip install '.[all]'": "needs the network; CI installs the same extras from the lock",
}
SHORTER = {
    " --width 0.05": "",  # of everything that is planned: half a minute
    " --samples 1e6": " --samples 6e4",
    " --samples 2e6": " --samples 6e4",
    "2_000_000": "200_000",
    "400_000": "100_000",
    "300_000": "60_000",
    "--gallery --html": "--gallery laplace laplace-half noisy-max-4 svt-5 l-srr --samples 20000 --html",
    "worlds=128": "worlds=64",
}
BY_CHANCE = (
    "better than always answering",  # whether 400 answers show it
    "noisy-max-4",  # whether so few runs convict it
    "one audit in",
    "whatever moment one stops",
)
MODULES = ("vendor", "mymodule", "clinic")


@pytest.fixture
def folder(tmp_path, monkeypatch, taken):
    """A folder with what the tour left, in which chance is the same every time."""
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    shutil.copytree(Path(taken["report"]).parent, tmp_path / "tour-report")
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_private(tmp_path / "audit.key", secret)
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "audit.pub").write_bytes(public)
    count = itertools.count()
    monkeypatch.setattr(os, "urandom", lambda size: hashlib.shake_128(b"%d" % next(count)).digest(size))
    monkeypatch.setattr(secrets, "randbits", lambda bits: 1)
    yield tmp_path
    for module in MODULES:
        sys.modules.pop(module, None)


@pytest.fixture
def lean(monkeypatch):
    """Few worlds and few trials of releases."""
    for function in (Release.__init__, Secret.__init__):
        monkeypatch.setitem(function.__kwdefaults__, "worlds", 64)
    monkeypatch.setattr(Release.attack, "__defaults__", (64, 0.99, None))
    monkeypatch.setattr(calibration, "MANY", calibration.FEW)


GUIDES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("guide/*.md", "tutorials/*.md", "choose-epsilon.md", "which-mechanism.md", "numbers.md")
    for path in (ROOT / "docs").glob(pattern)
)
REFUTING = ("vendor:release", "mymodule:release", "clinic:total_cost")


def read(page):
    """Do what a page says, and return its reader."""
    reader = Reader(SHORTER, NOT_RUN, dict.fromkeys(REFUTING, REFUTED), BY_CHANCE)
    reader.read(page)
    assert not reader.faults, "\n\n".join(reader.faults)
    return reader


@pytest.mark.slow
def test_the_readme_from_top_to_bottom(folder):
    assert (ROOT / "README.md").stat().st_size <= 10_000
    assert read("README.md").left_alone == ["make tour", "make test", "pip install '.[all]'"]


@pytest.mark.slow
@pytest.mark.parametrize("page", GUIDES)
def test_each_guide_from_top_to_bottom(folder, page):
    reader = read(page)
    if page == "docs/guide/audit.md":
        assert reader.session["found"].verdict == "false"
        # "without `--bounds` the claim stands"
        command = next(block.text for block in blocks(page) if "--bounds cost" in block.text)
        without = command.replace(" --bounds cost=0:1000", "").replace("2e6 --html costs.html", "6e4")
        assert main(shlex.split(without)[1:]) == 0


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("java") is None and "JAVA_HOME" not in os.environ, reason="Spark needs Java 17 or newer"
)
@pytest.mark.filterwarnings("ignore")  # of Spark about pandas, and of Dask about ports
def test_the_page_on_clusters_from_top_to_bottom(folder, monkeypatch):
    for package in ("pyspark", "distributed", "duckdb"):
        pytest.importorskip(package, reason=f"{package} is not installed (make peers)")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    read("docs/scale.md")


@pytest.mark.slow
def test_the_manual_from_top_to_bottom(folder, lean):
    reader = Reader(SHORTER)
    reader.read("docs/python.md")
    assert not reader.faults, "\n\n".join(reader.faults)
    assert not reader.left_alone
    session = reader.session
    assert session["exposed"].worst == "database 1: row 39 removed"
    assert session["state"].refuted
    assert not session["shown"].right


def test_no_page_has_blocks_that_nobody_runs():
    """The other pages have no blocks but one of make's targets, which exist."""
    run = {"README.md", "docs/python.md", "docs/scale.md", *GUIDES}
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        name = page.relative_to(ROOT).as_posix()
        for block in () if name in run else blocks(name):
            assert block.kind == "shell", f"{name}, line {block.line}"
            targets = [command.split()[1] for command in commands(block.text) if command.startswith("make ")]
            assert targets
            for target in targets:
                assert re.search(
                    rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
                )


def test_what_a_page_shows_is_held_to_its_words():
    output = "mean    93.6   2.3   89.2 to 98.1\nmedian  92.0     –   84.0 to 104\n"
    assert not missing("mean  1  2  3 to 4\n…\n", output)
    assert missing("mode  1  2  3 to 4\n", output) == ["mode  1  2  3 to 4"]
    assert missing("verdict: yes, by 3\n", "verdict: no\n") == ["verdict: yes, by 3"]
    assert not missing("verdict: yes, by 3\n", "verdict: no\n", ["verdict"])
    assert kinds("-0.5 %, 1,000 and 3e+05; 13.4 ± 2\n users") == "#, # and #; # users"
