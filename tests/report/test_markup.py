"""Whatever users name their columns, a page only ever shows it."""

from __future__ import annotations

import html
import re

import pytest

from noisewright.report import Bullets, Facts, Listing, Report, Section, Table, number
from noisewright.report.html import block_markup, render_page, section_markup
from noisewright.report.markup import Html, joined, tag
from noisewright.report.style import STYLE
from report.checking import Page, check, check_scripts


def page(title, lead, sections, note):
    """A page of sections."""
    return render_page(Report(title, lead, sections, verb="test", data={}, note=note))


EVIL = "</title></style><script>alert('x')</script><img src=x onerror=\"alert(1)\">&amp;"


@pytest.mark.parametrize(
    "made",
    [
        tag("p", EVIL),
        tag("p", "harmless", title=EVIL),
        block_markup(EVIL),
        block_markup(Bullets([EVIL])),
        block_markup(Facts([(EVIL, EVIL)])),
        block_markup(Listing(EVIL, EVIL)),
        joined([EVIL, EVIL], between=EVIL),
        block_markup(Table(EVIL, [EVIL, EVIL], [[EVIL, EVIL], [EVIL, number(EVIL, best=True)]])),
        section_markup(Section(EVIL, [EVIL]), "inner"),
    ],
)
def test_user_text_never_becomes_markup(made):
    assert isinstance(made, Html)
    assert "<script" not in made
    assert "<img" not in made
    check(render_page(Report("title", "lead", [], verb="test", data={}), [made]))


def test_a_page_of_nothing_but_evil_stands_alone_and_shows_it():
    document = page(EVIL, EVIL, [Section(EVIL, [EVIL])] * 5, EVIL)
    parsed = check(document)
    assert parsed.prose.count("<script>alert('x')</script>") >= 8
    assert parsed.prose.count("&amp;") >= 8


def test_markup_is_not_escaped_twice():
    assert tag("p", tag("b", "a & b")) == "<p><b>a &amp; b</b></p>"
    assert block_markup(Facts([("one", Html("<hr>"))])).endswith("<dd><hr></dd></div></dl>")


def test_contents_link_to_their_sections_when_there_are_many():
    few = page("t", "l", [Section(str(n), []) for n in range(3)], "f")
    many = check(page("t", "l", [Section(str(n), []) for n in range(4)], "f"))
    assert "<nav" not in few
    assert many.count("nav") == 1
    assert [attributes["href"] for tag_, attributes in many.tags if tag_ == "a"] == [
        f"#part-{n}" for n in range(1, 5)
    ]


def test_a_page_forbids_itself_to_load_anything_and_to_run_any_script_but_ours():
    document = page("t", "l", [], "f")
    assert "default-src 'none'" in document
    assert document.count("script-src") == 1
    check_scripts(Page(document))


def test_numbers_stand_right_under_a_right_heading_and_the_best_says_so():
    rows = [["a", number("1", best=True), "x"], ["b", number("2"), "y"]]
    made = block_markup(Table("c", ["name", "error", "note"], rows))
    assert '<th scope="col" class="number">error</th>' in made
    assert '<th scope="col">note</th>' in made
    assert made.count("★ best") == 1
    assert block_markup(Table("empty", ["a", "b"], [])).count("<th ") == 2


@pytest.mark.parametrize("name", ["code", "p", "li", "td", "th", "h1", "h2", "dt", "summary"])
def test_no_line_breaks_inside_an_option(name):
    text = "perturb --out-of-domain clip (--seed 1), a--b, 3 --- 4, <--x>"
    shown = tag(name, text)
    assert re.findall(r'<span class="option">([^<]*)</span>', shown) == ["--out-of-domain", "--seed", "--x"]
    assert re.findall(r'<span class="option">([^<]*)</span>', tag(name, "-o x, a-b, 1 - 2, -x-")) == ["-o"]
    assert html.unescape(re.sub(r"<[^>]*>", "", shown)) == text
    assert ".option { white-space: nowrap; }" in STYLE


def test_titles_and_attributes_have_no_markup_in_them():
    assert tag("title", "--seed") == "<title>--seed</title>"
    assert tag("p", aria_label="--seed") == '<p aria-label="--seed"></p>'


def test_what_may_be_long_breaks_or_scrolls_on_a_narrow_screen():
    """Headings break anywhere, heads of tables between words; tables and listings scroll."""
    rules = dict(re.findall(r"^\s*([^{}@]+?) \{ ([^{}]*) \}", STYLE.replace("\n  ", " "), re.MULTILINE))
    assert rules["h1, h2, h3, nav a, caption, figcaption"] == "overflow-wrap: anywhere;"
    assert "white-space: pre;" in rules["pre"]
    assert "overflow-x: auto;" in rules[".scroll, pre"]
    assert " th { overflow-wrap: break-word; }" in STYLE
    assert ".commands span { white-space: pre-wrap; overflow-wrap: anywhere; }" in STYLE
