"""Looking at a page as a browser and a careful reader would."""

from __future__ import annotations

import math
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "col", "link", "input"}
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http://www.w3.org/1999/xhtml"}


class Page(HTMLParser):
    """A parsed page; refuses tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.open = text, []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.glued = False
        self.feed(text)
        self.close()
        assert self.open == [], f"left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.glued = (tag, *attrs) == ("span", ("class", "option"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> does not match"
        self.glued = self.glued and tag == "span"

    def handle_data(self, data):
        if self.glued and self.words:  # an option is a part of its sentence
            self.words[-1] += data
        else:
            self.words.append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)

    @property
    def prose(self) -> str:
        return " ".join(" ".join(self.words).split())


SMALLEST_LETTERS = 7.0
"""Pixels, on the narrowest of screens."""


def _check_narrow(page: Page, drawings: list[dict[str, str | None]]) -> None:
    """Whatever may be wider than a phone scrolls by itself, and drawings keep the size of their letters."""
    wide = re.findall(r"<(?:svg|table)\b", page.text)
    contained = re.findall(r'<div class="scroll" tabindex="0" role="region"[^>]*><(?:svg|table)\b', page.text)
    assert len(contained) == len(wide), "a drawing or a table could push the page beyond the screen"
    for drawing in drawings:
        points = float(drawing["viewbox"].split()[2])
        assert drawing["style"] == f"--least: {math.ceil(points)}px", "letters would shrink with the screen"
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: ([0-9.]+)px", page.text)]
    assert min(sizes, default=SMALLEST_LETTERS) >= SMALLEST_LETTERS
    for text in re.findall(r"<table.*?</table>", page.text, re.DOTALL):
        if len(re.findall(r'scope="col"', text)) > 4:
            assert text.startswith('<table class="wide">')
            assert len(re.findall(r"<td\b", text)) == len(re.findall(r"<td\b[^>]*data-label=", text))


def check(text: str) -> Page:
    """A page that stands alone, runs nothing, and can be read by those who cannot see it."""
    assert text.startswith("<!DOCTYPE html>")
    page = Page(text)
    for name in ("script", "link", "iframe", "object", "embed", "img"):
        assert page.count(name) == 0, name
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids)), "ids must be unique"
    for tag, attributes in page.tags:
        for key, value in attributes.items():
            assert not key.startswith("on"), f"{tag} has a handler {key}"
            if tag == "a" and re.fullmatch(r"[\w-]+\.html", value or ""):
                continue  # a page in the same folder
            if key in ("href", "xlink:href", "src"):
                assert value.startswith("#"), f"{tag} points to {value}"
                assert value[1:] in ids, f"{value} points nowhere"
            if not key.startswith("xmlns"):
                assert "http:" not in (value or ""), f"{tag} {key}={value}"
                assert "https:" not in (value or ""), f"{tag} {key}={value}"
    assert set(re.findall(r"https?://[^\s\"'<>]+", text)) <= NAMESPACES
    assert re.findall(r"url\((?!#)", text) == []
    assert "@import" not in text
    assert page.count("table") == page.count("caption")
    drawings = [attributes for tag, attributes in page.tags if tag == "svg"]
    assert all(drawing["role"] == "img" and drawing["aria-labelledby"] in ids for drawing in drawings)
    _check_narrow(page, drawings)
    return page


def without_scikit_learn(monkeypatch, room: str) -> None:
    """Let a room of the package be imported anew, on a machine that has no scikit-learn."""
    for name in [name for name in sys.modules if f"{name}.".startswith(f"noisewright.{room}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
