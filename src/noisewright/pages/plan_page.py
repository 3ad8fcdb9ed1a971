"""The page of a plan."""

from __future__ import annotations

from noisewright import __version__
from noisewright.pages.markup import Content, bullets
from noisewright.pages.plan_text import MEANING, heading, model_words, remarks, rows
from noisewright.pages.plans import Plan, Question
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page


def plan_page(plan: Plan) -> str:
    """The whole document."""
    sections = [Section(each.name, _content(each, plan)) for each in plan.questions]
    if plan.model is not None:
        sections.append(Section("A classifier", list(model_words(plan.model))))
    sections.append(Section("Where the widths come from", [MEANING]))
    lead = f"{plan.people:,} people, one report each to every question, before anybody is asked."
    footer = f"Written by noisewright plan, version {__version__}."
    return page("A plan for a collection", lead, sections, footer)


def _content(question: Question, plan: Plan) -> list[Content]:
    listed = [[what, number(width), number(people or "–")] for what, width, people in rows(question)]
    header = ["Number", f"width of its {100 * plan.level:g} % interval", "people for the wanted width"]
    return [
        heading(question),
        table(f"What reports of {question.name} will tell", header, listed),
        bullets(remarks(question)),
    ]
