"""Pages, docstrings and messages are in plain English: short sentences, none of the phrases read twice.

``python tests/test_english.py PATH ...`` lists what the tests would object to under files or folders.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "noisewright"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
ROOMS = sorted(path for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())
LONGEST_MEAN = 22
"""Words that a sentence may have on average, on a page and in the docstrings of a room."""

PHRASES = {
    r"\btold\b(?! apart)": "shown, reported, revealed, given",
    r"\bso many\b": "the number itself: `count` of them, n",
    r"\bby turns\b": "alternating",
    r"\bwhat (?:is|are|was|were|has|have) (?:no|none)\b": "anything that is not …",
    r"\b(?:that|which) (?:is|are) none\b": "that is not one",
    r"\bif nothing is said\b": "default: …",
    r"\bof ours\b": "our",
    r"\blean(?:s|ed|ing)? on\b": "rely on, depend on",
    r"\bwhat of the\b": "the parts of the …",
    r"\bin other currencies\b": "other privacy measures",
    r"\ball that can be\b": "everything that can be",
    r"(?:^|[.;:] )Who (?![^.?]*\?)": "Whoever, people who, anyone who",
    r"\bnone but\b": "only",
    r"\bnone below\b": "non-negative, at least …",
    r"\bknow(?:s|n|ing)? \w+ again\b": "recognize",
}
"""Phrases that a reader reads twice, each with what to write instead."""

_FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2", re.MULTILINE | re.DOTALL)
_NOT_PROSE = re.compile(r"^\s*(?:\||#|!\[|>>>|\.\.\.|    \S|:::|\[\w+\]:)")
_ENTRY = re.compile(r"^\s*\*{0,2}\w+(?:, \*{0,2}\w+)*: ")
_EXAMPLE = re.compile(r"^\s*>>>.*?\n\s*\n", re.MULTILINE | re.DOTALL)
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|cf|vs|Fig|eq|thm|ch|sec|et al|no)\.", re.IGNORECASE)


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs and list entries of a page or docstring, without code, tables, headings and formulas."""
    text = _FENCE.sub("\n\n", re.sub(r"<!--.*?-->|^---\n.*?\n---\n", "", text, flags=re.DOTALL))
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\s*\*{0,2}\w+: )", text):
        lines = [line for line in block.splitlines() if line.strip()]
        if lines and (_ENTRY.match(lines[0]) or not _NOT_PROSE.match(lines[0])):
            yield re.sub(r"\s+", " ", " ".join(lines)).strip()


def sentences(text: str) -> Iterator[list[str]]:
    """The sentences of a text, each a list of its words; code and formulas count as a word."""
    for paragraph in paragraphs(text):
        plain = re.sub(r"`[^`]*`|``[^`]*``|\$[^$]*\$", "x", _ENTRY.sub("", paragraph))
        plain = _ABBREVIATION.sub(lambda found: found.group().replace(".", ""), plain)
        plain = re.sub(r"\]\([^)]*\)", "]", plain)
        for sentence in re.split(r"(?<=[.!?])[)\"*_]*\s+", plain):
            words = re.findall(r"[^\W\d_][\w'’-]*", sentence)
            if len(words) > 2:
                yield words


def mean_length(texts: list[str]) -> float:
    """The mean number of words of a sentence."""
    lengths = [len(words) for text in texts for words in sentences(text)]
    return sum(lengths) / max(len(lengths), 1)


def docstrings(path: Path) -> list[tuple[int, str]]:
    """Every docstring of a module, attributes' included, without its examples, with its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = [body for node in ast.walk(tree) if isinstance(body := getattr(node, "body", None), list)]
    found = [
        (child.lineno, child.value.value)
        for child in itertools.chain.from_iterable(blocks)
        if isinstance(child, ast.Expr)
        and isinstance(child.value, ast.Constant)
        and isinstance(child.value.value, str)
    ]
    return [(line, inspect.cleandoc(_EXAMPLE.sub("\n\n", f"{text}\n\n"))) for line, text in found]


def texts(path: Path) -> list[tuple[int, str]]:
    """Every text of a module that a person may read: docstrings and strings of three words or more."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(" ") >= 2
    ]


def objections(text: str) -> list[str]:
    """The phrases in a text, each with what to write instead."""
    plain = re.sub(r"\s+", " ", re.sub(r"`[^`]*`", "x", text))
    return [
        f"{found.group().strip()!r}: write {instead}"
        for pattern, instead in PHRASES.items()
        for found in re.finditer(pattern, plain, re.IGNORECASE if pattern[0] == "\\" else 0)
    ]


def findings(path: Path) -> list[str]:
    """Every phrase in a page or module, with its place."""
    if path.suffix == ".md":
        prose = _FENCE.sub("", path.read_text(encoding="utf-8"))
        return [f"{path.name}: {each}" for each in objections(prose)]
    return [f"{path.name}:{line}: {each}" for line, text in texts(path) for each in objections(text)]


def modules(room: Path) -> list[Path]:
    return [room] if room.suffix == ".py" else sorted(room.rglob("*.py"))


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("room", ROOMS, ids=short)
def test_docstrings_and_messages_of_a_room_are_plain(room):
    assert [each for path in modules(room) for each in findings(path)] == []
    assert mean_length([text for path in modules(room) for _, text in docstrings(path)]) <= LONGEST_MEAN


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_a_page_is_plain(page):
    assert findings(page) == []
    assert mean_length([page.read_text(encoding="utf-8")]) <= LONGEST_MEAN


def test_phrases_and_long_sentences_are_found():
    assert objections("Refuse what is no budget; values are told by turns.") == [
        "'told': write shown, reported, revealed, given",
        "'by turns': write alternating",
        "'what is no': write anything that is not …",
    ]
    assert objections("Who wants more asks for it.")
    assert not objections("Who wants more? Two told apart.")
    assert mean_length(["One two three. " + "word " * 30 + "end."]) == 17
    assert mean_length(["| a table | " + "word " * 99 + "|\n\n    code " + "word " * 99]) == 0


if __name__ == "__main__":
    for name in sys.argv[1:]:
        top = Path(name).resolve()
        paths = [top] if top.is_file() else sorted([*top.rglob("*.py"), *top.rglob("*.md")])
        for path in paths:
            print(*findings(path), sep="\n", end="\n" if findings(path) else "")
            own = [text for _, text in docstrings(path)] if path.suffix == ".py" else [path.read_text()]
            if (mean := mean_length(own)) > LONGEST_MEAN:
                print(f"{path.name}: {mean:.1f} words in a mean sentence")
