"""The page of a privacy card: the card on one printed page, then what attacks on the release achieved."""

from __future__ import annotations

from typing import Final

from noisewright import __version__
from noisewright.pages.markup import Content, Html, bullets, facts, tag
from noisewright.pages.release_attack import attack_sections
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page
from noisewright.release import card_words as words
from noisewright.release.attacks import AttackReport
from noisewright.release.card import Card
from noisewright.release.card_shown import clean, percent_up

PRINT: Final = Html(
    "<style>@media print { @page { margin: 10mm; } html { font-size: 10.5px; } "
    "body { font-size: 1rem; line-height: 1.3; } header { padding-top: 0; } nav { display: none; } "
    "h1 { font-size: 1.7rem; } .lead { margin: 0; } .warning { padding: .4rem .8rem; } "
    "h2 { font-size: 1.2rem; margin: .6rem 0 .2rem; padding-top: .4rem; } p, ul, dl { margin: .3rem 0; } "
    ".scroll { margin: .3rem 0; } th, td { padding-top: .1rem; padding-bottom: .1rem; } "
    "p, li, dd, .lead { max-width: none; } footer { padding: .5rem 1.25rem 0; } "
    "section:has(.attack) { break-before: page; } }</style>"
)
"""Set closely enough that the card is one sheet of paper; the attacks begin on the next."""


def card_page(card: Card, report: AttackReport | None = None) -> str:
    """The whole document; ``report`` is what attacks achieved, if any were played."""
    sections = [
        Section("The promise", _promise(card)),
        Section("What is not promised", _not_promised(card)),
        Section("What was released", [facts(_capital(words.released_words(card)))]),
        Section("Taken as public, and told without noise", [bullets(words.taken_as_public(card))]),
        Section("The noise", [_noise(card)]),
        *([] if report is None else attack_sections(report)),
    ]
    footer = f"Written by noisewright release, version {__version__}."
    lead = words.promise(card).replace(" %", "\u00a0%")  # never a line that begins with the sign
    return page(words.heading(card), lead, sections, footer)


def _promise(card: Card) -> list[Content]:
    banner = [tag("p", words.NOT_PRIVATE, class_="warning")] if card.simulated else []
    told = facts([
        ("Carries", words.nats_words(card)),
        ("In comparison", words.epsilon_words(card)),
    ])  # fmt: skip
    return [PRINT, *banner, told, *([_guesses(card)] if card.guesses else [])]


def _guesses(card: Card) -> Html:
    rows = [
        [guess.question, number(percent_up(guess.blind)), number(percent_up(guess.at_most))]
        for guess in card.guesses
    ]
    caption = f"How often a guess is right; bounds are rounded up{words.certainty(card)}"
    return table(caption, ["Question", "Blindly", "With the release, at most"], rows)


def _not_promised(card: Card) -> list[Content]:
    first, *others = words.not_promised(card)
    return [tag("p", tag("strong", first), class_="warning"), bullets(others)]


def _noise(card: Card) -> Html:
    rows = [
        [clean(group.name), number(f"{group.numbers:,}"), number(f"{group.deviation:.3g}"),
         number(f"{group.signal_to_noise:.3g}")]
        for group in card.groups
    ]  # fmt: skip
    header = ["Released numbers", "How many", "Deviation of the noise", "Signal over noise"]
    caption = (
        f"Noise of {words.noise_words(card)}; the signal is the variance from one half of the pool to another"
    )
    return table(caption, header, rows)


def _capital(pairs: list[tuple[str, str]]) -> list[tuple[Content, Content]]:
    return [(name.capitalize(), value) for name, value in pairs]
