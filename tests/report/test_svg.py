"""Figures inside pages: repeatable, legible without colour, and from nowhere else."""

from __future__ import annotations

import re
import sys

import matplotlib
import pytest

from noisewright import Circle, Interval
from noisewright.design.comparison import compare
from noisewright.design.plots import dial, drawn_kinds, error, laws, worst_by_epsilon
from noisewright.errors import MissingExtra
from noisewright.mechanisms import TSW, CircularOGPM
from noisewright.report import Figure, Report, Section, Table, number
from noisewright.report.html import block_markup, render_page
from noisewright.report.plots import new_figure
from noisewright.report.style import STYLE
from noisewright.report.svg import DASHES, INK, PALETTE, drawing_style, inline_svg
from report.checking import check


def page(blocks):
    """A page of one section."""
    return render_page(Report("title", "lead", [Section("one", blocks)], verb="test", data={}))


TRUNCATED = TSW(Interval(0, 1), 1.0)


def test_the_same_figure_is_the_same_bytes():
    first, second = (inline_svg(laws(TRUNCATED, [0.2, 0.7]), "law", "A law.") for _ in range(2))
    assert first == second
    assert not re.search(r"\d{4}-\d\d-\d\dT", first)
    assert "Matplotlib" not in first


def test_figures_share_a_page_without_sharing_ids():
    drawn = error(TRUNCATED)
    both = [Figure(name, [("t", lambda: drawn)], "c") for name in ("one", "two")]
    parsed = check(page(both))
    assert parsed.count("svg") == 2
    assert parsed.prose.count("expected |error|") == 2  # text stays text


def test_figures_follow_the_theme_of_the_page():
    made = inline_svg(laws(TRUNCATED, [0.2, 0.7]), "law", "t")
    assert "currentColor" in made
    assert "var(--line-0)" in made
    assert "var(--line-1)" in made
    for colour in (INK, *PALETTE):
        assert colour not in made
    for place in range(len(PALETTE)):
        assert STYLE.count(f"--line-{place}:") == 3  # light, dark and paper
    assert len(set(map(str, DASHES))) == len(DASHES) >= len(PALETTE)


def test_texts_in_figures_are_escaped_and_never_read_as_formulas():
    with drawing_style():
        drawn = new_figure(4, 3)
        axes = drawn.add_subplot()
        axes.plot([0, 1], label="a")
        axes.set_title("$x^2$ <script>alert(1)</script> & $")
    parsed = check(page([Figure("evil", [("<script>", lambda: drawn)], "</figure><script>")]))
    assert "$x^2$ <script>alert(1)</script> & $" in parsed.prose


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were():
    before = dict(matplotlib.rcParams)
    inline_svg(dial(CircularOGPM(Circle(24), 1.0), [6.0, 23.0]), "dial", "t")
    assert dict(matplotlib.rcParams) == before


def test_without_matplotlib_a_page_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[plots\]"):
        error(TRUNCATED)


def test_a_panel_has_few_enough_lines_and_always_the_reference():
    comparison = compare(Interval(0, 1), [1.0, 4.0])
    names = [kind.__name__ for kind in drawn_kinds(comparison)]
    assert len(names) == 7
    assert "OGPM" in names
    assert "ExtendedGaussian" not in names
    drawn = comparison.plot()
    panels = [axes for axes in drawn.axes if axes.lines]
    assert [axes.get_title() for axes in panels] == ["ε = 1", "ε = 4"]
    assert all(len(axes.lines) == 7 for axes in panels)
    lines = worst_by_epsilon(comparison).axes[0].lines
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 7


def test_figures_fit_a_phone_and_keep_the_size_of_their_letters():
    """A point of a drawing has 0.9 to 1.5 pixels; a screen that is narrower still scrolls it by itself."""
    figure = Figure("errors", [("Errors.", lambda: error(TRUNCATED))], "A caption.")
    shown, parsed = block_markup(figure), check(page([figure]))
    (drawing,) = (attributes for tag, attributes in parsed.tags if tag == "svg")
    assert drawing["style"] == "--least: 350px; --most: 584px"
    assert drawing["viewbox"].startswith("0 0 388.8 ")
    assert shown.index('class="scroll"') < shown.index("<svg") < shown.index("</div><figcaption>")
    screen, paper = STYLE.split("@media print {")
    (rule,) = (line for line in screen.splitlines() if "svg" in line and "min-width:" in line)
    assert rule.startswith("figure svg { width: 100%; min-width: var(--least); max-width: var(--most);")
    assert "figure svg { min-width: 0;" in paper  # as specific, and later: it wins
    assert ".scroll, pre { --under: var(--paper); overflow-x: auto;" in STYLE


def test_tables_scroll_on_narrow_screens_and_keep_the_names_of_rows_in_sight():
    made = block_markup(Table("Many", ["a", "<b>", "c", "d", "e"], [["x", number("3 %"), number(2), 3, 4]]))
    assert made.startswith('<div class="scroll" tabindex="0" role="group" aria-label="Many"><table>')
    assert "3\u00a0%" in made
    rules = STYLE.split("@media (max-width: 40rem) {")[1]
    assert "tbody th, thead th:first-child { position: sticky; left: 0;" in rules
    assert "background-attachment: local, local, scroll, scroll;" in STYLE  # the shade that shows it


def test_paper_is_black_on_white_and_cuts_nothing():
    """The last rules win: whatever the screen's theme is, and wherever a screen would scroll."""
    paper = STYLE.split("@media print {")[1]
    assert STYLE.rindex("@media print {") > STYLE.rindex("@media (prefers-color-scheme: dark)")
    for rule in (
        "--paper: #ffffff; --ink: #000000;", ".scroll, figure, pre { overflow: visible; }",
        "section { break-inside: avoid;", "figure, tr, dl div, .warning { break-inside: avoid; }",
        "figure svg { min-width: 0;", "details::details-content { content-visibility: visible; }",
        'a[href^="http"]::after { content: " (" attr(href) ")";', 'h2::before { content: counter(part) ". "; }',
    ):  # fmt: skip
        assert rule in paper
    assert re.findall(r"[^{}]*\{ display: none; \}", paper) == ["\n  .record, .save { display: none; }"]
    assert STYLE.count("{") == STYLE.count("}")


def test_panels_stand_below_each_other_where_there_is_no_room():
    with drawing_style():
        drawn = [(f"Drawing {place}.", lambda: new_figure(2, 2)) for place in range(2)]
    parsed = check(page([Figure("both", drawn, "Two drawings.")]))
    assert parsed.count("svg") == 2
    assert "Drawing 0." in parsed.prose
    assert "Drawing 1." in parsed.prose
    assert ("div", {"class": "panels"}) in parsed.tags
    assert "grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr))" in STYLE
