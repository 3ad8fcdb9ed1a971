"""The pages point at things that exist: links and their anchors, files, names and benchmarks."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
THEORY = [page for page in PAGES if "theory" in page.relative_to(ROOT).as_posix()]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w./]+\.py|(?:\w+/)+")
NAME = re.compile(r"_?[a-z]\w*(?:\.\w+)*|[A-Z]\w*(?:\.\w+)+|[A-Z]\w*[a-z]\w*")
BENCHMARK = re.compile(r"python -m (benchmarks[\w.]*)(?: ([a-z]+))?")
FOREIGN = {"shuffle"}
"""Names of other packages that the pages speak of: scikit-learn's."""
REFERENCES = {"commands", "noisewright", *(path.stem for path in (ROOT / "src" / "noisewright").iterdir())}
MENTION = re.compile(r"docs/[\w/-]+\.md")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page):
    lost = []
    for target in LINK.findall(prose(page)):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        aimed = (page.parent / path).resolve() if path else page
        if aimed.parent == ROOT / "docs" / "reference" and aimed.stem in REFERENCES:
            continue  # made by docs/site_pages.py
        if not aimed.exists() or (anchor and anchor not in anchors(aimed)):
            lost.append(target)
    assert not lost


def test_every_page_that_code_speaks_of_is_there():
    lost = {}
    for folder in ("src", "tests", "benchmarks", "docs"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in (".py", ".md"):
                for mention in MENTION.findall(file.read_text(encoding="utf-8")):
                    if not (ROOT / mention).exists():
                        lost[name(file)] = mention
    assert not lost


@cache
def index() -> dict[str, set[str]]:
    """The names that belong to each module or class of the package, inherited ones included."""
    members: dict[str, set[str]] = defaultdict(set)
    bases: dict[str, set[str]] = defaultdict(set)
    for file in [*(ROOT / "src").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]:
        own = file.parent.name if file.stem == "__init__" else file.stem
        tree = ast.parse(file.read_text(encoding="utf-8"))
        members[own] |= names_of(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                members[node.name] |= names_of(node) | attributes_of(node)
                bases[node.name] |= {
                    ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases
                }
    return {owner: inherited(owner, members, bases) for owner in list(members)}


def inherited(owner: str, members: dict[str, set[str]], bases: dict[str, set[str]]) -> set[str]:
    """The names of a module, or of a class and of all that it derives from."""
    seen, found, waiting = set(), set(), [owner]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            found |= members.get(each, set())
            waiting += bases.get(each, ())
    return found


def attributes_of(node: ast.ClassDef) -> set[str]:
    """What the methods of a class set on themselves."""
    return {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name)
        and part.value.id == "self"
    }


@cache
def defined() -> set[str]:
    """All modules and classes, and all that they define."""
    return set(index()).union(*index().values())


def names_of(node: ast.Module | ast.ClassDef) -> set[str]:
    """What a module or a class defines itself."""
    found = set()
    for child in node.body:
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(child.name)
        elif isinstance(child, ast.Assign | ast.AnnAssign):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif isinstance(child, ast.ImportFrom | ast.Import):
            found |= {alias.asname or alias.name for alias in child.names}
    return found


def exists(path: str) -> bool:
    """Whether a file or folder of the package ends with this path, or the project has it."""
    return Path(path).parts in endings() or (ROOT / path).exists()


@cache
def endings() -> set[tuple[str, ...]]:
    """The last parts of the path of every file and folder of the package."""
    package = ROOT / "src" / "noisewright"
    paths = [path.relative_to(package).parts for path in package.rglob("*")]
    return {parts[at:] for parts in paths for at in range(len(parts))}


def known(word: str) -> bool:
    """Whether a name is defined in the package; a dotted one by the very module or class before its dot."""
    *owners, last = word.removeprefix("noisewright.").split(".")
    if not owners:
        return last in defined()
    return last in index().get(owners[-1], ())


@pytest.mark.parametrize(
    ("word", "there"),
    [
        ("Integers", True),
        ("Integers.size", True),  # its own
        ("Integers.pitch", True),  # of a class that it derives from
        ("moments.straight_line", True),
        ("noisewright.estimate.mean", True),
        ("em.straight_line", False),  # both are there, but not the one in the other
        ("Tally.pitch", False),
        ("nowhere.mean", False),
        ("DEFAULT", False),  # no definition: a text that the code compares with
    ],
)
def test_a_name_is_known_only_where_it_is_defined(word, there):
    assert known(word) is there


@pytest.mark.parametrize("page", THEORY, ids=name)
def test_every_file_and_name_of_the_theory_exists(page):
    lost = []
    for code in CODE.findall(prose(page)):
        if benchmark := BENCHMARK.match(code):
            path, experiment = benchmark.group(1).replace(".", "/"), benchmark.group(2)
            folder = ROOT / path
            missing = (
                folder.is_dir()
                and experiment not in (None, "all")
                and not (folder / f"{experiment}.py").exists()
            )
            if missing or not (folder.is_dir() or folder.with_suffix(".py").exists()):
                lost.append(code)
        elif PATH.fullmatch(code):
            if not exists(code):
                lost.append(code)
        else:
            word = code.partition("(")[0]
            if NAME.fullmatch(word) and word not in FOREIGN and not known(word):
                lost.append(code)
    assert not lost
