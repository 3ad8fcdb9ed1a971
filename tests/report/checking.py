"""Looking at a page as a browser and a careful reader would."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import math
import re
import sys
from html.parser import HTMLParser

from noisewright.report import number
from noisewright.report.html import SCRIPT

VOID = {"meta", "br", "hr", "img", "col", "link", "input"}
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http://www.w3.org/1999/xhtml"}


class Page(HTMLParser):
    """A parsed page; refuses tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.open = text, []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
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
        if self.open[-1:] == ["script"]:
            self.scripts.append(data)
        elif self.glued and self.words:  # an option is a part of its sentence
            self.words[-1] += data
        else:
            self.words.append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)

    @property
    def prose(self) -> str:
        return " ".join(" ".join(self.words).split())


SMALLEST_LETTERS = 10.0
"""Points of a letter in a drawing; on a screen a point has nine tenths of a pixel at least."""

PHONE = 358
"""Pixels that a phone of 390 pixels has between its margins."""

CSV = "data:text/csv;charset=utf-8;base64,"


def _check_narrow(page: Page, drawings: list[dict[str, str | None]]) -> None:
    """Whatever may be wider than a phone scrolls by itself, and drawings keep the size of their letters."""
    wide = re.findall(r"<(?:svg|table)\b", page.text)
    contained = re.findall(r'<div class="scroll" tabindex="0" role="group"[^>]*><(?:svg|table)\b', page.text)
    assert len(contained) == len(wide), "a drawing or a table could push the page beyond the screen"
    for drawing in drawings:
        points = float(drawing["viewbox"].split()[2])
        least, most = math.ceil(0.9 * points), math.ceil(1.5 * points)
        assert drawing["style"] == f"--least: {least}px; --most: {most}px", "letters would shrink too far"
        assert least <= PHONE, "a phone would have to scroll a drawing"
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: ([0-9.]+)px", page.text)]
    assert min(sizes, default=SMALLEST_LETTERS) >= SMALLEST_LETTERS


def check_scripts(page: Page) -> None:
    """The one script of a page is ours, and the policy allows it by its hash and nothing else."""
    assert page.scripts == [SCRIPT]
    assert [attributes for tag, attributes in page.tags if tag == "script"] == [{}]
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    (policy,) = (each["content"] for tag, each in page.tags if tag == "meta" and "http-equiv" in each)
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["script-src"] == f"'sha256-{digest}'"
    assert directives["default-src"] == "'none'"


def saved_tables(page: Page) -> list[list[list[str]]]:
    """The rows of every table that a page offers as CSV."""
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a" and "download" in attributes]
    texts = [base64.b64decode(link.removeprefix(CSV)).decode("utf-8-sig") for link in links]
    return [list(csv.reader(io.StringIO(text, newline=""))) for text in texts]


def check_numbers(page: Page) -> None:
    """A cell sorts, and is saved, by the number that it shows, up to a unit of the last digit."""
    for value, shown in re.findall(r'<td class="number[^"]*" data-value="([^"]*)">([^<]*)', page.text):
        plain = shown.replace("\u00a0", " ")
        if (seen := number(plain).value) is not None and math.isfinite(seen):
            digits = re.search(r"\.([0-9]+)", plain)
            unit = 10.0 ** -len(digits.group(1) if digits else "") / (100 if "%" in plain else 1)
            assert abs(float(value) - seen) <= max(unit, 0.06 * abs(seen)), f"{shown} is not {value}"


def page_tables(page: Page) -> list[tuple[int, int]]:
    """The numbers of columns and rows of every table that has rows."""
    texts = re.findall(r"<table.*?</table>", page.text, re.DOTALL)
    sizes = [(text.count('scope="col"'), text.count('scope="row"')) for text in texts]
    return [(columns, rows) for columns, rows in sizes if rows]


def check(text: str) -> Page:
    """A page that stands alone, runs nothing but our script, and can be read by those who cannot see it."""
    assert text.startswith("<!DOCTYPE html>")
    page = Page(text)
    check_scripts(page)
    for name in ("link", "iframe", "object", "embed", "img"):
        assert page.count(name) == 0, name
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids)), "ids must be unique"
    for tag, attributes in page.tags:
        for key, value in attributes.items():
            assert not key.startswith("on"), f"{tag} has a handler {key}"
            if tag == "a" and re.fullmatch(r"[\w-]+\.html", value or ""):
                continue  # a page in the same folder
            if tag == "a" and key == "href" and value.startswith(CSV):
                assert re.fullmatch(r"[a-z0-9-]+\.csv", attributes["download"])
                continue  # a table, in the link itself
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
    assert page.count("time") == 1, "a page has a date"
    for rows, table in zip(saved_tables(page), page_tables(page), strict=True):
        assert [len(row) for row in rows] == [table[0]] * (table[1] + 1)
    drawings = [attributes for tag, attributes in page.tags if tag == "svg"]
    assert all(drawing["role"] == "img" and drawing["aria-labelledby"] in ids for drawing in drawings)
    _check_narrow(page, drawings)
    check_numbers(page)
    return page


def without_scikit_learn(monkeypatch, room: str) -> None:
    """Let a room of the package be imported anew, on a machine that has no scikit-learn."""
    for name in [name for name in sys.modules if f"{name}.".startswith(f"noisewright.{room}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
