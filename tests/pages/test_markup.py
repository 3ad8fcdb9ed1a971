"""Whatever users name their columns, a page only ever shows it."""

from __future__ import annotations

import pytest

from noisewright.pages.markup import Html, bullets, facts, joined, listing, paragraph, tag
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page
from pages.checking import check

EVIL = "</title></style><script>alert('x')</script><img src=x onerror=\"alert(1)\">&amp;"


@pytest.mark.parametrize(
    "made",
    [
        tag("p", EVIL),
        tag("p", "harmless", title=EVIL),
        paragraph(EVIL),
        bullets([EVIL]),
        facts([(EVIL, EVIL)]),
        listing(EVIL, EVIL),
        joined([EVIL, EVIL], between=EVIL),
        table(EVIL, [EVIL, EVIL], [[EVIL, EVIL], [EVIL, number(EVIL, best=True)]]),
        Section(EVIL, [EVIL]).markup("inner"),
    ],
)
def test_user_text_never_becomes_markup(made):
    assert isinstance(made, Html)
    assert "<script" not in made
    assert "<img" not in made
    document = page("title", "lead", [Section("one", [made])], "end")
    check(document)


def test_a_page_of_nothing_but_evil_stands_alone_and_shows_it():
    document = page(EVIL, EVIL, [Section(EVIL, [EVIL])] * 5, EVIL)
    parsed = check(document)
    assert parsed.prose.count("<script>alert('x')</script>") >= 8
    assert parsed.prose.count("&amp;") >= 8


def test_markup_is_not_escaped_twice():
    assert tag("p", tag("b", "a & b")) == "<p><b>a &amp; b</b></p>"
    assert Section("one", [Html("<hr>")]).markup("x").endswith("<hr></section>")


def test_contents_link_to_their_sections_when_there_are_many():
    few = page("t", "l", [Section(str(n), []) for n in range(3)], "f")
    many = check(page("t", "l", [Section(str(n), []) for n in range(4)], "f"))
    assert "<nav" not in few
    assert many.count("nav") == 1
    assert [attributes["href"] for tag_, attributes in many.tags if tag_ == "a"] == [
        f"#part-{n}" for n in range(1, 5)
    ]


def test_a_page_forbids_itself_to_load_or_run_anything():
    document = page("t", "l", [], "f")
    assert "default-src 'none'" in document
    assert "script-src" not in document


def test_numbers_stand_right_under_a_right_heading_and_the_best_says_so():
    made = table(
        "c", ["name", "error", "note"], [["a", number("1", best=True), "x"], ["b", number("2"), "y"]]
    )
    assert '<th scope="col" class="number">error</th>' in made
    assert '<th scope="col">note</th>' in made
    assert made.count("★ best") == 1
    assert table("empty", ["a", "b"], []).count("<th ") == 2
